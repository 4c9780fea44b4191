//===- ProgramDialect.cpp - the program dialect ---------------------------===//
//
// Part of the Tenon project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "tenon/Dialect/Program/IR/Program.h"
#include "tenon/Support/DialectVersion.h"

#include "mlir/IR/DialectImplementation.h"
#include "llvm/ADT/TypeSwitch.h"

using namespace tenon::program;

#include "tenon/Dialect/Program/IR/PrimitiveInterfaces.cpp.inc"
#include "tenon/Dialect/Program/IR/ProgramDialect.cpp.inc"
#include "tenon/Dialect/Program/IR/ProgramEnums.cpp.inc"

#define GET_TYPEDEF_CLASSES
#include "tenon/Dialect/Program/IR/ProgramTypes.cpp.inc"

#define GET_ATTRDEF_CLASSES
#include "tenon/Dialect/Program/IR/ProgramAttrs.cpp.inc"

void ProgramDialect::initialize() {
  addInterfaces<tenon::VersionedBytecode>();
  addTypes<
#define GET_TYPEDEF_LIST
#include "tenon/Dialect/Program/IR/ProgramTypes.cpp.inc"
      >();
  addAttributes<
#define GET_ATTRDEF_LIST
#include "tenon/Dialect/Program/IR/ProgramAttrs.cpp.inc"
      >();
  addOperations<
#define GET_OP_LIST
#include "tenon/Dialect/Program/IR/ProgramOps.cpp.inc"
      >();
}
