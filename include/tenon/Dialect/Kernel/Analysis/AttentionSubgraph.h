//===- AttentionSubgraph.h - matching attention and its transposes --------===//
//
// Part of the Tenon project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Models compute queries, keys and values as [batch..., sequence, heads,
// depth], transpose them to attention's layout, [batch..., heads, sequence,
// depth], and transpose the result back. A kernel can read and write either
// layout.
//
//===----------------------------------------------------------------------===//

#ifndef TENON_DIALECT_KERNEL_ANALYSIS_ATTENTIONSUBGRAPH_H
#define TENON_DIALECT_KERNEL_ANALYSIS_ATTENTIONSUBGRAPH_H

#include "tenon/Dialect/Graph/IR/Graph.h"

namespace tenon::kernel {

struct AttentionSubgraph {
  graph::AttentionOp op;
  /// Transposes of the operands and of the result that have no other uses; null
  /// if there are none.
  graph::TransposeOp q, k, v, result;

  /// All ops of the fusion group, in block order.
  llvm::SmallVector<mlir::Operation *> ops() const;
};

/// Matches the largest fusion group around an attention. If heads share keys,
/// the transposes of queries and the result are not included.
AttentionSubgraph matchAttentionSubgraph(graph::AttentionOp op);

} // namespace tenon::kernel

#endif // TENON_DIALECT_KERNEL_ANALYSIS_ATTENTIONSUBGRAPH_H
