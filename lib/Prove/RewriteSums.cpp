//===- RewriteSums.cpp - other variables for the same sums ----------------===//
//
// Part of the Tenon project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "RewriteSums.h"
#include "SolveIndices.h"

#include "llvm/ADT/STLExtras.h"

using namespace tenon;
using namespace tenon::prove;

/// Ranges of more numbers are not written out.
static constexpr int64_t maxRange = 8;
/// Sums of more terms are not compared one by one.
static constexpr size_t maxWrittenOut = 128;

//===----------------------------------------------------------------------===//
// Congruences
//===----------------------------------------------------------------------===//

/// The quotient of which `term` is the remainder, `a mod d`.
static SymInt::AtomRef getRemainderOf(const SymInt &term) {
  for (const auto &[monomial, coefficient] : term.getTerms())
    for (const SymInt::AtomRef &atom : monomial.atoms)
      if (atom->kind == SymInt::AtomKind::FloorDiv &&
          atom->lhs->mod(*atom->rhs) == term)
        return atom;
  return nullptr;
}

/// The remainder that `conjunct` says to be 0, or less than 1.
static SymInt::AtomRef getCongruence(const FormulaRef &conjunct) {
  switch (conjunct->kind) {
  case Formula::Kind::Zero:
    if (SymInt::AtomRef quotient = getRemainderOf(conjunct->term))
      return quotient;
    return getRemainderOf(-conjunct->term);
  case Formula::Kind::NonNegative:
    return getRemainderOf(-conjunct->term);
  default:
    return nullptr;
  }
}

bool prove::eliminateCongruence(Term &term, Solver &solver,
                                Normalizer &normalizer,
                                const FormulaRef &context) {
  std::vector<FormulaRef> conjuncts;
  flattenAnd(term.domain, conjuncts);
  for (const FormulaRef &conjunct : conjuncts) {
    SymInt::AtomRef quotient = getCongruence(conjunct);
    if (!quotient)
      continue;
    for (std::string &var : term.vars) {
      std::map<std::string, unsigned> used;
      collectVars(*quotient->rhs, used);
      std::string fresh = normalizer.getFreshVar();
      SymInt multiple = *quotient->rhs * SymInt::symbol(fresh);
      std::optional<SymInt> value = solveFor(*quotient->lhs - multiple, var);
      if (used.count(var) || !value)
        continue;
      Substitution names = {{var, *value}};
      if (!substitute(conjunct, names)->isTrue() ||
          solver.follows(Formula::conjunction(context, term.domain),
                         Formula::less(SymInt(0), *quotient->rhs)) !=
              Solver::Answer::Yes)
        continue;
      var = fresh;
      term = substitute(term, names);
      return true;
    }
  }
  return false;
}

//===----------------------------------------------------------------------===//
// Small ranges
//===----------------------------------------------------------------------===//

/// The constant n where `domain` says that 0 <= var < n.
static std::optional<int64_t> getConstantRange(const FormulaRef &domain,
                                               const std::string &var) {
  std::vector<FormulaRef> conjuncts;
  flattenAnd(domain, conjuncts);
  SymInt at = SymInt::symbol(var);
  bool fromZero = false;
  std::optional<int64_t> range;
  for (const FormulaRef &conjunct : conjuncts) {
    if (conjunct->kind != Formula::Kind::NonNegative)
      continue;
    fromZero |= conjunct->term == at;
    // n - 1 - var >= 0.
    if (std::optional<int64_t> last = (conjunct->term + at).getConstant();
        last && (!range || *last + 1 < *range))
      range = *last + 1;
  }
  return fromZero ? range : std::nullopt;
}

bool prove::writeOutSmallRanges(SumForm &form) {
  bool changed = false;
  std::vector<Term> terms = form.terms;
  // Terms that are added are looked at in their turn.
  for (size_t n = 0; n < terms.size(); ++n) {
    auto isSmall = [&](const std::string &var) {
      std::optional<int64_t> range = getConstantRange(terms[n].domain, var);
      return range && *range >= 0 && *range <= maxRange;
    };
    auto it = llvm::find_if(terms[n].vars, isSmall);
    if (it == terms[n].vars.end())
      continue;
    changed = true;
    std::string var = *it;
    Term whole = std::move(terms[n]);
    int64_t range = *getConstantRange(whole.domain, var);
    llvm::erase(whole.vars, var);
    terms.erase(terms.begin() + n--);
    for (int64_t value = 0; value < range; ++value) {
      Term part = substitute(whole, {{var, SymInt(value)}});
      if (!part.domain->isFalse())
        terms.push_back(std::move(part));
    }
    if (terms.size() > maxWrittenOut)
      return false;
  }
  form.terms = std::move(terms);
  return changed;
}
