//===- Normalize.cpp - normalizing index forms to sums of products --------===//
//
// Part of the Tenon project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "tenon/ProofKernel/Normalize.h"
#include "tenon/ProofKernel/Laws.h"

#include "tenon/Dialect/Graph/IR/Graph.h"
#include "tenon/Dialect/Rule/IR/Certificate.h"

#include "llvm/Support/MathExtras.h"

#include <cmath>
#include <numeric>

using namespace tenon;
using namespace tenon::prove;
using graph::Expr;
using graph::ExprKind;
using graph::ReduceKind;
using graph::ScalarFn;

/// Larger sums are rejected.
static constexpr size_t maxTerms = 2048;
/// The maximum number of terms and factors in an element, including those of
/// functions' arguments.
static constexpr size_t maxParts = 4096;
/// The same of a product before like terms are merged, and of all elements.
static constexpr size_t maxProductParts = 1 << 16, maxAllParts = 1 << 17;
/// The maximum number of characters in a condition.
static constexpr size_t maxCondition = 4096;

//===----------------------------------------------------------------------===//
// Arithmetic of sums
//===----------------------------------------------------------------------===//

static Factor getIndexFactor(const SymInt &index, mlir::Type type) {
  Factor factor;
  factor.kind = Factor::Kind::Index;
  factor.type = type;
  factor.indices.push_back(index);
  return factor;
}

static void renameVars(std::vector<std::string> &vars, Substitution &names,
                       Normalizer &normalizer) {
  for (std::string &var : vars) {
    std::string fresh = normalizer.getFreshVar();
    names[var] = SymInt::symbol(fresh);
    var = std::move(fresh);
  }
}

Factor Normalizer::freshen(const Factor &factor, Substitution names) {
  Factor result = factor;
  renameVars(result.vars, names, *this);
  for (SymInt &index : result.indices)
    index = substitute(index, names);
  if (result.domain)
    result.domain = substitute(result.domain, names);
  for (SumForm &arg : result.args)
    arg = freshen(arg, names);
  return result;
}

SumForm Normalizer::freshen(const SumForm &form, const Substitution &names) {
  SumForm result;
  for (const Term &term : form.terms)
    result.terms.push_back(freshen(term, names));
  return result;
}

Term Normalizer::freshen(const Term &term, Substitution names) {
  Term result = term;
  renameVars(result.vars, names, *this);
  result.domain = substitute(result.domain, names);
  result.scale = substitute(result.scale, names);
  for (Factor &factor : result.factors)
    factor = freshen(factor, names);
  return result;
}

/// Adds the number of parts of a form to `count`, until there are more than
/// `most`.
static void addParts(const SumForm &form, size_t &count, size_t most) {
  for (const Term &term : form.terms) {
    ++count;
    for (const Factor &factor : term.factors) {
      ++count;
      for (const SumForm &arg : factor.args)
        if (count <= most)
          addParts(arg, count, most);
    }
  }
}

std::optional<SumForm> Normalizer::multiply(const SumForm &a,
                                            const SumForm &b) {
  if (a.terms.size() * b.terms.size() > maxTerms)
    return fail("a product has too many terms");
  size_t leftParts = 0, rightParts = 0;
  addParts(a, leftParts, maxProductParts);
  addParts(b, rightParts, maxProductParts);
  if (leftParts * b.terms.size() + rightParts * a.terms.size() >
      maxProductParts)
    return fail("a product has too many parts");
  if (a.terms.size() > 1 || b.terms.size() > 1)
    floatClass |= rule::Reassociates;
  // This uses 0 * x = 0, which infinities and NaN break.
  if (a.terms.empty() != b.terms.empty())
    floatClass |= rule::NeedsFinite;
  SumForm product;
  for (const Term &left : a.terms)
    for (const Term &original : b.terms) {
      Term right = freshen(original);
      Term term;
      int64_t g = std::gcd(left.numerator, right.denominator);
      int64_t h = std::gcd(right.numerator, left.denominator);
      if (llvm::MulOverflow(left.numerator / g, right.numerator / h,
                            term.numerator) ||
          llvm::MulOverflow(left.denominator / h, right.denominator / g,
                            term.denominator) ||
          term.numerator == INT64_MIN) // has no negative
        return fail("a coefficient overflows 64 bits");
      term.vars = left.vars;
      term.vars.insert(term.vars.end(), right.vars.begin(), right.vars.end());
      term.domain = Formula::conjunction(left.domain, right.domain);
      term.scale = left.scale * right.scale;
      if (term.scale.isUnknown())
        return fail("a coefficient overflows 64 bits");
      term.factors = left.factors;
      term.factors.insert(term.factors.end(), right.factors.begin(),
                          right.factors.end());
      if (laws)
        laws->gather(term);
      product.terms.push_back(std::move(term));
    }
  if (!merge(product))
    return fail("a coefficient overflows 64 bits");
  return product;
}

bool Normalizer::merge(SumForm &sum) {
  bool cancelled = false;
  bool merged = simplify(sum, &cancelled);
  if (cancelled)
    floatClass |= rule::NeedsFinite;
  return merged;
}

SumForm Normalizer::guard(const SumForm &form, const FormulaRef &condition) {
  SumForm result;
  for (const Term &term : form.terms) {
    result.terms.push_back(term);
    Term &guarded = result.terms.back();
    guarded.domain = Formula::conjunction(condition, guarded.domain);
    if (guarded.domain->isFalse())
      result.terms.pop_back();
  }
  return result;
}

std::optional<SumForm> Normalizer::reciprocal(const SumForm &form,
                                              mlir::Type type) {
  ringOnly = false;
  if (laws)
    return laws->getReciprocal(*this, form, type);
  // The reciprocal of a product is the product of the reciprocals. With 1/0 =
  // 0, as in any totalized field, this also holds if a factor is zero.
  if (form.terms.size() == 1 && form.terms[0].vars.empty() &&
      form.terms[0].domain->isTrue() && form.terms[0].scale == SymInt(1)) {
    const Term &term = form.terms[0];
    SumForm result = getConstantSum(term.numerator < 0 ? -term.denominator
                                                       : term.denominator,
                                    std::abs(term.numerator));
    for (const Factor &factor : term.factors)
      result.terms[0].factors.push_back(
          getReciprocalFactor(getFactorSum(factor), type));
    return result;
  }
  return getFactorSum(getReciprocalFactor(form, type));
}

//===----------------------------------------------------------------------===//
// Elements
//===----------------------------------------------------------------------===//

/// Casts `from` to the floating-point type `type`, if it is a constant number
/// that `type` can represent.
static Expr castNumber(const Expr &from, mlir::Type type) {
  auto floatType = llvm::dyn_cast<mlir::FloatType>(type);
  if (!floatType || graph::isBool(from->type))
    return {};
  if (from.getKind() == ExprKind::FromIndex && from->type.isInteger(64))
    return Expr::fromIndex(from->operands[0], type);
  if (from.getKind() != ExprKind::Constant)
    return {};
  // A 64-bit integer may not be representable as a double.
  double number = graph::isFloat(from->type)
                      ? from->number
                      : static_cast<double>(from->integer);
  constexpr int64_t largest = int64_t(1) << 53;
  if (!graph::isFloat(from->type) &&
      (from->integer > largest || from->integer < -largest))
    return {};
  llvm::APFloat value(number);
  bool losesInfo = false;
  value.convert(floatType.getFloatSemantics(),
                llvm::APFloat::rmNearestTiesToEven, &losesInfo);
  return losesInfo ? Expr() : Expr::constant(number, type);
}

SumForm Normalizer::getConstant(const Expr &constant) {
  if (!hasArithmetic(constant->type))
    return getConstantSum(constant->integer != 0);
  if (!graph::isFloat(constant->type))
    return mode == Mode::Exact || constant->integer == INT64_MIN
               ? getFactorSum(
                     getIndexFactor(SymInt(constant->integer), constant->type))
               : getConstantSum(constant->integer);
  // Small fractions are coefficients.
  double scaled = constant->number * 4096;
  bool isFraction = scaled == std::nearbyint(scaled) && std::abs(scaled) < 1e15;
  // A fraction has no equivalent in integers, so the proof is for real numbers.
  ringOnly &= isFraction && std::fmod(scaled, 4096) == 0;
  if (isFraction && mode != Mode::Exact)
    return getConstantSum(static_cast<int64_t>(scaled), 4096);
  Factor factor;
  factor.kind = Factor::Kind::Constant;
  factor.type = constant->type;
  factor.number = constant->number;
  return getFactorSum(std::move(factor));
}

std::optional<SumForm> Normalizer::getSum(const Expr &element) {
  auto key = std::make_pair(element.getPointer(), mode);
  auto it = done.find(key);
  if (it != done.end())
    return it->second;
  // Do not repeat a failed computation for each use.
  if (refused.count(key))
    return std::nullopt;
  kept.push_back(element);
  refused.insert(key);
  std::optional<SumForm> sum = compute(element);
  if (!sum)
    return std::nullopt;
  if (sum->terms.size() > maxTerms)
    return fail("a sum has too many terms");
  // Shared parts of an element are copied here, so check the size.
  size_t parts = 0;
  addParts(*sum, parts, maxParts);
  if (parts > maxParts)
    return fail("an element has too many parts");
  allParts += parts;
  if (allParts > maxAllParts)
    return fail("the elements have too many parts in all");
  for (const Term &term : sum->terms)
    if (term.domain->text.size() > maxCondition)
      return fail("a condition falls into too many cases");
  refused.erase(key);
  done[key] = *sum;
  return sum;
}

std::optional<SumForm> Normalizer::compute(const Expr &element) {
  // A truth value is 1 where it holds.
  if (graph::isBool(element->type) && mode != Mode::Exact) {
    FormulaRef truth = getTruth(element);
    return truth ? std::optional(guard(getConstantSum(1), truth))
                 : std::nullopt;
  }
  return computeElement(element);
}

std::optional<SumForm> Normalizer::computeElement(const Expr &element) {
  switch (element.getKind()) {
  case ExprKind::Load:
    return getLoad(element);
  case ExprKind::Constant:
    return getConstant(element);
  case ExprKind::Apply:
    return getApply(element);
  case ExprKind::Cast: {
    ringOnly = false;
    if (mode != Mode::Exact)
      if (Expr number = castNumber(element->operands[0], element->type))
        return getSum(number);
    std::optional<SumForm> arg = getSum(element->operands[0]);
    if (!arg)
      return std::nullopt;
    // True is 1 in every type. Where the value is false, the term is removed,
    // including the factors of the number.
    if (mode != Mode::Exact && graph::isBool(element->operands[0]->type)) {
      if (graph::isFloat(element->type))
        floatClass |= rule::NeedsFinite;
      return arg;
    }
    if (laws) {
      // The cast of a condition's cases is the cast of each case.
      bool hasCases = llvm::any_of(arg->terms, [](const Term &term) {
        return !term.domain->isTrue() && term.vars.empty();
      });
      if (!hasCases)
        if (std::optional<SumForm> cast = Laws::cast(
                *this, *arg, element->operands[0]->type, element->type))
          return cast;
    }
    Factor factor;
    factor.kind = Factor::Kind::Cast;
    factor.type = element->type;
    factor.argType = element->operands[0]->type;
    return getOpaque(std::move(factor), {std::move(*arg)});
  }
  case ExprKind::FromIndex: {
    std::optional<Pieces> pieces = getIndex(element->operands[0]);
    if (!pieces)
      return std::nullopt;
    // Narrow integers wrap, as in their ring. The 16-bit floating-point types
    // cannot represent all sizes of tensors.
    bool isNumber =
        hasArithmetic(element->type) &&
        (!graph::isFloat(element->type) ||
         llvm::cast<mlir::FloatType>(element->type).getFPMantissaWidth() >= 24);
    SumForm sum;
    for (auto &[guard, term] : *pieces) {
      sum.terms.emplace_back();
      sum.terms.back().domain = guard;
      if (isNumber)
        sum.terms.back().scale = term;
      else
        sum.terms.back().factors.push_back(getIndexFactor(term, element->type));
    }
    return sum;
  }
  case ExprKind::Select: {
    if (laws)
      if (std::optional<SumForm> choice = getChoice(element))
        return choice;
    FormulaRef condition = getCondition(element->operands[0]);
    std::optional<SumForm> then = getSum(element->operands[1]);
    std::optional<SumForm> otherwise = getSum(element->operands[2]);
    if (!condition || !then || !otherwise)
      return std::nullopt;
    // If a branch is zero, its term is removed, including other factors.
    if (then->terms.empty() != otherwise->terms.empty())
      floatClass |= rule::NeedsFinite;
    SumForm sum = guard(*then, condition);
    SumForm rest = guard(*otherwise, Formula::negation(condition));
    sum.terms.insert(sum.terms.end(), rest.terms.begin(), rest.terms.end());
    return sum;
  }
  case ExprKind::Reduce:
    return getReduce(element);
  default:
    llvm_unreachable("not an element");
  }
}

std::optional<SumForm> Normalizer::getLoad(const Expr &load) {
  // Make one term per combination of the indices' cases.
  SumForm sum;
  sum.terms.emplace_back();
  Factor factor;
  factor.kind = Factor::Kind::Load;
  factor.type = load->type;
  factor.operand = load->operand;
  sum.terms.back().factors.push_back(std::move(factor));
  for (const Expr &index : load->operands) {
    std::optional<Pieces> pieces = getIndex(index);
    if (!pieces)
      return std::nullopt;
    SumForm extended;
    for (const Term &term : sum.terms)
      for (auto &[guard, at] : *pieces) {
        Term next = term;
        next.domain = Formula::conjunction(next.domain, guard);
        next.factors[0].indices.push_back(at);
        if (!next.domain->isFalse())
          extended.terms.push_back(std::move(next));
      }
    if (extended.terms.size() > maxTerms)
      return fail("an index falls into too many cases");
    sum = std::move(extended);
  }
  return sum;
}

std::optional<SumForm> Normalizer::getOpaque(Factor factor,
                                             std::vector<SumForm> args,
                                             unsigned depth) {
  // f(a where c, else b) is f(a) where c, else f(b): move cases out, so that
  // those of the two sides can match.
  for (const SumForm &arg : args)
    for (const Term &term : arg.terms) {
      std::vector<FormulaRef> conjuncts;
      flattenAnd(term.domain, conjuncts);
      for (const FormulaRef &condition : conjuncts) {
        std::map<std::string, unsigned> used;
        collectVars(condition, used);
        bool bound = llvm::any_of(term.vars, [&](const std::string &var) {
          return used.count(var) != 0;
        });
        if (bound)
          continue;
        if (depth == 8)
          return fail("a function's argument falls into too many cases");
        SumForm sum;
        for (bool value : {true, false}) {
          std::vector<SumForm> cases = args;
          for (SumForm &form : cases) {
            SumForm kept;
            for (Term &part : form.terms) {
              part.domain = assume(part.domain, condition, value);
              if (!part.domain->isFalse())
                kept.terms.push_back(std::move(part));
            }
            form = std::move(kept);
          }
          std::optional<SumForm> one =
              getOpaque(factor, std::move(cases), depth + 1);
          if (!one)
            return std::nullopt;
          one = guard(*one, value ? condition : Formula::negation(condition));
          sum.terms.insert(sum.terms.end(), one->terms.begin(),
                           one->terms.end());
        }
        return sum;
      }
    }
  if (mode == Mode::Exact) {
    // The operation is commutative bit by bit, except for the payload of NaN.
    if (factor.kind == Factor::Kind::Apply &&
        (factor.fn == ScalarFn::Add || factor.fn == ScalarFn::Mul) &&
        args[1].getKey() < args[0].getKey())
      std::swap(args[0], args[1]);
    factor.isOrdered =
        factor.kind == Factor::Kind::Apply &&
        (factor.fn == ScalarFn::Max || factor.fn == ScalarFn::Min);
    factor.args = std::move(args);
    return getFactorSum(std::move(factor));
  }
  switch (factor.kind) {
  case Factor::Kind::Reciprocal:
    return reciprocal(args.front(), factor.type);
  case Factor::Kind::Apply:
    // These are laws of real numbers.
    if (laws && graph::isFloat(factor.argType)) {
      if (std::optional<bool> answer = laws->decide(factor.fn, args))
        return getConstantSum(*answer);
    }
    if (laws)
      if (std::optional<SumForm> known = laws->rewrite(*this, factor, args))
        return known;
    switch (factor.fn) {
    case ScalarFn::Exp:
      if (laws)
        return laws->getExp(*this, args.front(), factor.type);
      break;
    case ScalarFn::Log:
      if (laws)
        return laws->getLog(*this, args.front(), factor.type);
      break;
    case ScalarFn::Max:
    case ScalarFn::Min:
      return getExtremum(std::move(factor), std::move(args), depth);
    case ScalarFn::And:
    case ScalarFn::Or:
    case ScalarFn::Xor:
    case ScalarFn::Equal:
      std::sort(
          args.begin(), args.end(),
          [](const SumForm &a, const SumForm &b) { return a.str() < b.str(); });
      break;
    default:
      break;
    }
    break;
  default:
    break;
  }
  factor.args = std::move(args);
  return getFactorSum(std::move(factor));
}
