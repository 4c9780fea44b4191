//===- TosaMovement.cpp - tosa ops that move data, constants, shapes ------===//
//
// Part of the Tenon project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "../Onnx/SizeArithmetic.h"
#include "TosaConversion.h"

#include "llvm/ADT/TypeSwitch.h"

using namespace mlir;
using namespace tenon;
using namespace tenon::import;
using graph::Shape;
using graph::SymInt;

/// tosa's syntax can express an inferred size only as -1.
static bool convertReshape(TosaOpContext &c, tosa::ReshapeOp op) {
  Value x = c.tensor(op.getInput1());
  std::optional<Shape> to = c.shape(op.getShape());
  if (!x || !to)
    return false;
  for (SymInt &size : *to)
    if (size.getConstant() == -1) {
      size = SymInt(1);
      auto rest = onnx::remainingSize(graph::getShape(x), *to);
      if (!rest)
        return c.refuse("the size for -1 can't be inferred");
      size = *rest;
    }
  return c.finish(c.reshape(x, *to));
}

static bool convertSlice(TosaOpContext &c, tosa::SliceOp op) {
  Value x = c.tensor(op.getInput1());
  std::optional<Shape> starts = c.shape(op.getStart()),
                       sizes = c.shape(op.getSize());
  if (!x || !starts || !sizes || starts->size() != sizes->size() ||
      static_cast<int64_t>(sizes->size()) != rankOf(x))
    return false;
  Shape from = graph::getShape(x);
  for (size_t i = 0; i < sizes->size(); ++i)
    if ((*sizes)[i].getConstant() == -1)
      (*sizes)[i] = from[i] - (*starts)[i];
  SmallVector<SymInt> steps(sizes->size(), SymInt(1));
  return c.finish(c.op<graph::SliceOp>({x}, {c.dims("starts", *starts),
                                             c.dims("sizes", *sizes),
                                             c.dims("steps", steps)}));
}

static bool convertPad(TosaOpContext &c, tosa::PadOp op) {
  Value x = c.tensor(op.getInput1());
  std::optional<Shape> padding = c.shape(op.getPadding());
  if (!x || !padding || static_cast<int64_t>(padding->size()) != 2 * rankOf(x))
    return false;
  SmallVector<SymInt> low, high;
  for (size_t i = 0; i < padding->size(); i += 2) {
    low.push_back((*padding)[i]);
    high.push_back((*padding)[i + 1]);
  }
  auto constant = op.getPadConst().getDefiningOp<tosa::ConstOp>();
  auto value = constant ? dyn_cast<DenseElementsAttr>(constant.getValues())
                        : DenseElementsAttr();
  if (!value || !value.isSplat())
    return c.refuse("pad_const is not a constant");
  double fill =
      isa<FloatType>(value.getElementType())
          ? value.getSplatValue<FloatAttr>().getValueAsDouble()
          : static_cast<double>(value.getSplatValue<APInt>().getSExtValue());
  return c.finish(c.op<graph::PadOp>(
      {x}, {c.dims("low", low), c.dims("high", high),
            c.attr("mode", graph::PadModeAttr::get(c.getContext(),
                                                   graph::PadMode::Constant)),
            c.number("value", fill)}));
}

/// Gathers rows of each batch item: values [n, k, c], indices [n, w].
static bool convertGather(TosaOpContext &c, tosa::GatherOp op) {
  return c.finish(c.op<graph::GatherNdOp>(
      {c.tensor(op.getValues()), c.unsqueeze(c.tensor(op.getIndices()), {2})},
      {c.integer("batch_dims", 1)}));
}

static bool convertScatter(TosaOpContext &c, tosa::ScatterOp op) {
  Value updates = c.tensor(op.getInput());
  if (!updates)
    return false;
  Value indices = c.broadcast(c.unsqueeze(c.tensor(op.getIndices()), {2}),
                              graph::getShape(updates));
  return c.finish(c.op<graph::ScatterElementsOp>(
      {c.tensor(op.getValuesIn()), indices, updates},
      {c.integer("axis", 1),
       c.attr("reduction",
              graph::ScatterReductionAttr::get(
                  c.getContext(), graph::ScatterReduction::None))}));
}

/// With the scale n / d, output i is at (i * d + offset) / n of the input.
static bool convertResize(TosaOpContext &c, tosa::ResizeOp op) {
  Value x = c.tensor(op.getInput());
  auto scale = c.constants(op.getScale()), offset = c.constants(op.getOffset()),
       border = c.constants(op.getBorder());
  if (!x || !scale || !offset || !border || scale->size() != 4 ||
      offset->size() != 2 || border->size() != 2)
    return false;
  if (!graph::isFloat(elementTypeOf(x)))
    return c.refuse("integer interpolation");
  bool halfPixel = true, asymmetric = true;
  Shape shape = graph::getShape(x);
  SmallVector<double> scales(4, 1.0);
  for (int i : {0, 1}) {
    int64_t n = (*scale)[2 * i], d = (*scale)[2 * i + 1];
    if (n < 1 || d < 1 || n > (1 << 20) || d > (1 << 20))
      return c.refuse("a scale is out of range");
    halfPixel &= 2 * (*offset)[i] == d - n;
    asymmetric &= (*offset)[i] == 0;
    scales[i + 1] = static_cast<double>(n) / d;
    SymInt &size = shape[i + 1];
    size = ((size - SymInt(1)) * SymInt(n) - SymInt((*offset)[i]) +
            SymInt((*border)[i]))
               .floorDiv(SymInt(d)) +
           SymInt(1);
  }
  if (!halfPixel && !asymmetric)
    return c.refuse("an offset that is neither 0 nor half a pixel");
  MLIRContext *context = c.getContext();
  bool nearest = op.getMode() == tosa::ResizeMode::NEAREST_NEIGHBOR;
  return c.finish(c.op<graph::ResizeOp>(
      {x},
      {c.dims("shape", shape),
       c.attr("scales", DenseF64ArrayAttr::get(context, scales)),
       c.attr("mode", graph::ResizeModeAttr::get(
                          context, nearest ? graph::ResizeMode::Nearest
                                           : graph::ResizeMode::Linear)),
       c.attr("coordinates",
              graph::ResizeCoordinatesAttr::get(
                  context, asymmetric ? graph::ResizeCoordinates::Asymmetric
                                      : graph::ResizeCoordinates::HalfPixel)),
       c.attr("rounding", graph::ResizeRoundingAttr::get(
                              context, graph::ResizeRounding::RoundPreferCeil)),
       c.number("cubic_coeff", -0.75)}));
}

TosaStatus tenon::import::convertTosaMovement(TosaOpContext &c, Operation *op) {
  return llvm::TypeSwitch<Operation *, TosaStatus>(op)
      .Case([&](tosa::ConstOp constant) {
        auto value = dyn_cast<DenseElementsAttr>(constant.getValues());
        if (!value)
          return status(c.refuse("expected dense elements"));
        return status(c.finish(c.constant(value)));
      })
      .Case([&](tosa::ReshapeOp r) { return status(convertReshape(c, r)); })
      .Case([&](tosa::SliceOp s) { return status(convertSlice(c, s)); })
      .Case([&](tosa::PadOp p) { return status(convertPad(c, p)); })
      .Case([&](tosa::GatherOp g) { return status(convertGather(c, g)); })
      .Case([&](tosa::ScatterOp s) { return status(convertScatter(c, s)); })
      .Case([&](tosa::ResizeOp r) { return status(convertResize(c, r)); })
      .Case([&](tosa::TransposeOp transpose) {
        SmallVector<int64_t> perm(transpose.getPerms().begin(),
                                  transpose.getPerms().end());
        return status(
            c.finish(c.transpose(c.tensor(transpose.getInput1()), perm)));
      })
      .Case([&](tosa::ReverseOp reverse) {
        return status(c.finish(
            c.reverse(c.tensor(reverse.getInput1()), reverse.getAxis())));
      })
      .Case([&](tosa::ConcatOp concat) {
        SmallVector<Value> parts;
        for (Value part : concat.getInput1())
          parts.push_back(c.tensor(part));
        return status(c.finish(c.concat(parts, concat.getAxis())));
      })
      .Case([&](tosa::TileOp tile) {
        std::optional<Shape> repeats = c.shape(tile.getMultiples());
        if (!repeats)
          return TosaStatus::Failed;
        return status(c.finish(c.op<graph::TileOp>(
            {c.tensor(tile.getInput1())}, {c.dims("repeats", *repeats)})));
      })
      .Default([](Operation *) { return TosaStatus::Unknown; });
}

//===----------------------------------------------------------------------===//
// Shapes
//===----------------------------------------------------------------------===//

static TosaStatus
combine(TosaOpContext &c, Operation *op,
        llvm::function_ref<SymInt(const SymInt &, const SymInt &)> function) {
  std::optional<Shape> a = c.shape(op->getOperand(0)),
                       b = c.shape(op->getOperand(1));
  if (!a || !b || a->size() != b->size())
    return TosaStatus::Failed;
  Shape result;
  for (auto [x, y] : llvm::zip(*a, *b))
    result.push_back(function(x, y));
  return status(c.finishShape(result));
}

static TosaStatus
divide(TosaOpContext &c, Operation *op,
       llvm::function_ref<SymInt(const SymInt &, const SymInt &)> function) {
  std::optional<Shape> divisors = c.shape(op->getOperand(1));
  if (!divisors)
    return TosaStatus::Failed;
  for (const SymInt &divisor : *divisors)
    if (divisor.lowerBound(1).value_or(0) < 1)
      return status(c.refuse("division by " + divisor.str()));
  return combine(c, op, function);
}

TosaStatus tenon::import::convertTosaShape(TosaOpContext &c, Operation *op) {
  return llvm::TypeSwitch<Operation *, TosaStatus>(op)
      .Case([&](tosa::ConstShapeOp constant) {
        Shape shape;
        for (const APInt &size :
             cast<DenseElementsAttr>(constant.getValues()).getValues<APInt>())
          shape.push_back(SymInt(size.getSExtValue()));
        return status(c.finishShape(shape));
      })
      .Case([&](tosa::DimOp dim) {
        Value x = c.tensor(dim.getInput1());
        if (!x || dim.getAxis() >= rankOf(x))
          return TosaStatus::Failed;
        return status(c.finishShape({graph::getShape(x)[dim.getAxis()]}));
      })
      .Case([&](tosa::ConcatShapeOp concat) {
        Shape shape;
        for (Value part : concat.getInput()) {
          std::optional<Shape> sizes = c.shape(part);
          if (!sizes)
            return TosaStatus::Failed;
          shape.append(sizes->begin(), sizes->end());
        }
        return status(c.finishShape(shape));
      })
      .Case([&](tosa::AddShapeOp) {
        return combine(c, op, [](auto &a, auto &b) { return a + b; });
      })
      .Case([&](tosa::SubShapeOp) {
        return combine(c, op, [](auto &a, auto &b) { return a - b; });
      })
      .Case([&](tosa::MulShapeOp) {
        return combine(c, op, [](auto &a, auto &b) { return a * b; });
      })
      .Case([&](tosa::MaxShapeOp) { return combine(c, op, SymInt::max); })
      .Case([&](tosa::MinShapeOp) { return combine(c, op, SymInt::min); })
      .Case([&](tosa::DivFloorShapeOp) {
        return divide(c, op, [](auto &a, auto &b) { return a.floorDiv(b); });
      })
      .Case([&](tosa::DivCeilShapeOp) {
        return divide(c, op, [](auto &a, auto &b) { return a.ceilDiv(b); });
      })
      .Case([&](tosa::ModShapeOp) {
        return divide(c, op, [](auto &a, auto &b) { return a.mod(b); });
      })
      .Default([](Operation *) { return TosaStatus::Unknown; });
}
