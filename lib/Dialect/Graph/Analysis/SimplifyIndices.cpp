//===- SimplifyIndices.cpp - index forms where ranges decide --------------===//
//
// Part of the Tenon project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "tenon/Dialect/Graph/Analysis/SimplifyIndices.h"
#include "tenon/Dialect/Graph/IR/SizeFacts.h"

using namespace mlir;
using namespace tenon;
using namespace tenon::graph;

/// Elements of i64 are indices if they are small: sums of at most 2^15 times an
/// index, whose bounds are at most 2^15 times a size, or a product of two,
/// each. Others could be beyond 64 bits, as elements are and indices are not.
static constexpr int64_t kMostFactor = 1 << 15;

namespace {
class Simplifier {
public:
  Simplifier(const IndexRanges &ranges, bool mayReadData)
      : ranges(ranges), mayReadData(mayReadData) {}

  Expr run(const Expr &expr);

private:
  Expr decide(const Expr &expr) const;
  /// An integer element as an index; null if it is none, or if it may be beyond
  /// 64 bits.
  Expr getIndex(const Expr &element) const;
  Expr getIndexOfApply(const Expr &element) const;
  Expr getIndexOfSum(const Expr &sum) const;
  /// Whether a condition holds; nothing if the ranges do not decide it.
  std::optional<bool> getTruth(const Expr &condition) const;
  std::optional<bool> getTruthOfElement(const Expr &element) const;
  std::optional<bool> compare(ScalarFn fn, const Expr &a, const Expr &b) const;
  /// Whether a + offset <= b.
  bool isLessEqual(const Expr &a, const Expr &b, int64_t offset = 0) const {
    LinearIndex difference = getLinearIndex(b, &ranges);
    difference.add(getLinearIndex(a, &ranges), -1);
    IndexInterval range = ranges.get(difference);
    return range.low && provablyAtLeast(*range.low, SymInt(offset));
  }
  bool isLess(const Expr &a, const Expr &b) const {
    return isLessEqual(a, b, 1);
  }
  bool isNotNegative(const Expr &index) const {
    return isLessEqual(Expr::index(0), index);
  }

  const IndexRanges &ranges;
  const bool mayReadData;
  llvm::DenseMap<const ExprNode *, Expr> done;
  /// Nodes in `done` must not be replaced by others at the same address.
  SmallVector<Expr> kept;
};
} // namespace

Expr Simplifier::run(const Expr &expr) {
  if (auto it = done.find(expr.getPointer()); it != done.end())
    return it->second;
  Expr inner = rewrite(expr, [&](Expr node) -> Expr {
    return node.getPointer() == expr.getPointer() ? Expr() : run(node);
  });
  kept.push_back(expr);
  Expr decided = decide(inner);
  return done[expr.getPointer()] = decided;
}

/// Whether a value is a sum of small multiples of at most `most` sizes each.
static bool isSmall(const SymInt &value, size_t most) {
  if (value.isUnknown())
    return false;
  return llvm::all_of(value.getTerms(), [&](const auto &term) {
    return term.first.atoms.size() <= most && term.second <= kMostFactor &&
           term.second >= -kMostFactor &&
           llvm::all_of(term.first.atoms, [](const SymInt::AtomRef &atom) {
             return atom->kind == SymInt::AtomKind::Symbol;
           });
  });
}

static bool isSmall(const LinearIndex &index, const IndexRanges &ranges) {
  return isSmall(index.constant, 2) &&
         llvm::all_of(index.terms, [&](const LinearIndex::Term &term) {
           IndexInterval range = ranges.get(term.index);
           bool isNumber = term.coefficient.isConstant();
           return isSmall(term.coefficient, 1) && range.low && range.high &&
                  isSmall(*range.low, isNumber ? 2 : 1) &&
                  isSmall(*range.high, isNumber ? 2 : 1);
         });
}

/// Whether an index is the element that it is computed as: small, or one number
/// of data, or the smaller or larger of such ones.
static bool isExact(const Expr &index, const IndexRanges &ranges) {
  ExprKind kind = index.getKind();
  if (kind == ExprKind::IndexMin || kind == ExprKind::IndexMax)
    return isExact(index->operands[0], ranges) &&
           isExact(index->operands[1], ranges);
  return kind == ExprKind::FromElement ||
         isSmall(getLinearIndex(index, &ranges), ranges);
}

static bool hasLoads(const Expr &expr) {
  bool has = false;
  walk(expr, [&](Expr node) { has |= node.getKind() == ExprKind::Load; });
  return has;
}

static Expr getLinear(const Expr &index, const IndexRanges &ranges) {
  LinearIndex linear = getLinearIndex(index, &ranges);
  return isSmall(linear, ranges) ? linear.getExpr() : Expr();
}

Expr Simplifier::getIndexOfApply(const Expr &element) const {
  SmallVector<Expr, 2> indices;
  for (const Expr &operand : element->operands) {
    indices.push_back(getIndex(operand));
    if (!indices.back())
      return {};
  }
  Expr a = indices.front(), b = indices.back();
  ScalarFn fn = element->fn;
  if (fn == ScalarFn::Neg)
    return getLinear(Expr::mulIndex(a, Expr::index(-1)), ranges);
  if (fn == ScalarFn::Add)
    return getLinear(Expr::addIndex(a, b), ranges);
  if (fn == ScalarFn::Sub)
    return getLinear(Expr::subIndex(a, b), ranges);
  if (fn == ScalarFn::Mul)
    return getLinear(Expr::mulIndex(a, b), ranges);
  if (!isExact(a, ranges) || !isExact(b, ranges))
    return {};
  if (fn == ScalarFn::Max)
    return decide(Expr::maxIndex(a, b));
  if (fn == ScalarFn::Min)
    return decide(Expr::minIndex(a, b));
  // The quotient rounds towards zero.
  if ((fn != ScalarFn::Div && fn != ScalarFn::Mod) || !isNotNegative(a) ||
      !isLess(Expr::index(0), b))
    return {};
  return decide(fn == ScalarFn::Div ? Expr::floorDivIndex(a, b)
                                    : Expr::modIndex(a, b));
}

/// A sum of numbers that are alike: over a box, or over the first indices of
/// an axis.
Expr Simplifier::getIndexOfSum(const Expr &sum) const {
  if (sum->reduce != ReduceKind::Sum)
    return {};
  ArrayRef<Expr> operands = sum->operands;
  Expr body = getIndex(operands.back());
  const Expr &guard = operands[operands.size() - 2];
  if (!body ||
      llvm::any_of(sum->vars, [&](unsigned var) { return usesVar(body, var); }))
    return {};
  Expr count = Expr::index(1);
  if (getTruth(guard) == true) {
    for (const Expr &extent : operands.drop_back(2))
      count = Expr::mulIndex(count, extent);
    return getLinear(Expr::mulIndex(body, count), ranges);
  }
  bool isBelow = guard.getKind() == ExprKind::IndexLess ||
                 guard.getKind() == ExprKind::IndexLessEqual;
  if (!isBelow || sum->vars.size() != 1 ||
      guard->operands[0].getKind() != ExprKind::Var ||
      guard->operands[0]->var != sum->vars.front() ||
      usesVar(guard->operands[1], sum->vars.front()))
    return {};
  count = guard->operands[1];
  if (guard.getKind() == ExprKind::IndexLessEqual)
    count = Expr::addIndex(count, Expr::index(1));
  if (!isNotNegative(count) || !isLessEqual(count, operands.front()))
    return {};
  return getLinear(Expr::mulIndex(body, count), ranges);
}

Expr Simplifier::getIndex(const Expr &element) const {
  ArrayRef<Expr> operands = element->operands;
  if (!element->type.isInteger(64) || element->type.isUnsignedInteger())
    return {};
  switch (element.getKind()) {
  case ExprKind::FromIndex:
    return operands[0];
  case ExprKind::Constant:
    return Expr::index(element->integer);
  case ExprKind::Load:
    return mayReadData ? Expr::fromElement(element) : Expr();
  case ExprKind::Apply:
    return getIndexOfApply(element);
  case ExprKind::Reduce:
    return getIndexOfSum(element);
  case ExprKind::Select: {
    Expr then = getIndex(operands[1]), otherwise = getIndex(operands[2]);
    return then && otherwise ? Expr::selectIndex(operands[0], then, otherwise)
                             : Expr();
  }
  default:
    return {};
  }
}

std::optional<bool> Simplifier::compare(ScalarFn fn, const Expr &a,
                                        const Expr &b) const {
  auto get = [](bool holds, bool fails) -> std::optional<bool> {
    if (holds || fails)
      return holds;
    return std::nullopt;
  };
  if (fn == ScalarFn::Less)
    return get(isLess(a, b), isLessEqual(b, a));
  if (fn == ScalarFn::LessEqual)
    return get(isLessEqual(a, b), isLess(b, a));
  return get(isLessEqual(a, b) && isLessEqual(b, a),
             isLess(a, b) || isLess(b, a));
}

std::optional<bool> Simplifier::getTruthOfElement(const Expr &element) const {
  if (element.getKind() == ExprKind::Constant)
    return element->integer != 0;
  if (element.getKind() != ExprKind::Apply || element->operands.size() != 2)
    return std::nullopt;
  ScalarFn fn = element->fn;
  if (fn != ScalarFn::Less && fn != ScalarFn::LessEqual &&
      fn != ScalarFn::Equal)
    return std::nullopt;
  Expr a = getIndex(element->operands[0]), b = getIndex(element->operands[1]);
  return a && b && isExact(a, ranges) && isExact(b, ranges) ? compare(fn, a, b)
                                                            : std::nullopt;
}

std::optional<bool> Simplifier::getTruth(const Expr &condition) const {
  ArrayRef<Expr> operands = condition->operands;
  switch (condition.getKind()) {
  case ExprKind::True:
    return true;
  case ExprKind::Not:
    if (std::optional<bool> truth = getTruth(operands[0]))
      return !*truth;
    return std::nullopt;
  case ExprKind::And:
  case ExprKind::Or: {
    std::optional<bool> a = getTruth(operands[0]), b = getTruth(operands[1]);
    bool decides = condition.getKind() == ExprKind::Or;
    if (a == decides || b == decides)
      return decides;
    return a && b ? std::optional(!decides) : std::nullopt;
  }
  case ExprKind::IndexLess:
    return compare(ScalarFn::Less, operands[0], operands[1]);
  case ExprKind::IndexLessEqual:
    return compare(ScalarFn::LessEqual, operands[0], operands[1]);
  case ExprKind::IndexEqual:
    return compare(ScalarFn::Equal, operands[0], operands[1]);
  case ExprKind::FromBoolElement:
    return getTruthOfElement(operands[0]);
  default:
    return std::nullopt;
  }
}

Expr Simplifier::decide(const Expr &expr) const {
  ArrayRef<Expr> operands = expr->operands;
  switch (expr.getKind()) {
  case ExprKind::FromElement:
    if (Expr index = getIndex(operands[0]))
      return index;
    return expr;
  case ExprKind::Apply:
  case ExprKind::Reduce:
    if (std::optional<bool> truth = getTruthOfElement(expr))
      return Expr::constantInt(*truth ? 1 : 0, expr->type);
    // Indices of data stay elements, which may wrap.
    if (Expr index = getIndex(expr); index && !hasLoads(index))
      return Expr::fromIndex(index, expr->type);
    return expr;
  case ExprKind::IndexMin:
  case ExprKind::IndexMax: {
    unsigned first = expr.getKind() == ExprKind::IndexMin ? 0 : 1;
    if (isLessEqual(operands[first], operands[1 - first]))
      return operands[0];
    if (isLessEqual(operands[1 - first], operands[first]))
      return operands[1];
    return expr;
  }
  case ExprKind::IndexFloorDiv:
  case ExprKind::IndexMod:
    return getLinearIndex(expr, &ranges).getExpr();
  case ExprKind::IndexSelect:
  case ExprKind::Select:
    if (std::optional<bool> truth = getTruth(operands[0]))
      return operands[*truth ? 1 : 2];
    return expr;
  default:
    return expr;
  }
}

Expr graph::simplifyIndices(const Expr &expr, const IndexRanges &ranges,
                            bool mayReadData) {
  return Simplifier(ranges, mayReadData).run(expr);
}
