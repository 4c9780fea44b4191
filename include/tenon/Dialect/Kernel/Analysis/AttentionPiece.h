//===- AttentionPiece.h - attention with its transposes -------------------===//
//
// Part of the Tenon project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Models compute queries, keys and values as [batch..., sequence, heads,
// depth], transpose them to what attention takes, [batch..., heads, sequence,
// depth], and its result back. A kernel reads and writes either.
//
//===----------------------------------------------------------------------===//

#ifndef TENON_DIALECT_KERNEL_ANALYSIS_ATTENTIONPIECE_H
#define TENON_DIALECT_KERNEL_ANALYSIS_ATTENTIONPIECE_H

#include "tenon/Dialect/Graph/IR/Graph.h"

namespace tenon::kernel {

struct AttentionPiece {
  graph::AttentionOp op;
  /// Transposes that nothing else reads, of its operands and of its result;
  /// null where there are none.
  graph::TransposeOp q, k, v, result;

  /// All of its ops, in block order.
  llvm::SmallVector<mlir::Operation *> ops() const;
};

/// The largest piece around an attention. Queries and the result keep their
/// transposes where heads share keys.
AttentionPiece matchAttentionPiece(graph::AttentionOp op);

} // namespace tenon::kernel

#endif // TENON_DIALECT_KERNEL_ANALYSIS_ATTENTIONPIECE_H
