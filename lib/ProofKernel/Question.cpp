//===- Question.cpp - what the solver is asked ----------------------------===//
//
// Part of the Tenon project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Question.h"

#include "tenon/ProofKernel/IntegerOrder.h"

#include "llvm/ADT/StringSet.h"

using namespace tenon;
using namespace tenon::prove;

std::string Question::str() const {
  std::string text;
  for (const FormulaRef &formula : known)
    text += formula->text + ", ";
  text += "=> ";
  if (goal)
    return text + goal->text;
  for (const auto &[formula, term] : sum)
    text += " + " + formula->text + " * (" + term.str() + ")";
  return text;
}

/// Adds the names in a formula: symbols, variables, elements.
static void collectNames(const FormulaRef &formula, llvm::StringSet<> &names) {
  auto add = [&](llvm::StringRef name) { names.insert(name); };
  formula->term.visitSymbols(add);
  for (const FormulaRef &operand : formula->operands)
    collectNames(operand, names);
  if (!formula->element)
    return;
  std::optional<IntegerLess> less = getIntegerLess(*formula->element);
  if (!less)
    return add(formula->text);
  for (const IntegerSide &side : {less->left, less->right}) {
    if (side.index)
      side.index->visitSymbols(add);
    else
      add(side.name);
  }
}

void Question::takeRelevant(std::vector<FormulaRef> &conjuncts) {
  llvm::StringSet<> names;
  if (goal)
    collectNames(goal, names);
  for (const auto &[formula, term] : sum) {
    collectNames(formula, names);
    term.visitSymbols([&](llvm::StringRef name) { names.insert(name); });
  }
  for (bool changed = true; changed;) {
    changed = false;
    std::vector<FormulaRef> others;
    for (FormulaRef &conjunct : conjuncts) {
      llvm::StringSet<> own;
      collectNames(conjunct, own);
      if (llvm::none_of(own.keys(), [&](llvm::StringRef name) {
            return names.contains(name);
          })) {
        others.push_back(std::move(conjunct));
        continue;
      }
      changed = true;
      for (llvm::StringRef name : own.keys())
        names.insert(name);
      known.push_back(std::move(conjunct));
    }
    conjuncts = std::move(others);
  }
}

namespace {
/// Gives names in the order of their first occurrence.
class Namer {
public:
  /// False if the formula has elements.
  bool visit(const FormulaRef &formula) {
    visit(formula->term);
    return !formula->element &&
           llvm::all_of(formula->operands, [&](const FormulaRef &operand) {
             return visit(operand);
           });
  }
  void visit(const SymInt &term) {
    term.visitSymbols([&](llvm::StringRef name) {
      if (auto [it, isNew] = names.try_emplace(name.str(), 0); isNew)
        it->second = SymInt::symbol(isVarName(name)
                                        ? getVarName(numVars++)
                                        : "s" + std::to_string(numSymbols++));
    });
  }
  Substitution names;

private:
  unsigned numVars = 0, numSymbols = 0;
};
} // namespace

Question Question::withCanonicalNames() const {
  Namer namer;
  bool hasElements = false;
  for (const FormulaRef &formula : known)
    hasElements |= !namer.visit(formula);
  if (goal)
    hasElements |= !namer.visit(goal);
  for (const auto &[formula, term] : sum) {
    hasElements |= !namer.visit(formula);
    namer.visit(term);
  }
  if (hasElements)
    return *this;
  Question renamed;
  for (const FormulaRef &formula : known)
    renamed.known.push_back(substitute(formula, namer.names));
  if (goal)
    renamed.goal = substitute(goal, namer.names);
  for (const auto &[formula, term] : sum)
    renamed.sum.emplace_back(substitute(formula, namer.names),
                             substitute(term, namer.names));
  return renamed;
}
