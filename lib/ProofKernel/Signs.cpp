//===- Signs.cpp - signs of elements in normal form -----------------------===//
//
// Part of the Tenon project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "tenon/ProofKernel/Signs.h"

#include "tenon/Dialect/Graph/IR/Graph.h"

#include "llvm/ADT/STLExtras.h"

#include <cmath>
#include <limits>

using namespace tenon;
using namespace tenon::prove;
using graph::ReduceKind;
using graph::ScalarFn;

/// The maximum number of points to try to show that a set is not empty.
static constexpr size_t maxWitnesses = 16;

bool prove::isInfinity(const SumForm &form, bool negative) {
  const Factor *only = getOnlyFactor(form);
  return only && only->kind == Factor::Kind::Constant &&
         std::isinf(only->number) && std::signbit(only->number) == negative;
}

SumForm prove::getInfinity(bool negative, mlir::Type type) {
  Factor factor;
  factor.kind = Factor::Kind::Constant;
  factor.type = type;
  double infinity = std::numeric_limits<double>::infinity();
  factor.number = negative ? -infinity : infinity;
  return getFactorSum(std::move(factor));
}

/// A condition under which `domain` holds for some values of `vars`: one of a
/// few points is inside. The points consist of 0 and the bounds that the domain
/// states.
static FormulaRef getNonEmpty(const FormulaRef &domain,
                              llvm::ArrayRef<std::string> vars) {
  std::vector<FormulaRef> points = {domain};
  for (const std::string &var : vars) {
    std::vector<FormulaRef> next;
    for (const FormulaRef &point : points) {
      std::vector<SymInt> values = {SymInt(0)};
      std::vector<FormulaRef> conjuncts;
      flattenAnd(point, conjuncts);
      for (const FormulaRef &conjunct : conjuncts) {
        std::optional<SymInt> value = solveFor(conjunct->term, var);
        if (!value)
          continue;
        std::map<std::string, unsigned> used;
        collectVars(*value, used);
        bool inner = llvm::any_of(vars, [&](const std::string &other) {
          return used.count(other) != 0;
        });
        if (!inner && !llvm::is_contained(values, *value))
          values.push_back(*value);
      }
      for (const SymInt &value : values)
        if (next.size() < maxWitnesses)
          next.push_back(substitute(point, {{var, value}}));
    }
    points = std::move(next);
  }
  FormulaRef result = Formula::never();
  for (const FormulaRef &point : points)
    result = Formula::disjunction(result, point);
  return result;
}

//===----------------------------------------------------------------------===//
// Real numbers
//===----------------------------------------------------------------------===//

bool Signs::isReal(const SumForm &form, const FormulaRef &where) {
  return llvm::all_of(form.terms,
                      [&](const Term &term) { return isReal(term, where); });
}

bool Signs::isReal(const Term &term, const FormulaRef &where) {
  FormulaRef inside = Formula::conjunction(where, term.domain);
  return llvm::all_of(term.factors, [&](const Factor &factor) {
    return isReal(factor, inside);
  });
}

bool Signs::isReal(const Factor &factor, const FormulaRef &where) {
  auto realArgs = [&] {
    return llvm::all_of(factor.args,
                        [&](const SumForm &arg) { return isReal(arg, where); });
  };
  if (!graph::isFloat(factor.type))
    return false;
  if (factor.isReal)
    return true;
  switch (factor.kind) {
  case Factor::Kind::Load:
  case Factor::Kind::Index:
    return true;
  case Factor::Kind::Constant:
    return std::isfinite(factor.number);
  case Factor::Kind::Cast:
    return !graph::isFloat(factor.argType) || realArgs();
  case Factor::Kind::Reciprocal: // 1/0 counts as 0
    return realArgs();
  case Factor::Kind::Reduce:
    return factor.reduce == ReduceKind::Prod &&
           isReal(factor.args.front(),
                  Formula::conjunction(where, factor.domain));
  case Factor::Kind::Apply:
    break;
  }
  switch (factor.fn) {
  case ScalarFn::Max:
  case ScalarFn::Min:
    return isRealExtremum(factor, where);
  case ScalarFn::Log:
    return isPositive(factor.args.front(), where);
  case ScalarFn::Sqrt:
    return isNotNegative(factor.args.front(), where);
  default:
    // A function of all real numbers.
    return graph::arity(factor.fn) == 1 &&
           graph::getFacts(factor.fn).domain.isReals() && realArgs();
  }
}

bool Signs::isRealExtremum(const Factor &extremum, const FormulaRef &where) {
  // All elements are real, or infinities below (above) all real numbers, and at
  // least one is real.
  bool isMax = extremum.fn == ScalarFn::Max;
  FormulaRef someReal = Formula::never();
  for (const SumForm &arg : extremum.args) {
    const Factor *set = getSet(arg, extremum.fn);
    const SumForm &element = set ? set->args.front() : arg;
    if (isInfinity(element, isMax))
      continue;
    FormulaRef inside = set ? Formula::conjunction(where, set->domain) : where;
    if (!isReal(element, inside))
      return false;
    FormulaRef some =
        set ? getNonEmpty(set->domain, set->vars) : Formula::always();
    someReal = Formula::disjunction(someReal, some);
  }
  return solver.follows(Formula::conjunction(known, where), someReal) ==
         Solver::Answer::Yes;
}

bool Signs::mayMixInfinities(const FormulaRef &condition) {
  return (condition->element && mayMixInfinities(*condition->element)) ||
         llvm::any_of(condition->operands, [&](const FormulaRef &operand) {
           return mayMixInfinities(operand);
         });
}

bool Signs::mayBeNoNumber(const FormulaRef &condition) {
  return (condition->element && mayBeNoNumber(*condition->element)) ||
         llvm::any_of(condition->operands, [&](const FormulaRef &operand) {
           return mayBeNoNumber(operand);
         });
}

bool Signs::mayBeNoNumber(const SumForm &form) {
  unsigned infinite = 0;
  for (const Term &term : form.terms) {
    if (mayBeNoNumber(term.domain))
      return true;
    bool isAlone = term.factors.size() == 1 && term.vars.empty() &&
                   term.scale == SymInt(1);
    for (const Factor &factor : term.factors) {
      if (graph::isFloat(factor.type) && !isReal(factor, term.domain) &&
          (!isAlone || ++infinite > 1))
        return true;
      if (factor.domain && mayBeNoNumber(factor.domain))
        return true;
      for (const SumForm &arg : factor.args)
        if (mayBeNoNumber(arg))
          return true;
    }
  }
  return false;
}

bool Signs::mayMixInfinities(const SumForm &form) {
  for (const Term &term : form.terms) {
    if (mayMixInfinities(term.domain))
      return true;
    bool isProduct = form.terms.size() == 1 && term.vars.empty();
    bool isElement = term.factors.size() == 1;
    if (isElement && !term.vars.empty()) {
      std::map<std::string, unsigned> used;
      collectVars(term.factors.front(), used);
      isElement = llvm::all_of(term.vars, [&](const std::string &var) {
        return used.count(var) != 0;
      });
    }
    bool isSafe = (isProduct || isElement) && term.scale == SymInt(1);
    for (const Factor &factor : term.factors) {
      if (!isSafe && graph::isFloat(factor.type) &&
          !isReal(factor, term.domain))
        return true;
      if (factor.domain && mayMixInfinities(factor.domain))
        return true;
      for (const SumForm &arg : factor.args)
        if (mayMixInfinities(arg))
          return true;
    }
  }
  return false;
}

//===----------------------------------------------------------------------===//
// Signs
//===----------------------------------------------------------------------===//

bool Signs::isNotNegative(const SumForm &form, const FormulaRef &where) {
  return llvm::all_of(
      form.terms, [&](const Term &term) { return isNotNegative(term, where); });
}

bool Signs::isNotNegative(const Term &term, const FormulaRef &where) {
  FormulaRef inside = Formula::conjunction(where, term.domain);
  if (term.numerator < 0 ||
      solver.follows(Formula::conjunction(known, inside),
                     Formula::nonNegative(term.scale)) != Solver::Answer::Yes)
    return false;
  // Factors that occur twice are squares.
  std::map<std::string, std::pair<unsigned, const Factor *>> counts;
  for (const Factor &factor : term.factors) {
    auto &[count, which] = counts[getCanonicalText(factor)];
    ++count;
    which = &factor;
  }
  for (const auto &[text, counted] : counts) {
    const auto &[count, factor] = counted;
    if (count % 2 ? !isNotNegative(*factor, inside) : !isReal(*factor, inside))
      return false;
  }
  return true;
}

bool Signs::isNotNegative(const Factor &factor, const FormulaRef &where) {
  switch (factor.kind) {
  case Factor::Kind::Load:
    return operands.notNegative.count(factor.operand) != 0 ||
           isPositive(factor, where);
  case Factor::Kind::Constant:
    return std::isfinite(factor.number) && factor.number >= 0;
  case Factor::Kind::Reciprocal:
    return isNotNegative(factor.args.front(), where);
  case Factor::Kind::Apply:
    if (factor.fn == ScalarFn::Abs)
      return isReal(factor.args.front(), where);
    if (factor.fn == ScalarFn::Sqrt)
      return isNotNegative(factor.args.front(), where);
    break;
  default:
    break;
  }
  return isPositive(factor, where);
}

bool Signs::isPositive(const SumForm &form, const FormulaRef &where) {
  // No term is below 0, and some term is above 0.
  if (!isNotNegative(form, where))
    return false;
  FormulaRef somePositive = Formula::never();
  for (const Term &term : form.terms)
    if (term.numerator > 0 && hasPositiveFactors(term, where))
      somePositive = Formula::disjunction(
          somePositive,
          getNonEmpty(
              Formula::conjunction(
                  term.domain, Formula::nonNegative(term.scale - SymInt(1))),
              term.vars));
  return solver.follows(Formula::conjunction(known, where), somePositive) ==
         Solver::Answer::Yes;
}

bool Signs::hasPositiveFactors(const Term &term, const FormulaRef &where) {
  FormulaRef inside = Formula::conjunction(where, term.domain);
  return llvm::all_of(term.factors, [&](const Factor &factor) {
    return isPositive(factor, inside);
  });
}

bool Signs::isPositive(const Factor &factor, const FormulaRef &where) {
  switch (factor.kind) {
  case Factor::Kind::Load:
    return operands.positive.count(factor.operand) != 0;
  case Factor::Kind::Constant:
    return std::isfinite(factor.number) && factor.number > 0;
  case Factor::Kind::Reciprocal:
    return isPositive(factor.args.front(), where);
  case Factor::Kind::Apply:
    if (factor.fn == ScalarFn::Exp)
      return isReal(factor.args.front(), where);
    if (factor.fn == ScalarFn::Sqrt)
      return isPositive(factor.args.front(), where);
    return false;
  default:
    return false;
  }
}
