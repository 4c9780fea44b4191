//===- Reciprocals.cpp - reciprocals of loop-invariant divisors -----------===//
//
// Part of the Tenon project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Reciprocals.h"

#include "mlir/Dialect/Math/IR/Math.h"
#include "mlir/Dialect/SCF/IR/SCF.h"

#include <cmath>

using namespace mlir;
using namespace tenon;
using namespace tenon::graph;
using namespace tenon::lower;

/// Returns true if a difference in the last bit of an operand may change the
/// result by more than its last bit.
static bool isStep(const Expr &node) {
  switch (node.getKind()) {
  case ExprKind::Cast:
  case ExprKind::FromElement:
  case ExprKind::FromBoolElement:
    return true;
  case ExprKind::Apply:
    return llvm::is_contained({ScalarFn::Sign, ScalarFn::Floor, ScalarFn::Ceil,
                               ScalarFn::RoundEven, ScalarFn::Mod,
                               ScalarFn::Fmod, ScalarFn::Equal, ScalarFn::Less,
                               ScalarFn::LessEqual},
                              node->fn);
  default:
    return false;
  }
}

llvm::SmallVector<Expr> tenon::lower::findSharedDivisors(const Expr &body,
                                                         unsigned var) {
  llvm::SmallVector<Expr> found;
  bool decides = false;
  walk(body, [&](Expr node) { decides |= isStep(node); });
  if (decides)
    return found;
  llvm::DenseSet<const ExprNode *> seen;
  std::function<void(const Expr &)> visit = [&](const Expr &expr) {
    // A divisor that a select guards may not exist.
    if (!seen.insert(expr.getPointer()).second ||
        expr.getKind() == ExprKind::Select ||
        expr.getKind() == ExprKind::Reduce || expr.getKind() == ExprKind::Load)
      return;
    if (expr.getKind() == ExprKind::Apply && expr->fn == ScalarFn::Div &&
        (expr->type.isF32() || expr->type.isF64())) {
      const Expr &divisor = expr->operands[1];
      bool isShared = true;
      walk(divisor, [&](Expr node) {
        isShared &= node.getKind() != ExprKind::Var || node->var != var;
      });
      if (isShared && llvm::none_of(found, [&](const Expr &known) {
            return known.getPointer() == divisor.getPointer();
          }))
        found.push_back(divisor);
    }
    for (const Expr &operand : expr->operands)
      visit(operand);
  };
  visit(body);
  return found;
}

void tenon::lower::emitWithReciprocals(
    ExprEmitter &at, Value from, Value to, ArrayRef<Expr> divisors,
    llvm::function_ref<void(ExprEmitter &)> loop) {
  if (divisors.empty())
    return loop(at);
  OpBuilder &b = at.builder;
  Location loc = at.loc;
  // Guard the divisors, because the elements that they load may not exist if
  // the loop is empty.
  Value runs =
      arith::CmpIOp::create(b, loc, arith::CmpIPredicate::slt, from, to);
  auto branch = scf::IfOp::create(b, loc, runs, /*withElseRegion=*/false);
  OpBuilder::InsertionGuard guard(b);
  b.setInsertionPointToStart(branch.thenBlock());
  ExprEmitter inner = at.nested();
  ExprEmitter multiplying = at.nested();
  Value isMiddling;
  for (const Expr &divisor : divisors) {
    Value value = inner.emitElement(divisor);
    Type type = value.getType();
    auto constant = [&](double number) -> Value {
      return arith::ConstantOp::create(b, loc, b.getFloatAttr(type, number));
    };
    int exponent = type.isF64() ? 512 : 64;
    Value magnitude = math::AbsFOp::create(b, loc, value);
    Value above =
        arith::CmpFOp::create(b, loc, arith::CmpFPredicate::OGE, magnitude,
                              constant(std::ldexp(1.0, -exponent)));
    Value below =
        arith::CmpFOp::create(b, loc, arith::CmpFPredicate::OLE, magnitude,
                              constant(std::ldexp(1.0, exponent)));
    Value both = arith::AndIOp::create(b, loc, above, below);
    isMiddling =
        isMiddling ? arith::AndIOp::create(b, loc, isMiddling, both) : both;
    multiplying.setReciprocal(
        divisor, arith::DivFOp::create(b, loc, constant(1.0), value));
  }
  auto either = scf::IfOp::create(b, loc, isMiddling, /*withElseRegion=*/true);
  b.setInsertionPointToStart(either.thenBlock());
  loop(multiplying);
  b.setInsertionPointToStart(either.elseBlock());
  loop(inner);
}
