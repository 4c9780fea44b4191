//===- MatchSums.h - equality of sums of products -------------------------===//
//
// Part of the Tenon project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Two sums are equal when their terms can be sorted into classes, such that
// within a class all terms have equal summands after a bijection of their
// index variables, and each summand is counted equally often by both sums.
// Bijections are found by equating the indices of loads, and are affine with
// determinant 1 or -1, so that they map all integer points to all integer
// points; domains then tell which of them count.
//
//===----------------------------------------------------------------------===//

#ifndef TENON_LIB_PROVE_MATCHSUMS_H
#define TENON_LIB_PROVE_MATCHSUMS_H

#include "Laws.h"
#include "Normalize.h"
#include "Solver.h"

namespace tenon::prove {

class SumMatcher {
public:
  /// With `laws`, which the normalizer has too, quotients are multiplied out.
  SumMatcher(Solver &solver, Normalizer &normalizer, Laws *laws = nullptr)
      : solver(solver), normalizer(normalizer), laws(laws) {}

  /// Whether both sums are proved equal wherever `context` holds.
  bool equal(const SumForm &a, const SumForm &b, const FormulaRef &context);

  /// What kept the last comparison from being proved, for people.
  std::string reason;
  /// Whether some summand was regrouped or cancelled (rule::FloatClass).
  unsigned floatClass = 0;

private:
  /// A summand over its own variables, and who counts it where.
  struct Class {
    Term representative;
    CountedTerms counted;
    std::vector<int64_t> numerators, denominators;
    unsigned fromFirst = 0, fromSecond = 0;
  };

  /// Multiplies both sides by the positive denominators that not all of their
  /// terms have (Laws.h, Q4). False when that failed.
  bool clearDenominators(SumForm &a, SumForm &b, const FormulaRef &context);
  /// The same for the sums as they stand.
  bool haveEqualTerms(const SumForm &a, const SumForm &b,
                      const FormulaRef &context);
  void simplifyTerm(Term &term, const FormulaRef &context);
  bool add(std::vector<Class> &classes, Term term, int sign,
           const FormulaRef &context);
  bool isBalanced(Class &members, const FormulaRef &context);
  /// Sets `reason` for a class that was not proved to be counted alike.
  void explain(const std::vector<Class> &classes, const Class &unbalanced);
  /// Values of `term`'s variables over those of `representative` under which
  /// the two have equal factors wherever `term`'s domain holds.
  std::optional<Substitution> align(const Term &representative,
                                    const Term &term,
                                    const FormulaRef &context);
  /// Maxima (minima) of the same elements, counted or not: each argument is an
  /// element or a reduction over a set of them.
  bool haveEqualExtrema(const Factor &a, const Factor &b,
                        const FormulaRef &context);
  bool haveEqualDomains(const FormulaRef &a, const FormulaRef &b,
                        const FormulaRef &context);
  bool haveEqualFactors(const std::vector<Factor> &a,
                        const std::vector<Factor> &b,
                        const FormulaRef &context);
  bool haveEqualFactor(const Factor &a, const Factor &b,
                       const FormulaRef &context);

  Solver &solver;
  Normalizer &normalizer;
  Laws *laws;
  unsigned depth = 0;
};

} // namespace tenon::prove

#endif // TENON_LIB_PROVE_MATCHSUMS_H
