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

class MatchView {
public:
  virtual ~MatchView();

  /// The representative of all values that are known to be equal to `value`.
  virtual mlir::Value find(mlir::Value value) const = 0;
  /// Results of ops that compute a value returned by `find`, oldest first.
  virtual llvm::ArrayRef<mlir::OpResult>
  getProducers(mlir::Value representative) const = 0;
  /// Ops of this name that read a value returned by `find`, oldest first,
  /// without duplicates.
  virtual llvm::SmallVector<mlir::Operation *>
  getReaders(mlir::Value representative, mlir::OperationName name) const = 0;
  /// All ops of this name, oldest first.
  virtual llvm::ArrayRef<mlir::Operation *>
  getOps(mlir::OperationName name) const = 0;
  /// Like op->getAttrDictionary(), which is slow for ops with properties.
  virtual mlir::DictionaryAttr getAttributes(mlir::Operation *op) const = 0;
};

/// The block of a function. Rebuilt after every change.
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
