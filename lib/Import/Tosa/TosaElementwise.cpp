//===- TosaElementwise.cpp - elementwise tosa ops and reductions ----------===//
//
// Part of the Tenon project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "TosaConversion.h"

#include "llvm/ADT/TypeSwitch.h"

using namespace mlir;
using namespace tenon;
using namespace tenon::import;
using graph::SymInt;

template <typename GraphOp>
static TosaStatus unary(TosaOpContext &c, Operation *op) {
  return status(c.finish(c.unary<GraphOp>(c.tensor(op->getOperand(0)))));
}

/// Converts ops whose operands have equal ranks and broadcast sizes of 1.
template <typename GraphOp>
static TosaStatus binary(TosaOpContext &c, Operation *op,
                         bool swapped = false) {
  Value a = c.tensor(op->getOperand(0)), b = c.tensor(op->getOperand(1));
  return status(
      c.finish(swapped ? c.binary<GraphOp>(b, a) : c.binary<GraphOp>(a, b)));
}

template <typename TosaOp>
static bool propagatesNan(TosaOpContext &c, TosaOp op) {
  return op.getNanMode() == tosa::NanPropagationMode::PROPAGATE ||
         c.refuse("nan_mode IGNORE");
}

static TosaStatus convertClamp(TosaOpContext &c, tosa::ClampOp op) {
  Value x = c.tensor(op.getInput());
  if (!x || !propagatesNan(c, op))
    return TosaStatus::Failed;
  if (auto low = dyn_cast<FloatAttr>(op.getMinVal()))
    return status(c.finish(c.op<graph::ClipOp>(
        {x}, {c.number("low", low.getValueAsDouble()),
              c.number("high",
                       cast<FloatAttr>(op.getMaxVal()).getValueAsDouble())})));
  auto bound = [&](Attribute value) {
    const APInt &number = cast<IntegerAttr>(value).getValue();
    bool isUnsigned = elementTypeOf(x).isUnsignedInteger();
    return c.scalarLike(isUnsigned ? static_cast<double>(number.getZExtValue())
                                   : static_cast<double>(number.getSExtValue()),
                        x);
  };
  return status(c.finish(
      c.minimum(c.maximum(x, bound(op.getMinVal())), bound(op.getMaxVal()))));
}

/// Casts to integers round to nearest in tosa, but truncate in the graph op.
static TosaStatus convertCast(TosaOpContext &c, tosa::CastOp op) {
  Value x = c.tensor(op.getInput());
  if (!x)
    return TosaStatus::Failed;
  Type to = cast<ShapedType>(op.getType()).getElementType();
  if (graph::isFloat(elementTypeOf(x)) && graph::isInteger(to))
    x = c.unary<graph::RoundOp>(x);
  return status(c.finish(c.cast(x, to)));
}

template <typename GraphOp>
static TosaStatus reduction(TosaOpContext &c, Operation *op) {
  int64_t axis = op->getAttrOfType<IntegerAttr>("axis").getInt();
  return status(
      c.finish(c.reduce<GraphOp>(c.tensor(op->getOperand(0)), {axis}, true)));
}

static TosaStatus convertArgMax(TosaOpContext &c, tosa::ArgMaxOp op) {
  if (!propagatesNan(c, op))
    return TosaStatus::Failed;
  Value positions = c.op<graph::ArgmaxOp>({c.tensor(op.getInput())},
                                          {c.integer("axis", op.getAxis())});
  return status(c.finish(
      c.cast(positions, cast<ShapedType>(op.getType()).getElementType())));
}

TosaStatus tenon::import::convertTosaElementwise(TosaOpContext &c,
                                                 Operation *op) {
  using namespace graph;
  return llvm::TypeSwitch<Operation *, TosaStatus>(op)
      .Case([&](tosa::AbsOp) { return unary<AbsOp>(c, op); })
      .Case([&](tosa::BitwiseNotOp) { return unary<BitNotOp>(c, op); })
      .Case([&](tosa::CeilOp) { return unary<CeilOp>(c, op); })
      .Case([&](tosa::CosOp) { return unary<CosOp>(c, op); })
      .Case([&](tosa::ErfOp) { return unary<ErfOp>(c, op); })
      .Case([&](tosa::ExpOp) { return unary<ExpOp>(c, op); })
      .Case([&](tosa::FloorOp) { return unary<FloorOp>(c, op); })
      .Case([&](tosa::LogOp) { return unary<LogOp>(c, op); })
      .Case([&](tosa::LogicalNotOp) { return unary<NotOp>(c, op); })
      .Case([&](tosa::ReciprocalOp) { return unary<ReciprocalOp>(c, op); })
      .Case([&](tosa::RsqrtOp) { return unary<RsqrtOp>(c, op); })
      .Case([&](tosa::SigmoidOp) { return unary<SigmoidOp>(c, op); })
      .Case([&](tosa::SinOp) { return unary<SinOp>(c, op); })
      .Case([&](tosa::TanhOp) { return unary<TanhOp>(c, op); })
      .Case([&](tosa::NegateOp negate) {
        if (!c.isZero(negate.getInput1Zp()) || !c.isZero(negate.getOutputZp()))
          return TosaStatus::Failed;
        return unary<NegOp>(c, op);
      })
      .Case([&](tosa::IdentityOp) {
        return status(c.finish(c.tensor(op->getOperand(0))));
      })
      .Case([&](tosa::AddOp) { return binary<AddOp>(c, op); })
      .Case([&](tosa::SubOp) { return binary<SubOp>(c, op); })
      .Case([&](tosa::MulOp mul) {
        if (!c.isZero(mul.getShift()))
          return TosaStatus::Failed;
        return binary<MulOp>(c, op);
      })
      .Case([&](tosa::IntDivOp) { return binary<DivOp>(c, op); })
      .Case([&](tosa::PowOp) { return binary<PowOp>(c, op); })
      .Case([&](tosa::MaximumOp max) {
        return propagatesNan(c, max) ? binary<MaximumOp>(c, op)
                                     : TosaStatus::Failed;
      })
      .Case([&](tosa::MinimumOp min) {
        return propagatesNan(c, min) ? binary<MinimumOp>(c, op)
                                     : TosaStatus::Failed;
      })
      .Case([&](tosa::BitwiseAndOp) { return binary<BitAndOp>(c, op); })
      .Case([&](tosa::BitwiseOrOp) { return binary<BitOrOp>(c, op); })
      .Case([&](tosa::BitwiseXorOp) { return binary<BitXorOp>(c, op); })
      .Case([&](tosa::LogicalAndOp) { return binary<AndOp>(c, op); })
      .Case([&](tosa::LogicalOrOp) { return binary<OrOp>(c, op); })
      .Case([&](tosa::LogicalXorOp) { return binary<XorOp>(c, op); })
      .Case(
          [&](tosa::LogicalLeftShiftOp) { return binary<ShiftLeftOp>(c, op); })
      .Case([&](tosa::ArithmeticRightShiftOp shift) {
        if (shift.getRound())
          return status(c.refuse("rounding"));
        return binary<ShiftRightOp>(c, op);
      })
      .Case([&](tosa::EqualOp) { return binary<EqualOp>(c, op); })
      .Case([&](tosa::GreaterOp) { return binary<LessOp>(c, op, true); })
      .Case([&](tosa::GreaterEqualOp) {
        return binary<LessEqualOp>(c, op, true);
      })
      .Case([&](tosa::SelectOp select) {
        return status(c.finish(c.where(c.tensor(select.getInput1()),
                                       c.tensor(select.getInput2()),
                                       c.tensor(select.getInput3()))));
      })
      .Case([&](tosa::ClampOp clamp) { return convertClamp(c, clamp); })
      .Case([&](tosa::CastOp cast) { return convertCast(c, cast); })
      .Case([&](tosa::ReduceSumOp) { return reduction<ReduceSumOp>(c, op); })
      .Case(
          [&](tosa::ReduceProductOp) { return reduction<ReduceProdOp>(c, op); })
      .Case([&](tosa::ReduceAllOp) { return reduction<ReduceMinOp>(c, op); })
      .Case([&](tosa::ReduceAnyOp) { return reduction<ReduceMaxOp>(c, op); })
      .Case([&](tosa::ReduceMaxOp max) {
        return propagatesNan(c, max) ? reduction<ReduceMaxOp>(c, op)
                                     : TosaStatus::Failed;
      })
      .Case([&](tosa::ReduceMinOp min) {
        return propagatesNan(c, min) ? reduction<ReduceMinOp>(c, op)
                                     : TosaStatus::Failed;
      })
      .Case([&](tosa::ArgMaxOp arg) { return convertArgMax(c, arg); })
      .Default([](Operation *) { return TosaStatus::Unknown; });
}
