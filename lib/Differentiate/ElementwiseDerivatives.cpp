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

using namespace mlir;
using namespace tenon;
using namespace tenon::graph;
using namespace tenon::differentiate;

/// Derivatives that stay finite and precise where those of the scalar form do
/// not, and choices at kinks: relu has the derivative 0 at 0 and clip has 1 at
/// its bounds, as training frameworks define them. `x` and the result `r` have
/// the accumulation type of the op. Null for other ops.
static Expr getOwnDerivative(Operation *op, NumberExpr x, NumberExpr r) {
  auto one = x.number(1), zero = x.number(0);
  auto sigmoid = [](NumberExpr x) { return 1.0 / (1.0 + exp(-x)); };
  return llvm::TypeSwitch<Operation *, Expr>(op)
      .Case([&](ReluOp) { return select(less(0.0, x), one, zero).expr; })
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

/// The op that casts to a narrower type would round the cotangent of each use;
/// its own cotangent is in the type of its operand.
LogicalResult
differentiate::differentiateElementwise(ElementwiseInterface interface,
                                        Cotangents &c) {
  Operation *op = interface;
  if (!c.of())
    return success();
  SmallVector<Expr> elements;
  for (auto [number, operand] : llvm::enumerate(op->getOperands()))
    elements.push_back(Expr::load(number, {}, getElementType(operand)));
  SmallVector<Value> values = llvm::to_vector(op->getOperands());
  // Only unary ops have derivatives of their own.
  Value result = op->getResult(0);
  values.push_back(result);

  Expr own;
  if (op->getNumOperands() == 1 && c.wants(0)) {
    Type type = getElementType(result), wide = getAccumulationType(type);
    Expr x = Expr::cast(elements[0], wide);
    Expr r = Expr::cast(Expr::load(1, {}, type), wide);
    if (Expr found = getOwnDerivative(op, x, r))
      own = Expr::cast(found, type);
  }
  Expr body = own ? Expr() : interface.getScalarForm(elements);
  ScalarBuilder builder(c, values, getShape(result));
  for (unsigned number = 0; number < op->getNumOperands(); ++number) {
    if (!c.wants(number))
      continue;
    FailureOr<Expr> factor =
        own ? FailureOr<Expr>(own) : deriveScalar(body, number);
    if (failed(factor))
      return op->emitOpError("has no derivative with respect to operand #")
             << number;
    if (*factor)
      c.give(number, builder.multiply(c.of(), *factor));
  }
  return success();
}
