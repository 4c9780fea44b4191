//===- IndexUses.h - operands that are indices, and their ranges ----------===//
//
// Part of the Tenon project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef TENON_DIALECT_GRAPH_IR_INDEXUSES_H
#define TENON_DIALECT_GRAPH_IR_INDEXUSES_H

#include "mlir/IR/Operation.h"
#include "tenon/Dialect/Graph/IR/SymInt.h"

#include <optional>
#include <string>

namespace tenon::graph {

/// The valid values of an index: [low, end) addresses the axis `axis`.
struct IndexRange {
  int64_t axis;
  SymInt low, end;
};

/// An operand whose elements address other operands or the result.
struct IndexUse {
  mlir::Value indices;
  /// One range for all elements, or one per entry of the last axis of
  /// `indices`.
  llvm::SmallVector<IndexRange, 1> ranges;
  /// A value that means "no index".
  std::optional<int64_t> ignored;
};

/// The operands of `op` that are indices which a model has to keep in range.
/// (The index forms of such ops clamp or drop other indices, so rewrites and
/// generated code need not rely on the range.)
llvm::SmallVector<IndexUse, 1> getIndexUses(mlir::Operation *op);

/// Describes the op that reads at the indices, for messages: "'NAME' (gather)"
/// if the model has a name for it, otherwise by its location: "gather at
/// model.mlir:3:8". A name from the importer already includes the operator:
/// "'NAME (Gather)'".
std::string describeReader(mlir::Operation *op);

} // namespace tenon::graph

#endif // TENON_DIALECT_GRAPH_IR_INDEXUSES_H
