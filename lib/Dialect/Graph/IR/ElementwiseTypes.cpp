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

/// Ops that are one scalar function.
#define SCALAR_OP(OP, FN)                                                      \
  LogicalResult OP::inferReturnTypes(                                          \
      MLIRContext *context, std::optional<Location> loc, Adaptor adaptor,      \
      SmallVectorImpl<Type> &types) {                                          \
    Type element;                                                              \
    if (getFacts(ScalarFn::FN).isPredicate)                                    \
      element = IntegerType::get(context, 1);                                  \
    return inferElementwise(loc, adaptor.getOperands(), element, types);       \
  }
#include "tenon/Dialect/Graph/IR/ScalarFn.def"

/// Other ops whose result has the type of the operands.
#define TENON_SAME(OP)                                                         \
  LogicalResult OP::inferReturnTypes(                                          \
      MLIRContext *, std::optional<Location> loc, Adaptor adaptor,             \
      SmallVectorImpl<Type> &types) {                                          \
    return inferElementwise(loc, adaptor.getOperands(), {}, types);            \
  }
TENON_SAME(ReciprocalOp)
TENON_SAME(RsqrtOp)
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

LogicalResult IsInfOp::inferReturnTypes(MLIRContext *context,
                                        std::optional<Location> loc,
                                        Adaptor adaptor,
                                        SmallVectorImpl<Type> &types) {
  return inferElementwise(loc, adaptor.getOperands(),
                          IntegerType::get(context, 1), types);
}

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
