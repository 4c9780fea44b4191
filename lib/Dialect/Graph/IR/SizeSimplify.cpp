//===- SizeSimplify.cpp - shorter expressions of the same value -----------===//
//
// Part of the Tenon project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "SizeSamples.h"
#include "tenon/Dialect/Graph/IR/SizeFacts.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringMap.h"
#include "llvm/Support/MathExtras.h"

using namespace tenon::graph;

/// Expressions with more symbols are not simplified.
static constexpr size_t maxSymbols = 6;
/// The maximum number of subexpressions to try as candidates.
static constexpr size_t maxCandidates = 24;
static constexpr unsigned maxAnswers = 1 << 16;
/// A common multiple of the divisors that occur in models.
static constexpr int64_t period = 5040;

std::vector<std::string> tenon::graph::getSymbols(const SymInt &value) {
  std::vector<std::string> names;
  value.visitSymbols([&](llvm::StringRef name) {
    if (!llvm::is_contained(names, name))
      names.push_back(name.str());
  });
  return names;
}

static std::optional<int64_t> evaluateAt(const SymInt &value,
                                         llvm::ArrayRef<std::string> names,
                                         llvm::ArrayRef<int64_t> sizes) {
  return value.evaluate([&](llvm::StringRef name) -> std::optional<int64_t> {
    return sizes[llvm::find(names, name) - names.begin()];
  });
}

bool tenon::graph::holdsAtSamples(const SymInt &value,
                                  llvm::function_ref<bool(int64_t)> holds) {
  std::vector<std::string> names = getSymbols(value);
  for (const SymInt &assumed : getSizeAssumptions())
    assumed.visitSymbols([&](llvm::StringRef name) {
      if (!llvm::is_contained(names, name))
        names.push_back(name.str());
    });
  // A local generator, so that samples are the same on every platform.
  uint32_t state = 1;
  auto next = [&](uint32_t bound) {
    state = state * 1664525u + 1013904223u;
    return (state >> 16) % bound;
  };
  static constexpr int64_t large[] = {64, 127, 512, 1000, 4099, 65537};
  llvm::SmallVector<int64_t> sizes(names.size());
  constexpr unsigned rounds = 40;
  for (unsigned round = 0; round < rounds; ++round) {
    for (int64_t &size : sizes)
      size = round < 5    ? round
             : round < 25 ? next(6)
             : next(2)    ? large[next(6)] + next(7)
                          : next(12);
    if (llvm::any_of(getSizeAssumptions(), [&](const SymInt &assumed) {
          return evaluateAt(assumed, names, sizes).value_or(-1) < 0;
        }))
      continue;
    std::optional<int64_t> at = evaluateAt(value, names, sizes);
    if (at && !holds(*at))
      return false;
  }
  return true;
}

/// The linear expression that agrees with `value` at large sizes, if there is
/// one.
static std::optional<SymInt> fitLinear(const SymInt &value) {
  std::vector<std::string> names = getSymbols(value);
  if (names.size() > maxSymbols)
    return std::nullopt;
  llvm::SmallVector<int64_t> sizes;
  for (size_t i = 0; i < names.size(); ++i)
    sizes.push_back(period * (7 + 3 * static_cast<int64_t>(i)));
  std::optional<int64_t> base = evaluateAt(value, names, sizes);
  if (!base)
    return std::nullopt;
  SymInt sum(*base);
  for (size_t i = 0; i < names.size(); ++i) {
    sizes[i] += period;
    std::optional<int64_t> moved = evaluateAt(value, names, sizes);
    sizes[i] -= period;
    int64_t rise;
    if (!moved || llvm::SubOverflow(*moved, *base, rise) || rise % period)
      return std::nullopt;
    SymInt slope(rise / period);
    sum = sum + slope * (SymInt::symbol(names[i]) - SymInt(sizes[i]));
  }
  return sum;
}

/// Appends the maxima and minima inside `value` whose text is shorter than
/// `limit` (so that a maximum is not built from itself), and the operands of
/// all of them.
static void collectParts(const SymInt &value, size_t limit,
                         std::vector<SymInt> &parts) {
  for (const auto &[monomial, coefficient] : value.getTerms())
    for (const SymInt::AtomRef &atom : monomial.atoms) {
      if (atom->kind == SymInt::AtomKind::Symbol)
        continue;
      if (parts.size() >= maxCandidates)
        return;
      for (const auto &operand : {atom->lhs, atom->rhs}) {
        collectParts(*operand, limit, parts);
        parts.push_back(*operand);
      }
      if (atom->text.size() >= limit)
        continue;
      if (atom->kind == SymInt::AtomKind::Max)
        parts.push_back(SymInt::max(*atom->lhs, *atom->rhs));
      if (atom->kind == SymInt::AtomKind::Min)
        parts.push_back(SymInt::min(*atom->lhs, *atom->rhs));
    }
}

static bool isShorter(const SymInt &a, const SymInt &b) {
  return a.str().size() < b.str().size();
}

static bool hasAtoms(const SymInt &value) {
  return llvm::any_of(value.getTerms(), [](const auto &term) {
    return llvm::any_of(term.first.atoms, [](const SymInt::AtomRef &atom) {
      return atom->kind != SymInt::AtomKind::Symbol;
    });
  });
}

static SymInt findShorter(const SymInt &value) {
  std::vector<SymInt> candidates;
  if (std::optional<SymInt> linear = fitLinear(value))
    candidates.push_back(*linear);
  collectParts(value, value.str().size(), candidates);
  for (const SymInt &candidate : candidates)
    if (isShorter(candidate, value) && provablyEqual(candidate, value))
      return candidate;
  return value;
}

SymInt tenon::graph::simplify(const SymInt &value) {
  if (value.isUnknown() || !hasAtoms(value))
    return value;
  static thread_local llvm::StringMap<SymInt> answers;
  std::string text = value.str() + getAssumptionKey();
  auto found = answers.find(text);
  if (found != answers.end())
    return found->second;
  SymInt shorter = findShorter(value);
  if (answers.size() >= maxAnswers)
    answers.clear();
  answers[text] = shorter;
  return shorter;
}
