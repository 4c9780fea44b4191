//===- ChangeVars.cpp - changes of variables in sums ----------------------===//
//
// Part of the Tenon project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "tenon/ProofKernel/CheckSums.h"

#include "tenon/Dialect/Rule/IR/Certificate.h"

using namespace tenon;
using namespace tenon::prove;

/// The maximum number of characters in a term after a change of variables.
static constexpr size_t maxText = 1 << 16;

std::string prove::getVarName(VarRole role, unsigned depth, unsigned number) {
  return "%" + std::string(1, static_cast<char>(role)) + std::to_string(depth) +
         "_" + std::to_string(number);
}

Term prove::nameVars(const Term &term, VarRole role, unsigned depth) {
  Term result = term;
  Substitution names;
  for (auto [number, var] : llvm::enumerate(result.vars)) {
    std::string name = getVarName(role, depth, number);
    names[var] = SymInt::symbol(name);
    var = std::move(name);
  }
  return names.empty() ? result : replaceInside(result, names);
}

/// Whether `value` is a number over these variables. Divisors, which are added
/// to `divisors`, and operands of maxima may only contain sizes: SymInt folds
/// quotients as if divisors were not 0, and maxima as if variables were sizes.
static bool isOver(const SymInt &value, const std::set<std::string> &allowed,
                   FormulaRef &divisors) {
  std::map<std::string, unsigned> used;
  collectVars(value, used);
  for (const auto &[name, count] : used)
    if (!allowed.count(name))
      return false;
  for (const auto &[monomial, coefficient] : value.getTerms())
    for (const SymInt::AtomRef &atom : monomial.atoms) {
      if (atom->kind == SymInt::AtomKind::Symbol)
        continue;
      bool isQuotient = atom->kind == SymInt::AtomKind::FloorDiv;
      if (!isOver(*atom->lhs, isQuotient ? allowed : std::set<std::string>(),
                  divisors) ||
          !isOver(*atom->rhs, {}, divisors))
        return false;
      if (isQuotient)
        divisors = Formula::conjunction(divisors,
                                        Formula::less(SymInt(0), *atom->rhs));
    }
  return !value.isUnknown();
}

bool SumChecker::change(Term &term, const ChangeOfVars &change, VarRole to,
                        const FormulaRef &context, unsigned depth) {
  if (change.values.size() != term.vars.size())
    return refuse("a change of variables has the wrong number of variables");
  std::map<std::string, unsigned> known;
  collectVars(context, known);
  std::set<std::string> before, after;
  for (const auto &[name, count] : known) {
    before.insert(name);
    after.insert(name);
  }
  before.insert(term.vars.begin(), term.vars.end());
  Substitution forward, back;
  FormulaRef divisors = Formula::always();
  std::vector<std::string> vars;
  for (const SymInt &value : change.inverse) {
    vars.push_back(getVarName(to, depth, vars.size()));
    after.insert(vars.back());
    back[vars.back()] = value;
    if (!isOver(value, before, divisors))
      return refuse("a new variable is not defined by the old ones");
  }
  for (const auto &[var, value] : llvm::zip(term.vars, change.values)) {
    forward[var] = value;
    if (!isOver(value, after, divisors))
      return refuse("an old variable is not defined by the new ones");
  }
  if (!follows(context, divisors))
    return refuse("a change of variables may divide by 0");
  FormulaRef inside = Formula::conjunction(context, term.domain);
  FormulaRef covered = Formula::always(), isImage = Formula::always();
  for (const auto &[var, value] : llvm::zip(term.vars, change.values))
    covered = Formula::conjunction(
        covered, Formula::equal(substitute(value, back), SymInt::symbol(var)));
  for (const auto &[var, value] : llvm::zip(vars, change.inverse))
    isImage =
        Formula::conjunction(isImage, Formula::equal(substitute(value, forward),
                                                     SymInt::symbol(var)));
  if (!follows(inside, covered))
    return refuse("a change of variables does not reach all indices of '" +
                  term.str() + "'");
  term.vars = std::move(vars);
  term = replaceInside(term, forward);
  term.domain = Formula::conjunction(term.domain, isImage);
  std::string text = term.str();
  if (text.find('?') != std::string::npos)
    return refuse("an index overflows 64 bits or divides by zero");
  return text.size() <= maxText ||
         refuse("a change of variables makes a term too long");
}

/// Returns the extent of `var` if the range [0, extent) is the only constraint
/// on `var` in `domain`, and the rest of `term` does not use `var`. Sets `rest`
/// to the domain without this range.
static std::optional<SymInt>
getIdleExtent(const Term &term, const std::string &var, FormulaRef &rest) {
  std::map<std::string, unsigned> used;
  collectVars(term.scale, used);
  for (const Factor &factor : term.factors)
    collectVars(factor, used);
  if (used.count(var))
    return std::nullopt;
  std::vector<FormulaRef> conjuncts;
  flattenAnd(term.domain, conjuncts);
  SymInt at = SymInt::symbol(var);
  std::optional<SymInt> extent;
  bool fromZero = false;
  rest = Formula::always();
  for (const FormulaRef &conjunct : conjuncts) {
    std::map<std::string, unsigned> here;
    collectVars(conjunct, here);
    if (!here.count(var)) {
      rest = Formula::conjunction(rest, conjunct);
      continue;
    }
    if (conjunct->kind != Formula::Kind::NonNegative)
      return std::nullopt;
    if (conjunct->term == at) {
      fromZero = true;
      continue;
    }
    // The conjunct is extent - 1 - var >= 0.
    SymInt candidate = conjunct->term + at + SymInt(1);
    std::map<std::string, unsigned> inside;
    collectVars(candidate, inside);
    if (extent || inside.count(var))
      return std::nullopt;
    extent = candidate;
  }
  return fromZero ? extent : std::nullopt;
}

bool SumChecker::apply(Term &term, const TermStep &step,
                       const FormulaRef &context, unsigned depth) {
  if (!step.counted) {
    if (!change(term, step.change, VarRole::New, context, depth))
      return false;
    term = nameVars(term, VarRole::Term, depth);
    return true;
  }
  // A sum of `extent` equal terms is a product.
  FormulaRef rest;
  std::optional<SymInt> extent;
  if (*step.counted < term.vars.size())
    extent = getIdleExtent(term, term.vars[*step.counted], rest);
  if (!extent)
    return refuse("a variable to be counted is used");
  floatClass |= rule::Reassociates;
  term.vars.erase(term.vars.begin() + *step.counted);
  term.scale = term.scale * *extent;
  term.domain =
      Formula::conjunction(rest, Formula::nonNegative(*extent - SymInt(1)));
  term = nameVars(term, VarRole::Term, depth);
  return true;
}
