//===- FunctionComparer.h - equal values of two functions -------*- C++ -*-===//
//
// Part of the Tenon project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef TENON_LIB_PROVE_FUNCTIONCOMPARER_H
#define TENON_LIB_PROVE_FUNCTIONCOMPARER_H

#include "EquationProver.h"
#include "ValueNumbers.h"
#include "tenon/Prove/FunctionSnapshot.h"
#include "tenon/Prove/RewriteReport.h"

#include <optional>
#include <set>

namespace tenon::prove {

/// Proves that one function computes what another does, and counts how.
///
/// The values of `after` are visited in their order. A value is *placed* when
/// it is known to be the image of a value of `before`: by number, or by a
/// proof. What is proved depends only on placed values, so a wrong guess at
/// what corresponds costs time and proves nothing.
class FunctionComparer {
public:
  FunctionComparer(FunctionSnapshot &before, FunctionSnapshot &after,
                   EquationProver &prover, PassReport &report)
      : before(before), after(after), prover(prover), report(report) {}

  void run();

private:
  /// In terms of the numbers of `before`.
  struct Place {
    unsigned number;
    Perm perm;
  };
  /// An equation that was tried and neither proved nor seen to be false: a
  /// false one was a wrong guess.
  struct Failed {
    mlir::Value before, after;
    Perm perm;
    std::string reason;
  };

  void numberBefore();
  void visit(mlir::Operation *op);
  void visitOutputs();
  /// Places the operands of `op` where they differ from those of its partner.
  bool placeOperands(mlir::Operation *partner, mlir::Operation *op);
  void placeResults(mlir::Operation *partner, mlir::Operation *op);

  std::optional<Place> getPlace(mlir::Value value) const;
  bool isPlacedAs(mlir::Value value, mlir::Value original) const;
  void setPlace(mlir::Value value, mlir::Value original, const Perm &perm);
  llvm::SmallVector<Perm> listPerms(mlir::Value original, mlir::Value value);

  /// Tries to show that `value` is the image of `original` by `perm`. If
  /// `isRequired` and that is not shown, it is reported and assumed.
  bool tryPlace(mlir::Value original, mlir::Value value, const Perm &perm,
                bool isRequired);
  /// Sets `largest` to the equation with the most ops that was tried.
  EquationProof proveEqual(mlir::Value original, mlir::Value value,
                           const Perm &perm, Equation &largest);
  void reportOpen(const Failed &failure);
  void count(const EquationProof &proof);
  /// Looks for inputs at which the functions differ.
  void refute();

  // Equations (ComparerEquations.cpp).
  /// The equation whose leaves are placed values, but not those of `open`.
  struct OpenLeaves {
    llvm::DenseSet<unsigned> source, target;
  };
  Equation getEquation(mlir::Value original, mlir::Value value,
                       const Perm &perm, const OpenLeaves &open) const;
  /// The same, with leaves opened until both sides have the same ones. Returns
  /// nothing if that takes too many ops.
  std::optional<Equation> getBalancedEquation(mlir::Value original,
                                              mlir::Value value,
                                              const Perm &perm) const;
  /// The leaf that only one side has and that is computed last, if any.
  std::optional<unsigned> findLoneLeaf(const Equation &equation,
                                       bool &isInSource) const;
  /// What a leaf of the new function is in terms of the original one, or of
  /// constants among `originals`.
  Image getImage(mlir::Value leaf, llvm::ArrayRef<mlir::Value> originals) const;
  unsigned getLeafNumber(mlir::Value leaf, bool isInSource) const;

  FunctionSnapshot &before, &after;
  EquationProver &prover;
  PassReport &report;

  ValueNumbers numbers;
  /// Below this, numbers are those of values of `before`.
  unsigned endOfBefore = 0;
  llvm::DenseMap<unsigned, mlir::Value> valueOf;
  /// The order of the values of `before`.
  llvm::DenseMap<unsigned, unsigned> positionOf;
  /// For numbers of `before`, a value of `after` that is placed there.
  llvm::DenseMap<unsigned, mlir::Value> placed;
  /// For numbers of `after` alone.
  llvm::DenseMap<unsigned, Place> images;
  llvm::DenseMap<mlir::Operation *, mlir::Operation *> partners;
  llvm::SmallVector<graph::SizeCondition> facts;
  llvm::SmallVector<Failed> failed;
  /// Pairs of numbers that are known to be equal, beside those of `images`.
  std::set<std::pair<unsigned, unsigned>> equal;
};

} // namespace tenon::prove

#endif // TENON_LIB_PROVE_FUNCTIONCOMPARER_H
