//===- Losses.cpp - losses of predictions ---------------------------------===//
//
// Part of the Tenon project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "tenon/Dialect/Graph/IR/Compose.h"
#include "tenon/Differentiate/Training.h"

using namespace mlir;
using namespace tenon;
using namespace tenon::graph;
using namespace tenon::differentiate;

StringRef tenon::differentiate::getName(Loss loss) {
  switch (loss) {
  case Loss::Result:
    return "result";
  case Loss::CrossEntropy:
    return "cross-entropy";
  case Loss::MeanSquared:
    return "mean-squared";
  case Loss::BinaryCrossEntropy:
    return "binary-cross-entropy";
  }
  llvm_unreachable("unknown loss");
}

ArrayRef<Loss> tenon::differentiate::getAll(Loss) {
  static constexpr Loss all[] = {Loss::Result, Loss::CrossEntropy,
                                 Loss::MeanSquared, Loss::BinaryCrossEntropy};
  return all;
}

/// The axis from the start, as a prediction of two axes or more has it.
static int64_t getAxis(int64_t classAxis, int64_t rank) {
  if (classAxis == 0)
    return 1;
  return classAxis < 0 ? classAxis + rank : classAxis;
}

FailureOr<RankedTensorType>
tenon::differentiate::getTargetType(Location loc, Loss loss, Value prediction,
                                    int64_t classAxis) {
  auto type = cast<RankedTensorType>(prediction.getType());
  int64_t rank = type.getRank();
  auto error = [&](StringRef option) {
    return emitError(loc) << "graph-train: " << option << ": ";
  };
  if (loss != Loss::CrossEntropy && classAxis != 0)
    return error("class-axis") << getName(loss) << " has no axis of classes";
  switch (loss) {
  case Loss::Result:
    if (rank != 0)
      return error("loss") << "result: expected a scalar, but the result is "
                           << type;
    return RankedTensorType();
  case Loss::MeanSquared:
  case Loss::BinaryCrossEntropy:
    return type;
  case Loss::CrossEntropy:
    break;
  }
  if (rank < 2)
    return error("loss") << "cross-entropy: expected items and classes, but "
                            "the result is "
                         << type;
  if (rank > 2 && classAxis == 0)
    return error("class-axis")
           << "expected the number of the axis of classes of " << type;
  int64_t axis = getAxis(classAxis, rank);
  if (axis < 1 || axis >= rank)
    return error("class-axis")
           << "expected an axis from 1 to " << rank - 1 << " or from -1 to "
           << 1 - rank << " for " << type << ", but got " << classAxis;
  Shape shape = getShape(prediction);
  shape.erase(shape.begin() + axis);
  return getTensorType(shape, IntegerType::get(type.getContext(), 64));
}

/// Scores [n, c, d...] and labels [n, d...] from a class axis anywhere.
static Value buildCrossEntropy(Compose &c, Value scores, Value labels,
                               int64_t axis) {
  int64_t rank = getRank(scores);
  if (auto softmax = scores.getDefiningOp<SoftmaxOp>();
      softmax && static_cast<int64_t>(softmax.getAxis()) == axis)
    scores = softmax.getX();
  MLIRContext *context = c.builder.getContext();
  if (axis != 1) {
    SmallVector<int64_t> order = axesFrom(0, rank);
    order.erase(order.begin() + axis);
    order.insert(order.begin() + 1, axis);
    scores = c.op<TransposeOp>(scores, getInts(context, order));
  }
  return c.op<SoftmaxCrossEntropyOp>(
      scores, labels, Value(),
      LossReductionAttr::get(context, LossReduction::Mean), IntegerAttr());
}

/// -t log(sigmoid(x)) - (1 - t) log(1 - sigmoid(x)) = softplus(x) - t x.
static Value buildBinaryCrossEntropy(Compose &c, Value scores, Value target) {
  if (auto sigmoid = scores.getDefiningOp<SigmoidOp>())
    scores = sigmoid.getX();
  Value losses = c.sub(c.op<SoftplusOp>(scores), c.mul(target, scores));
  return c.op<ReduceMeanOp>(
      losses, getInts(c.builder.getContext(), axesFrom(0, getRank(losses))),
      false);
}

Value tenon::differentiate::buildLoss(OpBuilder &builder, Location loc,
                                      Loss loss, Value prediction, Value target,
                                      int64_t classAxis) {
  Compose c(builder, loc);
  switch (loss) {
  case Loss::Result:
    return prediction;
  case Loss::CrossEntropy:
    return buildCrossEntropy(c, prediction, target,
                             getAxis(classAxis, getRank(prediction)));
  case Loss::MeanSquared:
    return c.op<MseLossOp>(
        prediction, target,
        LossReductionAttr::get(builder.getContext(), LossReduction::Mean));
  case Loss::BinaryCrossEntropy:
    return buildBinaryCrossEntropy(c, prediction, target);
  }
  llvm_unreachable("unknown loss");
}
