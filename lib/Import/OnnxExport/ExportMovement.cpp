//===- ExportMovement.cpp - export of ops that move data ------------------===//
//
// Part of the Tenon project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Exporter.h"

#include "llvm/ADT/Sequence.h"
#include "llvm/ADT/TypeSwitch.h"

#include <cmath>

using namespace mlir;
using namespace tenon;
using namespace tenon::onnx;
using namespace tenon::graph;

static int64_t rankOf(Value x) {
  return cast<RankedTensorType>(x.getType()).getRank();
}

static std::string emitSlice(Exporter &e, SliceOp op) {
  Shape starts = op.getStarts().getEntries(),
        sizes = op.getSizes().getEntries(), steps = op.getSteps().getEntries(),
        from = getShape(op.getX());
  Shape begins, ends, strides;
  SmallVector<int64_t> axes;
  for (size_t axis = 0; axis < sizes.size(); ++axis) {
    if (starts[axis] == SymInt(0) && sizes[axis] == from[axis] &&
        steps[axis] == SymInt(1))
      continue;
    axes.push_back(axis);
    begins.push_back(starts[axis]);
    strides.push_back(steps[axis]);
    SymInt end = starts[axis] + sizes[axis] * steps[axis];
    // In a descending slice, the end may be before element 0, which ONNX
    // interprets as an index from the end. The minimum integer is safe.
    std::optional<int64_t> step = steps[axis].getConstant();
    if (step && *step < 0)
      end = end.lowerBound().value_or(-1) >= 0 ? end : SymInt(-INT64_MAX);
    ends.push_back(end);
  }
  if (axes.empty())
    return e.node("Identity", {e.name(op.getX())});
  return e.node("Slice", {e.name(op.getX()), e.sizes(begins), e.sizes(ends),
                          e.integers(axes), e.sizes(strides)});
}

static std::string emitPad(Exporter &e, PadOp op) {
  Shape pads = op.getLow().getEntries();
  Shape high = op.getHigh().getEntries();
  pads.append(high.begin(), high.end());
  Type type = cast<RankedTensorType>(op.getX().getType()).getElementType();
  Names inputs = {e.name(op.getX()), e.sizes(pads)};
  if (op.getMode() == PadMode::Constant)
    inputs.push_back(e.number(op.getValue().convertToDouble(), type));
  if (op.getMode() == PadMode::Wrap)
    e.requireOpset(19);
  std::string output = e.node("Pad", inputs);
  Exporter::set(e.last(), "mode", stringifyPadMode(op.getMode()));
  return output;
}

/// Returns an empty name if ONNX's scales would give another shape.
static std::string emitResize(Exporter &e, ResizeOp op) {
  Shape from = getShape(op.getX()), to = op.getShape().getEntries();
  ArrayRef<double> scales = op.getScales();
  // Prefer sizes, which are exact, if they imply the scales.
  bool bySizes = true, byScales = true;
  for (size_t i = 0; i < from.size(); ++i) {
    std::optional<int64_t> in = from[i].getConstant(),
                           out = to[i].getConstant();
    bool copied = from[i] == to[i] && scales[i] == 1;
    bySizes &= copied || (in && out && *in > 0 &&
                          static_cast<double>(*out) / *in == scales[i]);
    byScales &= copied || !in || !out ||
                std::floor(*in * static_cast<float>(scales[i])) == *out;
  }
  if (!bySizes && !byScales)
    return "";
  Names inputs = {e.name(op.getX()), ""};
  if (bySizes)
    inputs.insert(inputs.end(), {"", e.sizes(to)});
  else
    inputs.push_back(e.floats(scales));
  if (op.getCoordinates() == ResizeCoordinates::HalfPixelSymmetric)
    e.requireOpset(19);
  std::string output = e.node("Resize", inputs);
  NodeProto &node = e.last();
  Exporter::set(node, "mode", stringifyResizeMode(op.getMode()));
  Exporter::set(node, "coordinate_transformation_mode",
                stringifyResizeCoordinates(op.getCoordinates()));
  Exporter::set(node, "nearest_mode",
                stringifyResizeRounding(op.getRounding()));
  Exporter::set(node, "cubic_coeff_a", op.getCubicCoeff().convertToDouble());
  Exporter::set(node, "exclude_outside", int64_t(op.getExcludeOutside()));
  return output;
}

static std::string emitIota(Exporter &e, IotaOp op) {
  Shape shape = op.getShape().getEntries();
  int64_t axis = op.getAxis();
  SmallVector<int64_t> toScalar;
  std::string count =
      e.node("Reshape", {e.size(shape[axis]), e.integers(toScalar)});
  std::string positions = e.node("Range", {e.integer(0), count, e.integer(1)});
  Shape aligned(shape.size() - axis, SymInt(1));
  aligned[0] = shape[axis];
  std::string output = e.node("Reshape", {positions, e.sizes(aligned)});
  if (ArrayRef<SymInt>(aligned) != ArrayRef<SymInt>(shape))
    output = e.node("Expand", {output, e.sizes(shape)});
  Type type = op.getElement();
  return type.isInteger(64) ? output : e.cast(output, type);
}

/// Emits an operator whose only attribute is an axis.
static std::string withAxis(Exporter &e, StringRef name, ValueRange operands,
                            int64_t axis) {
  std::string output = e.node(name, e.names(operands));
  Exporter::set(e.last(), "axis", axis);
  return output;
}

bool tenon::onnx::emitMovement(Exporter &e, Operation *op) {
  if (auto split = dyn_cast<SplitOp>(op)) {
    Names outputs;
    for (Value part : split.getParts()) {
      outputs.push_back(e.fresh("part"));
      e.bind(part, outputs.back());
    }
    Names inputs = {e.name(split.getX()),
                    e.sizes(split.getSizes().getEntries())};
    Exporter::set(e.addNode("Split", inputs, outputs), "axis",
                  int64_t(split.getAxis()));
    return true;
  }
  std::string name =
      llvm::TypeSwitch<Operation *, std::string>(op)
          .Case([&](TransposeOp transpose) {
            std::string output =
                e.node("Transpose", {e.name(transpose.getX())});
            Exporter::set(e.last(), "perm",
                          *transpose.getPerm().getConstants());
            return output;
          })
          .Case([&](ReshapeOp reshape) {
            std::string output =
                e.node("Reshape", {e.name(reshape.getX()),
                                   e.sizes(reshape.getShape().getEntries())});
            // Sizes of 0 are literal.
            Exporter::set(e.last(), "allowzero", int64_t(1));
            return output;
          })
          .Case([&](TileOp tile) {
            return e.node("Tile", {e.name(tile.getX()),
                                   e.sizes(tile.getRepeats().getEntries())});
          })
          .Case([&](SliceOp slice) { return emitSlice(e, slice); })
          .Case([&](ConcatOp concat) {
            return withAxis(e, "Concat", op->getOperands(), concat.getAxis());
          })
          .Case([&](PadOp pad) { return emitPad(e, pad); })
          .Case([&](ReverseOp reverse) {
            SmallVector<int64_t> axes = *reverse.getAxes().getConstants();
            SmallVector<int64_t> starts(axes.size(), -1),
                ends(axes.size(), -INT64_MAX);
            return e.node("Slice", {e.name(reverse.getX()), e.integers(starts),
                                    e.integers(ends), e.integers(axes),
                                    e.integers(starts)});
          })
          .Case([&](ResizeOp resize) { return emitResize(e, resize); })
          .Case([&](GatherOp gather) {
            return withAxis(e, "Gather", op->getOperands(), gather.getAxis());
          })
          .Case([&](GatherElementsOp gather) {
            return withAxis(e, "GatherElements", op->getOperands(),
                            gather.getAxis());
          })
          .Case([&](GatherNdOp gather) {
            Names inputs = {e.name(gather.getX()),
                            e.cast(e.name(gather.getIndices()),
                                   IntegerType::get(op->getContext(), 64))};
            std::string output = e.node("GatherND", inputs);
            Exporter::set(e.last(), "batch_dims",
                          int64_t(gather.getBatchDims()));
            return output;
          })
          .Case([&](ScatterElementsOp scatter) {
            std::string output = withAxis(e, "ScatterElements",
                                          op->getOperands(), scatter.getAxis());
            Exporter::set(e.last(), "reduction",
                          stringifyScatterReduction(scatter.getReduction()));
            return output;
          })
          .Case([&](ScatterNdOp scatter) {
            Names inputs = {e.name(scatter.getX()),
                            e.cast(e.name(scatter.getIndices()),
                                   IntegerType::get(op->getContext(), 64)),
                            e.name(scatter.getUpdates())};
            std::string output = e.node("ScatterND", inputs);
            Exporter::set(e.last(), "reduction",
                          stringifyScatterReduction(scatter.getReduction()));
            return output;
          })
          .Case([&](IotaOp iota) { return emitIota(e, iota); })
          .Default([](Operation *) { return std::string(); });
  if (name.empty())
    return false;
  e.bind(op->getResult(0), name);
  return true;
}

//===----------------------------------------------------------------------===//
// Reductions
//===----------------------------------------------------------------------===//

static StringRef reductionOperator(Operation *op) {
  return llvm::TypeSwitch<Operation *, StringRef>(op)
      .Case([](ReduceSumOp) { return "ReduceSum"; })
      .Case([](ReduceProdOp) { return "ReduceProd"; })
      .Case([](ReduceMaxOp) { return "ReduceMax"; })
      .Case([](ReduceMinOp) { return "ReduceMin"; })
      .Case([](ReduceMeanOp) { return "ReduceMean"; })
      .Case([](ReduceL1Op) { return "ReduceL1"; })
      .Case([](ReduceL2Op) { return "ReduceL2"; })
      .Case([](ReduceSumSquareOp) { return "ReduceSumSquare"; })
      .Case([](ReduceLogSumOp) { return "ReduceLogSum"; })
      .Case([](ReduceLogSumExpOp) { return "ReduceLogSumExp"; })
      .Default([](Operation *) { return ""; });
}

bool tenon::onnx::emitReduction(Exporter &e, Operation *op) {
  StringRef name = reductionOperator(op);
  if (!name.empty()) {
    auto axes = op->getAttrOfType<DimsAttr>("axes").getConstants();
    Value x = op->getOperand(0);
    Type type = cast<RankedTensorType>(x.getType()).getElementType();
    if (!axes || (axes->empty() && rankOf(x) != 0))
      return false;
    std::string operand = e.name(x);
    // any and all of booleans are computed in an integer type.
    if (isBool(type))
      operand = e.cast(operand, IntegerType::get(op->getContext(), 32));
    std::string output = e.node(name, {operand, e.integers(*axes)});
    Exporter::set(e.last(), "keepdims", int64_t(op->hasAttr("keepdims")));
    // A reduction of no elements gives the minimum or maximum integer.
    if (isBool(type)) {
      bool isMax = isa<ReduceMaxOp>(op);
      Type i32 = IntegerType::get(op->getContext(), 32);
      output =
          e.node(isMax ? "Max" : "Min", {output, e.number(isMax ? 0 : 1, i32)});
    }
    e.bind(op->getResult(0), isBool(type) ? e.cast(output, type) : output);
    return true;
  }
  return llvm::TypeSwitch<Operation *, bool>(op)
      .Case<ArgmaxOp, ArgminOp>([&](auto arg) {
        std::string output =
            withAxis(e, isa<ArgmaxOp>(op) ? "ArgMax" : "ArgMin",
                     op->getOperands(), arg.getAxis());
        Exporter::set(e.last(), "keepdims", int64_t(arg.getKeepdims()));
        Exporter::set(e.last(), "select_last_index",
                      int64_t(arg.getSelectLast()));
        e.bind(arg.getResult(), output);
        return true;
      })
      .Case([&](TopKOp top) {
        Names outputs = {e.fresh("values"), e.fresh("indices")};
        Names inputs = {e.name(top.getX()), e.sizes(top.getK().getEntries())};
        NodeProto &node = e.addNode("TopK", inputs, outputs);
        Exporter::set(node, "axis", int64_t(top.getAxis()));
        Exporter::set(node, "largest", int64_t(!top.getSmallest()));
        e.bind(top.getValues(), outputs[0]);
        e.bind(top.getIndices(), outputs[1]);
        return true;
      })
      .Case([&](CumsumOp scan) {
        std::string output =
            e.node("CumSum", {e.name(scan.getX()), e.integer(scan.getAxis())});
        Exporter::set(e.last(), "exclusive", int64_t(scan.getExclusive()));
        Exporter::set(e.last(), "reverse", int64_t(scan.getReverse()));
        e.bind(scan.getResult(), output);
        return true;
      })
      .Default([](Operation *) { return false; });
}
