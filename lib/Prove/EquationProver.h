//===- EquationProver.h - proofs of equations -------------------*- C++ -*-===//
//
// Part of the Tenon project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef TENON_LIB_PROVE_EQUATIONPROVER_H
#define TENON_LIB_PROVE_EQUATIONPROVER_H

#include "Equation.h"
#include "tenon/Dialect/Rule/IR/Certificate.h"

#include "llvm/ADT/StringMap.h"

namespace tenon::prove {

/// What is known of an equation.
struct EquationProof {
  bool isProved = false;
  /// How results may differ in floating point (rule::FloatClass).
  unsigned floatClass = rule::Exact;
  /// Why it is not proved.
  std::string reason;
  /// Whether the sides were seen to differ.
  bool isFalse = false;
};

/// Proves equations; those of equal text once. The work for all of them is
/// bounded by the solver's deterministic count.
class EquationProver {
public:
  /// `rlimit` bounds one question to the solver, `budget` all.
  EquationProver(uint64_t rlimit, uint64_t budget)
      : rlimit(rlimit), budget(budget) {}

  EquationProof prove(const Equation &equation,
                      llvm::ArrayRef<graph::SizeCondition> facts);
  /// Looks for an element at which the two sides differ, for drawn operands.
  /// Returns an empty text if none is found.
  std::string refute(const Equation &equation,
                     llvm::ArrayRef<graph::SizeCondition> facts);

  /// How many different equations were proved or tried.
  unsigned getNumDistinct() const { return known.size(); }

private:
  EquationProof proveStatement(rule::RuleOp statement);

  uint64_t rlimit, budget;
  llvm::StringMap<EquationProof> known;
};

} // namespace tenon::prove

#endif // TENON_LIB_PROVE_EQUATIONPROVER_H
