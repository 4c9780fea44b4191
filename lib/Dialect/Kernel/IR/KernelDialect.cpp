//===- KernelDialect.cpp - the kernel dialect -----------------------------===//
//
// Part of the Tenon project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "tenon/Dialect/Kernel/IR/Kernel.h"
#include "tenon/Dialect/Kernel/IR/SharedFiles.h"
#include "tenon/Support/DialectVersion.h"

#include "mlir/IR/Builders.h"

using namespace mlir;
using namespace tenon::kernel;

#include "tenon/Dialect/Kernel/IR/KernelDialect.cpp.inc"

#define GET_OP_CLASSES
#include "tenon/Dialect/Kernel/IR/KernelOps.cpp.inc"

void KernelDialect::initialize() {
  addInterfaces<tenon::VersionedBytecode, SharedFiles>();
  registerAttributes();
  addOperations<
#define GET_OP_LIST
#include "tenon/Dialect/Kernel/IR/KernelOps.cpp.inc"
      >();
}

ValueRange CallOp::getYielded() {
  return getBodyBlock().getTerminator()->getOperands();
}

LogicalResult CallOp::verifyRegions() {
  Block &block = getBodyBlock();
  if (TypeRange(block.getArgumentTypes()) != TypeRange(getInputs().getTypes()))
    return emitOpError() << "expected the block's arguments to have the "
                            "operands' types";
  if (TypeRange(getYielded().getTypes()) != TypeRange(getOutputs().getTypes()))
    return emitOpError() << "expected to yield values of the results' types";
  if (!isa<YieldOp>(block.getTerminator()))
    return emitOpError() << "expected the region to end in kernel.yield";
  for (Operation &op : block.without_terminator())
    if (!isa<tenon::graph::GraphDialect>(op.getDialect()))
      return op.emitOpError() << "expected an op of the graph dialect in "
                                 "'kernel.call'";
  return success();
}
