//===- MatchView.h - views of graphs for matching -------------------------===//
//
// Part of the Tenon project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Rules are matched in two kinds of graphs: in a function's block, where one op
// computes each value, and in an e-graph, where equal values are merged and
// several ops may compute them. A view hides the difference.
//
//===----------------------------------------------------------------------===//

#ifndef TENON_DIALECT_RULE_MATCH_MATCHVIEW_H
#define TENON_DIALECT_RULE_MATCH_MATCHVIEW_H

#include "mlir/IR/Block.h"
#include "mlir/IR/BuiltinAttributes.h"
#include "mlir/IR/Operation.h"
#include "llvm/ADT/DenseMap.h"

namespace tenon::rule {

/// The interface through which rules are matched. It gives, for each value, the
/// ops that compute it and the ops that read it, up to the equalities that the
/// graph knows. Ops are in the order in which they were added; in a block, in
/// the block's order. Returned lists are valid until the graph changes. Not
/// thread-safe: const member functions may update caches.
class MatchView {
public:
  virtual ~MatchView();

  /// Returns the representative of all values that are known to be equal to
  /// `value`.
  virtual mlir::Value find(mlir::Value value) const = 0;
  /// Returns the results of ops that are equal to `representative`, which
  /// `find` has returned. Empty if no op of the graph computes it, as for an
  /// argument of a block that equals no result, or a value that is defined
  /// outside.
  virtual llvm::ArrayRef<mlir::OpResult>
  getProducers(mlir::Value representative) const = 0;
  /// Returns the ops of this name that have `representative` as an operand.
  /// Each op is listed once. Ops in other blocks or in nested regions are not
  /// listed.
  virtual llvm::SmallVector<mlir::Operation *>
  getReaders(mlir::Value representative, mlir::OperationName name) const = 0;
  /// Returns all ops of this name.
  virtual llvm::ArrayRef<mlir::Operation *>
  getOps(mlir::OperationName name) const = 0;
  /// Returns `op->getAttrDictionary()`, cached per op, because MLIR builds the
  /// dictionary on every call for ops with properties. Later changes of the
  /// attributes are not seen.
  virtual mlir::DictionaryAttr getAttributes(mlir::Operation *op) const = 0;
};

/// A view of one block, in which every value is its own representative. The
/// constructor records the ops of the block, and attributes are cached: create
/// a new view after ops have been added, erased or changed.
class BlockView : public MatchView {
public:
  explicit BlockView(mlir::Block &block);

  mlir::Value find(mlir::Value value) const override { return value; }
  llvm::ArrayRef<mlir::OpResult>
  getProducers(mlir::Value representative) const override;
  llvm::SmallVector<mlir::Operation *>
  getReaders(mlir::Value representative,
             mlir::OperationName name) const override;
  llvm::ArrayRef<mlir::Operation *>
  getOps(mlir::OperationName name) const override;
  mlir::DictionaryAttr getAttributes(mlir::Operation *op) const override;

private:
  mlir::Block &block;
  llvm::DenseMap<mlir::OperationName, llvm::SmallVector<mlir::Operation *>> ops;
  llvm::DenseMap<mlir::Value, mlir::OpResult> producers;
  mutable llvm::DenseMap<mlir::Operation *, mlir::DictionaryAttr> attributes;
};

} // namespace tenon::rule

#endif // TENON_DIALECT_RULE_MATCH_MATCHVIEW_H
