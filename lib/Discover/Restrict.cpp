//===- Restrict.cpp - graphs that compute a part of a result --------------===//
//
// Part of the Tenon project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Restrict.h"

#include "llvm/ADT/STLExtras.h"

using namespace mlir;
using namespace tenon;
using namespace tenon::discover;
using graph::DimsAttr;
using graph::Shape;
using graph::SymInt;

static Box getWhole(Value value) {
  Shape shape = graph::getShape(value);
  return {Shape(shape.size(), SymInt(0)), shape};
}

static bool isWhole(Value value, const Box &box) {
  Box whole = getWhole(value);
  return whole.begin == box.begin && whole.end == box.end;
}

Value tenon::discover::sliceBox(OpBuilder &builder, Value value,
                                const Box &box) {
  if (isWhole(value, box))
    return value;
  Shape sizes;
  for (auto [begin, end] : llvm::zip_equal(box.begin, box.end))
    sizes.push_back(end - begin);
  MLIRContext *context = builder.getContext();
  Shape ones(sizes.size(), SymInt(1));
  return graph::SliceOp::create(builder, builder.getUnknownLoc(), value,
                                DimsAttr::get(context, box.begin),
                                DimsAttr::get(context, sizes),
                                DimsAttr::get(context, ones));
}

FailureOr<Value> Restriction::fail(const Twine &why) {
  if (reason.empty())
    reason = why.str();
  return failure();
}

/// What most instances say becomes a condition of the rule.
SymInt Restriction::clamp(const SymInt &size) {
  size_t positive = 0, negative = 0;
  for (const auto &values : instances) {
    auto value = size.evaluate([&](StringRef name) -> std::optional<int64_t> {
      auto found = values.find(name.str());
      if (found == values.end())
        return std::nullopt;
      return found->second;
    });
    positive += value && *value > 0;
    negative += value && *value < 0;
  }
  SymInt assumed = positive > negative ? size : -size;
  if (assumed.lowerBound().value_or(-1) < 0)
    assumptions.push_back(assumed);
  return positive > negative ? size : SymInt(0);
}

/// The rows of the input that some rows of the output read; what they read
/// beyond its ends is padding.
FailureOr<Value> Restriction::restrictConv(graph::ConvOp op, const Box &box) {
  const bool isLast = op.getLayout() == graph::Layout::ChannelsLast;
  const size_t rank = box.begin.size();
  const size_t channels = isLast ? rank - 1 : 1, first = isLast ? 1 : 2;
  Shape result = graph::getShape(op.getResult()),
        input = graph::getShape(op.getInput()),
        kernel = graph::getShape(op.getWeight());
  bool hasAllFilters =
      box.begin[channels] == SymInt(0) && box.end[channels] == result[channels];
  if (!hasAllFilters && op.getGroups().getEntry(0) != SymInt(1))
    return fail("some channels of a convolution with groups");
  Box read = getWhole(op.getInput()), filters = getWhole(op.getWeight());
  read.begin[0] = box.begin[0];
  read.end[0] = box.end[0];
  filters.begin[0] = box.begin[channels];
  filters.end[0] = box.end[channels];
  Shape pads(2 * (rank - 2), SymInt(0));
  for (size_t axis = 0; axis < rank - 2; ++axis) {
    size_t at = first + axis;
    SymInt low = op.getPads().getEntry(axis);
    if (box.begin[at] == SymInt(0) && box.end[at] == result[at]) {
      pads[axis] = low;
      pads[rank - 2 + axis] = op.getPads().getEntry(rank - 2 + axis);
      continue;
    }
    SymInt stride = op.getStrides().getEntry(axis);
    SymInt begin = stride * box.begin[at] - low;
    SymInt end = stride * (box.end[at] - 1) - low + 1 +
                 op.getDilations().getEntry(axis) * (kernel[2 + axis] - 1);
    pads[axis] = clamp(-begin);
    pads[rank - 2 + axis] = clamp(end - input[at]);
    read.begin[at] = clamp(begin);
    read.end[at] = input[at] - clamp(input[at] - end);
  }
  auto operand = restrict(op.getInput(), read);
  auto weight = restrict(op.getWeight(), filters);
  if (failed(operand) || failed(weight))
    return failure();
  return Value(graph::ConvOp::create(
      builder, builder.getUnknownLoc(), *operand, *weight, op.getStrides(),
      DimsAttr::get(builder.getContext(), pads), op.getDilations(),
      op.getGroups(), op.getLayout()));
}

FailureOr<Value> Restriction::restrictMatmul(graph::MatmulOp op,
                                             const Box &box) {
  const size_t rank = box.begin.size();
  SmallVector<Value, 2> operands;
  for (unsigned number : {0, 1}) {
    Value operand = op->getOperand(number);
    Box read = getWhole(operand);
    size_t own = read.begin.size();
    if (own < 2 || rank < own)
      return fail("a product of vectors");
    // One of the last two axes is of the result, the other is summed over.
    const bool isTransposed =
        number == 0 ? op.getTransposeA() : op.getTransposeB();
    const size_t inResult = number == 0 ? rank - 2 : rank - 1;
    const size_t kept = (number == 0) != isTransposed ? own - 2 : own - 1;
    read.begin[kept] = box.begin[inResult];
    read.end[kept] = box.end[inResult];
    for (size_t axis = 0; axis + 2 < own; ++axis) {
      if (read.end[axis] == SymInt(1))
        continue; // is broadcast
      read.begin[axis] = box.begin[rank - own + axis];
      read.end[axis] = box.end[rank - own + axis];
    }
    auto part = restrict(operand, read);
    if (failed(part))
      return failure();
    operands.push_back(*part);
  }
  return Value(graph::MatmulOp::create(builder, builder.getUnknownLoc(),
                                       operands[0], operands[1],
                                       op.getTransposeA(), op.getTransposeB()));
}

FailureOr<Value> Restriction::restrict(Value value, const Box &box) {
  Operation *op = value.getDefiningOp();
  if (!op)
    return sliceBox(builder, arguments.lookup(value), box);
  if (auto conv = dyn_cast<graph::ConvOp>(op))
    return restrictConv(conv, box);
  if (auto matmul = dyn_cast<graph::MatmulOp>(op))
    return restrictMatmul(matmul, box);
  if (auto transpose = dyn_cast<graph::TransposeOp>(op)) {
    Box read = box;
    auto perm = *transpose.getPerm().getConstants();
    for (auto [axis, from] : llvm::enumerate(perm)) {
      read.begin[from] = box.begin[axis];
      read.end[from] = box.end[axis];
    }
    auto operand = restrict(transpose.getX(), read);
    if (failed(operand))
      return failure();
    return Value(graph::TransposeOp::create(builder, builder.getUnknownLoc(),
                                            *operand, transpose.getPermAttr()));
  }
  if (isa<graph::ElementwiseInterface>(op)) {
    SmallVector<Value> operands;
    for (Value operand : op->getOperands()) {
      auto part = restrict(operand, box);
      if (failed(part))
        return failure();
      operands.push_back(*part);
    }
    OperationState state(builder.getUnknownLoc(), op->getName());
    state.addOperands(operands);
    state.addAttributes(op->getAttrs());
    auto type = cast<RankedTensorType>(value.getType());
    Shape sizes;
    for (auto [begin, end] : llvm::zip_equal(box.begin, box.end))
      sizes.push_back(end - begin);
    state.addTypes(graph::getTensorType(sizes, type.getElementType()));
    return builder.create(state)->getResult(0);
  }
  return fail("no part of '" + op->getName().getStringRef() +
              "' can be computed alone");
}
