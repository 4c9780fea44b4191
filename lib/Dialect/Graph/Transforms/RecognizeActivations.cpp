//===- RecognizeActivations.cpp - activations by name ---------------------===//
//
// Part of the Tenon project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Splats.h"
#include "tenon/Dialect/Graph/Transforms/Passes.h"

#include "mlir/Transforms/GreedyPatternRewriteDriver.h"

#include <cmath>

namespace tenon::graph {
#define GEN_PASS_DEF_GRAPHRECOGNIZEACTIVATIONS
#include "tenon/Dialect/Graph/Transforms/Passes.h.inc"
} // namespace tenon::graph

using namespace mlir;
using namespace tenon::graph;

/// Constants of a model are rounded to the type of its elements, or shorter.
static bool isAbout(std::optional<double> number, double expected) {
  return number && std::abs(*number - expected) <= 1e-3 * std::abs(expected);
}

/// The other operand of a product or sum with a number; null if it is none.
template <typename OpTy> static Value getWithNumber(Value value, double about) {
  auto op = value.getDefiningOp<OpTy>();
  if (!op)
    return {};
  if (isAbout(getSplatNumber(op.getRhs()), about))
    return op.getLhs();
  return isAbout(getSplatNumber(op.getLhs()), about) ? op.getRhs() : Value();
}

static Value getQuotient(Value value, double divisor) {
  if (auto op = value.getDefiningOp<DivOp>())
    return isAbout(getSplatNumber(op.getRhs()), divisor) ? op.getLhs()
                                                         : Value();
  return getWithNumber<MulOp>(value, 1 / divisor);
}

namespace {
/// A product of several factors: the numbers among them as one, and the others.
struct Product {
  double number = 1;
  SmallVector<Value> factors;

  explicit Product(Value value) { add(value, /*depth=*/0); }

  /// The factor other than `x`, if there are two.
  Value getOtherThan(Value x) const {
    if (factors.size() != 2)
      return {};
    return factors[0] == x   ? factors[1]
           : factors[1] == x ? factors[0]
                             : Value();
  }

private:
  /// No activation has more products within each other than this; chains of
  /// thousands are not followed.
  static constexpr unsigned kMostDepth = 6;

  void add(Value value, unsigned depth) {
    if (std::optional<double> splat = getSplatNumber(value)) {
      number *= *splat;
      return;
    }
    bool isPart = depth == 0 || (depth < kMostDepth && value.hasOneUse());
    if (auto product = value.getDefiningOp<MulOp>(); product && isPart) {
      add(product.getLhs(), depth + 1);
      add(product.getRhs(), depth + 1);
      return;
    }
    if (auto quotient = value.getDefiningOp<DivOp>(); quotient && isPart)
      if (std::optional<double> divisor = getSplatNumber(quotient.getRhs());
          divisor && *divisor != 0) {
        number /= *divisor;
        return add(quotient.getLhs(), depth + 1);
      }
    factors.push_back(value);
  }
};
} // namespace

/// x ^ 3, if the value is that.
static bool isCube(Value value, Value x) {
  if (auto power = value.getDefiningOp<PowOp>())
    return power.getLhs() == x && getSplatNumber(power.getRhs()) == 3;
  Product product(value);
  return product.number == 1 && product.factors.size() == 3 &&
         llvm::all_equal(product.factors) && product.factors.front() == x;
}

/// x * (1 + 0.044715 x^2) or x + 0.044715 x^3.
static bool isTanhArgument(Value value, Value x) {
  auto sum = value.getDefiningOp<AddOp>();
  if (!sum)
    return false;
  Value other = sum.getLhs() == x   ? sum.getRhs()
                : sum.getRhs() == x ? sum.getLhs()
                                    : Value();
  if (!other)
    return false;
  Product product(other);
  if (!isAbout(product.number, 0.044715))
    return false;
  if (product.factors.size() == 1)
    return isCube(product.factors.front(), x);
  return product.factors.size() == 3 &&
         llvm::all_of(product.factors,
                      [&](Value factor) { return factor == x; });
}

/// 1 + erf(x / sqrt(2)) or 1 + tanh(sqrt(2 / pi) (x + 0.044715 x^3)); true if
/// it is the latter.
static std::optional<bool> getGeluKind(Value value, Value x) {
  Value inner = getWithNumber<AddOp>(value, 1);
  if (!inner)
    return std::nullopt;
  if (auto erf = inner.getDefiningOp<ErfOp>())
    return getQuotient(erf.getX(), std::sqrt(2.0)) == x
               ? std::optional<bool>(false)
               : std::nullopt;
  if (auto tanh = inner.getDefiningOp<TanhOp>()) {
    Value sum = getWithNumber<MulOp>(tanh.getX(), std::sqrt(2 / M_PI));
    if (sum && isTanhArgument(sum, x))
      return true;
  }
  return std::nullopt;
}

/// clip(x + 3, 0, 6).
static bool isShiftedClip(Value value, Value x) {
  auto clip = value.getDefiningOp<ClipOp>();
  return clip && clip.getLow().convertToDouble() == 0 &&
         isAbout(clip.getHigh().convertToDouble(), 6) &&
         getWithNumber<AddOp>(clip.getX(), 3) == x;
}

namespace {
/// Products of a value and a function of it. What is regrouped differs in
/// rounding.
struct RecognizeProduct : OpRewritePattern<MulOp> {
  RecognizeProduct(MLIRContext *context, bool reassociate,
                   Pass::Statistic &numRecognized)
      : OpRewritePattern(context), reassociate(reassociate),
        numRecognized(numRecognized) {}

  LogicalResult matchAndRewrite(MulOp op,
                                PatternRewriter &rewriter) const override {
    Product product(op.getResult());
    if (product.factors.size() != 2 || !isFloat(op))
      return failure();
    for (Value x : product.factors)
      if (succeeded(recognize(op, x, product, rewriter))) {
        ++numRecognized;
        return success();
      }
    return failure();
  }

private:
  static bool isFloat(MulOp op) {
    return isa<FloatType>(getElementTypeOrSelf(op.getType()));
  }
  LogicalResult recognize(MulOp op, Value x, const Product &product,
                          PatternRewriter &rewriter) const;

  bool reassociate;
  Pass::Statistic &numRecognized;
};

/// PyTorch's quotient by 6 comes last.
struct RecognizeQuotient : OpRewritePattern<DivOp> {
  RecognizeQuotient(MLIRContext *context, Pass::Statistic &numRecognized)
      : OpRewritePattern(context), numRecognized(numRecognized) {}

  LogicalResult matchAndRewrite(DivOp op,
                                PatternRewriter &rewriter) const override {
    Product product(op.getResult());
    if (product.factors.size() != 2 || !isAbout(product.number, 1.0 / 6))
      return failure();
    for (Value x : product.factors)
      if (isShiftedClip(product.getOtherThan(x), x)) {
        ++numRecognized;
        rewriter.replaceOpWithNewOp<HardSwishOp>(op, x);
        return success();
      }
    return failure();
  }

private:
  Pass::Statistic &numRecognized;
};
} // namespace

LogicalResult RecognizeProduct::recognize(MulOp op, Value x,
                                          const Product &product,
                                          PatternRewriter &rewriter) const {
  Value other = product.getOtherThan(x);
  if (!other || !other.hasOneUse() || x.getType() != op.getType())
    return failure();
  bool isOnlyProduct = product.number == 1;
  // Spelled out, 16-bit types are rounded in between.
  Type element = getElementTypeOrSelf(op.getType());
  if (!reassociate && !element.isF32() && !element.isF64())
    return failure();
  if (auto sigmoid = other.getDefiningOp<SigmoidOp>();
      sigmoid && isOnlyProduct && sigmoid.getX() == x) {
    rewriter.replaceOpWithNewOp<SiluOp>(op, x);
    return success();
  }
  if (auto tanh = other.getDefiningOp<TanhOp>(); tanh && isOnlyProduct)
    if (auto inner = tanh.getX().getDefiningOp<SoftplusOp>();
        inner && inner.getX() == x) {
      rewriter.replaceOpWithNewOp<MishOp>(op, x);
      return success();
    }
  if (!reassociate)
    return failure();
  if (auto hard = other.getDefiningOp<HardSigmoidOp>();
      hard && isOnlyProduct && hard.getX() == x &&
      isAbout(hard.getAlpha().convertToDouble(), 1.0 / 6) &&
      hard.getBeta().convertToDouble() == 0.5) {
    rewriter.replaceOpWithNewOp<HardSwishOp>(op, x);
    return success();
  }
  if (isAbout(product.number, 1.0 / 6) && isShiftedClip(other, x)) {
    rewriter.replaceOpWithNewOp<HardSwishOp>(op, x);
    return success();
  }
  if (product.number != 0.5)
    return failure();
  std::optional<bool> kind = getGeluKind(other, x);
  if (!kind)
    return failure();
  rewriter.replaceOpWithNewOp<GeluOp>(op, x, *kind);
  return success();
}

namespace {
struct GraphRecognizeActivationsPass
    : tenon::graph::impl::GraphRecognizeActivationsBase<
          GraphRecognizeActivationsPass> {
  using GraphRecognizeActivationsBase::GraphRecognizeActivationsBase;

  void runOnOperation() override {
    MLIRContext *context = &getContext();
    RewritePatternSet patterns(context);
    patterns.add<RecognizeProduct>(context, reassociate, numRecognized);
    if (reassociate)
      patterns.add<RecognizeQuotient>(context, numRecognized);
    if (failed(applyPatternsGreedily(getOperation(), std::move(patterns))))
      signalPassFailure();
  }
};
} // namespace
