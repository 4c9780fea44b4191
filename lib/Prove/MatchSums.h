//===- MatchSums.h - finding witnesses that sums are equal ----------------===//
//
// Part of the Tenon project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Searches for the proofs that SumChecker checks. Changes of variables are
// found by equating the indices of loads; several orders of like factors are
// tried. Nothing here is trusted.
//
//===----------------------------------------------------------------------===//

#ifndef TENON_LIB_PROVE_MATCHSUMS_H
#define TENON_LIB_PROVE_MATCHSUMS_H

#include "tenon/ProofKernel/CheckSums.h"

namespace tenon::prove {

class SumMatcher {
public:
  /// With `laws`, which the normalizer must use as well, quotients are
  /// multiplied out.
  SumMatcher(Solver &solver, Normalizer &normalizer, Laws *laws)
      : solver(solver), normalizer(normalizer), laws(laws),
        kernel(solver, normalizer, laws) {}

  /// Sets `proof` if both sums are found to be equal wherever `context` holds.
  bool match(const SumForm &a, const SumForm &b, const FormulaRef &context,
             SumProof &proof, unsigned depth = 0);

  /// Why the last comparison was not proved, for messages.
  std::string reason;
  /// How many pairs of terms were compared.
  unsigned numPairs = 0;

private:
  /// A product of factors, and how many terms of each sum equal it.
  struct Class {
    Term representative;
    unsigned fromFirst = 0, fromSecond = 0;
  };

  /// Denominators that not all terms have and that are proved to be positive.
  std::vector<Denominator> findDenominators(const SumForm &a, const SumForm &b,
                                            const FormulaRef &context,
                                            unsigned depth);
  /// `splits` says whether variables that are divided are split first; on
  /// return, whether there were any.
  bool matchTerms(const SumForm &a, const SumForm &b, const FormulaRef &context,
                  SumProof &proof, unsigned depth, bool &splits);
  bool add(std::vector<Class> &classes, const Term &original, bool isFirst,
           const FormulaRef &context, TermProof &proof, unsigned depth,
           bool splits, bool &wasSplit);
  /// Finds a change of variables under which both terms have equal factors.
  bool align(const Term &representative, const Term &term,
             const FormulaRef &context, TermProof &proof, unsigned depth);
  bool matchFactor(const Factor &a, const Factor &b, const FormulaRef &context,
                   FactorProof &proof, unsigned depth);
  bool matchSets(const Factor &a, const Factor &b, const FormulaRef &context,
                 FactorProof &proof, unsigned depth);
  /// Whether no more pairs of terms may be compared; then sets `reason`.
  bool isSpent();
  /// Sets `reason` for the class that the two sums do not count equally often.
  void explain(const std::vector<Class> &classes, unsigned depth);

  Solver &solver;
  Normalizer &normalizer;
  Laws *laws;
  SumChecker kernel;
};

} // namespace tenon::prove

#endif // TENON_LIB_PROVE_MATCHSUMS_H
