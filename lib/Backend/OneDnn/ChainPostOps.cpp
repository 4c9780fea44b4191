//===- ChainPostOps.cpp - operands and post-ops of a call -----------------===//
//
// Part of the Tenon project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "ChainBuilder.h"
#include "Structure.h"

using namespace mlir;
using namespace tenon;
using namespace tenon::graph;
using namespace tenon::backend;

/// Returns the logical view of a tensor that has the result's shape or is
/// broadcast to it.
CallOperand ChainBuilder::view(Type type, Shape shape) {
  CallOperand operand;
  operand.elementType = cast<RankedTensorType>(type).getElementType();
  size_t rank = cast<RankedTensorType>(chain.getType()).getRank();
  if (how == View::ChannelsLast) {
    while (shape.size() < rank)
      shape.insert(shape.begin(), SymInt(1));
    operand.shape.push_back(shape.front());
    operand.shape.push_back(shape.back());
    operand.shape.append(shape.begin() + 1, shape.end() - 1);
    operand.order.push_back(0);
    for (size_t axis = 2; axis < rank; ++axis)
      operand.order.push_back(axis);
    operand.order.push_back(1);
    return operand;
  }
  if (how == View::Flat) {
    while (shape.size() < 2)
      shape.insert(shape.begin(), SymInt(1));
    SymInt rows = 1;
    Shape all = getShape(chain);
    for (const SymInt &size : ArrayRef<SymInt>(shape).drop_back())
      rows = rows * size;
    flattenedWrongly |=
        rows != SymInt(1) && ArrayRef<SymInt>(shape).drop_back() !=
                                 ArrayRef<SymInt>(all).drop_back();
    operand.shape = {rows, shape.back()};
    return operand;
  }
  while (shape.size() < rank)
    shape.insert(shape.begin(), SymInt(1));
  operand.shape = std::move(shape);
  return operand;
}

LogicalResult ChainBuilder::addInput(Value value, CallOperand operand) {
  auto argument = dyn_cast<BlockArgument>(value);
  if (!argument)
    return call.emitOpError() << "has an operand of a library call that is "
                                 "computed inside the region";
  built.inputs.push_back(argument.getArgNumber());
  built.operands.push_back(std::move(operand));
  return success();
}

LogicalResult ChainBuilder::addPostOpOperand(program::PostOpKind kind,
                                             Value other, bool mayBeBias) {
  Value source = other;
  if (auto broadcast = other.getDefiningOp<BroadcastOp>())
    source = broadcast.getX();
  Shape shape = getShape(source);
  // A vector along the channels that is added first is the bias of the call.
  size_t rank = getShape(chain).size();
  bool alongChannels = true;
  for (auto [axis, size] : llvm::enumerate(shape)) {
    size_t inResult = axis + rank - shape.size();
    if (inResult == channelAxis)
      alongChannels &= size == getShape(chain)[channelAxis];
    else
      alongChannels &= size.getConstant() == 1;
  }
  alongChannels &= shape.size() + channelAxis >= rank;
  if (mayBeBias && mayHaveBias && alongChannels && built.postOps.empty() &&
      kind == program::PostOpKind::Add) {
    mayHaveBias = false;
    return addInput(source, {getElementTypeOrSelf(source.getType()),
                             {getShape(chain)[channelAxis]},
                             {}});
  }
  addPostOp(kind);
  return addInput(source, view(source.getType(), shape));
}

LogicalResult ChainBuilder::visitPostOp(Operation *op) {
  if (isa<ConstantOp, BroadcastOp>(op))
    return success();
  if (!chain || !llvm::is_contained(op->getOperands(), chain))
    return op->emitOpError() << "does not read the result of its library call";
  bool first = op->getOperand(0) == chain;
  if (isa<SubOp, DivOp>(op) && !first)
    return op->emitOpError() << "can't be part of an epilogue: expected the "
                                "result of the product as the first operand";
  Value other;
  if (op->getNumOperands() == 2)
    other = op->getOperand(first ? 1 : 0);
  std::optional<double> splat = other ? getSplat(other) : std::nullopt;
  LogicalResult result =
      llvm::TypeSwitch<Operation *, LogicalResult>(op)
          .Case<ReluOp>([&](auto) {
            addPostOp(program::PostOpKind::Relu);
            return success();
          })
          .Case<LeakyReluOp>([&](auto leaky) {
            addPostOp(program::PostOpKind::Relu,
                      leaky.getAlpha().convertToDouble());
            return success();
          })
          .Case<ClipOp>([&](auto clip) {
            addPostOp(program::PostOpKind::Clip,
                      clip.getLow().convertToDouble(),
                      clip.getHigh().convertToDouble());
            return success();
          })
          .Case<EluOp>([&](auto elu) {
            addPostOp(program::PostOpKind::Elu,
                      elu.getAlpha().convertToDouble());
            return success();
          })
          .Case<GeluOp>([&](auto gelu) {
            addPostOp(gelu.getTanh() ? program::PostOpKind::GeluTanh
                                     : program::PostOpKind::GeluErf);
            return success();
          })
          .Case<SiluOp>([&](auto) {
            addPostOp(program::PostOpKind::Swish, 1.0);
            return success();
          })
          .Case<MishOp>([&](auto) {
            addPostOp(program::PostOpKind::Mish);
            return success();
          })
          .Case<HardSwishOp>([&](auto) {
            addPostOp(program::PostOpKind::HardSwish);
            return success();
          })
          .Case<HardSigmoidOp>([&](auto hard) {
            addPostOp(program::PostOpKind::Linear,
                      hard.getAlpha().convertToDouble(),
                      hard.getBeta().convertToDouble());
            addPostOp(program::PostOpKind::Clip, 0.0, 1.0);
            return success();
          })
          .Case<SigmoidOp>([&](auto) {
            addPostOp(program::PostOpKind::Sigmoid);
            return success();
          })
          .Case<TanhOp>([&](auto) {
            addPostOp(program::PostOpKind::Tanh);
            return success();
          })
          .Case<AbsOp>([&](auto) {
            addPostOp(program::PostOpKind::Abs);
            return success();
          })
          .Case<SqrtOp>([&](auto) {
            addPostOp(program::PostOpKind::Sqrt);
            return success();
          })
          .Case<ExpOp>([&](auto) {
            addPostOp(program::PostOpKind::Exp);
            return success();
          })
          .Case<AddOp>([&](auto) {
            if (!splat)
              return addPostOpOperand(program::PostOpKind::Add, other, true);
            addPostOp(program::PostOpKind::Linear, 1.0, *splat);
            return success();
          })
          .Case<SubOp>([&](auto) {
            if (!splat)
              return addPostOpOperand(program::PostOpKind::Sub, other, false);
            addPostOp(program::PostOpKind::Linear, 1.0, -*splat);
            return success();
          })
          .Case<MulOp>([&](auto) {
            if (!splat)
              return addPostOpOperand(program::PostOpKind::Mul, other, false);
            addPostOp(program::PostOpKind::Linear, *splat, 0.0);
            return success();
          })
          .Case<DivOp>([&](auto) {
            return addPostOpOperand(program::PostOpKind::Div, other, false);
          })
          .Case<MaximumOp>([&](auto) {
            return addPostOpOperand(program::PostOpKind::Max, other, false);
          })
          .Case<MinimumOp>([&](auto) {
            return addPostOpOperand(program::PostOpKind::Min, other, false);
          })
          .Default([&](Operation *) {
            return op->emitOpError() << "can't be part of a library call";
          });
  chain = op->getResult(0);
  return result;
}
