//===- BatchPooling.cpp - sums and means over all samples -----------------===//
//
// Part of the Tenon project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "BatchFinder.h"
#include "tenon/Dialect/Graph/Analysis/SimplifyIndices.h"
#include "tenon/Dialect/Graph/IR/SizeFacts.h"

using namespace mlir;
using namespace tenon;
using namespace tenon::graph;

namespace tenon::graph {
/// An open form as a sum or a mean over samples.
class PooledForm {
public:
  PooledForm(BatchFinder &finder, OpResult result)
      : finder(finder), shape(getShape(result)) {
    for (unsigned axis = 0; axis < shape.size(); ++axis)
      variables.push_back(axis);
  }

  std::optional<Pooling> find(const Expr &form) {
    unsigned kinds = getKinds(form);
    return kinds & kMean  ? std::optional(Pooling::Mean)
           : kinds & kSum ? std::optional(Pooling::Sum)
                          : std::nullopt;
  }
  bool dividesByPooled() const { return dividesPooled; }

private:
  /// How a number depends on the samples, all that are true. What is the same
  /// for all of them is its own mean, and 0 is its own sum. A count is a
  /// multiple of their number, with a factor that is not 0 if a sample has a
  /// row; an inverse is the same divided by one.
  enum Kind : unsigned { kMean = 1, kSum = 2, kCount = 4, kInverse = 8 };

  unsigned getKinds(const Expr &expr);
  unsigned getKindsOfCast(const Expr &expr);
  unsigned getKindsOfProduct(const Expr &a, const Expr &b);
  unsigned getKindsOfQuotient(const Expr &a, const Expr &b);
  unsigned getKindsOfApply(const Expr &expr);
  unsigned getKindsOfReduce(const Expr &expr);
  /// Whether an expression of any sort is the same for all samples.
  bool isSame(const Expr &expr);
  /// The number that a constant is.
  std::optional<double> getConstant(const Expr &expr);
  /// Whether a number is a size, or a constant other than 0.
  bool isSizeOrConstant(Expr expr);
  /// Whether a sum over the variable of such an extent is one over all rows of
  /// an axis of samples.
  bool isSumOverSamples(const Expr &body, unsigned variable,
                        const SymInt &extent);

  BatchFinder &finder;
  /// The variables in whose scope an expression is, and their extents.
  Shape shape;
  SmallVector<unsigned> variables;
  /// Whether it was a quotient of two pooled values.
  bool dividesPooled = false;
};
} // namespace tenon::graph

bool PooledForm::isSame(const Expr &expr) {
  bool result = true;
  walk(expr, [&](Expr node) {
    if (node.getKind() == ExprKind::Size)
      result &= !finder.found.dependsOnNumber(node->size);
    if (node.getKind() == ExprKind::Load)
      result &= finder.isIndependent(finder.forms.getLeaf(node->operand));
  });
  return result;
}

std::optional<double> PooledForm::getConstant(const Expr &expr) {
  if (expr.getKind() == ExprKind::Constant)
    return isa<FloatType>(expr->type) ? expr->number
                                      : static_cast<double>(expr->integer);
  if (expr.getKind() != ExprKind::Load)
    return std::nullopt;
  auto constant =
      finder.forms.getLeaf(expr->operand).getDefiningOp<ConstantOp>();
  auto splat = constant ? dyn_cast<SplatElementsAttr>(constant.getValue())
                        : SplatElementsAttr();
  if (!splat)
    return std::nullopt;
  return isa<FloatType>(splat.getElementType())
             ? splat.getSplatValue<APFloat>().convertToDouble()
             : static_cast<double>(splat.getSplatValue<APInt>().getSExtValue());
}

bool PooledForm::isSizeOrConstant(Expr expr) {
  while (expr.getKind() == ExprKind::Cast)
    expr = expr->operands[0];
  if (expr.getKind() == ExprKind::FromIndex)
    return expr->operands[0].getKind() == ExprKind::Size &&
           !(expr->operands[0]->size == SymInt(0));
  return getConstant(expr).value_or(0) != 0;
}

unsigned PooledForm::getKindsOfProduct(const Expr &a, const Expr &b) {
  bool isScaled = isSame(b);
  if (isScaled || isSame(a))
    return getKinds(isScaled ? a : b) &
           (kMean | kSum | kInverse |
            (isSizeOrConstant(isScaled ? b : a) ? kCount : 0));
  unsigned left = getKinds(a), right = getKinds(b), kinds = 0;
  auto are = [&](unsigned one, unsigned other) {
    return (left & one && right & other) || (left & other && right & one);
  };
  if (are(kCount, kMean))
    kinds |= kSum;
  if (are(kInverse, kSum))
    kinds |= kMean;
  return kinds;
}

unsigned PooledForm::getKindsOfQuotient(const Expr &a, const Expr &b) {
  unsigned kinds = getKinds(a);
  if (isSame(b))
    return kinds & (kMean | kSum | kInverse);
  unsigned divisor = getKinds(b);
  if (divisor & kCount)
    return (kinds & kSum ? kMean : 0) | (isSame(a) ? kInverse : 0);
  dividesPooled |= kinds != 0 && divisor != 0;
  return 0;
}

unsigned PooledForm::getKindsOfApply(const Expr &expr) {
  ArrayRef<Expr> operands = expr->operands;
  if (expr->fn == ScalarFn::Neg)
    return getKinds(operands[0]) & (kMean | kSum);
  if (expr->fn == ScalarFn::Add || expr->fn == ScalarFn::Sub)
    return getKinds(operands[0]) & getKinds(operands[1]) & (kMean | kSum);
  if (expr->fn == ScalarFn::Mul)
    return getKindsOfProduct(operands[0], operands[1]);
  // Quotients of integers are rounded.
  if (expr->fn == ScalarFn::Div && isa<FloatType>(expr->type))
    return getKindsOfQuotient(operands[0], operands[1]);
  return 0;
}

bool PooledForm::isSumOverSamples(const Expr &body, unsigned variable,
                                  const SymInt &extent) {
  std::optional<SymInt> all = finder.getRows(extent);
  if (!all)
    return false;
  SmallVector<Expr> axes;
  SampleAxis samples;
  for (auto [axis, own] : llvm::enumerate(variables)) {
    if (axes.size() <= own)
      axes.resize(own + 1);
    axes[own] = Expr::var(axis);
    if (own == variable)
      samples.axis = axis;
  }
  Expr form = substituteVars(body, axes);
  for (int64_t blocks = 1; blocks <= BatchFinder::kMostBlocks; ++blocks) {
    samples.outer = blocks;
    samples.rows = all->floorDiv(samples.outer);
    if (!provablyEqual(samples.rows * samples.outer, *all))
      continue;
    std::optional<Reads> reads = finder.readOpen(shape, form, samples);
    if (reads && llvm::all_of(reads->whole, [&](Value leaf) {
          return finder.isIndependent(leaf);
        }))
      return true;
  }
  return false;
}

unsigned PooledForm::getKindsOfReduce(const Expr &expr) {
  if (expr->reduce != ReduceKind::Sum)
    return 0;
  ArrayRef<Expr> operands = expr->operands;
  const Expr &guard = operands[operands.size() - 2], &body = operands.back();
  ArrayRef<Expr> extents = operands.drop_back(2);
  for (const Expr &extent : extents)
    if (extent.getKind() != ExprKind::Size)
      return 0;
  size_t outer = shape.size();
  for (auto [variable, extent] : llvm::zip_equal(expr->vars, extents)) {
    shape.push_back(extent->size);
    variables.push_back(variable);
  }
  unsigned kinds = 0;
  auto isExtentSame = [&](const Expr &extent) { return isSame(extent); };
  if (isSame(guard) && llvm::all_of(extents, isExtentSame))
    kinds = getKinds(body) & (kMean | kSum);
  Expr guarded = guard.getKind() == ExprKind::True
                     ? body
                     : Expr::select(guard, body,
                                    isa<FloatType>(body->type)
                                        ? Expr::constant(0, body->type)
                                        : Expr::constantInt(0, body->type));
  for (auto [number, variable] : llvm::enumerate(expr->vars)) {
    if (kinds)
      break;
    SmallVector<Expr> others(extents);
    others.erase(others.begin() + number);
    if (llvm::all_of(others, isExtentSame) &&
        isSumOverSamples(guarded, variable, extents[number]->size))
      kinds = kSum | (isSame(body) && isSizeOrConstant(body) ? kCount : 0);
  }
  shape.resize(outer);
  variables.resize(outer);
  return kinds;
}

/// Casts to integers round, and those to shorter ones wrap. In a float of 16
/// bits, a number of samples may be infinite.
unsigned PooledForm::getKindsOfCast(const Expr &expr) {
  const Expr &element = expr->operands[0];
  auto to = dyn_cast<FloatType>(expr->type);
  if (!to)
    return 0;
  unsigned kinds = getKinds(element);
  return to.getWidth() < 32 ? kinds & (kMean | kSum) : kinds;
}

/// Whether sums of such numbers are those of real numbers, but for rounding.
/// Those of 64 bits wrap for 2^63 samples.
static bool hasSums(Type type) {
  return isa<FloatType>(type) || type.isInteger(64);
}

unsigned PooledForm::getKinds(const Expr &expr) {
  if (!hasSums(expr->type))
    return 0;
  if (isSame(expr))
    return getConstant(expr) == 0.0 ? kMean | kSum : kMean;
  switch (expr.getKind()) {
  case ExprKind::Load: {
    std::optional<Pooling> pooling =
        finder.found.getPooling(finder.forms.getLeaf(expr->operand));
    bool isKnown = pooling && llvm::all_of(expr->operands, [&](Expr index) {
                     return isSame(index);
                   });
    return !isKnown ? 0 : *pooling == Pooling::Mean ? kMean : kSum;
  }
  case ExprKind::FromIndex: {
    IndexRanges ranges(shape, expr);
    LinearIndex index =
        getLinearIndex(simplifyIndices(expr->operands[0], ranges), &ranges);
    bool isCount = index.terms.empty() && finder.getRows(index.constant);
    return !isCount                                  ? 0
           : expr->type.getIntOrFloatBitWidth() < 32 ? kSum
                                                     : kSum | kCount;
  }
  case ExprKind::Cast:
    return getKindsOfCast(expr);
  case ExprKind::Apply:
    return getKindsOfApply(expr);
  case ExprKind::Select:
    return isSame(expr->operands[0])
               ? getKinds(expr->operands[1]) & getKinds(expr->operands[2]) &
                     (kMean | kSum)
               : 0;
  case ExprKind::Reduce:
    return getKindsOfReduce(expr);
  default:
    return 0;
  }
}

/// Why an op among pooled values has no pooled result, for one that does not
/// give them back to samples.
std::string BatchFinder::describePooling(Operation *op) {
  for (auto [number, operand] : llvm::enumerate(op->getOperands())) {
    std::optional<Pooling> pooling = found.getPooling(operand);
    if (!pooling)
      continue;
    bool isSum = *pooling == Pooling::Sum;
    bool isMixed = llvm::any_of(op->getOperands(), [&](Value other) {
      return found.getPooling(other).value_or(*pooling) != *pooling;
    });
    if (isa<AddOp, SubOp>(op) && isMixed)
      return "it adds a sum over samples and a mean; divided by the number of "
             "samples, the sum would be a mean, too";
    std::string which = "operand #" + std::to_string(number) + ", a " +
                        (isSum ? "sum" : "mean") + " over samples";
    if (isa<AddOp, SubOp>(op) && isSum)
      return "it adds to " + which +
             ", what each part would add again; times the number of samples "
             "it would be a sum, too";
    return "it is not linear in " + which;
  }
  return "";
}

std::optional<Pooling> BatchFinder::findPooling(OpResult result) {
  // An axis that no value has: no size may contain the number of samples.
  SampleAxis none;
  none.axis = getShape(result).size();
  Expr form = findWrongSize(result, none) ? Expr() : forms.get(result);
  if (!form)
    return std::nullopt;
  PooledForm pooled(*this, result);
  std::optional<Pooling> pooling = pooled.find(form);
  if (!pooling && pooled.dividesByPooled())
    refusal = {result.getOwner(), true,
               "it divides by a sum or a mean over samples, such as how many "
               "labels count, which is another one for each part; a sum, or "
               "one divided by the number of samples, would do"};
  bool isOfPooled =
      llvm::all_of(result.getOwner()->getOperands(), [&](Value operand) {
        return found.getPooling(operand) || isIndependent(operand);
      });
  if (std::string reason;
      !pooling && isOfPooled && !pooled.dividesByPooled() &&
      !(reason = describePooling(result.getOwner())).empty())
    refusal = {result.getOwner(), true, reason};
  return pooling;
}

bool BatchFinder::pool(Operation *op) {
  SmallVector<Pooling> poolings;
  for (OpResult result : op->getResults()) {
    std::optional<Pooling> pooling = findPooling(result);
    if (!pooling)
      return false;
    poolings.push_back(*pooling);
  }
  for (auto [result, pooling] : llvm::zip_equal(op->getResults(), poolings)) {
    found.axes.erase(result);
    found.pooled[result] = pooling;
    reasons[result] = refusal;
  }
  return true;
}
