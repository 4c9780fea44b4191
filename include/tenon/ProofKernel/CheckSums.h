//===- CheckSums.h - checking that sums of products are equal -------------===//
//
// Part of the Tenon project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Two sums are equal if their terms can be partitioned into classes such that
// all terms of a class have equal factors after a change of variables, and both
// sums count each product of factors equally often.
//
// A sum over t in D equals a sum over n, where D holds at values(n) and
// inverse(values(n)) = n, if values(inverse(t)) = t for all t in D: then
// `values` is a bijection between the two sets.
//
//===----------------------------------------------------------------------===//

#ifndef TENON_PROOFKERNEL_CHECKSUMS_H
#define TENON_PROOFKERNEL_CHECKSUMS_H

#include "tenon/ProofKernel/Laws.h"
#include "tenon/ProofKernel/Normalize.h"
#include "tenon/ProofKernel/Solver.h"
#include "tenon/ProofKernel/Witness.h"

namespace tenon::prove {

/// The names of the variables of a term at a depth (Witness.h).
enum class VarRole : char { Term = 't', New = 'n', Class = 'r' };
std::string getVarName(VarRole role, unsigned depth, unsigned number);
/// Renames the term's variables by their positions.
Term nameVars(const Term &term, VarRole role, unsigned depth);

/// The term that a reduction reduces, over its variables; and the same for an
/// argument of a maximum (minimum), which may be a single element.
Term getSetTerm(const Factor &reduce);
Term getExtremumTerm(const SumForm &arg, graph::ScalarFn fn);

/// Expands sums over small constant ranges: the sum over 0 <= i < 3 becomes
/// three terms. Returns false if there is no such sum, or if there are too many
/// terms.
bool writeOutSmallRanges(SumForm &form);

class SumChecker {
public:
  /// Denominators are cleared only with `laws`.
  SumChecker(Solver &solver, Normalizer &normalizer, Laws *laws)
      : solver(solver), normalizer(normalizer), laws(laws) {}

  /// Whether `proof` shows that both sums are equal wherever `context` holds.
  /// `depth` is the number of enclosing classes.
  bool equal(const SumForm &a, const SumForm &b, const FormulaRef &context,
             const SumProof &proof, unsigned depth = 0);
  bool equal(const Factor &a, const Factor &b, const FormulaRef &context,
             const FactorProof &proof, unsigned depth);

  /// Applies a step to `term`, whose variables have the role Term.
  bool apply(Term &term, const TermStep &step, const FormulaRef &context,
             unsigned depth);
  /// Replaces the variables of `term` by variables of the role `to`.
  bool change(Term &term, const ChangeOfVars &change, VarRole to,
              const FormulaRef &context, unsigned depth);
  /// Multiplies both sides by the positive denominators of reciprocals (Q4 and
  /// Q5 in Laws.h).
  bool clear(SumForm &a, SumForm &b, const FormulaRef &context,
             const std::vector<Denominator> &denominators, unsigned depth);

  /// Why the proof is not valid, for messages.
  std::string reason;
  /// The class that the two sums do not count equally often, if that is the
  /// reason.
  std::optional<unsigned> unbalanced;
  /// The properties that the proof used (rule::FloatClass).
  unsigned floatClass = 0;

private:
  /// A product of factors, and the terms of both sums that equal it.
  struct Class {
    Term representative;
    CountedTerms counted;
    std::vector<int64_t> numerators, denominators;
    std::vector<bool> isFirst;
    unsigned fromFirst = 0, fromSecond = 0;
    /// Whether terms of one sum may have opposite signs.
    bool mayCancel(bool first) const;
    /// Whether it is multiplied by an index that may be 0, and the two sides do
    /// not multiply it in the same way.
    bool mayCountZero() const;
  };

  bool add(std::vector<Class> &classes, const Term &original, bool isFirst,
           const FormulaRef &context, const TermProof &proof, unsigned depth);
  bool join(const Term &representative, Term &term, const FormulaRef &context,
            const TermProof &proof, unsigned depth);
  bool isBalanced(Class &members, const FormulaRef &context);
  bool equalSets(const Factor &a, const Factor &b, const FormulaRef &context,
                 const FactorProof &proof, unsigned depth);
  bool follows(const FormulaRef &context, const FormulaRef &goal) {
    return solver.follows(context, goal) == Solver::Answer::Yes;
  }
  bool refuse(std::string why) {
    if (reason.empty())
      reason = std::move(why);
    return false;
  }

  Solver &solver;
  Normalizer &normalizer;
  Laws *laws;
};

} // namespace tenon::prove

#endif // TENON_PROOFKERNEL_CHECKSUMS_H
