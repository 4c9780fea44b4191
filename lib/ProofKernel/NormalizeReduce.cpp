//===- NormalizeReduce.cpp - normalizing reductions -----------------------===//
//
// Part of the Tenon project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "tenon/ProofKernel/Laws.h"
#include "tenon/ProofKernel/Normalize.h"

#include "tenon/Dialect/Graph/IR/Graph.h"

#include "llvm/ADT/STLExtras.h"

using namespace tenon;
using namespace tenon::prove;
using graph::Expr;
using graph::ReduceKind;
using graph::ScalarFn;

static ScalarFn getFunction(ReduceKind kind) {
  return kind == ReduceKind::Max ? ScalarFn::Max : ScalarFn::Min;
}

std::optional<SumForm> Normalizer::getReduce(const Expr &reduce) {
  llvm::ArrayRef<Expr> operands = reduce->operands;
  std::optional<SumForm> body = getSum(operands.back());
  FormulaRef domain = getCondition(operands[operands.size() - 2]);
  if (!body || !domain)
    return std::nullopt;
  std::vector<std::string> vars;
  for (auto [number, var] : llvm::enumerate(reduce->vars)) {
    std::optional<Pieces> extents = getIndex(operands[number]);
    if (!extents)
      return std::nullopt;
    SymInt at = SymInt::symbol(getVarName(var));
    FormulaRef inBox = Formula::never();
    for (auto &[guard, extent] : *extents)
      inBox = Formula::disjunction(
          inBox, Formula::conjunction(guard, Formula::less(at, extent)));
    domain = Formula::conjunction(
        Formula::conjunction(Formula::nonNegative(at), inBox), domain);
    vars.push_back(getVarName(var));
  }
  // The reduction has no elements.
  if (laws && laws->signs.isImpossible(domain)) {
    if (reduce->reduce == ReduceKind::Sum)
      return SumForm();
    if (reduce->reduce != ReduceKind::Prod && graph::isFloat(reduce->type))
      return getInfinity(reduce->reduce == ReduceKind::Max, reduce->type);
  }
  bool isSum = reduce->reduce == ReduceKind::Sum && mode != Mode::Exact &&
               hasArithmetic(reduce->type);
  if (isSum) {
    SumForm sum;
    for (const Term &term : body->terms) {
      sum.terms.push_back(term);
      Term &next = sum.terms.back();
      next.vars.insert(next.vars.begin(), vars.begin(), vars.end());
      next.domain = Formula::conjunction(domain, next.domain);
      if (next.domain->isFalse())
        sum.terms.pop_back();
    }
    // Give each term its own variables.
    return freshen(sum);
  }
  ringOnly = false;
  Factor factor;
  factor.kind = Factor::Kind::Reduce;
  factor.reduce = reduce->reduce;
  factor.type = factor.argType = reduce->type;
  factor.vars = vars;
  factor.domain = domain;
  factor.args.push_back(std::move(*body));
  factor.isOrdered = mode == Mode::Exact;
  bool isExtremum =
      reduce->reduce == ReduceKind::Max || reduce->reduce == ReduceKind::Min;
  if (mode == Mode::Exact || !isExtremum) {
    return getFactorSum(freshen(factor));
  }
  Factor extremum;
  extremum.kind = Factor::Kind::Apply;
  extremum.fn = getFunction(reduce->reduce);
  extremum.type = extremum.argType = reduce->type;
  if (!splitExtremum(std::move(factor), extremum.args))
    return std::nullopt;
  if (laws)
    Laws::dropNeutral(extremum.fn == ScalarFn::Max, extremum.type,
                      extremum.args);
  return getFactorSum(std::move(extremum));
}

/// Returns the first condition of `form` that mentions one of `vars`.
static FormulaRef findCase(const SumForm &form,
                           llvm::ArrayRef<std::string> vars) {
  for (const Term &term : form.terms) {
    std::vector<FormulaRef> conjuncts;
    flattenAnd(term.domain, conjuncts);
    for (const FormulaRef &condition : conjuncts) {
      std::map<std::string, unsigned> used;
      collectVars(condition, used);
      bool inner = llvm::any_of(term.vars, [&](const std::string &var) {
        return used.count(var) != 0;
      });
      if (!inner && llvm::any_of(vars, [&](const std::string &var) {
            return used.count(var) != 0;
          }))
        return condition;
    }
  }
  return nullptr;
}

/// A maximum over a set is the maximum over the maxima of its parts: splits the
/// set by the cases of the body.
bool Normalizer::splitExtremum(Factor reduce, std::vector<SumForm> &parts) {
  if (parts.size() > 64) {
    fail("a maximum falls into too many cases");
    return false;
  }
  FormulaRef condition = findCase(reduce.args.front(), reduce.vars);
  if (!condition) {
    // The maximum of maxima over sets is the maximum over all their elements.
    if (const Factor *inner = getOnlyFactor(reduce.args.front());
        inner && inner->kind == Factor::Kind::Apply &&
        inner->fn == getFunction(reduce.reduce)) {
      std::vector<SumForm> args = inner->args;
      for (const SumForm &arg : args) {
        Factor part = reduce;
        if (const Factor *set = getSet(arg, getFunction(reduce.reduce))) {
          part.vars.insert(part.vars.end(), set->vars.begin(), set->vars.end());
          part.domain = Formula::conjunction(part.domain, set->domain);
          part.args = set->args;
        } else {
          part.args = {arg};
        }
        if (!splitExtremum(std::move(part), parts))
          return false;
      }
      return true;
    }
    parts.push_back(getFactorSum(freshen(reduce)));
    return true;
  }
  for (bool value : {true, false}) {
    Factor part = reduce;
    part.domain = Formula::conjunction(
        reduce.domain, value ? condition : Formula::negation(condition));
    SumForm kept;
    for (Term &term : part.args.front().terms) {
      term.domain = assume(term.domain, condition, value);
      if (!term.domain->isFalse())
        kept.terms.push_back(std::move(term));
    }
    part.args.front() = std::move(kept);
    if (!part.domain->isFalse() && !splitExtremum(std::move(part), parts))
      return false;
  }
  return true;
}
