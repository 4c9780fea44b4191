//===- Normalize.cpp - index forms to sums of products --------------------===//
//
// Part of the Tenon project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Normalize.h"
#include "Laws.h"

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

/// Sums larger than this are not worth a proof.
static constexpr size_t maxTerms = 2048;
/// Characters of a condition beyond which its cases are not worth a proof.
static constexpr size_t maxCondition = 4096;

//===----------------------------------------------------------------------===//
// Arithmetic of sums
//===----------------------------------------------------------------------===//

static ScalarFn getExtremum(ReduceKind kind) {
  return kind == ReduceKind::Max ? ScalarFn::Max : ScalarFn::Min;
}

static void renameBound(SumForm &form, Normalizer &normalizer);

static void renameVars(std::vector<std::string> &vars, Substitution &names,
                       Normalizer &normalizer) {
  for (std::string &var : vars) {
    std::string fresh = normalizer.getFreshVar();
    names[var] = SymInt::symbol(fresh);
    var = std::move(fresh);
  }
}

static void renameBound(Factor &factor, Normalizer &normalizer) {
  if (!factor.vars.empty()) {
    Substitution names;
    renameVars(factor.vars, names, normalizer);
    factor = substitute(factor, names);
  }
  for (SumForm &arg : factor.args)
    renameBound(arg, normalizer);
}

static void renameBound(SumForm &form, Normalizer &normalizer) {
  for (Term &term : form.terms)
    term = normalizer.freshen(term);
}

Term Normalizer::freshen(const Term &term) {
  Term result = term;
  Substitution names;
  renameVars(result.vars, names, *this);
  result = substitute(result, names);
  for (Factor &factor : result.factors)
    renameBound(factor, *this);
  return result;
}

std::optional<SumForm> Normalizer::multiply(const SumForm &a,
                                            const SumForm &b) {
  if (a.terms.size() * b.terms.size() > maxTerms)
    return fail("a product has too many terms");
  if (a.terms.size() > 1 || b.terms.size() > 1)
    floatClass |= rule::Reassociates;
  // 0 * x = 0, which infinities and NaN break.
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
                            term.denominator))
        return fail("a coefficient leaves 64 bits");
      term.vars = left.vars;
      term.vars.insert(term.vars.end(), right.vars.begin(), right.vars.end());
      term.domain = Formula::conjunction(left.domain, right.domain);
      term.scale = left.scale * right.scale;
      if (term.scale.isUnknown())
        return fail("a coefficient leaves 64 bits");
      term.factors = left.factors;
      term.factors.insert(term.factors.end(), right.factors.begin(),
                          right.factors.end());
      if (laws)
        laws->gather(term);
      product.terms.push_back(std::move(term));
    }
  if (!merge(product))
    return fail("a coefficient leaves 64 bits");
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

std::optional<SumForm> Normalizer::reciprocal(const SumForm &form) {
  ringOnly = false;
  if (laws)
    return laws->getReciprocal(*this, form);
  // The reciprocal of a product is that of its factors; with 1/0 = 0, as in
  // any totalized field, also where one is zero.
  if (form.terms.size() == 1 && form.terms[0].vars.empty() &&
      form.terms[0].domain->isTrue() && form.terms[0].scale == SymInt(1)) {
    const Term &term = form.terms[0];
    SumForm result = getConstantSum(term.numerator < 0 ? -term.denominator
                                                       : term.denominator,
                                    std::abs(term.numerator));
    for (const Factor &factor : term.factors) {
      Factor inverse;
      inverse.kind = Factor::Kind::Reciprocal;
      inverse.args.push_back(getFactorSum(factor));
      result.terms[0].factors.push_back(std::move(inverse));
    }
    return result;
  }
  Factor inverse;
  inverse.kind = Factor::Kind::Reciprocal;
  inverse.args.push_back(form);
  return getFactorSum(std::move(inverse));
}

//===----------------------------------------------------------------------===//
// Elements
//===----------------------------------------------------------------------===//

std::optional<SumForm> Normalizer::getSum(const Expr &element) {
  auto it = done.find(element.getPointer());
  if (it != done.end())
    return it->second;
  std::optional<SumForm> sum = compute(element);
  if (!sum)
    return std::nullopt;
  if (sum->terms.size() > maxTerms)
    return fail("a sum has too many terms");
  for (const Term &term : sum->terms)
    if (term.domain->text.size() > maxCondition)
      return fail("a condition falls into too many cases");
  kept.push_back(element);
  done[element.getPointer()] = *sum;
  return sum;
}

std::optional<SumForm> Normalizer::compute(const Expr &element) {
  switch (element.getKind()) {
  case ExprKind::Load:
    return getLoad(element);
  case ExprKind::Constant: {
    if (!llvm::isa<mlir::FloatType>(element->type))
      return getConstantSum(element->integer);
    // Small fractions are coefficients.
    double scaled = element->number * 4096;
    if (scaled == std::nearbyint(scaled) && std::abs(scaled) < 1e15)
      return getConstantSum(static_cast<int64_t>(scaled), 4096);
    Factor factor;
    factor.kind = Factor::Kind::Constant;
    factor.number = element->number;
    return getFactorSum(std::move(factor));
  }
  case ExprKind::Apply:
    return getApply(element);
  case ExprKind::Cast: {
    std::optional<SumForm> arg = getSum(element->operands[0]);
    if (!arg)
      return std::nullopt;
    ringOnly = false;
    // Of a number that no operand decides, and that its type can hold: the same
    // real number.
    const Expr &from = element->operands[0];
    bool isNumber = from.getKind() == ExprKind::Constant ||
                    (from.getKind() == ExprKind::FromIndex &&
                     (from->type.isInteger(64) || graph::isFloat(from->type)));
    if (isNumber && graph::isFloat(element->type) && !graph::isBool(from->type))
      return arg;
    Factor factor;
    factor.kind = Factor::Kind::Cast;
    factor.type = element->type;
    return getOpaque(std::move(factor), {std::move(*arg)});
  }
  case ExprKind::FromIndex: {
    std::optional<Pieces> pieces = getIndex(element->operands[0]);
    if (!pieces)
      return std::nullopt;
    SumForm sum;
    for (auto &[guard, term] : *pieces) {
      sum.terms.emplace_back();
      sum.terms.back().domain = guard;
      sum.terms.back().scale = term;
    }
    return sum;
  }
  case ExprKind::Select: {
    FormulaRef condition = getCondition(element->operands[0]);
    std::optional<SumForm> then = getSum(element->operands[1]);
    std::optional<SumForm> otherwise = getSum(element->operands[2]);
    if (!condition || !then || !otherwise)
      return std::nullopt;
    // Once the zero branch is gone, what multiplied it is gone too.
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
  // One term per combination of the indices' cases.
  SumForm sum;
  sum.terms.emplace_back();
  Factor factor;
  factor.kind = Factor::Kind::Load;
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
  // f(a where c, else b) is f(a) where c, else f(b): cases move out, so that
  // those of the two sides can meet.
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
  switch (factor.kind) {
  case Factor::Kind::Reciprocal:
    return reciprocal(args.front());
  case Factor::Kind::Apply:
    if (laws) {
      if (std::optional<bool> answer = laws->decide(factor.fn, args))
        return getConstantSum(*answer);
    }
    switch (factor.fn) {
    case ScalarFn::Exp:
      if (laws)
        return laws->getExp(*this, args.front());
      break;
    case ScalarFn::Log:
      if (laws)
        return laws->getLog(*this, args.front());
      break;
    case ScalarFn::Max:
    case ScalarFn::Min: {
      // Associative and commutative: max(max(a, b), c) is max(a, b, c).
      std::vector<SumForm> flat;
      for (SumForm &arg : args) {
        const Factor *only = getOnlyFactor(arg);
        if (only && only->kind == Factor::Kind::Apply && only->fn == factor.fn)
          flat.insert(flat.end(), only->args.begin(), only->args.end());
        else
          flat.push_back(std::move(arg));
      }
      if (laws)
        Laws::dropNeutral(factor.fn == ScalarFn::Max, flat);
      std::sort(flat.begin(), flat.end(),
                [](const SumForm &a, const SumForm &b) {
                  std::string left = a.getKey(), right = b.getKey();
                  return left != right ? left < right : a.str() < b.str();
                });
      flat.erase(std::unique(flat.begin(), flat.end(),
                             [](const SumForm &a, const SumForm &b) {
                               return a.str() == b.str();
                             }),
                 flat.end());
      // Of one element, but not of one set, which stays a maximum.
      const Factor *first = getOnlyFactor(flat[0]);
      bool isSet = first && first->kind == Factor::Kind::Reduce;
      if (flat.size() == 1 && !isSet)
        return flat[0];
      args = std::move(flat);
      break;
    }
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

std::optional<SumForm> Normalizer::getApply(const Expr &apply) {
  std::vector<SumForm> args;
  for (const Expr &operand : apply->operands) {
    std::optional<SumForm> arg = getSum(operand);
    if (!arg)
      return std::nullopt;
    args.push_back(std::move(*arg));
  }
  bool isFloat = graph::isFloat(apply->operands[0]->type);
  switch (apply->fn) {
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
      return fail("a coefficient leaves 64 bits");
    return sum;
  }
  case ScalarFn::Mul:
    return multiply(args[0], args[1]);
  case ScalarFn::Div:
    if (isFloat) {
      Factor factor;
      factor.kind = Factor::Kind::Reciprocal;
      factor.type = apply->type;
      std::optional<SumForm> inverse = getOpaque(std::move(factor), {args[1]});
      return inverse ? multiply(args[0], *inverse) : std::nullopt;
    }
    break;
  default:
    break;
  }
  ringOnly = false;
  Factor factor;
  factor.kind = Factor::Kind::Apply;
  factor.fn = apply->fn;
  factor.type = apply->type;
  return getOpaque(std::move(factor), std::move(args));
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
  // Over nothing.
  if (laws && laws->signs.isImpossible(domain)) {
    if (reduce->reduce == ReduceKind::Sum)
      return SumForm();
    if (reduce->reduce != ReduceKind::Prod && graph::isFloat(reduce->type))
      return getInfinity(reduce->reduce == ReduceKind::Max);
  }
  if (reduce->reduce == ReduceKind::Sum) {
    SumForm sum;
    for (const Term &term : body->terms) {
      sum.terms.push_back(term);
      Term &next = sum.terms.back();
      next.vars.insert(next.vars.begin(), vars.begin(), vars.end());
      next.domain = Formula::conjunction(domain, next.domain);
      if (next.domain->isFalse())
        sum.terms.pop_back();
    }
    // Each term gets variables of its own.
    renameBound(sum, *this);
    return sum;
  }
  ringOnly = false;
  Factor factor;
  factor.kind = Factor::Kind::Reduce;
  factor.reduce = reduce->reduce;
  factor.vars = vars;
  factor.domain = domain;
  factor.args.push_back(std::move(*body));
  if (reduce->reduce == ReduceKind::Prod)
    return getFactorSum(std::move(factor));
  Factor extremum;
  extremum.kind = Factor::Kind::Apply;
  extremum.fn = getExtremum(reduce->reduce);
  extremum.type = reduce->type;
  if (!splitExtremum(std::move(factor), extremum.args))
    return std::nullopt;
  if (laws)
    Laws::dropNeutral(extremum.fn == ScalarFn::Max, extremum.args);
  return getFactorSum(std::move(extremum));
}

/// The first condition of `form` that mentions one of `vars`.
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

/// A maximum over a set is that of the maxima over its parts: the cases of its
/// body become parts.
bool Normalizer::splitExtremum(Factor reduce, std::vector<SumForm> &parts) {
  if (parts.size() > 64) {
    fail("a maximum falls into too many cases");
    return false;
  }
  FormulaRef condition = findCase(reduce.args.front(), reduce.vars);
  if (!condition) {
    // The maximum of maxima over sets is one over all their elements.
    if (const Factor *inner = getOnlyFactor(reduce.args.front());
        inner && inner->kind == Factor::Kind::Apply &&
        inner->fn == getExtremum(reduce.reduce)) {
      std::vector<SumForm> args = inner->args;
      for (const SumForm &arg : args) {
        Factor part = reduce;
        const Factor *set = getOnlyFactor(arg);
        if (set && set->kind == Factor::Kind::Reduce &&
            set->reduce == reduce.reduce) {
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
    renameBound(reduce, *this);
    parts.push_back(getFactorSum(std::move(reduce)));
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
