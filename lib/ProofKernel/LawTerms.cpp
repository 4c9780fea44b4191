//===- LawTerms.cpp - helpers for laws of normal forms --------------------===//
//
// Part of the Tenon project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "LawTerms.h"

using namespace tenon;
using namespace tenon::prove;
using graph::ScalarFn;

bool prove::isApply(const Factor &factor, ScalarFn fn) {
  return factor.kind == Factor::Kind::Apply && factor.fn == fn;
}

bool prove::isOnly(const SumForm &form, ScalarFn fn) {
  const Factor *only = getOnlyFactor(form);
  return only && isApply(*only, fn);
}

SumForm prove::applyTo(const Factor &like, SumForm arg) {
  Factor factor = like;
  factor.isReal = false;
  factor.args = {std::move(arg)};
  return getFactorSum(std::move(factor));
}

SumForm prove::negate(SumForm form) {
  for (Term &term : form.terms)
    term.numerator = -term.numerator;
  return form;
}

bool prove::isOdd(ScalarFn fn) {
  return graph::getFacts(fn).parity == graph::ScalarParity::Odd;
}

bool prove::takeSign(SumForm &form) {
  std::optional<std::string> least;
  bool hasPositive = false, hasNegative = false;
  for (const Term &term : form.terms) {
    std::string key = term.getKey();
    if (least && key > *least)
      continue;
    if (!least || key < *least)
      hasPositive = hasNegative = false;
    least = std::move(key);
    (term.numerator < 0 ? hasNegative : hasPositive) = true;
  }
  if (!hasNegative || hasPositive)
    return false;
  form = negate(std::move(form));
  return true;
}

const Term *prove::getProduct(const SumForm &form) {
  if (form.terms.size() != 1)
    return nullptr;
  const Term &term = form.terms.front();
  return term.vars.empty() && term.domain->isTrue() && term.scale == SymInt(1)
             ? &term
             : nullptr;
}

std::optional<int64_t> prove::getInteger(const SumForm &form) {
  if (form.terms.empty())
    return 0;
  const Term *term = getProduct(form);
  if (!term || !term->factors.empty() || term->denominator != 1)
    return std::nullopt;
  return term->numerator;
}

std::optional<int64_t> prove::getWrapped(const SumForm &form,
                                         mlir::IntegerType type) {
  std::optional<int64_t> value = getInteger(form);
  if (!value)
    return std::nullopt;
  llvm::APInt bits(type.getWidth(), *value, /*isSigned=*/true,
                   /*implicitTrunc=*/true);
  return type.isUnsigned() ? static_cast<int64_t>(bits.getZExtValue())
                           : bits.getSExtValue();
}
