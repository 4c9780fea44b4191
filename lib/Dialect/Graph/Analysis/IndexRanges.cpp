//===- IndexRanges.cpp - the values that an index takes -------------------===//
//
// Part of the Tenon project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "tenon/Dialect/Graph/Analysis/LinearIndex.h"
#include "tenon/Dialect/Graph/IR/SizeFacts.h"

using namespace tenon;
using namespace tenon::graph;

IndexRanges::IndexRanges(llvm::ArrayRef<SymInt> shape, const Expr &body) {
  for (auto [axis, size] : llvm::enumerate(shape))
    extents[axis] = size;
  walk(body, [&](Expr node) {
    if (node.getKind() != ExprKind::Reduce)
      return;
    for (auto [number, var] : llvm::enumerate(node->vars))
      if (node->operands[number].getKind() == ExprKind::Size)
        extents[var] = node->operands[number]->size;
  });
}

std::optional<SymInt> IndexRanges::getExtent(unsigned var) const {
  auto it = extents.find(var);
  if (it == extents.end() || it->second.isUnknown())
    return std::nullopt;
  return it->second;
}

/// The smaller or the larger of two bounds, if it is known which one it is.
static std::optional<SymInt> pick(const std::optional<SymInt> &a,
                                  const std::optional<SymInt> &b,
                                  bool smaller) {
  if (!a || !b)
    return std::nullopt;
  if (provablyAtLeast(*a, *b))
    return smaller ? *b : *a;
  if (provablyAtLeast(*b, *a))
    return smaller ? *a : *b;
  return std::nullopt;
}

IndexInterval IndexRanges::get(const Expr &index) const {
  switch (index.getKind()) {
  case ExprKind::Size:
    if (index->size.isUnknown())
      return {};
    return {index->size, index->size};
  case ExprKind::Var:
    if (std::optional<SymInt> extent = getExtent(index->var))
      return {SymInt(0), *extent - 1};
    return {};
  case ExprKind::IndexAdd:
  case ExprKind::IndexMul: {
    LinearIndex linear = getLinearIndex(index);
    if (linear.terms.size() == 1 &&
        linear.terms.front().index.getPointer() == index.getPointer())
      return {}; // a product without a linear form
    return get(linear);
  }
  case ExprKind::IndexMod: {
    const Expr &divisor = index->operands[1];
    if (divisor.getKind() != ExprKind::Size ||
        !provablyAtLeast(divisor->size, SymInt(1)))
      return {};
    return {SymInt(0), divisor->size - 1};
  }
  case ExprKind::IndexFloorDiv: {
    const Expr &divisor = index->operands[1];
    if (divisor.getKind() != ExprKind::Size ||
        !provablyAtLeast(divisor->size, SymInt(1)))
      return {};
    IndexInterval whole = get(index->operands[0]);
    if (whole.low)
      whole.low = whole.low->floorDiv(divisor->size);
    if (whole.high)
      whole.high = whole.high->floorDiv(divisor->size);
    return whole;
  }
  case ExprKind::IndexMin:
  case ExprKind::IndexMax: {
    bool isMin = index.getKind() == ExprKind::IndexMin;
    IndexInterval a = get(index->operands[0]), b = get(index->operands[1]);
    IndexInterval both = {pick(a.low, b.low, isMin),
                          pick(a.high, b.high, isMin)};
    // One bound of either operand holds for the result.
    std::optional<SymInt> &decided = isMin ? both.high : both.low;
    const std::optional<SymInt> &one = isMin ? a.high : a.low;
    const std::optional<SymInt> &other = isMin ? b.high : b.low;
    if (!decided)
      decided = one ? one : other;
    return both;
  }
  case ExprKind::IndexSelect: {
    IndexInterval a = get(index->operands[1]), b = get(index->operands[2]);
    return {pick(a.low, b.low, /*smaller=*/true),
            pick(a.high, b.high, /*smaller=*/false)};
  }
  default:
    return {};
  }
}

IndexInterval IndexRanges::get(const LinearIndex &index) const {
  IndexInterval sum = {index.constant, index.constant};
  if (index.constant.isUnknown())
    return {};
  for (const LinearIndex::Term &term : index.terms) {
    IndexInterval one = get(term.index);
    bool isPositive = provablyAtLeast(term.coefficient, SymInt(0));
    if (!isPositive) {
      if (!provablyAtLeast(SymInt(0), term.coefficient))
        return {};
      std::swap(one.low, one.high);
    }
    auto add = [&](std::optional<SymInt> &bound,
                   const std::optional<SymInt> &value) {
      if (bound && value)
        bound = *bound + *value * term.coefficient;
      else
        bound = std::nullopt;
    };
    add(sum.low, one.low);
    add(sum.high, one.high);
  }
  return sum;
}
