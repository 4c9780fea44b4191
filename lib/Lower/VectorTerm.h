//===- VectorTerm.h - vectors of neighbouring terms of reductions ---------===//
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

/// How a load provides elements to neighbouring results.
struct VectorAccess {
  enum Kind {
    Splat,    // one element for all
    Vector,   // neighbouring elements
    Groups,   // one element to each group of results
    Shuffled, // the same, but the elements are within one vector
  };
  Kind kind = Splat;
  /// The variable `groupVar` represents the group of a result.
  AffineForm form;
  unsigned groupVar = 0;
  int64_t groupSize = 1;
  /// For Shuffled: the reduction variable that numbers the elements of a group.
  unsigned memberVar = 0;
};

/// The term of a reduction over vectors of results along variable `lane`.
class VectorTerm {
public:
  VectorTerm(const graph::Expr &reduce, unsigned lane, int64_t lanes,
             mlir::Type elementType)
      : reduce(reduce), lane(lane), lanes(lanes), elementType(elementType) {}

  /// Returns true if every load and function of the term is supported.
  bool analyze();

  /// Returns true if a load provides the same element to all results, which
  /// adjacent vectors then share.
  bool hasSplat() const;
  /// The variables that must have constant values when the term is emitted.
  llvm::ArrayRef<unsigned> constantVars() const { return members; }
  mlir::VectorType type() const;

  /// Sets the first result of a vector in `at`. Call it in every emitter whose
  /// copies are passed to `emit`.
  void setLane(ExprEmitter &at, mlir::Value first) const;

  /// Emits the vector of terms in which reduction variables have the values in
  /// `constants`. For other variables, `constants` has the value that is added
  /// to the one in `at`.
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

/// Emits a vector whose elements are all `element`.
mlir::Value emitSplat(mlir::OpBuilder &builder, mlir::Location loc,
                      mlir::Value element, mlir::VectorType type);

} // namespace tenon::lower

#endif // TENON_LIB_LOWER_VECTORTERM_H
