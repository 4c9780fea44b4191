//===- ElementwiseDerivatives.cpp - elementwise ops -----------------------===//
//
// Part of the Tenon project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "OpDerivatives.h"
#include "tenon/Dialect/Graph/IR/NumberExpr.h"

#include "llvm/ADT/TypeSwitch.h"

#include <cmath>

using namespace mlir;
using namespace tenon;
using namespace tenon::graph;
using namespace tenon::differentiate;

/// Derivatives that stay finite and precise where those of the scalar form do
/// not, and choices at kinks: relu has the derivative 0 at 0 and clip has 1 at
/// its bounds, as training frameworks define them. `x` is the operand and `r`
/// the result. Null for other ops.
static Expr getOwnDerivative(Operation *op, NumberExpr x, NumberExpr r) {
  auto one = x.number(1), zero = x.number(0);
  auto sigmoid = [](NumberExpr x) { return 1.0 / (1.0 + exp(-x)); };
  return llvm::TypeSwitch<Operation *, Expr>(op)
      .Case([&](ReluOp) { return select(less(0.0, r), one, zero).expr; })
      .Case([&](ClipOp clip) {
        NumberExpr low = x.number(clip.getLow().convertToDouble());
        NumberExpr high = x.number(clip.getHigh().convertToDouble());
        return select(less(x, low), zero, select(less(high, x), zero, one))
            .expr;
      })
      .Case([&](SigmoidOp) { return (r * (1.0 - r)).expr; })
      .Case([&](SiluOp) {
        NumberExpr s = sigmoid(x);
        return (s + r * (1.0 - s)).expr;
      })
      .Case([&](SoftplusOp) { return sigmoid(x).expr; })
      .Case([&](SoftsignOp) {
        NumberExpr inverse = 1.0 / (1.0 + abs(x));
        return (inverse * inverse).expr;
      })
      .Default([](Operation *) { return Expr(); });
}

/// Whether it is 1, 0 or -1, or one of them in each case.
static bool isMove(const Expr &factor) {
  if (factor.getKind() == ExprKind::Select)
    return isMove(factor->operands[1]) && isMove(factor->operands[2]);
  return factor.getKind() == ExprKind::Constant &&
         (std::fabs(factor->number) == 1 || factor->number == 0);
}

/// f16 and bf16 are widened to f32: derivatives have several steps, and numbers
/// that the narrow types do not have.
LogicalResult
differentiate::differentiateElementwise(ElementwiseInterface interface,
                                        Cotangents &c) {
  Operation *op = interface;
  if (!c.of())
    return success();
  Value result = op->getResult(0);
  SmallVector<Expr> elements;
  bool isNarrow = false;
  for (auto [number, operand] : llvm::enumerate(op->getOperands())) {
    Type type = getElementType(operand), wide = getAccumulationType(type);
    isNarrow |= type != wide;
    elements.push_back(Expr::cast(Expr::load(number, {}, type), wide));
  }
  Expr body = interface.getScalarForm(elements);
  ScalarBuilder builder(c, llvm::to_vector(op->getOperands()),
                        getShape(result));
  if (!isNarrow)
    builder.bind(body, result);
  for (unsigned number = 0; number < op->getNumOperands(); ++number) {
    if (!c.wants(number))
      continue;
    FailureOr<Expr> factor = getOwnDerivative(op, elements[number], body);
    if (succeeded(factor) && !*factor)
      factor = deriveScalar(body, number);
    if (failed(factor))
      return op->emitOpError("has no derivative with respect to operand #")
             << number;
    if (!*factor)
      continue;
    Value cotangent = c.of();
    if (!isMove(*factor))
      cotangent = c.cast(cotangent, (*factor)->type);
    c.give(number, builder.multiply(cotangent, *factor));
  }
  return success();
}
