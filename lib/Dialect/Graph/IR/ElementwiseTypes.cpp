//===- ElementwiseTypes.cpp - result types of elementwise ops -------------===//
//
// Part of the Tenon project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "OperandTypes.h"

#include "mlir/IR/Builders.h"

using namespace mlir;
using namespace tenon::graph;

/// All operands have the result's shape; the element type is `element`, or
/// that of the first operand.
static LogicalResult inferElementwise(std::optional<Location> loc,
                                      ValueRange operands, Type element,
                                      SmallVectorImpl<Type> &types) {
  if (failed(checkTensors(loc, operands)))
    return failure();
  Shape shape = getShape(operands.front());
  for (Value operand : operands.drop_front()) {
    FailureOr<Shape> both = unifyShapes(loc, "the first operand", shape,
                                        "operand", getShape(operand));
    if (failed(both))
      return failure();
    shape = *both;
  }
  if (!element)
    element =
        cast<RankedTensorType>(operands.front().getType()).getElementType();
  types.push_back(getTensorType(shape, element));
  return success();
}

/// Ops whose result has the type of the operands.
#define TENON_SAME(OP)                                                         \
  LogicalResult OP::inferReturnTypes(                                          \
      MLIRContext *, std::optional<Location> loc, Adaptor adaptor,             \
      SmallVectorImpl<Type> &types) {                                          \
    return inferElementwise(loc, adaptor.getOperands(), {}, types);            \
  }
/// Ops whose result is a tensor of i1.
#define TENON_PREDICATE(OP)                                                    \
  LogicalResult OP::inferReturnTypes(                                          \
      MLIRContext *context, std::optional<Location> loc, Adaptor adaptor,      \
      SmallVectorImpl<Type> &types) {                                          \
    return inferElementwise(loc, adaptor.getOperands(),                        \
                            IntegerType::get(context, 1), types);              \
  }

TENON_SAME(NegOp)
TENON_SAME(AbsOp)
TENON_SAME(SignOp)
TENON_SAME(ReciprocalOp)
TENON_SAME(FloorOp)
TENON_SAME(CeilOp)
TENON_SAME(RoundOp)
TENON_SAME(SqrtOp)
TENON_SAME(RsqrtOp)
TENON_SAME(ExpOp)
TENON_SAME(LogOp)
TENON_SAME(SinOp)
TENON_SAME(CosOp)
TENON_SAME(TanOp)
TENON_SAME(AsinOp)
TENON_SAME(AcosOp)
TENON_SAME(AtanOp)
TENON_SAME(SinhOp)
TENON_SAME(CoshOp)
TENON_SAME(TanhOp)
TENON_SAME(AsinhOp)
TENON_SAME(AcoshOp)
TENON_SAME(AtanhOp)
TENON_SAME(ErfOp)
TENON_SAME(AddOp)
TENON_SAME(SubOp)
TENON_SAME(MulOp)
TENON_SAME(DivOp)
TENON_SAME(PowOp)
TENON_SAME(ModOp)
TENON_SAME(FmodOp)
TENON_SAME(MaximumOp)
TENON_SAME(MinimumOp)
TENON_SAME(NotOp)
TENON_SAME(AndOp)
TENON_SAME(OrOp)
TENON_SAME(XorOp)
TENON_SAME(BitNotOp)
TENON_SAME(BitAndOp)
TENON_SAME(BitOrOp)
TENON_SAME(BitXorOp)
TENON_SAME(ShiftLeftOp)
TENON_SAME(ShiftRightOp)
TENON_SAME(ReluOp)
TENON_SAME(SigmoidOp)
TENON_SAME(SiluOp)
TENON_SAME(SoftplusOp)
TENON_SAME(SoftsignOp)
TENON_SAME(MishOp)
TENON_SAME(HardSwishOp)
TENON_SAME(PreluOp)
TENON_SAME(GeluOp)
TENON_SAME(LeakyReluOp)
TENON_SAME(EluOp)
TENON_SAME(CeluOp)
TENON_SAME(SeluOp)
TENON_SAME(HardSigmoidOp)
TENON_SAME(ThresholdedReluOp)
TENON_SAME(ShrinkOp)
TENON_SAME(ClipOp)

TENON_PREDICATE(EqualOp)
TENON_PREDICATE(LessOp)
TENON_PREDICATE(LessEqualOp)
TENON_PREDICATE(IsNanOp)
TENON_PREDICATE(IsInfOp)

LogicalResult WhereOp::inferReturnTypes(MLIRContext *,
                                        std::optional<Location> loc,
                                        Adaptor adaptor,
                                        SmallVectorImpl<Type> &types) {
  ValueRange operands = adaptor.getOperands();
  if (failed(checkTensors(loc, operands)))
    return failure();
  Type then = cast<RankedTensorType>(operands[1].getType()).getElementType();
  Type otherwise =
      cast<RankedTensorType>(operands[2].getType()).getElementType();
  if (then != otherwise)
    return emitOptionalError(loc, "otherwise: expected elements of type ", then,
                             ", but got ", otherwise);
  return inferElementwise(loc, operands, then, types);
}

LogicalResult CastOp::inferReturnTypes(MLIRContext *,
                                       std::optional<Location> loc,
                                       Adaptor adaptor,
                                       SmallVectorImpl<Type> &types) {
  Type to = adaptor.getTo();
  if (!isElementType(to))
    return emitOptionalError(loc,
                             "to: expected one of f64, f32, f16, bf16, i64, "
                             "i32, i8, ui8, i1, but got ",
                             to);
  return inferElementwise(loc, adaptor.getOperands(), to, types);
}
