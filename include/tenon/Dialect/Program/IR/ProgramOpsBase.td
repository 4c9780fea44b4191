//===- ProgramOpsBase.td - classes of program ops -------------*- tablegen -*-===//
//
// Part of the Tenon project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef TENON_PROGRAM_OPS_BASE_TD
#define TENON_PROGRAM_OPS_BASE_TD

include "tenon/Dialect/Graph/IR/GraphDialect.td"
include "tenon/Dialect/Program/IR/PrimitiveAttrs.td"
include "tenon/Dialect/Program/IR/ProgramDialect.td"

include "mlir/IR/BuiltinAttributes.td"
include "mlir/IR/OpAsmInterface.td"
include "mlir/IR/SymbolInterfaces.td"

class Program_Op<string mnemonic, list<Trait> traits = []>
    : Op<Program_Dialect, mnemonic, traits>;

class Program_Step<string mnemonic, list<Trait> traits = []>
    : Program_Op<mnemonic,
                 traits # [ParentOneOf<["PrepareOp", "RunOp"]>]>;

#endif // TENON_PROGRAM_OPS_BASE_TD
