//===- Witness.h - what a search tells the kernel -------------------------===//
//
// Part of the Tenon project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// A witness says how two results are equal; the kernel says what that is to
// mean, and what must hold for it. Nothing in it is trusted: a wrong witness is
// refused, or is the proof of nothing else.
//
// Index variables have names by place. Where d is the number of classes of
// terms around: "%td_i" is variable i of the term as it stands, "%nd_i" one
// that replaces them, "%rd_i" one of the class. In JSON, "%" is "$".
//
//===----------------------------------------------------------------------===//

#ifndef TENON_PROOFKERNEL_WITNESS_H
#define TENON_PROOFKERNEL_WITNESS_H

#include "tenon/ProofKernel/Normalize.h"

#include "llvm/Support/JSON.h"

namespace tenon::prove {

/// Other variables for those of a sum: `values` are the old ones over the new,
/// `inverse` the new ones over the old.
struct ChangeOfVars {
  std::vector<SymInt> values, inverse;
};

/// One step on a single term.
struct TermStep {
  /// A variable that nothing but its range mentions: its range is a factor.
  std::optional<unsigned> counted;
  /// Else, other variables.
  ChangeOfVars change;
};

struct FactorProof;

/// What becomes of a term (or of the elements of a set).
struct TermProof {
  std::vector<TermStep> steps;
  /// Its domain is empty.
  bool never = false;
  /// The class that it joins, in the order in which they are founded; or
  /// nothing: it founds one.
  std::optional<unsigned> joins;
  /// Its variables over those of the class, and back.
  ChangeOfVars change;
  /// For each factor of the class, the number of its own; empty: the same.
  std::vector<unsigned> order;
  /// For each factor of the class, why its own is equal.
  std::vector<FactorProof> factors;
};

/// A reciprocal that both sides are multiplied by the argument of, as often as
/// `power` says.
struct Denominator {
  /// Factors by the number of their term (of both sides, one after the other)
  /// and their number in it. The first is the one; the others are equal to it.
  std::vector<std::pair<unsigned, unsigned>> places;
  std::vector<FactorProof> equal;
  unsigned power = 0;
};

/// Why two sums are equal.
struct SumProof {
  /// They are the same as they stand.
  bool same = false;
  /// Sums over small constant ranges are written out first.
  bool writtenOut = false;
  std::vector<Denominator> denominators;
  /// One per term: the first sum's, then the second's.
  std::vector<TermProof> terms;
};

/// Why two factors of a kind are equal. Indices need no witness.
struct FactorProof {
  std::vector<SumProof> args;
  /// The elements of sets: of the first factor, then of the second.
  std::vector<TermProof> elements;
};

/// Why a result is the same on both sides.
struct ResultProof {
  using Mode = Normalizer::Mode;
  /// How far both are normalized; with Exact, nothing more is needed.
  Mode mode = Mode::Exact;
  SumProof equal;
};

struct Witness {
  /// One per result.
  std::vector<ResultProof> results;
  /// The same of the rule with a leading axis, and with i32 for f32; empty
  /// where that is not proved.
  std::vector<ResultProof> lifted, integers;

  llvm::json::Value toJSON() const;
  /// Nothing where `value` is not what toJSON gives.
  static std::optional<Witness> fromJSON(const llvm::json::Value &value);
};

} // namespace tenon::prove

#endif // TENON_PROOFKERNEL_WITNESS_H
