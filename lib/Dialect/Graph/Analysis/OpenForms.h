//===- OpenForms.h - the meaning of values over chosen leaves ---*- C++ -*-===//
//
// Part of the Tenon project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef TENON_LIB_DIALECT_GRAPH_ANALYSIS_OPENFORMS_H
#define TENON_LIB_DIALECT_GRAPH_ANALYSIS_OPENFORMS_H

#include "tenon/Dialect/Graph/Analysis/LinearIndex.h"

#include "llvm/ADT/DenseMap.h"
#include "llvm/ADT/SetVector.h"

#include <functional>

namespace tenon::graph {

/// Index forms in which the elements of operands are replaced by the index
/// forms of these, up to leaves. Loads have the numbers of leaves.
class OpenForms {
public:
  /// Variables from this number on are bound by reductions. Those below it that
  /// no axis of a form has are free for other uses.
  static constexpr unsigned kFirstBound = 1u << 12;

  /// `isValid`: whether an op has a result, so that its form says what it does.
  OpenForms(std::function<bool(mlir::Value)> isLeaf,
            std::function<bool(mlir::Operation *)> isValid)
      : isLeaf(std::move(isLeaf)), isValid(std::move(isValid)) {}

  /// The element of a result of an op, whose operands are opened; null if a
  /// value is neither a leaf nor has an index form, or if the form has too many
  /// nodes.
  Expr get(mlir::OpResult result);
  /// The element of an operand at an index.
  Expr getElement(mlir::Value value, llvm::ArrayRef<Expr> at);
  mlir::Value getLeaf(unsigned number) const { return leaves[number]; }

private:
  Expr openLoads(mlir::Operation *op, const Expr &expr);

  std::function<bool(mlir::Value)> isLeaf;
  std::function<bool(mlir::Operation *)> isValid;
  llvm::SetVector<mlir::Value> leaves;
  llvm::DenseMap<mlir::Value, Expr> known;
  unsigned next = kFirstBound;
};

} // namespace tenon::graph

#endif // TENON_LIB_DIALECT_GRAPH_ANALYSIS_OPENFORMS_H
