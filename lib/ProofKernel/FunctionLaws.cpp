//===- FunctionLaws.cpp - laws of single functions ------------------------===//
//
// Part of the Tenon project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The names in comments refer to the laws in Laws.h.
//
//===----------------------------------------------------------------------===//

#include "LawTerms.h"

using namespace tenon;
using namespace tenon::prove;
using graph::ScalarFn;

//===----------------------------------------------------------------------===//
// Real numbers
//===----------------------------------------------------------------------===//

std::optional<SumForm> Laws::getAbs(Normalizer &normalizer, const Factor &abs,
                                    SumForm arg) {
  FormulaRef always = Formula::always();
  if (signs.isNotNegative(arg, always) || isOnly(arg, ScalarFn::Abs))
    return arg; // A1
  const Term *product = getProduct(arg);
  if (!product) {
    takeSign(arg); // A2
    return applyTo(abs, std::move(arg));
  }
  // A3.
  std::optional<SumForm> result =
      getConstantSum(std::abs(product->numerator), product->denominator);
  for (const Factor &factor : product->factors) {
    SumForm one = getFactorSum(factor);
    bool isKnown =
        isApply(factor, ScalarFn::Abs) || signs.isNotNegative(one, always);
    if (!isKnown)
      one = applyTo(abs, std::move(one));
    result = normalizer.multiply(*result, one);
    if (!result)
      return std::nullopt;
  }
  return result;
}

/// Returns the root of a perfect square.
static std::optional<int64_t> getRoot(int64_t square) {
  for (int64_t root = 1; root <= 64 && root * root <= square; ++root)
    if (root * root == square)
      return root;
  return std::nullopt;
}

std::optional<SumForm> Laws::getSqrt(Normalizer &normalizer, const Factor &sqrt,
                                     const SumForm &arg) {
  // A5.
  const Term *product = getProduct(arg);
  if (!product)
    return std::nullopt;
  Factor abs = sqrt;
  abs.fn = ScalarFn::Abs;
  Term rest = *product;
  std::optional<int64_t> above = getRoot(rest.numerator);
  std::optional<int64_t> below = getRoot(rest.denominator);
  bool hasRoot = above && below;
  std::optional<SumForm> result =
      hasRoot ? getConstantSum(*above, *below) : getConstantSum(1);
  if (hasRoot)
    rest.numerator = rest.denominator = 1;
  bool found = false;
  for (size_t n = 0; n < rest.factors.size();) {
    std::string text = getCanonicalText(rest.factors[n]);
    size_t other = n + 1;
    while (other < rest.factors.size() &&
           getCanonicalText(rest.factors[other]) != text)
      ++other;
    if (other == rest.factors.size()) {
      ++n;
      continue;
    }
    std::optional<SumForm> one =
        getAbs(normalizer, abs, getFactorSum(rest.factors[n]));
    result = one ? normalizer.multiply(*result, *one) : std::nullopt;
    if (!result)
      return std::nullopt;
    rest.factors.erase(rest.factors.begin() + other);
    rest.factors.erase(rest.factors.begin() + n);
    found = true;
  }
  if (!found)
    return std::nullopt;
  SumForm inner;
  inner.terms.push_back(rest);
  if (getInteger(inner) == 1)
    return result;
  if (!signs.isNotNegative(inner, Formula::always()))
    floatClass |= rule::NeedsFinite;
  return normalizer.multiply(*result, applyTo(sqrt, std::move(inner)));
}

/// Whether a number is an integer for all operands.
static bool isInteger(const SumForm &form) {
  return llvm::all_of(form.terms, [](const Term &term) {
    return term.denominator == 1 &&
           llvm::all_of(term.factors, [](const Factor &factor) {
             bool isRounded =
                 factor.kind == Factor::Kind::Apply &&
                 (factor.fn == ScalarFn::Floor || factor.fn == ScalarFn::Ceil ||
                  factor.fn == ScalarFn::RoundEven ||
                  factor.fn == ScalarFn::Sign);
             return isRounded || factor.kind == Factor::Kind::Index ||
                    (factor.kind == Factor::Kind::Cast &&
                     llvm::isa<mlir::IntegerType>(factor.argType));
           });
  });
}

std::optional<SumForm> Laws::rewriteReal(Normalizer &normalizer,
                                         const Factor &factor, SumForm arg) {
  switch (factor.fn) {
  case ScalarFn::Abs:
    return getAbs(normalizer, factor, std::move(arg));
  case ScalarFn::Sqrt:
    return getSqrt(normalizer, factor, arg);
  case ScalarFn::Floor:
  case ScalarFn::Ceil:
  case ScalarFn::RoundEven:
    // F1. Products of integers may be rounded differently than sums.
    if (arg.terms.size() <= 1 && isInteger(arg))
      return arg;
    return std::nullopt;
  case ScalarFn::Cos:
  case ScalarFn::Cosh:
    // F3.
    if (!takeSign(arg))
      return std::nullopt;
    return applyTo(factor, std::move(arg));
  case ScalarFn::Sign:
    // A4.
    if (signs.isPositive(arg, Formula::always()))
      return getConstantSum(1);
    if (isOnly(arg, ScalarFn::Sign))
      return arg;
    break;
  default:
    break;
  }
  // F2.
  if (!isOdd(factor.fn))
    return std::nullopt;
  if (arg.terms.empty())
    return SumForm();
  if (!takeSign(arg))
    return std::nullopt;
  return normalizer.multiply(getConstantSum(-1),
                             applyTo(factor, std::move(arg)));
}

std::optional<SumForm> Laws::getPower(Normalizer &normalizer,
                                      const SumForm &base, int64_t exponent) {
  // P1.
  std::optional<SumForm> result = getConstantSum(1);
  for (int64_t n = 0; result && n < exponent; ++n)
    result = normalizer.multiply(*result, base);
  return result;
}

std::optional<SumForm> Laws::rewrite(Normalizer &normalizer,
                                     const Factor &factor,
                                     const std::vector<SumForm> &args) {
  if (!hasArithmetic(factor.argType))
    return std::nullopt;
  if (!graph::isFloat(factor.argType))
    return rewriteInteger(normalizer, factor, args);
  if (args.size() == 1)
    return rewriteReal(normalizer, factor, args.front());
  return std::nullopt;
}

//===----------------------------------------------------------------------===//
// Products and extrema
//===----------------------------------------------------------------------===//

void Laws::gatherPairs(Term &product) {
  auto &factors = product.factors;
  auto getInner = [](const Factor &factor) -> const Factor * {
    return factor.args.size() == 1 ? getOnlyFactor(factor.args.front())
                                   : nullptr;
  };
  // Joins two factors with the only argument `inner`.
  auto join = [&](const Factor &a, const Factor &b,
                  std::vector<Factor> &result) {
    const Factor *inner = getInner(a);
    if (!inner)
      return false;
    bool isReal = graph::isFloat(a.argType);
    bool isSigned = isReal || !a.argType.isUnsignedInteger();
    if (isApply(a, ScalarFn::Abs) && isApply(b, ScalarFn::Abs)) {
      result = {*inner, *inner}; // R3
      return true;
    }
    if (isSigned && isApply(a, ScalarFn::Sign) && isApply(b, ScalarFn::Abs)) {
      result = {*inner}; // A4
      return true;
    }
    if (isReal && isApply(a, ScalarFn::Sqrt) && isApply(b, ScalarFn::Sqrt) &&
        signs.isNotNegative(a.args.front(), product.domain)) {
      result = {*inner}; // A5
      return true;
    }
    if (a.kind != Factor::Kind::Reciprocal || b.kind != a.kind ||
        !isApply(*inner, ScalarFn::Sqrt) ||
        !signs.isNotNegative(inner->args.front(), product.domain))
      return false;
    result = {getReciprocalFactor(inner->args.front(), a.type)}; // A5, Q1
    return true;
  };
  for (size_t n = 0; n < factors.size(); ++n)
    for (size_t m = 0; m < factors.size(); ++m) {
      std::vector<Factor> result;
      if (n == m || factors[n].args.size() != 1 ||
          factors[m].args.size() != 1 || factors[n].type != factors[m].type ||
          getCanonicalText(factors[n].args.front()) !=
              getCanonicalText(factors[m].args.front()) ||
          !join(factors[n], factors[m], result))
        continue;
      factors.erase(factors.begin() + std::max(n, m));
      factors.erase(factors.begin() + std::min(n, m));
      llvm::append_range(factors, result);
      n = m = 0;
    }
}

std::optional<SumForm> Laws::rewriteExtremum(Normalizer &normalizer,
                                             const Factor &extremum,
                                             std::vector<SumForm> &args) {
  bool isMax = extremum.fn == ScalarFn::Max;
  // M3.
  std::optional<size_t> extreme;
  auto isLess = [](const SumForm &a, const SumForm &b) {
    auto value = [](const SumForm &form) {
      return form.terms.empty() ? std::pair<int64_t, int64_t>(0, 1)
                                : std::pair(form.terms.front().numerator,
                                            form.terms.front().denominator);
    };
    auto [p, q] = value(a);
    auto [r, s] = value(b);
    return static_cast<__int128>(p) * s < static_cast<__int128>(r) * q;
  };
  auto isConstant = [&](const SumForm &form) {
    const Term *product = getProduct(form);
    if (!form.terms.empty() && (!product || !product->factors.empty()))
      return false;
    // The constant must not wrap in the machine integer.
    auto type = llvm::dyn_cast<mlir::IntegerType>(extremum.argType);
    return !type || getWrapped(form, type) == getInteger(form);
  };
  for (size_t n = 0; n < args.size(); ++n)
    if (isConstant(args[n]) &&
        (!extreme || isLess(args[*extreme], args[n]) == isMax))
      extreme = n;
  if (extreme) {
    SumForm kept = args[*extreme];
    llvm::erase_if(args, isConstant);
    args.push_back(std::move(kept));
  }
  if (!graph::isFloat(extremum.argType) || args.size() < 2)
    return std::nullopt;
  auto getNext = [&](std::vector<SumForm> next, ScalarFn fn) {
    Factor factor = extremum;
    factor.fn = fn;
    return normalizer.getExtremum(std::move(factor), std::move(next));
  };
  // M4.
  SumForm sum = args[0];
  llvm::append_range(sum.terms, args[1].terms);
  if (args.size() == 2 && simplify(sum) && sum.terms.empty()) {
    Factor abs = extremum;
    abs.fn = ScalarFn::Abs;
    std::optional<SumForm> value = getAbs(normalizer, abs, args[0]);
    return value && !isMax ? normalizer.multiply(getConstantSum(-1), *value)
                           : value;
  }
  // M5.
  SumForm common;
  std::vector<SumForm> rest = args;
  for (const Term &term : args[0].terms) {
    std::string text = getCanonicalText(term);
    auto find = [&](SumForm &arg) {
      return llvm::find_if(arg.terms, [&](const Term &other) {
        return getCanonicalText(other) == text;
      });
    };
    if (term.factors.empty() || !llvm::all_of(rest, [&](SumForm &arg) {
          return find(arg) != arg.terms.end();
        }))
      continue;
    for (SumForm &arg : rest)
      arg.terms.erase(find(arg));
    common.terms.push_back(term);
  }
  if (!common.terms.empty()) {
    std::optional<SumForm> result = getNext(std::move(rest), extremum.fn);
    if (!result)
      return std::nullopt;
    for (const Term &term : common.terms)
      result->terms.push_back(normalizer.freshen(term));
    return simplify(*result) ? result : std::nullopt;
  }
  // M6.
  bool areNegative = llvm::all_of(args, [](const SumForm &arg) {
    const Term *product = getProduct(arg);
    return product && product->numerator < 0;
  });
  if (!areNegative)
    return std::nullopt;
  std::vector<SumForm> opposites;
  for (const SumForm &arg : args)
    opposites.push_back(negate(arg));
  std::optional<SumForm> other =
      getNext(std::move(opposites), isMax ? ScalarFn::Min : ScalarFn::Max);
  return other ? normalizer.multiply(getConstantSum(-1), *other) : std::nullopt;
}
