//===- SizeUnifier.cpp - unification of sizes -----------------------------===//
//
// Part of the Tenon project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "tenon/Dialect/Rule/Analysis/SizeUnifier.h"

#include "llvm/ADT/STLExtras.h"

#include <numeric>

using namespace tenon::graph;
using namespace tenon::rule;

SymInt SizeUnifier::makeUnknown(const std::string &name) {
  unknowns.push_back({name, SymInt::symbol(name)});
  return unknowns.back().value;
}

SymInt SizeUnifier::resolve(const SymInt &size) const {
  return size.substitute([&](llvm::StringRef name) -> std::optional<SymInt> {
    for (const Unknown &unknown : unknowns)
      if (unknown.name == name)
        return unknown.value;
    return std::nullopt;
  });
}

/// Bounds the cost of malicious rules, whose sizes can double with every op.
static bool isTooLarge(const SymInt &size) {
  constexpr int64_t most = 1 << 16;
  return size.getTerms().size() > 256 || size.str().size() > 4096 ||
         llvm::any_of(size.getTerms(), [&](const auto &term) {
           return term.second > most || term.second < -most;
         });
}

bool SizeUnifier::substitute(const std::string &name, const SymInt &value) {
  auto replace = [&](llvm::StringRef symbol) -> std::optional<SymInt> {
    return symbol == name ? std::optional<SymInt>(value) : std::nullopt;
  };
  bool small = true;
  for (Unknown &unknown : unknowns) {
    unknown.value = unknown.value.substitute(replace);
    small &= !isTooLarge(unknown.value);
  }
  for (SymInt &difference : differences)
    difference = difference.substitute(replace);
  return small;
}

static bool hasNegativeTerm(const SymInt &size) {
  return llvm::any_of(size.getTerms(),
                      [](const auto &term) { return term.second < 0; });
}

SizeUnifier::Result SizeUnifier::makeEqual(const SymInt &a, const SymInt &b,
                                           bool allowDifferences) {
  if (isTooLarge(a) || isTooLarge(b))
    return Result::TooLarge;
  SymInt left = resolve(a), right = resolve(b);
  if (isTooLarge(left) || isTooLarge(right))
    return Result::TooLarge;
  SymInt difference = left - right;
  if (difference.isConstant())
    return difference.getConstant() == 0 ? Result::Solved
                                         : Result::Contradiction;

  // Divide by the greatest common divisor: 2 a = 2 b implies a = b.
  int64_t divisor = 0, constant = 0;
  for (const auto &[monomial, coefficient] : difference.getTerms())
    if (monomial.atoms.empty())
      constant = coefficient;
    else
      divisor = std::gcd(divisor, coefficient);
  if (constant % divisor != 0)
    return Result::Contradiction;
  difference = difference.floorDiv(divisor);

  // Solve for the newest unknowns first, so that the first operands keep their
  // names.
  for (const Unknown &unknown : llvm::reverse(unknowns)) {
    int64_t coefficient = 0;
    unsigned uses = 0;
    difference.visitSymbols(
        [&](llvm::StringRef name) { uses += name == unknown.name; });
    for (const auto &[monomial, number] : difference.getTerms())
      if (monomial.atoms.size() == 1 &&
          monomial.atoms[0]->kind == SymInt::AtomKind::Symbol &&
          monomial.atoms[0]->name == unknown.name)
        coefficient = number;
    if (uses != 1 || (coefficient != 1 && coefficient != -1))
      continue;
    SymInt symbol = SymInt::symbol(unknown.name);
    SymInt value = coefficient == 1 ? symbol - difference : symbol + difference;
    if (std::optional<int64_t> number = value.getConstant();
        number && *number < 0)
      return Result::Contradiction;
    bool negative = hasNegativeTerm(value);
    if (negative && !allowDifferences)
      continue;
    // Copy the name, since substituting changes the list.
    std::string name = unknown.name;
    if (!substitute(name, value))
      return Result::TooLarge;
    if (negative)
      differences.push_back(value);
    return Result::Solved;
  }
  return Result::Waits;
}
