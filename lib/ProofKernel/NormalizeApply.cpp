//===- NormalizeApply.cpp - normalizing functions of elements -------------===//
//
// Part of the Tenon project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "tenon/ProofKernel/Laws.h"
#include "tenon/ProofKernel/Normalize.h"

#include "tenon/Dialect/Graph/IR/Graph.h"
#include "tenon/Dialect/Rule/IR/Certificate.h"

using namespace tenon;
using namespace tenon::prove;
using graph::Expr;
using graph::ExprKind;
using graph::ScalarFn;

std::optional<SumForm> Normalizer::getExact(const Expr &element) {
  Mode before = mode;
  mode = Mode::Exact;
  std::optional<SumForm> form = getSum(element);
  mode = before;
  return form;
}

/// The operand for which the sign of zero matters: x - y and -(y - x) are one
/// number, but 1 / 0 is not 1 / -0.
static std::optional<unsigned> getSignedZero(const Expr &apply) {
  if (!graph::isFloat(apply->operands[0]->type))
    return std::nullopt;
  if (apply->fn == ScalarFn::Div)
    return 1;
  if (apply->fn == ScalarFn::Pow)
    return 0;
  return std::nullopt;
}

std::optional<SumForm> Normalizer::getPower(const Expr &power) {
  mlir::Type type = power->type;
  std::optional<SumForm> base = getSum(power->operands[0]),
                         exponent = getSum(power->operands[1]);
  if (!base || !exponent || exponent->terms.size() > 1)
    return std::nullopt;
  bool isReal = graph::isFloat(type);
  const Term one = exponent->terms.empty() ? Term() : exponent->terms.front();
  bool isNumber = one.vars.empty() && one.factors.empty() &&
                  one.domain->isTrue() && one.scale == SymInt(1);
  int64_t above = exponent->terms.empty() ? 0 : one.numerator;
  if (!isNumber || std::abs(above) > Laws::maxPower || one.denominator > 2 ||
      (!isReal && (above < 0 || one.denominator != 1)) ||
      (one.denominator == 2 && std::abs(above) != 1)) {
    // P2.
    if (!isReal || !laws->signs.isPositive(*base, Formula::always()))
      return std::nullopt;
    floatClass |= rule::NeedsFinite;
    Factor function;
    function.kind = Factor::Kind::Apply;
    function.fn = ScalarFn::Log;
    function.type = function.argType = type;
    std::optional<SumForm> value = getOpaque(function, {*base});
    value = value ? multiply(*exponent, *value) : std::nullopt;
    function.fn = ScalarFn::Exp;
    return value ? getOpaque(std::move(function), {std::move(*value)})
                 : std::nullopt;
  }
  // P1.
  std::optional<SumForm> result;
  if (one.denominator == 1) {
    result = Laws::getPower(*this, *base, std::abs(above));
  } else {
    // -inf to the power of 1/2 is inf, but its root is not a number.
    if (!laws->signs.isReal(*base, Formula::always()))
      floatClass |= rule::NeedsFinite;
    Factor root;
    root.kind = Factor::Kind::Apply;
    root.fn = ScalarFn::Sqrt;
    root.type = root.argType = type;
    result = getOpaque(std::move(root), {*base});
  }
  if (!result || above >= 0)
    return result;
  if (!known->isNonZero(*result))
    floatClass |= rule::NeedsFinite;
  Factor inverse;
  inverse.kind = Factor::Kind::Reciprocal;
  inverse.type = inverse.argType = type;
  return getOpaque(std::move(inverse), {std::move(*result)});
}

std::optional<SumForm> Normalizer::getChoice(const Expr &select) {
  // M2: the selected values are the compared ones.
  const Expr &condition = select->operands[0];
  if (condition.getKind() != ExprKind::FromBoolElement ||
      condition->operands[0].getKind() != ExprKind::Apply)
    return std::nullopt;
  const Expr &compare = condition->operands[0];
  bool isLess =
      compare->fn == ScalarFn::Less || compare->fn == ScalarFn::LessEqual;
  mlir::Type type = select->type;
  if (!isLess || compare->operands[0]->type != type || !hasArithmetic(type))
    return std::nullopt;
  std::string texts[4];
  std::vector<SumForm> forms;
  const Expr parts[] = {compare->operands[0], compare->operands[1],
                        select->operands[1], select->operands[2]};
  for (auto [n, part] : llvm::enumerate(parts)) {
    std::optional<SumForm> form = getSum(part);
    if (!form)
      return std::nullopt;
    texts[n] = getCanonicalText(*form);
    forms.push_back(std::move(*form));
  }
  bool isMin = texts[0] == texts[2] && texts[1] == texts[3];
  bool isMax = texts[0] == texts[3] && texts[1] == texts[2];
  if (!isMin && !isMax)
    return std::nullopt;
  ringOnly = false;
  if (graph::isFloat(type))
    floatClass |= rule::NeedsFinite;
  Factor factor;
  factor.kind = Factor::Kind::Apply;
  factor.fn = isMin ? ScalarFn::Min : ScalarFn::Max;
  factor.type = factor.argType = type;
  return getOpaque(std::move(factor), {forms[0], forms[1]});
}

std::optional<SumForm> Normalizer::getApply(const Expr &apply) {
  if (laws && apply->fn == ScalarFn::Pow &&
      hasArithmetic(apply->operands[0]->type)) {
    bool wasRing = ringOnly;
    ringOnly = false;
    if (std::optional<SumForm> power = getPower(apply))
      return power;
    ringOnly = wasRing;
  }
  std::vector<SumForm> args;
  std::optional<unsigned> zero = getSignedZero(apply);
  bool isQuotient = apply->fn == ScalarFn::Div && mode != Mode::Sums;
  for (auto [number, operand] : llvm::enumerate(apply->operands)) {
    bool isExact = zero == number && !isQuotient &&
                   !(signs && signs->has(ElementSigns::Positive, operand));
    std::optional<SumForm> arg = isExact ? getExact(operand) : getSum(operand);
    if (!arg)
      return std::nullopt;
    args.push_back(std::move(*arg));
  }
  mlir::Type type = apply->operands[0]->type;
  bool isOpaque = mode == Mode::Exact || !hasArithmetic(type);
  // Other functions are kept.
  switch (isOpaque ? ScalarFn::Pow : apply->fn) {
  case ScalarFn::Neg:
    return multiply(getConstantSum(-1), args[0]);
  case ScalarFn::Add:
  case ScalarFn::Sub: {
    std::optional<SumForm> right = apply->fn == ScalarFn::Sub
                                       ? multiply(getConstantSum(-1), args[1])
                                       : args[1];
    if (!right)
      return std::nullopt;
    SumForm sum = args[0];
    for (const Term &term : right->terms)
      sum.terms.push_back(freshen(term));
    if (!merge(sum))
      return fail("a coefficient overflows 64 bits");
    return sum;
  }
  case ScalarFn::Mul:
    // R3.
    if (const SumForm *value = Laws::getSquared(args[0], args[1]))
      return multiply(*value, *value);
    return multiply(args[0], args[1]);
  case ScalarFn::Div:
    if (graph::isFloat(type)) {
      if (mode == Mode::Sums) {
        keptQuotient = true;
        break;
      }
      Factor factor;
      factor.kind = Factor::Kind::Reciprocal;
      factor.type = factor.argType = type;
      std::optional<SumForm> inverse = getOpaque(std::move(factor), {args[1]});
      if (!inverse)
        return std::nullopt;
      // A quotient by 0 is not a number, but functions of it may be numbers,
      // such as its maximum with 0, and may differ between the two sides.
      bool isNumber =
          (signs && signs->has(ElementSigns::Positive, apply->operands[1])) ||
          known->isNonZero(args[1]);
      if (!isNumber)
        floatClass |= rule::NeedsFinite;
      for (Term &term : inverse->terms)
        for (Factor &part : term.factors)
          part.isReal |= isNumber && part.kind == Factor::Kind::Reciprocal;
      return multiply(args[0], *inverse);
    }
    break;
  default:
    break;
  }
  ringOnly = false;
  if (!isOpaque && !graph::isFloat(type))
    if (std::optional<SumForm> result = Laws::divide(apply->fn, args))
      return result;
  Factor factor;
  factor.kind = Factor::Kind::Apply;
  factor.fn = apply->fn;
  factor.type = apply->type;
  factor.argType = type;
  factor.isReal = signs && signs->has(ElementSigns::Real, apply);
  return getOpaque(std::move(factor), std::move(args));
}
