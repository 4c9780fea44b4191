//===- Witness.h - witnesses for the proof kernel -------------------------===//
//
// Part of the Tenon project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// A witness says why two results are equal. The kernel determines what must be
// checked to prove this. The witness is not trusted: a wrong one is rejected,
// or happens to be a valid proof.
//
// Index variables are named by position. With d enclosing classes of terms,
// "%td_i" is variable i of the original term, "%nd_i" a variable that replaces
// them, and "%rd_i" a variable of the class. In JSON, "%" is "$".
//
//===----------------------------------------------------------------------===//

#ifndef TENON_PROOFKERNEL_WITNESS_H
#define TENON_PROOFKERNEL_WITNESS_H

#include "tenon/ProofKernel/Normalize.h"

#include "llvm/Support/JSON.h"

namespace tenon::prove {

/// A change of variables of a sum: `values` are the old variables in terms of
/// the new ones, `inverse` the new ones in terms of the old.
struct ChangeOfVars {
  std::vector<SymInt> values, inverse;
};

/// One step on a single term.
struct TermStep {
  /// A variable that occurs only in its range, which becomes a factor.
  std::optional<unsigned> counted;
  /// Otherwise, a change of variables.
  ChangeOfVars change;
};

struct FactorProof;

/// How a term (or the elements of a set) is matched.
struct TermProof {
  std::vector<TermStep> steps;
  /// Whether its domain is empty.
  bool never = false;
  /// The class that the term joins, by order of creation; if absent, the term
  /// creates a new class.
  std::optional<unsigned> joins;
  /// The term's variables in terms of those of the class, and the inverse.
  ChangeOfVars change;
  /// The number of the term's factor for each factor of the class; if empty,
  /// the order is the same.
  std::vector<unsigned> order;
  /// Why the term's factor is equal, for each factor of the class.
  std::vector<FactorProof> factors;
};

/// A reciprocal by whose argument both sides are multiplied `power` times.
struct Denominator {
  /// The equal factors, by the number of their term (the first side's terms,
  /// then the second's) and their number in the term. The others are compared
  /// with the first one.
  std::vector<std::pair<unsigned, unsigned>> places;
  std::vector<FactorProof> equal;
  unsigned power = 0;
};

/// Why two sums are equal.
struct SumProof {
  /// The sums are identical.
  bool same = false;
  /// Sums over small constant ranges are expanded first.
  bool writtenOut = false;
  std::vector<Denominator> denominators;
  /// One proof per term: the first sum's, then the second's.
  std::vector<TermProof> terms;
};

/// Why two factors of the same kind are equal. Indices need no witness.
struct FactorProof {
  std::vector<SumProof> args;
  /// The elements of sets: of the first factor, then of the second.
  std::vector<TermProof> elements;
};

/// Why a result is the same on both sides.
struct ResultProof {
  using Mode = Normalizer::Mode;
  /// The normalization mode of both sides; Exact needs no further proof.
  Mode mode = Mode::Exact;
  SumProof equal;
};

struct Witness {
  /// One proof per result.
  std::vector<ResultProof> results;
  /// The same for the rule with a leading axis, and with i32 for f32; empty if
  /// that is not proved.
  std::vector<ResultProof> lifted, integers;
  /// Why the bounds of both sides' rounding errors are equal; if empty, for the
  /// same reasons as the results.
  std::vector<ResultProof> errors;

  llvm::json::Value toJSON() const;
  /// Returns nothing if `value` is not an output of toJSON.
  static std::optional<Witness> fromJSON(const llvm::json::Value &value);
};

} // namespace tenon::prove

#endif // TENON_PROOFKERNEL_WITNESS_H
