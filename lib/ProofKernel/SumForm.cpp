//===- SumForm.cpp - elements as sums of products -------------------------===//
//
// Part of the Tenon project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "tenon/ProofKernel/SumForm.h"

#include "tenon/Dialect/Graph/IR/Graph.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/MathExtras.h"
#include "llvm/Support/raw_ostream.h"

#include <numeric>

using namespace tenon;
using namespace tenon::prove;

static std::string typeText(mlir::Type type) {
  std::string text;
  llvm::raw_string_ostream os(text);
  if (type)
    os << type;
  return text;
}

static std::string join(std::vector<std::string> parts,
                        llvm::StringRef separator) {
  return llvm::join(parts, separator);
}

/// The text of a factor without its arguments, indices and domain.
static std::string getHead(const Factor &factor) {
  std::string types = "<" + typeText(factor.type);
  if (factor.argType && factor.argType != factor.type)
    types += " of " + typeText(factor.argType);
  types += ">";
  switch (factor.kind) {
  case Factor::Kind::Load:
    return "x" + std::to_string(factor.operand);
  case Factor::Kind::Constant:
    return "c" + llvm::utohexstr(llvm::bit_cast<uint64_t>(factor.number)) +
           types;
  case Factor::Kind::Index:
    return "index" + types;
  case Factor::Kind::Reciprocal:
    return "inv" + types;
  case Factor::Kind::Apply:
    return graph::stringify(factor.fn).str() + types +
           (factor.isOrdered ? "ordered" : "");
  case Factor::Kind::Cast:
    return "cast" + types;
  case Factor::Kind::Reduce:
    return "reduce" + std::to_string(static_cast<int>(factor.reduce)) + types +
           (factor.isOrdered ? "ordered" : "");
  }
  llvm_unreachable("unknown kind of factor");
}

std::string Factor::getKey() const {
  std::vector<std::string> parts;
  for (const SumForm &arg : args)
    parts.push_back(arg.getKey());
  // The arguments form a set: equal parts count once, in any order.
  if (kind == Kind::Apply && !isOrdered &&
      (fn == graph::ScalarFn::Max || fn == graph::ScalarFn::Min)) {
    std::sort(parts.begin(), parts.end());
    parts.erase(std::unique(parts.begin(), parts.end()), parts.end());
  }
  std::string text = getHead(*this);
  if (kind == Kind::Reduce)
    text += "{" + std::to_string(vars.size()) + "}";
  return parts.empty() ? text : text + "(" + join(parts, ", ") + ")";
}

std::string Factor::str() const {
  std::vector<std::string> parts;
  for (const SumForm &arg : args)
    parts.push_back(arg.str());
  std::string text = getHead(*this);
  if (kind == Kind::Load || kind == Kind::Index) {
    for (const SymInt &index : indices)
      parts.push_back(index.str());
    return text + "[" + join(parts, ", ") + "]";
  }
  if (kind == Kind::Reduce)
    text += "{" + join(vars, ", ") + " | " + domain->text + "}";
  return parts.empty() ? text : text + "(" + join(parts, ", ") + ")";
}

std::string Term::getKey() const {
  std::vector<std::string> parts;
  for (const Factor &factor : factors)
    parts.push_back(factor.getKey());
  std::sort(parts.begin(), parts.end());
  return parts.empty() ? "1" : join(parts, " * ");
}

std::string Term::str() const {
  std::vector<std::string> parts;
  for (const Factor &factor : factors)
    parts.push_back(factor.str());
  std::sort(parts.begin(), parts.end());
  std::string text = std::to_string(numerator);
  if (denominator != 1)
    text += "/" + std::to_string(denominator);
  if (scale != SymInt(1))
    parts.push_back("(" + scale.str() + ")");
  if (!vars.empty() || !domain->isTrue())
    text += " sum{" + join(vars, ", ") + " | " + domain->text + "}";
  return parts.empty() ? text : text + " " + join(parts, " * ");
}

void Term::sortFactors() {
  // The order is stable for equal keys.
  std::multimap<std::string, Factor> keyed;
  for (Factor &factor : factors) {
    std::string key = factor.getKey();
    keyed.emplace(std::move(key), std::move(factor));
  }
  factors.clear();
  for (auto &[key, factor] : keyed)
    factors.push_back(std::move(factor));
}

std::string SumForm::str() const {
  std::vector<std::string> parts;
  for (const Term &term : terms)
    parts.push_back(term.str());
  std::sort(parts.begin(), parts.end());
  return parts.empty() ? "0" : join(parts, " + ");
}

std::string SumForm::getKey() const {
  std::vector<std::string> parts;
  for (const Term &term : terms)
    parts.push_back(term.getKey());
  std::sort(parts.begin(), parts.end());
  // Equal parts, as in the result of a concatenation, count once.
  parts.erase(std::unique(parts.begin(), parts.end()), parts.end());
  return parts.empty() ? "0" : join(parts, " + ");
}

Factor prove::replaceInside(const Factor &factor,
                            const Substitution &substitution) {
  Factor result = factor;
  for (SymInt &index : result.indices)
    index = substitute(index, substitution);
  for (SumForm &arg : result.args)
    arg = substitute(arg, substitution);
  if (result.domain)
    result.domain = substitute(result.domain, substitution);
  return result;
}

Term prove::replaceInside(const Term &term, const Substitution &substitution) {
  Term result = term;
  result.domain = substitute(term.domain, substitution);
  result.scale = substitute(term.scale, substitution);
  for (Factor &factor : result.factors)
    factor = substitute(factor, substitution);
  return result;
}

/// Adjusts `substitution` to the scope of `form`: removes the form's bound
/// variables, and renames these if they would capture a value.
template <typename Form>
static Substitution enter(Form &form, Substitution substitution) {
  std::map<std::string, unsigned> inValues;
  for (const std::string &var : form.vars)
    substitution.erase(var);
  for (const auto &[name, value] : substitution)
    collectVars(value, inValues);
  for (std::string &var : form.vars) {
    if (!inValues.count(var))
      continue;
    std::map<std::string, unsigned> inside;
    collectVars(form, inside);
    std::string fresh = var;
    while (inValues.count(fresh) || inside.count(fresh) ||
           substitution.count(fresh) || llvm::is_contained(form.vars, fresh))
      fresh += "'";
    substitution[var] = SymInt::symbol(fresh);
    var = fresh;
  }
  return substitution;
}

Factor prove::substitute(const Factor &factor,
                         const Substitution &substitution) {
  if (factor.vars.empty())
    return replaceInside(factor, substitution);
  Factor result = factor;
  Substitution inner = enter(result, substitution);
  return replaceInside(result, inner);
}

Term prove::substitute(const Term &term, const Substitution &substitution) {
  if (term.vars.empty())
    return replaceInside(term, substitution);
  Term result = term;
  Substitution inner = enter(result, substitution);
  return replaceInside(result, inner);
}

SumForm prove::substitute(const SumForm &form,
                          const Substitution &substitution) {
  if (substitution.empty())
    return form;
  SumForm result;
  for (const Term &term : form.terms) {
    Term replaced = substitute(term, substitution);
    if (!replaced.domain->isFalse())
      result.terms.push_back(std::move(replaced));
  }
  return result;
}

/// Adds the free variables of `form`: those that `collect` adds, without the
/// bound ones.
template <typename Form, typename Collect>
static void collectFree(const Form &form, std::map<std::string, unsigned> &vars,
                        Collect collect) {
  if (form.vars.empty())
    return collect(vars);
  std::map<std::string, unsigned> inside;
  collect(inside);
  for (const std::string &var : form.vars)
    inside.erase(var);
  for (const auto &[name, count] : inside)
    vars[name] += count;
}

void prove::collectVars(const Factor &factor,
                        std::map<std::string, unsigned> &vars) {
  collectFree(factor, vars, [&](std::map<std::string, unsigned> &into) {
    for (const SymInt &index : factor.indices)
      collectVars(index, into);
    for (const SumForm &arg : factor.args)
      collectVars(arg, into);
    if (factor.domain)
      collectVars(factor.domain, into);
  });
}

void prove::collectVars(const Term &term,
                        std::map<std::string, unsigned> &vars) {
  collectFree(term, vars, [&](std::map<std::string, unsigned> &into) {
    collectVars(term.domain, into);
    collectVars(term.scale, into);
    for (const Factor &factor : term.factors)
      collectVars(factor, into);
  });
}

void prove::collectVars(const SumForm &form,
                        std::map<std::string, unsigned> &vars) {
  for (const Term &term : form.terms)
    collectVars(term, vars);
}

//===----------------------------------------------------------------------===//
// Equal sums
//===----------------------------------------------------------------------===//

/// Names a form's bound variables by their depth, above all levels that occur
/// in its names: an element of a condition may be inside a form that was
/// already renamed.
namespace {
class DepthNames {
public:
  template <typename Form> explicit DepthNames(const Form &form) {
    std::map<std::string, unsigned> used;
    collectVars(form, used);
    for (const auto &[name, count] : used) {
      llvm::StringRef rest = name;
      unsigned known;
      if (rest.consume_front("%@") && !rest.consumeInteger(10, known))
        level = std::max(level, known + 1);
    }
  }

  void rename(Factor &factor, unsigned depth, Substitution names = {}) {
    renameVars(factor, depth, names);
    for (SymInt &index : factor.indices)
      index = substitute(index, names);
    if (factor.domain)
      factor.domain = substitute(factor.domain, names);
    for (SumForm &arg : factor.args)
      rename(arg, depth + 1, names);
  }
  void rename(Term &term, unsigned depth, Substitution names = {}) {
    renameVars(term, depth, names);
    term.domain = substitute(term.domain, names);
    term.scale = substitute(term.scale, names);
    for (Factor &factor : term.factors)
      rename(factor, depth + 1, names);
  }
  void rename(SumForm &form, unsigned depth, const Substitution &names = {}) {
    for (Term &term : form.terms)
      rename(term, depth, names);
  }

private:
  template <typename Form>
  void renameVars(Form &form, unsigned depth, Substitution &names) {
    for (auto [number, var] : llvm::enumerate(form.vars)) {
      std::string name = "%@" + std::to_string(level) + "." +
                         std::to_string(depth) + "." + std::to_string(number);
      names[var] = SymInt::symbol(name);
      var = std::move(name);
    }
  }

  unsigned level = 0;
};
} // namespace

template <typename Form> static std::string getNamedText(Form form) {
  DepthNames(form).rename(form, 0);
  return form.str();
}

std::string prove::getCanonicalText(Term term) {
  return getNamedText(std::move(term));
}
std::string prove::getCanonicalText(Factor factor) {
  return getNamedText(std::move(factor));
}
std::string prove::getCanonicalText(SumForm form) {
  return getNamedText(std::move(form));
}

bool prove::hasArithmetic(mlir::Type type) { return !graph::isBool(type); }

SumForm prove::getConstantSum(int64_t numerator, int64_t denominator) {
  SumForm sum;
  if (numerator != 0) {
    int64_t divisor = std::gcd(numerator, denominator);
    sum.terms.emplace_back();
    sum.terms.back().numerator = numerator / divisor;
    sum.terms.back().denominator = denominator / divisor;
  }
  return sum;
}

SumForm prove::getFactorSum(Factor factor) {
  SumForm sum;
  sum.terms.emplace_back();
  sum.terms.back().factors.push_back(std::move(factor));
  return sum;
}

Factor prove::getReciprocalFactor(SumForm arg, mlir::Type type) {
  Factor factor;
  factor.kind = Factor::Kind::Reciprocal;
  factor.type = factor.argType = type;
  factor.args.push_back(std::move(arg));
  return factor;
}

const Factor *prove::getOnlyFactor(const SumForm &form) {
  const Term *only = form.terms.size() == 1 ? &form.terms[0] : nullptr;
  bool plain = only && only->vars.empty() && only->numerator == 1 &&
               only->denominator == 1 && only->scale == SymInt(1) &&
               only->domain->isTrue() && only->factors.size() == 1;
  return plain ? &only->factors[0] : nullptr;
}

const Factor *prove::getSet(const SumForm &arg, graph::ScalarFn fn) {
  const Factor *only = getOnlyFactor(arg);
  graph::ReduceKind kind = fn == graph::ScalarFn::Max ? graph::ReduceKind::Max
                                                      : graph::ReduceKind::Min;
  return only && only->kind == Factor::Kind::Reduce && only->reduce == kind
             ? only
             : nullptr;
}

static bool addFraction(Term &term, int64_t numerator, int64_t denominator) {
  int64_t a, b, sum, product;
  if (llvm::MulOverflow(term.numerator, denominator, a) ||
      llvm::MulOverflow(numerator, term.denominator, b) ||
      llvm::AddOverflow(a, b, sum) ||
      llvm::MulOverflow(term.denominator, denominator, product) ||
      sum == INT64_MIN) // has no negative
    return false;
  int64_t divisor = std::gcd(sum, product);
  term.numerator = divisor ? sum / divisor : 0;
  term.denominator = divisor ? product / divisor : 1;
  return true;
}

bool prove::simplify(SumForm &form, bool *cancelled) {
  std::map<std::string, Term> byText;
  for (Term &term : form.terms) {
    if (term.domain->isFalse() || term.numerator == 0)
      continue;
    term.sortFactors();
    Term unit = term;
    unit.numerator = unit.denominator = 1;
    auto [it, inserted] = byText.try_emplace(getCanonicalText(unit), term);
    if (inserted)
      continue;
    if (cancelled)
      *cancelled |= (it->second.numerator < 0) != (term.numerator < 0);
    if (!addFraction(it->second, term.numerator, term.denominator))
      return false;
  }
  form.terms.clear();
  for (auto &[text, term] : byText)
    if (term.numerator != 0)
      form.terms.push_back(std::move(term));
  return true;
}
