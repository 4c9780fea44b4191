//===- RecognizeActivations.cpp - activations by name ---------------------===//
//
// Part of the Tenon project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Writes activations that are spelled out as one op. The numbers in a formula
// are real numbers, and a model has elements of its type. So a number of the
// model stands for one of the formula only if both round to the same element:
// with any other number, the model computes another function.
//
//===----------------------------------------------------------------------===//

#include "Splats.h"
#include "tenon/Dialect/Graph/IR/NumberExpr.h"
#include "tenon/Dialect/Graph/Transforms/Passes.h"

#include "mlir/Transforms/GreedyPatternRewriteDriver.h"

#include <cmath>
#include <limits>

namespace tenon::graph {
#define GEN_PASS_DEF_GRAPHRECOGNIZEACTIVATIONS
#include "tenon/Dialect/Graph/Transforms/Passes.h.inc"
} // namespace tenon::graph

using namespace mlir;
using namespace tenon::graph;

namespace {
/// A number of a formula, and its reciprocal: a formula's product with the one
/// may be a quotient by the other.
struct Constant {
  double factor;
  double divisor;
};

/// What a product multiplies by, as a quotient of two products of numbers.
class Ratio {
public:
  void multiply(double number) { numerator = exactProduct(numerator, number); }
  void divide(double number) {
    denominator = exactProduct(denominator, number);
  }
  /// Whether the ratio stands for the constant in arithmetic of `type`.
  bool is(Constant constant, FloatType type) const;
  bool isOne() const { return numerator == denominator; }

private:
  /// The product, or NaN, which is equal to no number, if it is rounded.
  static double exactProduct(double a, double b) {
    double product = a * b;
    bool isNormal = product == 0 || std::isnormal(product);
    return isNormal && std::fma(a, b, -product) == 0
               ? product
               : std::numeric_limits<double>::quiet_NaN();
  }

  double numerator = 1, denominator = 1;
};
} // namespace

static constexpr Constant kHalf{0.5, 2}, kSixth{1.0 / 6, 6},
    kRootOfHalf{M_SQRT1_2, M_SQRT2};

/// The element of the type that is nearest to a number.
static double roundTo(double number, FloatType type) {
  llvm::APFloat value(number);
  bool losesInfo;
  value.convert(type.getFloatSemantics(), llvm::APFloat::rmNearestTiesToEven,
                &losesInfo);
  return value.convertToDouble();
}

static FloatType getFloatType(Value value) {
  return cast<FloatType>(getElementTypeOrSelf(value.getType()));
}

bool Ratio::is(Constant constant, FloatType type) const {
  return numerator ==
             exactProduct(roundTo(constant.factor, type), denominator) ||
         denominator ==
             exactProduct(roundTo(constant.divisor, type), numerator);
}

/// Whether all elements are the one that is nearest to a number.
static bool isNumber(Value value, double number) {
  std::optional<double> splat = getSplatNumber(value);
  return splat && *splat == roundTo(number, getFloatType(value));
}

/// The other operand of a product or sum with a number; null if it is none.
template <typename OpTy>
static Value getWithNumber(Value value, double number) {
  auto op = value.getDefiningOp<OpTy>();
  if (!op)
    return {};
  if (isNumber(op.getRhs(), number))
    return op.getLhs();
  return isNumber(op.getLhs(), number) ? op.getRhs() : Value();
}

/// The other factor of a product with a constant; null if it is none.
static Value getWithFactor(Value value, Constant constant) {
  if (auto op = value.getDefiningOp<DivOp>())
    return isNumber(op.getRhs(), constant.divisor) ? op.getLhs() : Value();
  return getWithNumber<MulOp>(value, constant.factor);
}

namespace {
/// A product of several factors: the numbers among them as one, and the others.
struct Product {
  Ratio number;
  bool hasNumber = false;
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
      hasNumber = true;
      return number.multiply(*splat);
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
        hasNumber = true;
        number.divide(*divisor);
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
  return product.number.isOne() && product.factors.size() == 3 &&
         llvm::all_equal(product.factors) && product.factors.front() == x;
}

/// x + 0.044715 x^3.
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
  if (!product.number.is({0.044715, 1 / 0.044715}, getFloatType(x)))
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
    return getWithFactor(erf.getX(), kRootOfHalf) == x
               ? std::optional<bool>(false)
               : std::nullopt;
  if (auto tanh = inner.getDefiningOp<TanhOp>()) {
    Value sum = getWithNumber<MulOp>(tanh.getX(), std::sqrt(2 / M_PI));
    if (sum && isTanhArgument(sum, x))
      return true;
  }
  return std::nullopt;
}

/// Whether a parameter of an op that computes 16-bit types in f32 is a number,
/// in the type in which the op computes.
static bool isParameter(const llvm::APFloat &parameter, double number,
                        FloatType element) {
  auto type = cast<FloatType>(getAccumulationType(element));
  return roundTo(parameter.convertToDouble(), type) == roundTo(number, type);
}

/// clip(x + 3, 0, 6).
static bool isShiftedClip(Value value, Value x) {
  auto clip = value.getDefiningOp<ClipOp>();
  // The op rounds its bounds to the type of its elements.
  FloatType type = getFloatType(x);
  return clip && roundTo(clip.getLow().convertToDouble(), type) == 0 &&
         roundTo(clip.getHigh().convertToDouble(), type) == 6 &&
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
    if (product.factors.size() != 2 ||
        !product.number.is(kSixth, getFloatType(op)))
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
  bool isOnlyProduct = product.number.isOne();
  // Spelled out, 16-bit types are rounded in between, and so are products with
  // numbers that cancel.
  FloatType element = getFloatType(op);
  if (!reassociate &&
      (product.hasNumber || !(element.isF32() || element.isF64())))
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
      isParameter(hard.getAlpha(), 1.0 / 6, element) &&
      isParameter(hard.getBeta(), 0.5, element)) {
    rewriter.replaceOpWithNewOp<HardSwishOp>(op, x);
    return success();
  }
  if (product.number.is(kSixth, element) && isShiftedClip(other, x)) {
    rewriter.replaceOpWithNewOp<HardSwishOp>(op, x);
    return success();
  }
  if (!product.number.is(kHalf, element))
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
