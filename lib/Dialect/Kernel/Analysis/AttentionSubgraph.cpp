//===- AttentionSubgraph.cpp - matching attention and its transposes ------===//
//
// Part of the Tenon project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "tenon/Dialect/Kernel/Analysis/AttentionSubgraph.h"

using namespace mlir;
using namespace tenon;
using namespace tenon::graph;
using namespace tenon::kernel;

/// Whether the transpose only exchanges heads and sequence.
static bool exchangesHeads(TransposeOp op) {
  SmallVector<int64_t> perm(op.getPerm().getValues());
  size_t rank = perm.size();
  if (rank < 3)
    return false;
  for (auto [axis, from] : llvm::enumerate(perm)) {
    size_t expected = axis == rank - 3   ? rank - 2
                      : axis == rank - 2 ? rank - 3
                                         : axis;
    if (static_cast<size_t>(from) != expected)
      return false;
  }
  return true;
}

static TransposeOp transposeOf(Value operand) {
  auto transpose = operand.getDefiningOp<TransposeOp>();
  return transpose && transpose->hasOneUse() && exchangesHeads(transpose)
             ? transpose
             : nullptr;
}

SmallVector<Operation *> AttentionSubgraph::ops() const {
  SmallVector<Operation *> all = {op};
  for (TransposeOp transpose : {q, k, v, result})
    if (transpose)
      all.push_back(transpose);
  llvm::sort(all,
             [](Operation *a, Operation *b) { return a->isBeforeInBlock(b); });
  return all;
}

AttentionSubgraph tenon::kernel::matchAttentionSubgraph(AttentionOp op) {
  AttentionSubgraph subgraph;
  subgraph.op = op;
  subgraph.k = transposeOf(op.getK());
  subgraph.v = transposeOf(op.getV());
  Shape q = getShape(op.getQ()), k = getShape(op.getK());
  // The queries of heads that share keys are consecutive rows of one matrix.
  if (q[q.size() - 3].floorDiv(k[k.size() - 3]).getConstant() != 1)
    return subgraph;
  subgraph.q = transposeOf(op.getQ());
  if (op->hasOneUse())
    if (auto user = dyn_cast<TransposeOp>(*op->user_begin());
        user && exchangesHeads(user) && user->getBlock() == op->getBlock())
      subgraph.result = user;
  return subgraph;
}
