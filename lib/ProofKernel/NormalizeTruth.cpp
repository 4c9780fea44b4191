//===- NormalizeTruth.cpp - normalizing truth values and comparisons ------===//
//
// Part of the Tenon project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "tenon/ProofKernel/IntegerOrder.h"
#include "tenon/ProofKernel/Laws.h"
#include "tenon/ProofKernel/Normalize.h"

#include "tenon/Dialect/Graph/IR/Graph.h"
#include "tenon/Dialect/Rule/IR/Certificate.h"

#include "llvm/ADT/STLExtras.h"

using namespace tenon;
using namespace tenon::prove;
using graph::Expr;
using graph::ExprKind;
using graph::ScalarFn;

/// Larger integer constants are not compared with indices.
static constexpr int64_t largestIndex = int64_t(1) << 31;

static Expr makeNot(const Expr &a) {
  return Expr::logicalNot(Expr::fromBool(a));
}

FormulaRef Normalizer::getTruth(const Expr &element) {
  ringOnly = false;
  llvm::ArrayRef<Expr> operands = element->operands;
  if (element.getKind() == ExprKind::Select && mode != Mode::Exact) {
    FormulaRef condition = getCondition(operands[0]);
    FormulaRef then = getTruth(operands[1]), otherwise = getTruth(operands[2]);
    if (!condition || !then || !otherwise)
      return nullptr;
    return Formula::disjunction(
        Formula::conjunction(condition, then),
        Formula::conjunction(Formula::negation(condition), otherwise));
  }
  if (element.getKind() == ExprKind::Apply) {
    // Logical functions of i1 elements become formulas.
    bool isLogic = graph::isBool(operands[0]->type);
    switch (element->fn) {
    case ScalarFn::Not:
      return getCondition(makeNot(operands[0]));
    case ScalarFn::And:
      return getCondition(Expr::logicalAnd(Expr::fromBool(operands[0]),
                                           Expr::fromBool(operands[1])));
    case ScalarFn::Or:
      return getCondition(Expr::logicalOr(Expr::fromBool(operands[0]),
                                          Expr::fromBool(operands[1])));
    case ScalarFn::Xor:
    case ScalarFn::Equal: {
      if (!isLogic)
        break;
      FormulaRef a = getTruth(operands[0]), b = getTruth(operands[1]);
      if (!a || !b)
        return nullptr;
      FormulaRef differ =
          Formula::disjunction(Formula::conjunction(a, Formula::negation(b)),
                               Formula::conjunction(Formula::negation(a), b));
      return element->fn == ScalarFn::Xor ? differ : Formula::negation(differ);
    }
    default:
      break;
    }
    if (!isLogic && mode != Mode::Exact)
      if (FormulaRef compared = getComparison(element))
        return compared;
  }
  std::optional<SumForm> sum =
      mode == Mode::Exact ? getSum(element) : computeElement(element);
  return sum ? getTruth(std::move(*sum)) : nullptr;
}

/// Converts a truth value to a formula. Its cases exclude each other, and one
/// of them holds.
FormulaRef Normalizer::getTruth(SumForm element) {
  bool bound = llvm::any_of(element.terms, [](const Term &term) {
    return !term.vars.empty() || term.numerator != 1;
  });
  if (bound)
    return Formula::ofElement(std::move(element));
  FormulaRef result = Formula::never();
  for (Term &term : element.terms) {
    FormulaRef domain = term.domain;
    term.domain = Formula::always();
    SumForm value;
    value.terms.push_back(std::move(term));
    FormulaRef holds = value.str() == getConstantSum(1).str()
                           ? Formula::always()
                           : Formula::ofElement(std::move(value));
    result = Formula::disjunction(result, Formula::conjunction(domain, holds));
  }
  return result;
}

/// Returns the index of an i64 element that is an index or a constant;
/// otherwise nothing.
static Expr getComparedIndex(const Expr &element) {
  if (!element->type.isInteger(64) || element->type.isUnsignedInteger())
    return {};
  if (element.getKind() == ExprKind::FromIndex)
    return element->operands[0];
  if (element.getKind() == ExprKind::Constant &&
      element->integer < largestIndex && element->integer > -largestIndex)
    return Expr::index(element->integer);
  return {};
}

/// Expresses a comparison only by < (O1 in Laws.h); returns nothing if the
/// order may not be total.
FormulaRef Normalizer::getComparison(const Expr &comparison) {
  ScalarFn fn = comparison->fn;
  if (fn != ScalarFn::Less && fn != ScalarFn::LessEqual &&
      fn != ScalarFn::Equal)
    return nullptr;
  const Expr &left = comparison->operands[0], &right = comparison->operands[1];
  Expr i = getComparedIndex(left), j = getComparedIndex(right);
  if (i && j)
    return getCondition(fn == ScalarFn::Less        ? Expr::less(i, j)
                        : fn == ScalarFn::LessEqual ? Expr::lessEqual(i, j)
                                                    : Expr::equal(i, j));
  mlir::Type type = left->type;
  bool isFloat = graph::isFloat(type);
  if (isFloat && !laws)
    return nullptr;
  std::optional<SumForm> a = getSum(left), b = getSum(right);
  if (!a || !b)
    return nullptr;
  if (std::optional<SymInt> x = getIndexNumber(*a, type),
      y = getIndexNumber(*b, type);
      x && y)
    return fn == ScalarFn::Less        ? Formula::less(*x, *y)
           : fn == ScalarFn::LessEqual ? Formula::lessEqual(*x, *y)
                                       : Formula::equal(*x, *y);
  // NaN is neither less than a number, nor equal to it, nor above it.
  if (isFloat)
    floatClass |= rule::NeedsFinite;
  if (isFloat && fn == ScalarFn::Equal)
    if (std::optional<bool> answer = laws->decide(fn, {*a, *b}))
      return *answer ? Formula::always() : Formula::never();
  FormulaRef below =
      fn == ScalarFn::LessEqual ? Formula::never() : getLess(*a, *b, type);
  FormulaRef above =
      fn == ScalarFn::Less ? Formula::never() : getLess(*b, *a, type);
  if (!below || !above || fn == ScalarFn::Less)
    return below;
  return Formula::negation(Formula::disjunction(below, above));
}

FormulaRef Normalizer::getLess(const SumForm &a, const SumForm &b,
                               mlir::Type type) {
  // O2.
  std::string left = getCanonicalText(a), right = getCanonicalText(b);
  if (left == right)
    return Formula::never();
  if (std::optional<SymInt> x = getIndexNumber(a, type),
      y = getIndexNumber(b, type);
      x && y)
    return Formula::less(*x, *y);
  // O3.
  for (bool first : {true, false}) {
    const Factor *only = getOnlyFactor(first ? a : b);
    if (!only || only->kind != Factor::Kind::Apply ||
        (only->fn != ScalarFn::Max && only->fn != ScalarFn::Min))
      continue;
    bool isAll = (only->fn == ScalarFn::Max) == first;
    FormulaRef result = isAll ? Formula::always() : Formula::never();
    for (const SumForm &arg : only->args) {
      // A set cannot be replaced by its elements.
      if (getSet(arg, only->fn)) {
        result = nullptr;
        break;
      }
      FormulaRef one = first ? getLess(arg, b, type) : getLess(a, arg, type);
      if (!one)
        return nullptr;
      result = isAll ? Formula::conjunction(result, one)
                     : Formula::disjunction(result, one);
    }
    if (result)
      return result;
  }
  Factor factor;
  factor.kind = Factor::Kind::Apply;
  factor.fn = ScalarFn::Less;
  factor.type = mlir::IntegerType::get(type.getContext(), 1);
  factor.argType = type;
  auto getAtom = [&](const SumForm &first, const SumForm &second) {
    std::optional<SumForm> less = getOpaque(factor, {first, second});
    return less ? getTruth(std::move(*less)) : nullptr;
  };
  FormulaRef less = getAtom(a, b);
  if (!less || left < right)
    return less;
  // O4: encode one direction by the other, so that the solver need not know the
  // law.
  FormulaRef reverse = getAtom(b, a);
  return reverse ? Formula::conjunction(less, Formula::negation(reverse))
                 : nullptr;
}
