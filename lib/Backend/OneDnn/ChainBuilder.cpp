//===- ChainBuilder.cpp - the oneDNN call for a chain of ops --------------===//
//
// Part of the Tenon project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "ChainBuilder.h"
#include "Patterns.h"

using namespace mlir;
using namespace tenon;
using namespace tenon::graph;
using namespace tenon::backend;

LogicalResult ChainBuilder::checkProduct(Operation *op) {
  if (isProductTaken(op))
    return success();
  return op->emitOpError()
         << "is a product that oneDNN does not support: expected elements of "
            "f32, constant strides, pads, dilations and groups, and an output "
            "padding below the stride";
}

LogicalResult ChainBuilder::visitMatmul(MatmulOp op) {
  if (failed(checkProduct(op)))
    return failure();
  built.primitive = program::MatmulAttr::get(op.getContext(), /*tf32=*/false);
  mayHaveBias = true;
  Shape lhs = getShape(op.getLhs()), rhs = getShape(op.getRhs());
  chain = op.getResult();
  channelAxis = getShape(chain).size() - 1;
  Type element = cast<RankedTensorType>(chain.getType()).getElementType();
  // The operand holds the transposed matrix: swap its last two axes.
  auto transposed = [](CallOperand &operand) {
    int32_t rank = operand.shape.size();
    std::swap(operand.shape[rank - 1], operand.shape[rank - 2]);
    if (operand.order.empty())
      for (int32_t axis = 0; axis < rank; ++axis)
        operand.order.push_back(axis);
    for (int32_t &axis : operand.order)
      axis = axis == rank - 1 ? rank - 2 : axis == rank - 2 ? rank - 1 : axis;
  };
  Value lhsSource = op.getLhs(), rhsSource = op.getRhs();
  CallOperand left{element, lhs, takeTranspose(lhsSource)};
  CallOperand right{element, rhs, takeTranspose(rhsSource)};
  if (mayFlatten && rhs.size() == 2 && lhs.size() > 2 && !op.getTransposeA() &&
      left.order.empty()) {
    how = View::Flat;
    left = view(op.getLhs().getType(), lhs);
  } else {
    size_t rank = std::max(lhs.size(), rhs.size());
    for (CallOperand *operand : {&left, &right})
      while (operand->shape.size() < rank) {
        operand->shape.insert(operand->shape.begin(), SymInt(1));
        if (operand->order.empty())
          continue;
        for (int32_t &axis : operand->order)
          ++axis;
        operand->order.insert(operand->order.begin(), 0);
      }
    if (op.getTransposeA())
      transposed(left);
  }
  if (op.getTransposeB())
    transposed(right);
  return success(succeeded(addInput(lhsSource, std::move(left))) &&
                 succeeded(addInput(rhsSource, std::move(right))));
}

LogicalResult ChainBuilder::visitTranspose(TransposeOp op) {
  bool onResult = static_cast<bool>(chain);
  bool isOfMatmul =
      onResult ? isa<program::MatmulAttr>(built.primitive) && how != View::Flat
               : llvm::all_of(op->getUsers(), [](Operation *user) {
                   return isa<MatmulOp>(user);
                 });
  if (isOfMatmul && isFreeTranspose(op, onResult))
    return success();
  return op.emitOpError() << "is a transpose that oneDNN does not support: "
                             "expected one of a matmul, whose innermost axis "
                             "is a matrix axis in memory";
}

/// If a transpose in the region computes the value, replaces the value by the
/// transpose's input and returns the order of the value's axes in memory.
SmallVector<int32_t> ChainBuilder::takeTranspose(Value &value) {
  auto transpose = value.getDefiningOp<TransposeOp>();
  if (!transpose)
    return {};
  SmallVector<int64_t> perm = *transpose.getPerm().getConstants();
  // Axis i of the value is axis perm[i] in memory.
  SmallVector<int32_t> order(perm.size());
  for (auto [axis, inMemory] : llvm::enumerate(perm))
    order[inMemory] = axis;
  value = transpose.getX();
  return order;
}

template <typename Primitive, typename Op>
LogicalResult ChainBuilder::visitConvolution(Op op) {
  if (failed(checkProduct(op)))
    return failure();
  SmallVector<int64_t> pads = *op.getPads().getConstants();
  size_t spatial = pads.size() / 2;
  built.primitive = Primitive::get(
      op.getContext(), *op.getStrides().getConstants(),
      *op.getDilations().getConstants(), ArrayRef(pads).take_front(spatial),
      ArrayRef(pads).take_back(spatial),
      op.getGroups().getConstants()->front());
  mayHaveBias = true;
  chain = op.getResult();
  bool last = op.getLayout() == Layout::ChannelsLast;
  how = last ? View::ChannelsLast : View::Plain;
  channelAxis = last ? getShape(chain).size() - 1 : 1;
  CallOperand weight{getElementTypeOrSelf(op.getWeight().getType()),
                     getShape(op.getWeight()),
                     {}};
  return success(
      succeeded(addInput(op.getInput(), view(op.getInput().getType(),
                                             getShape(op.getInput())))) &&
      succeeded(addInput(op.getWeight(), std::move(weight))));
}

LogicalResult ChainBuilder::visitBackwardWeight(ConvBackwardWeightOp op) {
  if (!isBackwardWeightTaken(op))
    return op->emitOpError()
           << "is a gradient of a weight that oneDNN does not support";
  SmallVector<int64_t> begins = *op.getPads().getConstants();
  built.primitive = program::ConvBackwardWeightAttr::get(
      op.getContext(), *op.getStrides().getConstants(),
      *op.getDilations().getConstants(), begins,
      SmallVector<int64_t>(begins.size(), 0),
      op.getGroups().getConstants()->front());
  chain = op.getResult();
  how =
      op.getLayout() == Layout::ChannelsLast ? View::ChannelsLast : View::Plain;
  for (Value operand : {op.getInput(), op.getCotangent()})
    if (failed(addInput(operand, view(operand.getType(), getShape(operand)))))
      return failure();
  how = View::Plain; // the layout of the result
  return success();
}

template <typename Primitive, typename Op>
LogicalResult ChainBuilder::visitWindow(Op pool, bool countsPads) {
  SmallVector<int64_t> pads = *pool.getPads().getConstants();
  built.primitive =
      Primitive::get(pool.getContext(), *pool.getKernel().getConstants(),
                     *pool.getStrides().getConstants(),
                     ArrayRef(pads).take_front(pads.size() / 2), countsPads);
  chain = pool.getResult();
  how = pool.getLayout() == Layout::ChannelsLast ? View::ChannelsLast
                                                 : View::Plain;
  return addInput(pool.getInput(),
                  view(pool.getInput().getType(), getShape(pool.getInput())));
}

LogicalResult ChainBuilder::visitPool(Operation *op) {
  if (!isPoolTaken(op))
    return op->emitOpError() << "is a pool that oneDNN does not support";
  return llvm::TypeSwitch<Operation *, LogicalResult>(op)
      .Case([&](MaxPoolOp pool) {
        return visitWindow<program::MaxPoolAttr>(pool, false);
      })
      .Case([&](AvgPoolOp pool) {
        return visitWindow<program::AvgPoolAttr>(pool,
                                                 pool.getCountIncludePad());
      });
}

FailureOr<LibraryCall> ChainBuilder::run() {
  for (Operation &op : call.getBodyBlock().without_terminator()) {
    if (chain && isa<MatmulOp, ConvOp, ConvTransposeOp, ConvBackwardWeightOp,
                     MaxPoolOp, AvgPoolOp>(op))
      return op.emitOpError() << "must be the first op of its library call";
    LogicalResult result =
        llvm::TypeSwitch<Operation *, LogicalResult>(&op)
            .Case<MatmulOp>([&](auto root) { return visitMatmul(root); })
            .Case<ConvOp>([&](auto root) {
              return visitConvolution<program::ConvAttr>(root);
            })
            .Case<ConvTransposeOp>([&](auto root) {
              return visitConvolution<program::ConvTransposeAttr>(root);
            })
            .Case<ConvBackwardWeightOp>(
                [&](auto root) { return visitBackwardWeight(root); })
            .Case<MaxPoolOp, AvgPoolOp>(
                [&](auto root) { return visitPool(root); })
            .Case<TransposeOp>(
                [&](auto transpose) { return visitTranspose(transpose); })
            .Default([&](Operation *postOp) { return visitPostOp(postOp); });
    if (failed(result))
      return failure();
  }
  if (!chain || call.getYielded().size() != 1)
    return call.emitOpError() << "expected a library call to yield one value";
  CallOperand result = view(chain.getType(), getShape(chain));
  Value yielded = call.getYielded()[0];
  if (auto transpose = yielded.getDefiningOp<TransposeOp>()) {
    // Axis i of the stored tensor is axis perm[i] of the result.
    SmallVector<int64_t> perm = *transpose.getPerm().getConstants();
    for (int64_t axis : perm)
      result.order.push_back(axis);
    yielded = transpose.getX();
  }
  if (yielded != chain)
    return call.emitOpError() << "expected a library call to yield the end of "
                                 "its chain";
  built.operands.push_back(std::move(result));
  return std::move(built);
}
