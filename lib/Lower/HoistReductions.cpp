//===- HoistReductions.cpp - hoisting of loop-invariant reductions --------===//
//
// Part of the Tenon project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "HoistReductions.h"

#include "mlir/Dialect/SCF/IR/SCF.h"

using namespace mlir;
using namespace tenon;
using namespace tenon::graph;
using namespace tenon::lower;

llvm::SmallVector<Expr> tenon::lower::findInvariantReductions(
    const Expr &body, llvm::function_ref<bool(const Expr &)> varies) {
  llvm::SmallVector<Expr> found;
  llvm::DenseSet<const ExprNode *> seen;
  std::function<void(const Expr &)> visit = [&](const Expr &expr) {
    if (!seen.insert(expr.getPointer()).second)
      return;
    switch (expr.getKind()) {
    case ExprKind::Reduce: {
      // The variables of the reduction itself have unique numbers, so `varies`
      // does not take them for variables of the loop.
      bool isInvariant = true;
      walk(expr, [&](Expr node) { isInvariant &= !varies(node); });
      if (isInvariant)
        found.push_back(expr);
      return;
    }
    case ExprKind::Select:
    case ExprKind::IndexSelect:
      return visit(expr->operands[0]);
    default:
      for (const Expr &operand : expr->operands)
        visit(operand);
    }
  };
  visit(body);
  return found;
}

void tenon::lower::emitAfterInvariants(
    ExprEmitter &at, Value from, Value to, ArrayRef<Expr> invariants,
    llvm::function_ref<void(ExprEmitter &)> loop) {
  if (invariants.empty())
    return loop(at);
  OpBuilder &b = at.builder;
  // Guard the invariants, because the elements that they load may not exist if
  // the loop is empty.
  Value runs =
      arith::CmpIOp::create(b, at.loc, arith::CmpIPredicate::slt, from, to);
  auto branch = scf::IfOp::create(b, at.loc, runs, /*withElseRegion=*/false);
  OpBuilder::InsertionGuard guard(b);
  b.setInsertionPointToStart(branch.thenBlock());
  ExprEmitter inner = at.nested();
  for (const Expr &reduce : invariants)
    inner.emitElement(reduce);
  loop(inner);
}
