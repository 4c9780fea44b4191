//===- AxisOrder.cpp - permutations of axes -------------------------------===//
//
// Part of the Tenon project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "AxisOrder.h"

using namespace mlir;
using namespace tenon::graph;

Perm tenon::graph::toLast(size_t rank) {
  Perm perm{0};
  for (size_t axis = 2; axis < rank; ++axis)
    perm.push_back(axis);
  perm.push_back(1);
  return perm;
}

Perm tenon::graph::invert(ArrayRef<int64_t> perm) {
  Perm inverse(perm.size());
  for (auto [to, from] : llvm::enumerate(perm))
    inverse[from] = to;
  return inverse;
}

Shape tenon::graph::permute(const Shape &shape, ArrayRef<int64_t> perm) {
  Shape result;
  for (int64_t axis : perm)
    result.push_back(shape[axis]);
  return result;
}

Value tenon::graph::transpose(OpBuilder &b, Location loc, Value x,
                              ArrayRef<int64_t> perm) {
  return TransposeOp::create(b, loc, x, getInts(b.getContext(), perm));
}

std::optional<Perm> tenon::graph::getPerm(Value value) {
  auto op = value.getDefiningOp<TransposeOp>();
  return op ? op.getPerm().getConstants() : std::nullopt;
}
