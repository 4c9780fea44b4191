//===- Formula.cpp - conditions over integer terms ------------------------===//
//
// Part of the Tenon project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "tenon/ProofKernel/Formula.h"
#include "tenon/ProofKernel/SumForm.h"

using namespace tenon;
using namespace tenon::prove;

SymInt prove::substitute(const SymInt &term, const Substitution &substitution) {
  if (substitution.empty() || term.isConstant())
    return term;
  return term.substitute([&](llvm::StringRef name) -> std::optional<SymInt> {
    auto it = substitution.find(name.str());
    if (it == substitution.end())
      return std::nullopt;
    return it->second;
  });
}

std::string prove::getVarName(unsigned number) {
  return "%" + std::to_string(number);
}

bool prove::isVarName(llvm::StringRef name) { return name.starts_with("%"); }

void prove::collectVars(const SymInt &term,
                        std::map<std::string, unsigned> &vars) {
  term.visitSymbols([&](llvm::StringRef name) {
    if (isVarName(name))
      ++vars[name.str()];
  });
}

std::optional<int64_t> prove::getLinearCoefficient(const SymInt &term,
                                                   llvm::StringRef name) {
  std::optional<int64_t> result;
  for (const auto &[monomial, coefficient] : term.getTerms()) {
    bool alone = monomial.atoms.size() == 1 &&
                 monomial.atoms[0]->kind == SymInt::AtomKind::Symbol;
    for (const SymInt::AtomRef &atom : monomial.atoms) {
      if (atom->kind == SymInt::AtomKind::Symbol) {
        if (atom->name != name)
          continue;
        if (!alone)
          return std::nullopt;
        result = coefficient;
        continue;
      }
      bool inside = false;
      auto look = [&](llvm::StringRef symbol) { inside |= symbol == name; };
      atom->lhs->visitSymbols(look);
      atom->rhs->visitSymbols(look);
      if (inside)
        return std::nullopt;
    }
  }
  return result;
}

std::optional<SymInt> prove::solveFor(const SymInt &term, llvm::StringRef var) {
  std::optional<int64_t> coefficient = getLinearCoefficient(term, var);
  if (coefficient != 1 && coefficient != -1)
    return std::nullopt;
  // c * u + r = 0 with c = 1 or -1 gives u = -c * r.
  SymInt rest = term - SymInt(*coefficient) * SymInt::symbol(var);
  return SymInt(-*coefficient) * rest;
}

static FormulaRef make(Formula formula) {
  return std::make_shared<const Formula>(std::move(formula));
}

FormulaRef Formula::always() {
  static const FormulaRef formula = make({Kind::True, {}, {}, {}, "true"});
  return formula;
}

FormulaRef Formula::never() {
  static const FormulaRef formula = make({Kind::False, {}, {}, {}, "false"});
  return formula;
}

FormulaRef Formula::nonNegative(const SymInt &term) {
  if (std::optional<int64_t> value = term.getConstant())
    return *value >= 0 ? always() : never();
  // Split a single maximum or minimum into cases, which are easier for the
  // solver than a choice inside of a term.
  if (term.getTerms().size() == 1) {
    const auto &[monomial, coefficient] = *term.getTerms().begin();
    if (monomial.atoms.size() == 1 && coefficient == 1) {
      const SymInt::Atom &atom = *monomial.atoms.front();
      if (atom.kind == SymInt::AtomKind::Max)
        return disjunction(nonNegative(*atom.lhs), nonNegative(*atom.rhs));
      if (atom.kind == SymInt::AtomKind::Min)
        return conjunction(nonNegative(*atom.lhs), nonNegative(*atom.rhs));
    }
  }
  return make({Kind::NonNegative, term, {}, {}, "(" + term.str() + " >= 0)"});
}

FormulaRef Formula::zero(const SymInt &term) {
  if (std::optional<int64_t> value = term.getConstant())
    return *value == 0 ? always() : never();
  return make({Kind::Zero, term, {}, {}, "(" + term.str() + " = 0)"});
}

FormulaRef Formula::conjunction(FormulaRef a, FormulaRef b) {
  if (a->isTrue() || b->isFalse() || a->text == b->text)
    return b;
  if (b->isTrue() || a->isFalse())
    return a;
  std::string text = "(" + a->text + " and " + b->text + ")";
  return make({Kind::And, {}, {std::move(a), std::move(b)}, {}, text});
}

FormulaRef Formula::disjunction(FormulaRef a, FormulaRef b) {
  if (a->isFalse() || b->isTrue() || a->text == b->text)
    return b;
  if (b->isFalse() || a->isTrue())
    return a;
  std::string text = "(" + a->text + " or " + b->text + ")";
  return make({Kind::Or, {}, {std::move(a), std::move(b)}, {}, text});
}

FormulaRef Formula::negation(FormulaRef a) {
  switch (a->kind) {
  case Kind::True:
    return never();
  case Kind::False:
    return always();
  case Kind::Not:
    return a->operands.front();
  case Kind::NonNegative:
    // The negation of t >= 0 is -t - 1 >= 0.
    return nonNegative(SymInt(-1) - a->term);
  default: {
    std::string text = "(not " + a->text + ")";
    return make({Kind::Not, {}, {std::move(a)}, {}, text});
  }
  }
}

FormulaRef Formula::ofElement(SumForm element) {
  auto shared = std::make_shared<const SumForm>(std::move(element));
  std::string text = "bool(" + getCanonicalText(*shared) + ")";
  return make({Kind::Element, {}, {}, std::move(shared), text});
}

/// Rebuilds the formula with the folding builders; `leaf` maps formulas without
/// connectives.
static FormulaRef
rebuild(const FormulaRef &formula,
        llvm::function_ref<FormulaRef(const FormulaRef &)> replace) {
  if (FormulaRef result = replace(formula))
    return result;
  switch (formula->kind) {
  case Formula::Kind::And:
    return Formula::conjunction(rebuild(formula->operands[0], replace),
                                rebuild(formula->operands[1], replace));
  case Formula::Kind::Or:
    return Formula::disjunction(rebuild(formula->operands[0], replace),
                                rebuild(formula->operands[1], replace));
  case Formula::Kind::Not:
    return Formula::negation(rebuild(formula->operands[0], replace));
  default:
    return formula;
  }
}

FormulaRef prove::substitute(const FormulaRef &formula,
                             const Substitution &substitution) {
  if (substitution.empty())
    return formula;
  return rebuild(formula, [&](const FormulaRef &node) -> FormulaRef {
    switch (node->kind) {
    case Formula::Kind::NonNegative:
      return Formula::nonNegative(substitute(node->term, substitution));
    case Formula::Kind::Zero:
      return Formula::zero(substitute(node->term, substitution));
    case Formula::Kind::Element:
      return Formula::ofElement(substitute(*node->element, substitution));
    default:
      return nullptr;
    }
  });
}

void prove::collectVars(const FormulaRef &formula,
                        std::map<std::string, unsigned> &vars) {
  collectVars(formula->term, vars);
  for (const FormulaRef &operand : formula->operands)
    collectVars(operand, vars);
  if (formula->element)
    collectVars(*formula->element, vars);
}

FormulaRef prove::assume(const FormulaRef &formula, const FormulaRef &known,
                         bool value) {
  std::string opposite = Formula::negation(known)->text;
  return rebuild(formula, [&](const FormulaRef &node) -> FormulaRef {
    if (node->text == known->text)
      return value ? Formula::always() : Formula::never();
    if (node->text == opposite)
      return value ? Formula::never() : Formula::always();
    return nullptr;
  });
}

void prove::flattenAnd(const FormulaRef &formula,
                       std::vector<FormulaRef> &conjuncts) {
  if (formula->kind == Formula::Kind::And) {
    for (const FormulaRef &operand : formula->operands)
      flattenAnd(operand, conjuncts);
    return;
  }
  if (!formula->isTrue())
    conjuncts.push_back(formula);
}
