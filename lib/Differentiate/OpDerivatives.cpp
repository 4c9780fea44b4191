//===- OpDerivatives.cpp - which derivative an op has ---------------------===//
//
// Part of the Tenon project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "OpDerivatives.h"
#include "tenon/Differentiate/ReverseMode.h"

#include "llvm/ADT/TypeSwitch.h"

using namespace mlir;
using namespace tenon;
using namespace tenon::graph;
using namespace tenon::differentiate;

//===----------------------------------------------------------------------===//
// Cotangents
//===----------------------------------------------------------------------===//

void Cotangents::give(unsigned operand, Value cotangent) {
  Type type = op_->getOperand(operand).getType();
  cotangent =
      cast(cotangent, llvm::cast<RankedTensorType>(type).getElementType());
  operands[operand] = withType(cotangent, type);
}

Value Cotangents::sumTo(Value x, const Shape &shape) {
  Shape own = getShape(x);
  size_t missing = own.size() - shape.size();
  SmallVector<int64_t> axes;
  for (size_t axis = 0; axis < own.size(); ++axis)
    if (axis < missing || (shape[axis - missing].getConstant() == 1 &&
                           own[axis].getConstant() != 1))
      axes.push_back(axis);
  if (!axes.empty())
    x = op<ReduceSumOp>(x, getInts(builder.getContext(), axes), false);
  return reshape(x, shape);
}

Value Cotangents::transpose(Value x, ArrayRef<int64_t> perm) {
  if (llvm::equal(perm, axesFrom(0, perm.size())))
    return x;
  return op<TransposeOp>(x, getInts(builder.getContext(), perm));
}

Value Cotangents::slice(Value x, int64_t axis, const SymInt &start,
                        const SymInt &size) {
  Shape sizes = getShape(x);
  if (start.getConstant() == 0 && sizes[axis] == size)
    return x;
  Shape starts(sizes.size(), SymInt(0)), steps(sizes.size(), SymInt(1));
  starts[axis] = start;
  sizes[axis] = size;
  return op<SliceOp>(x, dims(starts), dims(sizes), dims(steps));
}

Value Cotangents::sliceTo(Value x, const Shape &sizes) {
  if (getShape(x) == sizes)
    return x;
  Shape starts(sizes.size(), SymInt(0)), steps(sizes.size(), SymInt(1));
  return op<SliceOp>(x, dims(starts), dims(sizes), dims(steps));
}

Value Cotangents::pad(Value x, int64_t axis, const SymInt &low,
                      const SymInt &high) {
  if (low.getConstant() == 0 && high.getConstant() == 0)
    return x;
  Shape lows(getRank(x), SymInt(0)), highs = lows;
  lows[axis] = low;
  highs[axis] = high;
  return op<PadOp>(x, dims(lows), dims(highs), PadMode::Constant,
                   llvm::APFloat(0.0));
}

Value Cotangents::positions(const Shape &shape, int64_t axis) {
  return op<IotaOp>(dims(shape), axis, builder.getI64Type());
}

//===----------------------------------------------------------------------===//
// Dispatch
//===----------------------------------------------------------------------===//

LogicalResult
differentiate::differentiateDecomposition(DecomposableInterface op,
                                          Cotangents &c) {
  Operation *before = nullptr;
  Block *block = c.builder.getInsertionBlock();
  Block::iterator point = c.builder.getInsertionPoint();
  if (point != block->begin())
    before = &*std::prev(point);
  SmallVector<Value> values = op.decompose(c.builder);
  if (values.empty())
    return op->emitOpError("can't be differentiated: expected named sizes and "
                           "constant axes");
  SmallVector<Operation *> ops;
  for (auto it = before ? std::next(before->getIterator()) : block->begin();
       it != point; ++it)
    ops.push_back(&*it);

  CotangentMap cotangents;
  SmallVector<Value> sources;
  for (auto [value, cotangent] : llvm::zip(values, c.ofResults()))
    if (cotangent) {
      // A decomposition may return a value for two results.
      Value &sum = cotangents[value];
      Value typed = c.withType(cotangent, value.getType());
      sum = sum ? c.add(sum, typed) : typed;
    }
  for (auto [operand, wanted] : llvm::zip(op->getOperands(), c.getWanted()))
    if (wanted)
      sources.push_back(operand);
  if (failed(pullBack(c.builder, ops, sources, cotangents)))
    return failure();
  // An operand that is used twice gets its cotangent once.
  llvm::SmallDenseSet<Value> given;
  for (auto [number, operand] : llvm::enumerate(op->getOperands()))
    if (Value cotangent = cotangents.lookup(operand);
        cotangent && c.wants(number) && given.insert(operand).second)
      c.give(number, cotangent);
  return success();
}

static bool isEmpty(Value tensor) {
  return llvm::any_of(getShape(tensor), [](const SymInt &size) {
    return size.getConstant() == 0;
  });
}

/// Whether all cotangents are 0, or those of the wanted operands have no
/// elements. The ops of a derivative need not be valid for such sizes.
static bool isTrivial(const Cotangents &c) {
  Operation *op = c.getOp();
  // A sum of products is 0 if one factor has no elements.
  bool isProduct =
      isa<ConvOp, ConvTransposeOp, ConvBackwardWeightOp, MatmulOp>(op);
  if (isProduct && llvm::any_of(op->getOperands(), isEmpty))
    return true;
  if (llvm::all_of(c.ofResults(), [](Value cotangent) {
        return !cotangent || isEmpty(cotangent);
      }))
    return true;
  return llvm::all_of(llvm::enumerate(op->getOperands()), [&](auto operand) {
    return !c.wants(operand.index()) || isEmpty(operand.value());
  });
}

FailureOr<SmallVector<Value>>
differentiate::buildCotangents(OpBuilder &builder, Operation *op,
                               ArrayRef<Value> cotangents,
                               ArrayRef<bool> wanted) {
  if (llvm::none_of(wanted, [](bool w) { return w; }))
    return SmallVector<Value>(wanted.size());
  if (!hasNamedSizes(op))
    return op->emitOpError("can't be differentiated: expected sizes that are "
                           "numbers or have names");
  Cotangents c(builder, op, cotangents, wanted);
  if (isTrivial(c))
    return SmallVector<Value>(wanted.size());
  LogicalResult result =
      llvm::TypeSwitch<Operation *, LogicalResult>(op)
          .Case<TransposeOp, ReshapeOp, BroadcastOp, TileOp, SliceOp, ConcatOp,
                SplitOp, PadOp, ReverseOp, ResizeOp, ReduceSumOp, AllReduceOp,
                CumsumOp, AvgPoolOp, GatherOp, GatherElementsOp, GatherNdOp,
                ScatterElementsOp, ScatterNdOp, MatmulOp, ConvOp,
                ConvTransposeOp, ConvBackwardWeightOp, ReduceProdOp,
                ReduceMaxOp, ReduceMinOp, CumprodOp, MaxPoolOp, LpPoolOp, LrnOp,
                TopKOp, SoftmaxOp, LogSoftmaxOp, LayerNormOp, RmsNormOp,
                BatchNormOp, GroupNormOp, InstanceNormOp, ReduceL2Op,
                ReduceLogSumExpOp, NllLossOp, SoftmaxCrossEntropyOp>(
              [&](auto concrete) { return differentiate(concrete, c); })
          // Its values jump: the derivative is 0 where there is one.
          .Case<HardmaxOp>([](Operation *) { return success(); })
          .Case<ElementwiseInterface>([&](ElementwiseInterface elementwise) {
            return differentiateElementwise(elementwise, c);
          })
          .Case<DecomposableInterface>([&](DecomposableInterface composite) {
            return differentiateDecomposition(composite, c);
          })
          .Default([](Operation *other) {
            return other->emitOpError("has no derivative");
          });
  if (failed(result))
    return failure();
  return llvm::to_vector(c.getOperands());
}
