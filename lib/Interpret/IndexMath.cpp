//===- IndexMath.cpp - index expressions as linear sums -------------------===//
//
// Part of the Tenon project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "IndexMath.h"
#include "tenon/Dialect/Graph/Analysis/LinearIndex.h"

#include "llvm/ADT/DenseSet.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/Support/MathExtras.h"

using namespace tenon::graph;
using namespace tenon::interpret;

//===----------------------------------------------------------------------===//
// Intervals
//===----------------------------------------------------------------------===//

static int64_t clampTo64(__int128 value) {
  // The ends represent infinity; sums of infinities stay out of range.
  if (value <= INT64_MIN / 2)
    return INT64_MIN;
  if (value >= INT64_MAX / 2)
    return INT64_MAX;
  return static_cast<int64_t>(value);
}

static Interval hull(std::initializer_list<__int128> values) {
  return {clampTo64(std::min(values)), clampTo64(std::max(values))};
}

Intervals::Intervals(llvm::ArrayRef<int64_t> shape, const Expr &body) {
  for (auto [axis, size] : llvm::enumerate(shape))
    vars[axis] = {0, size - 1};
  // Extents may use outer variables, so outer variables must come first, but
  // the order of definition differs. One more round per level of nesting is
  // enough.
  for (unsigned round = 0; round < 4; ++round) {
    known.clear();
    walk(body, [&](Expr node) {
      if (node.getKind() != ExprKind::Reduce)
        return;
      for (auto [number, var] : llvm::enumerate(node->vars)) {
        Interval extent = of(node->operands[number]);
        vars[var] = {0, extent.high == INT64_MAX ? INT64_MAX : extent.high - 1};
        known.clear();
      }
    });
  }
}

Interval Intervals::of(const Expr &index) {
  auto it = known.find(index.getPointer());
  if (it != known.end())
    return it->second;
  Interval result = compute(index);
  kept.push_back(index);
  known[index.getPointer()] = result;
  return result;
}

Interval Intervals::compute(const Expr &index) {
  auto operand = [&](unsigned number) { return of(index->operands[number]); };
  switch (index.getKind()) {
  case ExprKind::Size: {
    std::optional<int64_t> value = index->size.getConstant();
    return value ? Interval{*value, *value} : Interval::everything();
  }
  case ExprKind::Var: {
    auto it = vars.find(index->var);
    return it == vars.end() ? Interval::everything() : it->second;
  }
  case ExprKind::IndexAdd: {
    Interval a = operand(0), b = operand(1);
    return {a.low == INT64_MIN || b.low == INT64_MIN
                ? INT64_MIN
                : clampTo64(__int128(a.low) + b.low),
            a.high == INT64_MAX || b.high == INT64_MAX
                ? INT64_MAX
                : clampTo64(__int128(a.high) + b.high)};
  }
  case ExprKind::IndexMul: {
    Interval a = operand(0), b = operand(1);
    if (!a.isBounded() || !b.isBounded())
      return Interval::everything();
    return hull({__int128(a.low) * b.low, __int128(a.low) * b.high,
                 __int128(a.high) * b.low, __int128(a.high) * b.high});
  }
  case ExprKind::IndexFloorDiv: {
    Interval a = operand(0), b = operand(1);
    if (!a.isBounded() || b.low != b.high || b.low == 0)
      return Interval::everything();
    return hull({floorDiv(a.low, b.low), floorDiv(a.high, b.low)});
  }
  case ExprKind::IndexMod: {
    Interval a = operand(0), b = operand(1);
    if (b.low != b.high || b.low <= 0)
      return Interval::everything();
    if (a.isInside(0, b.low - 1))
      return a;
    return {0, b.low - 1};
  }
  case ExprKind::IndexMin: {
    Interval a = operand(0), b = operand(1);
    return {std::min(a.low, b.low), std::min(a.high, b.high)};
  }
  case ExprKind::IndexMax: {
    Interval a = operand(0), b = operand(1);
    return {std::max(a.low, b.low), std::max(a.high, b.high)};
  }
  case ExprKind::IndexSelect: {
    Interval a = operand(1), b = operand(2);
    return {std::min(a.low, b.low), std::max(a.high, b.high)};
  }
  default:
    return Interval::everything();
  }
}

//===----------------------------------------------------------------------===//
// Linear forms
//===----------------------------------------------------------------------===//

void NumericIndex::add(const Expr &term, int64_t coefficient) {
  if (coefficient == 0)
    return;
  for (auto &[known, factor] : terms) {
    if (!isSameIndex(known, term))
      continue;
    factor += coefficient;
    if (factor == 0)
      terms.erase(llvm::find_if(
          terms, [](const auto &entry) { return entry.second == 0; }));
    return;
  }
  terms.push_back({term, coefficient});
}

void NumericIndex::add(const NumericIndex &other, int64_t factor) {
  constant += other.constant * factor;
  for (const auto &[term, coefficient] : other.terms)
    add(term, coefficient * factor);
}

static std::optional<int64_t> getConstant(const Expr &index) {
  if (index.getKind() == ExprKind::Size)
    return index->size.getConstant();
  return std::nullopt;
}

/// Divides `index` by the constant `divisor` > 0; merges nested quotients.
/// Returns null if the value is known to be 0.
static Expr quotient(Expr index, int64_t divisor, Intervals &intervals) {
  while (index.getKind() == ExprKind::IndexFloorDiv) {
    std::optional<int64_t> inner = getConstant(index->operands[1]);
    int64_t product;
    if (!inner || *inner <= 0 || llvm::MulOverflow(*inner, divisor, product))
      break;
    divisor = product;
    index = index->operands[0];
  }
  if (intervals.of(index).isInside(0, divisor - 1))
    return {};
  return Expr::floorDivIndex(index, Expr::index(divisor));
}

NumericIndex tenon::interpret::linearize(const Expr &index,
                                         Intervals *intervals) {
  NumericIndex result;
  switch (index.getKind()) {
  case ExprKind::Size:
    if (std::optional<int64_t> value = getConstant(index)) {
      result.constant = *value;
      return result;
    }
    break;
  case ExprKind::IndexAdd:
    result = linearize(index->operands[0], intervals);
    result.add(linearize(index->operands[1], intervals), 1);
    return result;
  case ExprKind::IndexMul: {
    NumericIndex a = linearize(index->operands[0], intervals);
    NumericIndex b = linearize(index->operands[1], intervals);
    if (!a.terms.empty() && !b.terms.empty())
      break;
    if (!a.terms.empty())
      std::swap(a, b);
    result.add(b, a.constant);
    return result;
  }
  case ExprKind::IndexFloorDiv:
  case ExprKind::IndexMod: {
    if (!intervals)
      break;
    std::optional<int64_t> divisor = getConstant(index->operands[1]);
    if (!divisor || *divisor <= 0)
      break;
    Expr whole = quotient(index->operands[0], *divisor, *intervals);
    if (index.getKind() == ExprKind::IndexFloorDiv) {
      if (whole)
        result.add(whole, 1);
      return result;
    }
    result = linearize(index->operands[0], intervals);
    if (whole)
      result.add(whole, -*divisor);
    return result;
  }
  default:
    break;
  }
  result.add(index, 1);
  return result;
}

void tenon::interpret::collectVars(const Expr &expr,
                                   llvm::SmallVectorImpl<unsigned> &vars) {
  llvm::DenseSet<unsigned> bound, used;
  walk(expr, [&](Expr node) {
    if (node.getKind() == ExprKind::Var)
      used.insert(node->var);
    for (unsigned var : node->vars)
      bound.insert(var);
  });
  for (unsigned var : used)
    if (!bound.contains(var))
      vars.push_back(var);
  llvm::sort(vars);
}
