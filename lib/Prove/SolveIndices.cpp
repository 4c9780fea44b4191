//===- SolveIndices.cpp - bijections from equations of indices ------------===//
//
// Part of the Tenon project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "SolveIndices.h"

#include "llvm/ADT/STLExtras.h"

#include <set>

using namespace tenon;
using namespace tenon::prove;

static void collectFromSums(const SumForm &a, const SumForm &b,
                            Equations &equations) {
  // Match terms that can only be equal to one counterpart.
  std::map<std::string, std::vector<const Term *>> left, right;
  for (const Term &term : a.terms)
    left[term.getKey()].push_back(&term);
  for (const Term &term : b.terms)
    right[term.getKey()].push_back(&term);
  for (auto &[key, terms] : left) {
    auto it = right.find(key);
    if (it == right.end() || terms.size() != 1 || it->second.size() != 1)
      continue;
    // Drop equations over variables of an inner sum, which say nothing about
    // the variables of this one.
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

/// The product that an atom or a monomial stands for.
static SymInt getValue(const SymInt::Monomial &monomial, int64_t coefficient) {
  SymInt product(coefficient);
  for (const SymInt::AtomRef &atom : monomial.atoms) {
    SymInt factor;
    switch (atom->kind) {
    case SymInt::AtomKind::Symbol:
      factor = SymInt::symbol(atom->name);
      break;
    case SymInt::AtomKind::FloorDiv:
      factor = atom->lhs->floorDiv(*atom->rhs);
      break;
    case SymInt::AtomKind::Max:
      factor = SymInt::max(*atom->lhs, *atom->rhs);
      break;
    case SymInt::AtomKind::Min:
      factor = SymInt::min(*atom->lhs, *atom->rhs);
      break;
    }
    product = product * factor;
  }
  return product;
}

void prove::dropZeroQuotients(Equations &equations, const FormulaRef &domain) {
  std::vector<FormulaRef> conjuncts;
  flattenAnd(domain, conjuncts);
  std::set<std::string> zeros; // by the texts of the atoms
  for (const FormulaRef &conjunct : conjuncts) {
    if (conjunct->kind != Formula::Kind::Zero ||
        conjunct->term.getTerms().size() != 1)
      continue;
    const SymInt::Monomial &monomial = conjunct->term.getTerms().begin()->first;
    if (monomial.atoms.size() == 1 &&
        monomial.atoms[0]->kind == SymInt::AtomKind::FloorDiv)
      zeros.insert(monomial.atoms[0]->text);
  }
  if (zeros.empty())
    return;
  auto drop = [&](SymInt &value) {
    if (value.isUnknown())
      return;
    SymInt rest;
    for (const auto &[monomial, coefficient] : value.getTerms())
      if (llvm::none_of(monomial.atoms, [&](const SymInt::AtomRef &atom) {
            return zeros.count(atom->text) != 0;
          }))
        rest = rest + getValue(monomial, coefficient);
    value = rest;
  };
  for (auto &[a, b] : equations) {
    drop(a);
    drop(b);
  }
}

using Matrix = std::vector<std::vector<int64_t>>;

static int64_t getDeterminant(const Matrix &matrix);

/// The determinant of `matrix` without a row and a column, with its sign.
static int64_t getCofactor(Matrix matrix, size_t row, size_t column) {
  matrix.erase(matrix.begin() + row);
  for (std::vector<int64_t> &other : matrix)
    other.erase(other.begin() + column);
  return ((row + column) % 2 ? -1 : 1) * getDeterminant(matrix);
}

/// The determinant of a small integer matrix, by expansion.
static int64_t getDeterminant(const Matrix &matrix) {
  if (matrix.empty())
    return 1;
  int64_t sum = 0;
  for (size_t column = 0; column < matrix.size(); ++column)
    if (matrix[0][column] != 0)
      sum += matrix[0][column] * getCofactor(matrix, 0, column);
  return sum;
}

/// Adds the inverse of values that are affine over `free` with determinant 1 or
/// -1, so that they map integer points to integer points. Returns false if the
/// values have another form.
static bool addInverse(ChangeOfVars &change,
                       const std::vector<std::string> &unknowns,
                       const std::vector<std::string> &free) {
  Matrix matrix;
  std::vector<SymInt> linear; // each unknown minus its constant
  for (auto [unknown, whole] : llvm::zip(unknowns, change.values)) {
    SymInt rest = whole;
    std::vector<int64_t> &row = matrix.emplace_back();
    for (const std::string &name : free) {
      row.push_back(getLinearCoefficient(rest, name).value_or(0));
      rest = rest - SymInt(row.back()) * SymInt::symbol(name);
    }
    std::map<std::string, unsigned> remaining;
    collectVars(rest, remaining);
    for (const std::string &name : free)
      if (remaining.count(name))
        return false;
    linear.push_back(SymInt::symbol(unknown) - rest);
  }
  int64_t determinant = getDeterminant(matrix);
  if (determinant != 1 && determinant != -1)
    return false;
  for (size_t column = 0; column < free.size(); ++column) {
    SymInt value;
    for (size_t row = 0; row < unknowns.size(); ++row)
      value = value + SymInt(determinant * getCofactor(matrix, row, column)) *
                          linear[row];
    change.inverse.push_back(std::move(value));
  }
  return true;
}

/// Divides `equation` = 0 by a factor of all its monomials that has none of
/// `vars`: where that is not 0, as a divisor, the quotient is 0, too.
static bool divideByFactor(SymInt &equation,
                           const std::set<std::string> &vars) {
  const auto &terms = equation.getTerms();
  if (equation.isUnknown() || terms.empty())
    return false;
  auto find = [](auto &monomial, const SymInt::Atom &atom) {
    return llvm::find_if(monomial.atoms, [&](const SymInt::AtomRef &other) {
      return other->text == atom.text;
    });
  };
  for (const SymInt::AtomRef &atom : terms.begin()->first.atoms) {
    std::map<std::string, unsigned> used;
    collectVars(getValue({{atom}}, 1), used);
    if (llvm::any_of(
            used,
            [&](const auto &var) { return vars.count(var.first) != 0; }) ||
        !llvm::all_of(terms, [&](const auto &term) {
          return find(term.first, *atom) != term.first.atoms.end();
        }))
      continue;
    SymInt quotient;
    for (const auto &[monomial, coefficient] : terms) {
      SymInt::Monomial rest = monomial;
      rest.atoms.erase(find(rest, *atom));
      quotient = quotient + getValue(rest, coefficient);
    }
    equation = quotient;
    return true;
  }
  return false;
}

std::optional<ChangeOfVars>
prove::solve(const Equations &equations,
             const std::vector<std::string> &unknowns,
             const std::vector<std::string> &free) {
  if (unknowns.size() != free.size() || unknowns.size() > 8)
    return std::nullopt;
  std::vector<SymInt> open;
  for (const auto &[a, b] : equations)
    open.push_back(a - b);
  std::set<std::string> vars(unknowns.begin(), unknowns.end());
  vars.insert(free.begin(), free.end());
  Substitution solution;
  bool progress = true;
  while (progress) {
    progress = false;
    for (SymInt &equation : open)
      while (divideByFactor(equation, vars))
        ;
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

  // Unknowns that no equation determines become the unused variables.
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

  ChangeOfVars change;
  for (const std::string &unknown : unknowns)
    change.values.push_back(solution[unknown]);
  return addInverse(change, unknowns, free) ? std::optional(std::move(change))
                                            : std::nullopt;
}
