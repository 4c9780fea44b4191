//===- OpWork.cpp - work of single ops ------------------------------------===//
//
// Part of the Tenon project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Flops of an op: those of its index form, unless its kind has an entry here.
// An addition, a comparison or a selection is one flop; a division or a root
// counts as much as 4 of them and a transcendental function as 12, as in
// vectorized code of polynomials. A multiply-add of matrix work is two.
// Composites count the steps of their usual one-kernel form.
//
//===----------------------------------------------------------------------===//

#include "OpWork.h"
#include "tenon/Dialect/Kernel/Analysis/Prepared.h"

#include "llvm/ADT/DenseSet.h"
#include "llvm/ADT/TypeSwitch.h"

#include <cmath>

using namespace mlir;
using namespace tenon;
using namespace tenon::cost;
using namespace tenon::graph;

static constexpr double kDivision = 4;
static constexpr double kTranscendental = 12;
/// exp(x - max), its sum, the quotient, and the maximum.
static constexpr double kSoftmax = kTranscendental + kDivision + 3;

static RankedTensorType typeOf(Value value) {
  return cast<RankedTensorType>(value.getType());
}

//===----------------------------------------------------------------------===//
// Index forms
//===----------------------------------------------------------------------===//

static double getFlops(ScalarFn fn) {
  switch (getFacts(fn).cost) {
  case ScalarCost::Cheap:
  case ScalarCost::Simple:
    return 1;
  case ScalarCost::Division:
  case ScalarCost::Remainder:
    return kDivision;
  case ScalarCost::Exponential:
  case ScalarCost::ErrorFunction:
  case ScalarCost::Call:
    return kTranscendental;
  case ScalarCost::Power:
    return 2 * kTranscendental;
  }
  llvm_unreachable("unknown cost");
}

namespace {
/// Adds up the flops of one element. Shared nodes count once; conversions and
/// arithmetic of indices are free.
class ElementFlops {
public:
  explicit ElementFlops(const SizeValues &sizes) : sizes(sizes) {}

  double visit(const Expr &expr) {
    if (!seen.insert(expr.getPointer()).second)
      return 0;
    switch (expr.getKind()) {
    case ExprKind::Apply:
      return getFlops(expr->fn) + visitAll(expr->operands);
    case ExprKind::Cast:
      return visit(expr->operands[0]);
    case ExprKind::Select:
      return visitCondition(expr->operands[0]) +
             visitAll(ArrayRef<Expr>(expr->operands).drop_front());
    case ExprKind::Reduce:
      return visitReduce(expr);
    default:
      return 0;
    }
  }

private:
  double visitAll(ArrayRef<Expr> exprs) {
    double flops = 0;
    for (const Expr &expr : exprs)
      flops += visit(expr);
    return flops;
  }

  /// A selection and the comparison that it depends on are one flop; a
  /// selection by indices is movement of data.
  double visitCondition(const Expr &condition) {
    if (condition.getKind() != ExprKind::FromBoolElement)
      return 0;
    const Expr &element = condition->operands[0];
    bool isComparison = element.getKind() == ExprKind::Apply &&
                        getFacts(element->fn).isPredicate;
    return 1 + (isComparison ? visitAll(element->operands) : visit(element));
  }

  /// A maximum that keeps NaN is a comparison, a selection and a test.
  double visitReduce(const Expr &reduce) {
    bool isExtremum =
        reduce->reduce == ReduceKind::Max || reduce->reduce == ReduceKind::Min;
    double count = 1;
    for (const Expr &extent : ArrayRef<Expr>(reduce->operands).drop_back(2))
      if (extent.getKind() == ExprKind::Size)
        count *= sizes.get(extent->size);
    return count * ((isExtremum ? 3 : 1) + visit(reduce->operands.back()));
  }

  const SizeValues &sizes;
  llvm::DenseSet<const ExprNode *> seen;
};
} // namespace

/// The element of an elementwise op, at no index in particular.
static Expr getElement(ElementwiseInterface op) {
  SmallVector<Expr> elements;
  for (Value operand : op->getOperands())
    elements.push_back(
        Expr::load(elements.size(), {}, typeOf(operand).getElementType()));
  return op.getScalarForm(elements);
}

/// Flops per element of an elementwise op. The entries differ from the form:
/// a reciprocal root is one step of the hardware, a division by a constant a
/// multiplication, and tests for infinity one comparison. Composites were
/// counted without their cheapest steps when the efficiencies of backends were
/// measured, and keep these numbers.
static double getElementFlops(Operation *op, const SizeValues &sizes) {
  return TypeSwitch<Operation *, double>(op)
      .Case<RsqrtOp>([](auto) { return kDivision; })
      .Case<IsInfOp, CastOp>([](auto) { return 1.0; })
      .Case<HardSwishOp>([](auto) { return 4.0; })
      .Case<SiluOp>([](auto) { return kTranscendental + kDivision + 2; })
      .Case<SoftplusOp>([](auto) { return 2 * kTranscendental + 2; })
      .Case<MishOp>([](auto) { return 3 * kTranscendental + 3; })
      .Case<GeluOp>([](auto) { return kTranscendental + 4; })
      .Case<CeluOp, SeluOp>([](auto) { return kTranscendental + 3; })
      .Default([&](Operation *op) {
        return ElementFlops(sizes).visit(
            getElement(cast<ElementwiseInterface>(op)));
      });
}

/// Flops of an op by its first form; nothing if it has none.
static std::optional<double> getFormFlops(Operation *op,
                                          const SizeValues &sizes) {
  auto indexed = dyn_cast<IndexFormInterface>(op);
  if (!indexed)
    return std::nullopt;
  SmallVector<IndexForm> forms = indexed.getIndexForms();
  if (forms.empty())
    return std::nullopt;
  // A reduction over no axes still moves its elements.
  double each = std::max(ElementFlops(sizes).visit(forms.front().body), 1.0);
  return each * sizes.getElements(typeOf(op->getResult(0)));
}

//===----------------------------------------------------------------------===//
// Matrix work
//===----------------------------------------------------------------------===//

static void addMatrix(Work &work, double flops, Value operand) {
  auto bits = getStoredBits(typeOf(operand).getElementType());
  work.bits = work.matrixFlops > 0 ? std::min(work.bits, bits) : bits;
  work.matrixFlops += flops;
}

static double getMatmulFlops(MatmulOp op, const SizeValues &sizes) {
  double depth =
      sizes.getSize(typeOf(op.getLhs()), op.getTransposeA() ? -2 : -1);
  return 2 * sizes.getElements(typeOf(op.getResult())) * depth;
}

/// The weight is [o, c / groups, kernel...]: every element of the result is a
/// sum over all axes of the weight but the first.
static double getConvFlops(ConvOp op, const SizeValues &sizes) {
  return 2 * sizes.getElements(typeOf(op.getResult())) *
         sizes.getElements(typeOf(op.getWeight()), /*first=*/1);
}

/// The weight is [c, o / groups, kernel...]: every element of the input
/// contributes to one product per weight element of its c.
static double getConvFlops(ConvTransposeOp op, const SizeValues &sizes) {
  return 2 * sizes.getElements(typeOf(op.getInput())) *
         sizes.getElements(typeOf(op.getWeight()), /*first=*/1);
}

/// As many flops as the convolution: each element of the cotangent contributes
/// to the result's [c / groups, kernel...].
static double getConvFlops(ConvBackwardWeightOp op, const SizeValues &sizes) {
  return 2 * sizes.getElements(typeOf(op.getCotangent())) *
         sizes.getElements(typeOf(op.getResult()), /*first=*/1);
}

static void addAttention(Operation *op, const SizeValues &sizes, Work &work) {
  RankedTensorType q = typeOf(op->getOperand(0)), v = typeOf(op->getOperand(2));
  double depth = sizes.getSize(q, -1), keys = sizes.getSize(v, -2);
  double scores = sizes.getElements(q) / std::max(depth, 1.0) * keys;
  addMatrix(work, 2 * scores * (depth + sizes.getSize(v, -1)),
            op->getOperand(0));
  // Add the scale and the mask.
  work.vectorFlops += scores * (kSoftmax + 2);
}

//===----------------------------------------------------------------------===//
// Other ops
//===----------------------------------------------------------------------===//

/// Flops per element of the first operand, for ops that read it once.
static std::optional<double> getFlopsPerInput(Operation *op,
                                              const SizeValues &sizes) {
  return TypeSwitch<Operation *, std::optional<double>>(op)
      // The forms of scans have a sum for every element.
      .Case<ReduceMeanOp, ReduceLogSumOp, CumsumOp, CumprodOp>(
          [](auto) { return 1.0; })
      .Case<ReduceL1Op, ReduceL2Op, ReduceSumSquareOp>([](auto) { return 2.0; })
      .Case<ArgmaxOp, ArgminOp>([](auto) { return 3.0; })
      .Case<ReduceLogSumExpOp>([](auto) { return kTranscendental + 3; })
      .Case<SoftmaxOp>([](auto) { return kSoftmax; })
      .Case<LogSoftmaxOp>([](auto) { return kTranscendental + 4; })
      .Case<HardmaxOp>([](auto) { return 4.0; })
      .Case<BatchNormOp>([](auto) { return 2.0; })
      .Case<RmsNormOp>([](auto) { return 4.0; })
      .Case<LayerNormOp, GroupNormOp, InstanceNormOp>([](auto) { return 8.0; })
      .Case<MseLossOp>([](auto) { return 3.0; })
      .Case<SoftmaxCrossEntropyOp>([](auto) { return kTranscendental + 4; })
      .Case<AttentionMergeOp>([](auto) { return 4.0; })
      // Computes the sum of squares in a window, then a power.
      .Case<LrnOp>([](LrnOp op) {
        return 2 * static_cast<double>(op.getSize()) + 2 * kTranscendental;
      })
      // Uses a heap, or a sort if all elements are requested.
      .Case<TopKOp>([&](TopKOp op) {
        double size = sizes.getSize(typeOf(op.getX()), op.getAxis());
        return 1 + std::log2(std::max(size, 1.0));
      })
      .Default([](Operation *) { return std::nullopt; });
}

/// Each element of the result is interpolated from 2 or 4 samples along each
/// axis that is resized.
static double getResizeFlops(ResizeOp op, const SizeValues &sizes) {
  if (op.getMode() == ResizeMode::Nearest)
    return 0;
  double taps = 1;
  for (double scale : op.getScales())
    if (scale != 1)
      taps *= op.getMode() == ResizeMode::Linear ? 2 : 4;
  return 2 * taps * sizes.getElements(typeOf(op.getResult()));
}

void tenon::cost::addFlops(Operation *op, const SizeValues &sizes, Work &work) {
  if (op->getNumResults() == 0 || op->hasTrait<OpTrait::ConstantLike>() ||
      !isa<RankedTensorType>(op->getResult(0).getType()))
    return;
  double results = sizes.getElements(typeOf(op->getResult(0)));
  if (isa<ElementwiseInterface>(op)) {
    work.vectorFlops += getElementFlops(op, sizes) * results;
    return;
  }
  if (std::optional<double> each = getFlopsPerInput(op, sizes)) {
    work.vectorFlops += *each * sizes.getElements(typeOf(op->getOperand(0)));
    return;
  }
  TypeSwitch<Operation *>(op)
      .Case<MatmulOp>([&](MatmulOp matmul) {
        addMatrix(work, getMatmulFlops(matmul, sizes), matmul.getLhs());
      })
      .Case<ConvOp, ConvTransposeOp, ConvBackwardWeightOp>([&](auto conv) {
        addMatrix(work, getConvFlops(conv, sizes), conv.getInput());
      })
      .Case<AttentionOp, AttentionPartialOp>(
          [&](auto) { addAttention(op, sizes, work); })
      // A maximum takes a comparison, a selection and a test for NaN.
      .Case<MaxPoolOp, ArgmaxPoolOp>([&](auto pool) {
        work.vectorFlops += 3 * results * sizes.getProduct(pool.getKernel());
      })
      .Case<AvgPoolOp>([&](AvgPoolOp pool) {
        work.vectorFlops += results * sizes.getProduct(pool.getKernel());
      })
      .Case<LpPoolOp>([&](LpPoolOp pool) {
        work.vectorFlops += results * (2 * sizes.getProduct(pool.getKernel()) +
                                       2 * kTranscendental);
      })
      .Case<EmbeddingBagOp>([&](EmbeddingBagOp bag) {
        work.vectorFlops +=
            results * sizes.getSize(typeOf(bag.getIndices()), -1);
      })
      .Case<NllLossOp>([&](NllLossOp loss) {
        work.vectorFlops += 3 * sizes.getElements(typeOf(loss.getLabels()));
      })
      // Each element of the result looks through the updates.
      .Case<ScatterElementsOp>([&](ScatterElementsOp scatter) {
        work.vectorFlops +=
            3 * results *
            sizes.getSize(typeOf(scatter.getIndices()), scatter.getAxis());
      })
      .Case<ScatterNdOp>([&](ScatterNdOp scatter) {
        work.vectorFlops +=
            3 * results * sizes.getElements(typeOf(scatter.getIndices()));
      })
      .Case<ResizeOp>([&](ResizeOp resize) {
        work.vectorFlops += getResizeFlops(resize, sizes);
      })
      // These move data: no form is built to find nothing in it.
      .Case<ParameterOp, TransposeOp, ReshapeOp, BroadcastOp, TileOp, SliceOp,
            ConcatOp, SplitOp, PadOp, ReverseOp, GatherOp, GatherElementsOp,
            GatherNdOp, EmbeddingOp, IotaOp>([](auto) {})
      .Default([&](Operation *) {
        // An op that is new, or not of the graph dialect, counts as one flop.
        work.vectorFlops += getFormFlops(op, sizes).value_or(results);
      });
}

double tenon::cost::getElementsRead(Operation *op, unsigned operand,
                                    const SizeValues &sizes) {
  double all = sizes.getElements(typeOf(op->getOperand(operand)));
  if (operand != 0 || op->getNumResults() == 0)
    return all;
  if (isa<SliceOp, GatherOp, GatherElementsOp, GatherNdOp, EmbeddingOp>(op))
    return std::min(all, sizes.getElements(typeOf(op->getResult(0))));
  if (auto bag = dyn_cast<EmbeddingBagOp>(op))
    return std::min(all, sizes.getElements(typeOf(bag.getResult())) *
                             sizes.getSize(typeOf(bag.getIndices()), -1));
  if (auto loss = dyn_cast<NllLossOp>(op))
    return std::min(all, sizes.getElements(typeOf(loss.getLabels())));
  return all;
}

double tenon::cost::getBytesRead(Operation *op, const SizeValues &sizes,
                                 const kernel::LoadAnalysis *loads,
                                 double &weights) {
  double bytes = 0;
  for (unsigned i = 0; i < op->getNumOperands(); ++i) {
    Value operand = op->getOperand(i);
    // A tensor that is used twice is read once.
    if (isa<RankedTensorType>(operand.getType()) &&
        !llvm::is_contained(op->getOperands().take_front(i), operand))
      (kernel::isPrepared(operand, loads) ? weights : bytes) +=
          getElementsRead(op, i, sizes) *
          getStoredBits(typeOf(operand).getElementType()) / 8;
  }
  return bytes;
}
