//===- LoopSegments.cpp - loops without branches --------------------------===//
//
// Part of the Tenon project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "LoopSegments.h"
#include "AffineOffsets.h"

using namespace mlir;
using namespace tenon;
using namespace tenon::graph;
using namespace tenon::lower;

namespace {
using Decide = llvm::function_ref<std::optional<bool>(Expr)>;

bool isComparison(const Expr &expr) {
  return expr.getKind() == ExprKind::IndexLess ||
         expr.getKind() == ExprKind::IndexLessEqual ||
         expr.getKind() == ExprKind::IndexEqual;
}

/// Returns a condition's value if it follows from the comparisons that `decide`
/// can decide.
std::optional<bool> evaluate(const Expr &condition, Decide decide) {
  switch (condition.getKind()) {
  case ExprKind::True:
    return true;
  case ExprKind::Not: {
    std::optional<bool> value = evaluate(condition->operands[0], decide);
    return value ? std::optional<bool>(!*value) : std::nullopt;
  }
  case ExprKind::And:
  case ExprKind::Or: {
    bool absorbing = condition.getKind() == ExprKind::Or;
    std::optional<bool> a = evaluate(condition->operands[0], decide);
    std::optional<bool> b = evaluate(condition->operands[1], decide);
    if ((a && *a == absorbing) || (b && *b == absorbing))
      return absorbing;
    if (a && b)
      return !absorbing;
    return std::nullopt;
  }
  default:
    // A condition that depends on data, not on indices, is unknown at compile
    // time.
    return isComparison(condition) ? decide(condition) : std::nullopt;
  }
}

} // namespace

Expr tenon::lower::resolveSelects(const Expr &root, Decide decide) {
  llvm::DenseMap<const ExprNode *, Expr> done;
  std::function<Expr(Expr)> resolve = [&](Expr expr) -> Expr {
    return rewrite(expr, [&](Expr node) -> Expr {
      if (node.getKind() != ExprKind::Select &&
          node.getKind() != ExprKind::IndexSelect)
        return {};
      auto [it, inserted] = done.try_emplace(node.getPointer());
      if (!inserted)
        return it->second;
      Expr result;
      if (std::optional<bool> value = evaluate(node->operands[0], decide))
        result = resolve(node->operands[*value ? 1 : 2]);
      else {
        Expr condition = node->operands[0];
        Expr then = resolve(node->operands[1]);
        Expr otherwise = resolve(node->operands[2]);
        result = node.getKind() == ExprKind::Select
                     ? Expr::select(condition, then, otherwise)
                     : Expr::selectIndex(condition, then, otherwise);
      }
      done[node.getPointer()] = result;
      return result;
    });
  };
  return resolve(root);
}

void tenon::lower::forEachComparison(const Expr &root,
                                     llvm::function_ref<void(Expr)> visit) {
  walk(root, [&](Expr node) {
    if (node.getKind() != ExprKind::Select &&
        node.getKind() != ExprKind::IndexSelect)
      return;
    walk(node->operands[0], [&](Expr condition) {
      if (isComparison(condition))
        visit(condition);
    });
  });
}

namespace {
/// The difference lhs - rhs of a comparison as scale * var + offset, where var
/// is the only variable.
struct Linear {
  int64_t scale, offset;
};
std::optional<Linear> linearIn(const Expr &comparison, unsigned var) {
  std::optional<AffineForm> a = getAffineForm(comparison->operands[0]);
  std::optional<AffineForm> b = getAffineForm(comparison->operands[1]);
  if (!a || !b)
    return std::nullopt;
  for (const auto &[other, coefficient] : b->coefficients)
    a->coefficients[other] = a->coefficient(other) - coefficient;
  for (const auto &[other, coefficient] : a->coefficients)
    if (other != var && coefficient != SymInt(0))
      return std::nullopt;
  std::optional<int64_t> scale = a->coefficient(var).getConstant();
  std::optional<int64_t> offset = (a->constant - b->constant).getConstant();
  if (!scale || !offset || *scale == 0)
    return std::nullopt;
  return Linear{*scale, *offset};
}

/// Returns whether a comparison holds everywhere (true) or nowhere (false) in
/// [first, last], or nullopt if neither is known.
std::optional<bool> decideWithin(const Expr &comparison, unsigned var,
                                 int64_t first, int64_t last) {
  std::optional<Linear> linear = linearIn(comparison, var);
  if (!linear)
    return std::nullopt;
  auto at = [&](int64_t position) {
    return linear->scale * position + linear->offset;
  };
  if (comparison.getKind() == ExprKind::IndexEqual) {
    if (first == last)
      return at(first) == 0;
    // The comparison may hold at a position inside the range.
    bool passesZero = std::min(at(first), at(last)) <= 0 &&
                      std::max(at(first), at(last)) >= 0;
    return passesZero ? std::nullopt : std::optional<bool>(false);
  }
  auto holds = [&](int64_t position) {
    return comparison.getKind() == ExprKind::IndexLess ? at(position) < 0
                                                       : at(position) <= 0;
  };
  return holds(first) == holds(last) ? std::optional<bool>(holds(first))
                                     : std::nullopt;
}

size_t countNodes(const Expr &expr) {
  size_t count = 0;
  walk(expr, [&](Expr) { ++count; });
  return count;
}

/// Divides a loop at `cuts`, which are ascending and begin with 0. If there are
/// many cuts, segments keep some of the conditions. Returns no segments if
/// together they would be much more code than the loop.
SmallVector<Segment> resolveSegments(const Expr &body, unsigned var,
                                     ArrayRef<int64_t> cuts, int64_t size) {
  constexpr size_t kMostSegments = 24;
  bool isMany = cuts.size() > kMostSegments;
  SmallVector<Segment> segments;
  size_t nodes = 0, number = std::min(cuts.size(), kMostSegments);
  for (size_t i = 0; i < number; ++i) {
    size_t begin = cuts.size() * i / number;
    size_t end = cuts.size() * (i + 1) / number;
    int64_t from = cuts[begin], to = end == cuts.size() ? size : cuts[end];
    segments.push_back({from, to, resolveSelects(body, [&](Expr comparison) {
                          return decideWithin(comparison, var, from, to - 1);
                        })});
    nodes += isMany ? countNodes(segments.back().element) : 0;
  }
  if (isMany && nodes > 2 * countNodes(body))
    segments.clear();
  return segments;
}
} // namespace

SmallVector<Segment> tenon::lower::cutAtConditions(const Expr &body,
                                                   unsigned var,
                                                   const SymInt &length) {
  std::optional<int64_t> size = length.getConstant();
  if (!size)
    return {};
  SmallVector<int64_t> cuts{0};
  forEachComparison(body, [&](Expr comparison) {
    std::optional<Linear> linear = linearIn(comparison, var);
    if (!linear || std::abs(linear->scale) != 1)
      return;
    // The comparison changes at -offset / scale or at the next position.
    int64_t root = -linear->offset * linear->scale;
    for (int64_t cut : {root, root + 1})
      if (cut > 0 && cut < *size)
        cuts.push_back(cut);
  });
  llvm::sort(cuts);
  cuts.erase(llvm::unique(cuts), cuts.end());
  return cuts.size() > 1 ? resolveSegments(body, var, cuts, *size)
                         : SmallVector<Segment>();
}

SmallVector<Segment> tenon::lower::cutReduction(const kernel::LoopPlan &plan,
                                                unsigned loop) {
  constexpr size_t kMostSegments = 8;
  const kernel::KernelLoop &kernelLoop = plan.loops[loop];
  if (kernelLoop.body.getKind() != ExprKind::Reduce ||
      kernelLoop.shape.size() <= plan.numRowDims)
    return {};
  unsigned last = kernelLoop.shape.size() - 1;
  SmallVector<Segment> segments =
      cutAtConditions(kernelLoop.body, last, kernelLoop.shape[last]);
  if (segments.size() > kMostSegments)
    segments.clear();
  return segments;
}
