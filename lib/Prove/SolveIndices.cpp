//===- SolveIndices.cpp - bijections from equations of indices ------------===//
//
// Part of the Tenon project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "SolveIndices.h"

#include "llvm/ADT/STLExtras.h"

using namespace tenon;
using namespace tenon::prove;

static void collectFromSums(const SumForm &a, const SumForm &b,
                            Equations &equations) {
  // Terms that only one counterpart can be equal to.
  std::map<std::string, std::vector<const Term *>> left, right;
  for (const Term &term : a.terms)
    left[term.getKey()].push_back(&term);
  for (const Term &term : b.terms)
    right[term.getKey()].push_back(&term);
  for (auto &[key, terms] : left) {
    auto it = right.find(key);
    if (it == right.end() || terms.size() != 1 || it->second.size() != 1)
      continue;
    // Equations over variables of an inner sum say nothing about ours.
    Equations inner;
    collectEquations(terms[0]->factors, it->second[0]->factors, inner);
    auto mentions = [](const SymInt &index, const Term &term) {
      std::map<std::string, unsigned> used;
      collectVars(index, used);
      return llvm::any_of(term.vars, [&](const std::string &var) {
        return used.count(var) != 0;
      });
    };
    for (auto &[x, y] : inner)
      if (!mentions(x, *terms[0]) && !mentions(y, *it->second[0]))
        equations.emplace_back(std::move(x), std::move(y));
  }
}

void prove::collectEquations(const std::vector<Factor> &a,
                             const std::vector<Factor> &b,
                             Equations &equations) {
  for (const auto &[left, right] : llvm::zip(a, b)) {
    for (const auto &[x, y] : llvm::zip(left.indices, right.indices))
      equations.emplace_back(x, y);
    if (left.kind == Factor::Kind::Reduce)
      continue;
    for (const auto &[x, y] : llvm::zip(left.args, right.args))
      collectFromSums(x, y, equations);
  }
}

/// The coefficient of `name` in `term`, where it occurs alone in a monomial
/// and nowhere else.
static std::optional<int64_t> getLinearCoefficient(const SymInt &term,
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

/// The determinant of a small integer matrix, by expansion.
static int64_t getDeterminant(const std::vector<std::vector<int64_t>> &matrix) {
  if (matrix.empty())
    return 1;
  int64_t sum = 0;
  for (size_t column = 0; column < matrix.size(); ++column) {
    if (matrix[0][column] == 0)
      continue;
    std::vector<std::vector<int64_t>> minor;
    for (size_t row = 1; row < matrix.size(); ++row) {
      minor.push_back(matrix[row]);
      minor.back().erase(minor.back().begin() + column);
    }
    sum += (column % 2 ? -1 : 1) * matrix[0][column] * getDeterminant(minor);
  }
  return sum;
}

std::optional<Substitution>
prove::solve(const Equations &equations,
             const std::vector<std::string> &unknowns,
             const std::vector<std::string> &free) {
  if (unknowns.size() != free.size() || unknowns.size() > 8)
    return std::nullopt;
  std::vector<SymInt> open;
  for (const auto &[a, b] : equations)
    open.push_back(a - b);
  Substitution solution;
  bool progress = true;
  while (progress) {
    progress = false;
    for (const std::string &unknown : unknowns) {
      if (solution.count(unknown))
        continue;
      for (const SymInt &equation : open) {
        std::optional<SymInt> value = solveFor(equation, unknown);
        if (!value)
          continue;
        Substitution step = {{unknown, *value}};
        for (SymInt &other : open)
          other = substitute(other, step);
        for (auto &[name, known] : solution)
          known = substitute(known, step);
        solution[unknown] = *value;
        progress = true;
        break;
      }
    }
  }

  // What no equation decides: the variables that no value uses yet.
  std::map<std::string, unsigned> used;
  for (const auto &[name, value] : solution)
    collectVars(value, used);
  std::vector<std::string> left;
  for (const std::string &name : free)
    if (!used.count(name))
      left.push_back(name);
  size_t next = 0;
  Substitution rest;
  for (const std::string &unknown : unknowns) {
    if (solution.count(unknown))
      continue;
    if (next == left.size())
      return std::nullopt;
    rest[unknown] = SymInt::symbol(left[next++]);
  }
  for (auto &[name, value] : solution)
    value = substitute(value, rest);
  solution.insert(rest.begin(), rest.end());

  // A bijection of all integer points: affine with determinant 1 or -1.
  std::vector<std::vector<int64_t>> matrix;
  for (const std::string &unknown : unknowns) {
    SymInt value = solution[unknown];
    std::vector<int64_t> &row = matrix.emplace_back();
    for (const std::string &name : free) {
      std::optional<int64_t> coefficient = getLinearCoefficient(value, name);
      row.push_back(coefficient.value_or(0));
      value = value - SymInt(row.back()) * SymInt::symbol(name);
    }
    std::map<std::string, unsigned> remaining;
    collectVars(value, remaining);
    for (const std::string &name : free)
      if (remaining.count(name))
        return std::nullopt;
  }
  int64_t determinant = getDeterminant(matrix);
  if (determinant != 1 && determinant != -1)
    return std::nullopt;
  return solution;
}
