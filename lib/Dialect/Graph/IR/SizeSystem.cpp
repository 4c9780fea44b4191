//===- SizeSystem.cpp - constraints on sizes without max and min ----------===//
//
// Part of the Tenon project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "SizeSystem.h"

#include "mlir/Analysis/Presburger/IntegerRelation.h"
#include "mlir/Analysis/Presburger/Simplex.h"
#include "llvm/Support/MathExtras.h"

#include <algorithm>
#include <limits>

using namespace tenon::graph;
using namespace mlir::presburger;

/// Larger polynomials are not decided.
static constexpr size_t maxDegree = 8, maxTerms = 64;
/// Larger systems are not decided.
static constexpr size_t maxVariables = 48, maxConstraints = 160;
/// Larger systems are decided only over the rationals; the answer "empty" also
/// holds for the integers. Branch and bound is slow only for systems with more
/// variables.
static constexpr size_t maxIntegerVariables = 8, maxIntegerConstraints = 40;
static constexpr int64_t maxIntegerCoefficient = 1 << 16;

//===----------------------------------------------------------------------===//
// SizePolynomial
//===----------------------------------------------------------------------===//

SizePolynomial::SizePolynomial(int64_t value) {
  if (value != 0)
    terms[{}] = value;
}

SizePolynomial SizePolynomial::variable(unsigned number) {
  SizePolynomial result;
  result.terms[{number}] = 1;
  return result;
}

std::optional<int64_t> SizePolynomial::getConstant() const {
  if (terms.empty())
    return 0;
  if (terms.size() == 1 && terms.begin()->first.empty())
    return terms.begin()->second;
  return std::nullopt;
}

bool SizePolynomial::accumulate(const SizeProduct &product,
                                int64_t coefficient) {
  auto [it, isNew] = terms.try_emplace(product, 0);
  if (llvm::AddOverflow(it->second, coefficient, it->second) ||
      it->second == std::numeric_limits<int64_t>::min())
    return false;
  if (it->second == 0)
    terms.erase(it);
  return product.size() <= maxDegree && terms.size() <= maxTerms;
}

std::optional<SizePolynomial> SizePolynomial::add(const SizePolynomial &a,
                                                  const SizePolynomial &b,
                                                  int64_t factorOfB) {
  SizePolynomial sum = a;
  for (const auto &[product, coefficient] : b.terms) {
    int64_t scaled;
    if (llvm::MulOverflow(coefficient, factorOfB, scaled) ||
        !sum.accumulate(product, scaled))
      return std::nullopt;
  }
  return sum;
}

std::optional<SizePolynomial>
SizePolynomial::multiply(const SizePolynomial &a, const SizePolynomial &b) {
  SizePolynomial result;
  for (const auto &[left, x] : a.terms)
    for (const auto &[right, y] : b.terms) {
      SizeProduct product;
      std::merge(left.begin(), left.end(), right.begin(), right.end(),
                 std::back_inserter(product));
      int64_t coefficient;
      if (llvm::MulOverflow(x, y, coefficient) ||
          !result.accumulate(product, coefficient))
        return std::nullopt;
    }
  return result;
}

//===----------------------------------------------------------------------===//
// Variables
//===----------------------------------------------------------------------===//

unsigned SizeSystem::symbol(const std::string &name) {
  auto [it, isNew] = symbols.try_emplace(name, numVariables);
  if (isNew) {
    ++numVariables;
    isNotNegative.push_back(true);
  }
  return it->second;
}

/// Whether no term is negative, according to `isNotNegative` of its variables.
bool SizeSystem::isKnownNotNegative(const SizePolynomial &value) const {
  return llvm::all_of(value.getTerms(), [&](const auto &term) {
    return term.second > 0 && llvm::all_of(term.first, [&](unsigned number) {
             return isNotNegative[number];
           });
  });
}

unsigned SizeSystem::quotient(const SizePolynomial &dividend,
                              const SizePolynomial &divisor) {
  auto [it, isNew] = numbers.try_emplace({dividend, divisor}, numVariables);
  if (isNew) {
    quotients.push_back({numVariables++, dividend, divisor});
    isNotNegative.push_back(isKnownNotNegative(dividend) &&
                            isKnownNotNegative(divisor));
  }
  return it->second;
}

/// Adds the definition of floor(x / d): 0 <= x - d * q < d for d of at least 1,
/// and d < x - d * q <= 0 for d of at most -1.
void SizeSystem::addQuotients(std::vector<SizePolynomial> &notNegative) const {
  // If the divisor's sign is unknown, no constraint is added: the quotient may
  // be any number. A divisor is not 0, so one that is not negative is at least
  // 1.
  auto addIfSmall = [&](std::optional<SizePolynomial> value) {
    if (value)
      notNegative.push_back(std::move(*value));
  };
  for (const Quotient &q : quotients) {
    auto constant = q.divisor.getConstant();
    bool isPositive = constant ? *constant >= 1 : isKnownNotNegative(q.divisor);
    bool isNegative = constant && *constant <= -1;
    auto whole =
        SizePolynomial::multiply(q.divisor, SizePolynomial::variable(q.number));
    if (!whole || !(isPositive || isNegative))
      continue;
    auto rest = SizePolynomial::add(q.dividend, *whole, -1);
    if (!rest)
      continue;
    if (isNegative)
      rest = SizePolynomial::add(SizePolynomial(), *rest, -1);
    addIfSmall(rest);
    // The constraint |divisor| - 1 - rest >= 0.
    auto most =
        SizePolynomial::add(SizePolynomial(-1), q.divisor, isNegative ? -1 : 1);
    if (most && rest)
      addIfSmall(SizePolynomial::add(*most, *rest, -1));
    // A quotient of natural numbers is at most the dividend.
    if (isNotNegative[q.number])
      addIfSmall(SizePolynomial::add(q.dividend,
                                     SizePolynomial::variable(q.number), -1));
  }
}

//===----------------------------------------------------------------------===//
// Emptiness
//===----------------------------------------------------------------------===//

/// Adds the products of constraints with variables that are not negative, which
/// are constraints too. They relate products to their factors; only those whose
/// products already occur are useful.
static void multiplyConstraints(std::vector<SizePolynomial> &notNegative,
                                size_t count,
                                const std::map<SizeProduct, unsigned> &columns,
                                const std::vector<bool> &isNotNegative) {
  for (size_t i = 0; i < count; ++i)
    for (unsigned number = 0; number < isNotNegative.size(); ++number) {
      if (notNegative.size() >= maxConstraints)
        return;
      if (!isNotNegative[number])
        continue;
      auto product = SizePolynomial::multiply(notNegative[i],
                                              SizePolynomial::variable(number));
      if (product && llvm::all_of(product->getTerms(), [&](const auto &term) {
            return columns.count(term.first);
          }))
        notNegative.push_back(std::move(*product));
    }
}

bool SizeSystem::isEmpty(std::vector<SizePolynomial> notNegative,
                         const SizePolynomial *zero) const {
  addQuotients(notNegative);

  std::map<SizeProduct, unsigned> columns;
  bool hasProducts = false;
  auto addColumns = [&](const SizePolynomial &value) {
    for (const auto &[product, coefficient] : value.getTerms())
      if (!product.empty()) {
        columns.try_emplace(product, columns.size());
        hasProducts |= product.size() > 1;
      }
  };
  for (const SizePolynomial &value : notNegative)
    addColumns(value);
  if (zero)
    addColumns(*zero);
  if (hasProducts) {
    for (unsigned number = 0; number < numVariables; ++number)
      columns.try_emplace({number}, columns.size());
    auto withConstant = columns;
    withConstant.try_emplace({}, 0);
    multiplyConstraints(notNegative, notNegative.size(), withConstant,
                        isNotNegative);
  }
  if (columns.size() > maxVariables || notNegative.size() > maxConstraints)
    return false;

  IntegerPolyhedron set(
      PresburgerSpace::getSetSpace(/*numDims=*/columns.size()));
  int64_t greatest = 1;
  auto rowOf = [&](const SizePolynomial &value) {
    llvm::SmallVector<int64_t> row(columns.size() + 1, 0);
    for (const auto &[product, coefficient] : value.getTerms()) {
      row[product.empty() ? columns.size() : columns.at(product)] = coefficient;
      greatest = std::max(greatest, std::abs(coefficient));
    }
    return row;
  };
  for (const SizePolynomial &value : notNegative)
    set.addInequality(rowOf(value));
  if (zero)
    set.addEquality(rowOf(*zero));
  for (const auto &[product, column] : columns)
    if (llvm::all_of(product,
                     [&](unsigned number) { return isNotNegative[number]; }))
      set.addBound(BoundType::LB, column, 0);

  if (Simplex(set).isEmpty())
    return true;
  if (columns.size() > maxIntegerVariables ||
      set.getNumConstraints() > maxIntegerConstraints ||
      greatest > maxIntegerCoefficient)
    return false;
  return set.isIntegerEmpty();
}
