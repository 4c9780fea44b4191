//===- Laws.cpp - laws of non-polynomial functions ------------------------===//
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

static Factor getApply(ScalarFn fn, SumForm arg, mlir::Type type) {
  Factor factor;
  factor.kind = Factor::Kind::Apply;
  factor.fn = fn;
  factor.type = factor.argType = type;
  factor.args.push_back(std::move(arg));
  return factor;
}

static SumForm getTermSum(Term term) {
  SumForm sum;
  sum.terms.push_back(std::move(term));
  return sum;
}

/// The term without its coefficient.
static Term getUnit(Term term) {
  term.numerator = term.denominator = 1;
  return term;
}

static bool dependsOn(const Factor &factor, llvm::ArrayRef<std::string> vars) {
  std::map<std::string, unsigned> used;
  collectVars(factor, used);
  return llvm::any_of(
      vars, [&](const std::string &var) { return used.count(var) != 0; });
}

/// Removes the factors that all terms have and that depend on none of the
/// terms' variables.
static std::vector<Factor> takeCommonFactors(SumForm &form) {
  std::vector<Factor> common;
  if (form.terms.empty())
    return common;
  /// The position of a factor with this text in `term`, if it may be moved out
  /// of the sum.
  auto find = [](const Term &term, const std::string &text) {
    for (size_t n = 0; n < term.factors.size(); ++n)
      if (!dependsOn(term.factors[n], term.vars) &&
          getCanonicalText(term.factors[n]) == text)
        return n;
    return term.factors.size();
  };
  std::vector<Factor> candidates = form.terms.front().factors;
  for (Factor &candidate : candidates) {
    std::string text = getCanonicalText(candidate);
    bool everywhere = llvm::all_of(form.terms, [&](const Term &term) {
      return find(term, text) < term.factors.size();
    });
    if (!everywhere)
      continue;
    for (Term &term : form.terms)
      term.factors.erase(term.factors.begin() + find(term, text));
    common.push_back(std::move(candidate));
  }
  return common;
}

/// Returns the value of `form` if it is a number that does not depend on
/// operands.
static std::optional<std::pair<int64_t, int64_t>>
getNumber(const SumForm &form) {
  if (form.terms.empty())
    return std::pair<int64_t, int64_t>(0, 1);
  const Term &term = form.terms.front();
  if (form.terms.size() > 1 || !term.vars.empty() || !term.factors.empty() ||
      !term.domain->isTrue() || term.scale != SymInt(1))
    return std::nullopt;
  return std::pair(term.numerator, term.denominator);
}

//===----------------------------------------------------------------------===//
// Products
//===----------------------------------------------------------------------===//

void Laws::gather(Term &product) {
  gatherExps(product);
  cancelReciprocals(product);
  gatherPairs(product);
}

void Laws::gatherExps(Term &product) {
  // Maps exponents, as text without coefficient, to their positions.
  std::map<std::string, size_t> places;
  std::vector<Factor> kept;
  for (Factor &factor : product.factors) {
    bool isExp =
        isApply(factor, ScalarFn::Exp) && factor.args.front().terms.size() == 1;
    if (!isExp) {
      kept.push_back(std::move(factor));
      continue;
    }
    Term unit = getUnit(factor.args.front().terms.front());
    auto [place, inserted] =
        places.try_emplace(getCanonicalText(unit), kept.size());
    if (inserted) {
      kept.push_back(std::move(factor));
      continue;
    }
    // E1.
    SumForm &first = kept[place->second].args.front();
    const Term &second = factor.args.front().terms.front();
    bool cancels = first.terms.empty() || (first.terms.front().numerator > 0) !=
                                              (second.numerator > 0);
    SumForm sum = first;
    sum.terms.push_back(second);
    if ((cancels && !signs.isReal(getTermSum(unit), product.domain)) ||
        !simplify(sum)) {
      kept.push_back(std::move(factor));
      continue;
    }
    first = std::move(sum);
    floatClass |= rule::Reassociates;
    if (cancels)
      floatClass |= rule::NeedsFinite;
  }
  // exp(0) = 1.
  llvm::erase_if(kept, [](const Factor &factor) {
    return isApply(factor, ScalarFn::Exp) && factor.args.front().terms.empty();
  });
  product.factors = std::move(kept);
}

void Laws::cancelReciprocals(Term &product) {
  // Q4.
  for (size_t n = 0; n < product.factors.size();) {
    const Factor &inverse = product.factors[n];
    const Factor *arg = inverse.kind == Factor::Kind::Reciprocal
                            ? getOnlyFactor(inverse.args.front())
                            : nullptr;
    size_t other = product.factors.size();
    if (arg) {
      std::string text = getCanonicalText(*arg);
      for (size_t m = 0; m < product.factors.size(); ++m)
        if (getCanonicalText(product.factors[m]) == text)
          other = m;
    }
    if (other == product.factors.size() ||
        !signs.isPositive(inverse.args.front(), product.domain)) {
      ++n;
      continue;
    }
    floatClass |= rule::NeedsFinite;
    product.factors.erase(product.factors.begin() + std::max(n, other));
    product.factors.erase(product.factors.begin() + std::min(n, other));
    n = 0;
  }
}

//===----------------------------------------------------------------------===//
// Functions
//===----------------------------------------------------------------------===//

std::optional<SumForm> Laws::getExp(Normalizer &normalizer, const SumForm &arg,
                                    mlir::Type type) {
  auto isLowest = [&](const Term &term) {
    return term.numerator > 0 && isInfinity(getTermSum(getUnit(term)), true);
  };
  if (llvm::any_of(arg.terms, isLowest) &&
      llvm::all_of(arg.terms, [&](const Term &term) {
        return isLowest(term) ||
               signs.isReal(getTermSum(term), Formula::always());
      }))
    return SumForm(); // E3
  std::optional<SumForm> result = getConstantSum(1);
  for (const Term &term : arg.terms) {
    if (!result)
      return std::nullopt;
    SumForm unit = getTermSum(getUnit(term));
    const Factor *only = getOnlyFactor(unit);
    bool isPower = only && isApply(*only, ScalarFn::Log) &&
                   term.denominator == 1 &&
                   std::abs(term.numerator) <= maxPower &&
                   signs.isPositive(only->args.front(), Formula::always());
    if (!isPower) {
      result = normalizer.multiply(
          *result,
          getFactorSum(getApply(ScalarFn::Exp, getTermSum(term), type)));
      continue;
    }
    // E2.
    std::optional<SumForm> base = only->args.front();
    if (term.numerator < 0)
      base = getReciprocal(normalizer, *base, type);
    for (int64_t n = 0; base && result && n < std::abs(term.numerator); ++n)
      result = normalizer.multiply(*result, *base);
    if (!base)
      return std::nullopt;
    floatClass |= rule::NeedsFinite;
  }
  return result;
}

std::optional<SumForm> Laws::getLog(Normalizer &normalizer, const SumForm &arg,
                                    mlir::Type type) {
  if (arg.terms.empty())
    return getInfinity(/*negative=*/true, type); // L2
  // L1.
  SumForm rest = arg;
  SumForm result;
  SumForm kept = getConstantSum(1);
  FormulaRef always = Formula::always();
  for (Factor &factor : takeCommonFactors(rest)) {
    SumForm value = getFactorSum(factor);
    if (!signs.isPositive(value, always)) {
      kept.terms.front().factors.push_back(std::move(factor));
    } else if (isApply(factor, ScalarFn::Exp)) {
      llvm::append_range(result.terms, factor.args.front().terms);
    } else if (factor.kind == Factor::Kind::Reciprocal &&
               signs.isPositive(factor.args.front(), always)) {
      std::optional<SumForm> log =
          getLog(normalizer, factor.args.front(), type);
      if (log)
        log = normalizer.multiply(getConstantSum(-1), *log);
      if (!log)
        return std::nullopt;
      llvm::append_range(result.terms, log->terms);
    } else {
      SumForm log =
          getFactorSum(getApply(ScalarFn::Log, std::move(value), type));
      llvm::append_range(result.terms, log.terms);
    }
  }
  std::optional<SumForm> inner = normalizer.multiply(kept, rest);
  if (!inner)
    return std::nullopt;
  bool isOne = getNumber(*inner) == std::pair<int64_t, int64_t>(1, 1);
  if (isOne && result.terms.empty())
    return SumForm();
  if (result.terms.empty() || !(isOne || signs.isPositive(*inner, always)))
    return getFactorSum(getApply(ScalarFn::Log, arg, type));
  floatClass |= rule::Reassociates;
  if (!isOne) {
    SumForm log = getFactorSum(getApply(ScalarFn::Log, *inner, type));
    llvm::append_range(result.terms, log.terms);
  }
  bool cancelled = false;
  if (!simplify(result, &cancelled))
    return std::nullopt;
  if (cancelled)
    floatClass |= rule::NeedsFinite;
  return result;
}

std::optional<SumForm> Laws::getReciprocal(Normalizer &normalizer,
                                           const SumForm &arg,
                                           mlir::Type type) {
  SumForm rest = arg;
  std::optional<SumForm> result = getConstantSum(1);
  // Q1.
  std::vector<Factor> common = takeCommonFactors(rest);
  if (!common.empty())
    floatClass |= rule::Reassociates;
  for (const Factor &factor : common) {
    SumForm inverse;
    if (isApply(factor, ScalarFn::Exp) &&
        signs.isReal(factor.args.front(), Formula::always())) {
      // Q3.
      inverse = getFactorSum(
          getApply(ScalarFn::Exp, negate(factor.args.front()), type));
    } else if (factor.kind == Factor::Kind::Reciprocal) {
      inverse = factor.args.front(); // Q2
    } else {
      inverse = getFactorSum(getReciprocalFactor(getFactorSum(factor), type));
    }
    result = normalizer.multiply(*result, inverse);
    if (!result)
      return std::nullopt;
  }
  if (!simplify(rest))
    return std::nullopt;
  std::optional<std::pair<int64_t, int64_t>> number = getNumber(rest);
  if (number && number->first != 0) {
    auto [numerator, denominator] = *number;
    SumForm inverse = getConstantSum(numerator < 0 ? -denominator : denominator,
                                     std::abs(numerator));
    return normalizer.multiply(*result, inverse);
  }
  if (rest.terms.size() == 1) {
    // Invert the coefficient, too.
    Term &term = rest.terms.front();
    SumForm inverse = getConstantSum(term.numerator < 0 ? -term.denominator
                                                        : term.denominator,
                                     std::abs(term.numerator));
    term = getUnit(term);
    result = normalizer.multiply(*result, inverse);
    if (!result)
      return std::nullopt;
  }
  return normalizer.multiply(*result,
                             getFactorSum(getReciprocalFactor(rest, type)));
}

//===----------------------------------------------------------------------===//
// Comparisons
//===----------------------------------------------------------------------===//

std::optional<bool> Laws::decide(ScalarFn fn,
                                 const std::vector<SumForm> &args) {
  FormulaRef always = Formula::always();
  if (fn == ScalarFn::IsNan || fn == ScalarFn::IsInf) {
    if (!signs.isReal(args.front(), always))
      return std::nullopt;
    floatClass |= rule::NeedsFinite;
    return false;
  }
  if (fn != ScalarFn::Equal)
    return std::nullopt;
  std::optional<std::pair<int64_t, int64_t>> a = getNumber(args[0]);
  std::optional<std::pair<int64_t, int64_t>> b = getNumber(args[1]);
  if (a && b)
    return *a == *b;
  for (bool negative : {true, false})
    if (isInfinity(args[0], negative) && isInfinity(args[1], negative))
      return true;
  for (bool swapped : {false, true}) {
    const SumForm &x = args[swapped], &y = args[!swapped];
    bool isInfinite = isInfinity(y, true) || isInfinity(y, false);
    if ((isInfinite && signs.isReal(x, always)) ||
        (y.terms.empty() && signs.isPositive(x, always))) {
      floatClass |= rule::NeedsFinite;
      return false;
    }
  }
  return std::nullopt;
}

llvm::StringRef Laws::getNames(ScalarFn fn) {
  switch (fn) {
  case ScalarFn::Exp:
    return "E1 to E3 and Q3";
  case ScalarFn::Log:
    return "L1 and L2";
  case ScalarFn::Div:
    return "Q1 to Q4, R1, I5 and I6";
  case ScalarFn::Max:
  case ScalarFn::Min:
    return "M1 to M6, O3, D1 and D2";
  case ScalarFn::Less:
  case ScalarFn::LessEqual:
  case ScalarFn::Equal:
    return "O1 to O4 and C1";
  case ScalarFn::Mod:
  case ScalarFn::Fmod:
    return "R1, R2, I5 and I6";
  case ScalarFn::Abs:
    return "A1 to A4 and R3";
  case ScalarFn::Sign:
    return "A4 and F2";
  case ScalarFn::Sqrt:
    return "A5";
  case ScalarFn::Pow:
    return "P1 and P2";
  case ScalarFn::Floor:
  case ScalarFn::Ceil:
  case ScalarFn::RoundEven:
    return "F1";
  case ScalarFn::Cos:
  case ScalarFn::Cosh:
    return "F3";
  case ScalarFn::And:
  case ScalarFn::Or:
  case ScalarFn::Xor:
    return "I3 and I4";
  case ScalarFn::Not:
    return "I1";
  case ScalarFn::ShiftLeft:
  case ScalarFn::ShiftRight:
    return "I2";
  case ScalarFn::IsNan:
  case ScalarFn::IsInf:
    return "C1";
  default:
    return isOdd(fn) ? "F2" : "";
  }
}

std::optional<SumForm> Laws::divide(ScalarFn fn,
                                    const std::vector<SumForm> &args) {
  bool isRemainder = fn == ScalarFn::Mod || fn == ScalarFn::Fmod;
  if (fn != ScalarFn::Div && !isRemainder)
    return std::nullopt;
  if (getNumber(args[1]) == std::pair<int64_t, int64_t>(1, 1))
    return isRemainder ? SumForm() : args[0];
  const Factor *inner = getOnlyFactor(args[0]);
  if (isRemainder && inner && isApply(*inner, fn) &&
      getCanonicalText(inner->args[1]) == getCanonicalText(args[1]))
    return args[0];
  return std::nullopt;
}

const SumForm *Laws::getSquared(const SumForm &a, const SumForm &b) {
  const Factor *left = getOnlyFactor(a), *right = getOnlyFactor(b);
  if (!left || !right || !isApply(*left, ScalarFn::Abs) ||
      !isApply(*right, ScalarFn::Abs) ||
      getCanonicalText(a) != getCanonicalText(b))
    return nullptr;
  return &left->args.front();
}

bool Laws::isNonZero(const SumForm &form) {
  FormulaRef always = Formula::always();
  if (std::optional<std::pair<int64_t, int64_t>> number = getNumber(form))
    return number->first != 0;
  if (signs.isPositive(form, always))
    return true;
  return signs.isPositive(negate(form), always);
}

void Laws::dropNeutral(bool isMax, mlir::Type type,
                       std::vector<SumForm> &args) {
  auto isNeutral = [&](const SumForm &arg) {
    const Factor *set = getSet(arg, isMax ? ScalarFn::Max : ScalarFn::Min);
    return isInfinity(set ? set->args.front() : arg, isMax);
  };
  if (llvm::all_of(args, isNeutral)) {
    args = {getInfinity(isMax, type)};
    return;
  }
  llvm::erase_if(args, isNeutral);
}
