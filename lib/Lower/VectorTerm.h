//===- VectorTerm.h - neighbouring terms of reductions as a vector ------===//
//
// Part of the Tenon project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// LLVM vectorizes innermost loops. A reduction that keeps many results in
// registers has its loop over results outside of the loop over terms, so its
// vectors are emitted here.
//
//===----------------------------------------------------------------------===//

#ifndef TENON_LIB_LOWER_VECTORTERM_H
#define TENON_LIB_LOWER_VECTORTERM_H

#include "AffineOffsets.h"
#include "ExprEmitter.h"

namespace tenon::lower {

/// What a load gives to neighbouring results.
struct VectorAccess {
  enum Kind {
    Splat,    // one element to all
    Vector,   // neighbouring elements
    Groups,   // one element to each group of results
    Shuffled, // the same, of elements that lie within one vector
  };
  Kind kind = Splat;
  /// The group of a result is the variable `groupVar`.
  AffineForm form;
  unsigned groupVar = 0;
  int64_t groupSize = 1;
  /// Shuffled: the reduction variable that numbers the elements of a group.
  unsigned memberVar = 0;
};

/// The term of a reduction over vectors of results along variable `lane`.
class VectorTerm {
public:
  VectorTerm(const graph::Expr &reduce, unsigned lane, int64_t lanes,
             mlir::Type elementType)
      : reduce(reduce), lane(lane), lanes(lanes), elementType(elementType) {}

  /// Whether there is code for every load and function of the term.
  bool analyze();

  /// Whether a load gives the same to all results: vectors side by side share
  /// it.
  bool hasSplat() const;
  /// The variables that must have constant values when the term is emitted.
  llvm::ArrayRef<unsigned> constantVars() const { return members; }
  mlir::VectorType type() const;

  /// Lets `at` know the first result of a vector; call it in every emitter of
  /// which `emit` is then given copies.
  void setLane(ExprEmitter &at, mlir::Value first) const;

  /// The vector of terms where reduction variables have the values that
  /// `constants` gives them, and other variables so much more than `at` says.
  mlir::Value emit(ExprEmitter &at,
                   const llvm::DenseMap<unsigned, int64_t> &constants);

private:
  bool analyzeNode(const graph::Expr &node);
  bool analyzeLoad(const graph::Expr &load);
  std::optional<AffineForm> affineForm(const graph::Expr &index,
                                       VectorAccess &access);
  mlir::Value emitNode(ExprEmitter &at, const graph::Expr &node,
                       const llvm::DenseMap<unsigned, int64_t> &constants);
  mlir::Value emitLoad(ExprEmitter &at, const graph::Expr &load,
                       const llvm::DenseMap<unsigned, int64_t> &constants);

  graph::Expr reduce;
  unsigned lane;
  int64_t lanes;
  mlir::Type elementType;
  llvm::DenseMap<const graph::ExprNode *, VectorAccess> accesses;
  llvm::SmallVector<std::pair<unsigned, int64_t>> groups; // variable and size
  llvm::SmallVector<unsigned> members;
};

/// A vector with the same element everywhere.
mlir::Value emitSplat(mlir::OpBuilder &builder, mlir::Location loc,
                      mlir::Value element, mlir::VectorType type);

} // namespace tenon::lower

#endif // TENON_LIB_LOWER_VECTORTERM_H
