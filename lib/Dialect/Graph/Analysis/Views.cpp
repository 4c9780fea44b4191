//===- Views.cpp - values that alias others -------------------------------===//
//
// Part of the Tenon project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "tenon/Dialect/Graph/Analysis/Views.h"
#include "tenon/Dialect/Graph/IR/Graph.h"

#include "llvm/ADT/TypeSwitch.h"

using namespace mlir;
using namespace tenon;

OpOperand *graph::getViewedOperand(Operation *op) {
  return llvm::TypeSwitch<Operation *, OpOperand *>(op)
      .Case<ReshapeOp, OptimizationBarrierOp>(
          [](auto view) { return &view.getXMutable(); })
      .Default([](Operation *) { return nullptr; });
}

Value graph::getStorage(Value value) {
  while (Operation *op = value.getDefiningOp()) {
    OpOperand *viewed = getViewedOperand(op);
    if (!viewed)
      break;
    value = viewed->get();
  }
  return value;
}
