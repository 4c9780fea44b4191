//===- MatchView.h - a graph as rules see it ------------------------------===//
//
// Part of the Tenon project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Rules are matched in two kinds of graphs: in the block of a function, where
// each value is given by one op, and in an e-graph, where equal values are one
// and may be given by several. A view hides the difference.
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

  /// The one value that stands for all that are known to be equal to `value`.
  virtual mlir::Value find(mlir::Value value) const = 0;
  /// Results of ops that give a value `find` returned, oldest first.
  virtual llvm::ArrayRef<mlir::OpResult>
  getProducers(mlir::Value representative) const = 0;
  /// Ops of this name that read a value `find` returned, oldest first, each
  /// once.
  virtual llvm::SmallVector<mlir::Operation *>
  getReaders(mlir::Value representative, mlir::OperationName name) const = 0;
  /// All ops of this name, oldest first.
  virtual llvm::ArrayRef<mlir::Operation *>
  getOps(mlir::OperationName name) const = 0;
  /// As op->getAttrDictionary(), which is slow for ops with properties.
  virtual mlir::DictionaryAttr getAttributes(mlir::Operation *op) const = 0;
};

/// The block of a function. Made anew after every change.
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
