//===- OpenForms.cpp - the meaning of values over chosen leaves -----------===//
//
// Part of the Tenon project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "OpenForms.h"
#include "tenon/Dialect/Graph/IR/Graph.h"
#include "tenon/Dialect/Graph/IR/Progression.h"

using namespace mlir;
using namespace tenon;
using namespace tenon::graph;

/// The most nodes of a form. Those of masks and indices have some dozens.
static constexpr unsigned kMostNodes = 4000;

static bool isTooLarge(const Expr &expr) {
  unsigned count = 0;
  walk(expr, [&](Expr) { ++count; });
  return count > kMostNodes;
}

Expr OpenForms::getElement(Value value, ArrayRef<Expr> at) {
  if (isLeaf(value)) {
    leaves.insert(value);
    auto number = llvm::find(leaves, value) - leaves.begin();
    return Expr::load(number, at, getElementTypeOrSelf(value.getType()));
  }
  auto result = dyn_cast<OpResult>(value);
  if (!result)
    return {};
  Expr element = get(result);
  if (!element)
    return {};
  // Each copy has bound variables of its own.
  return substituteVars(renameBound(element, next), at);
}

Expr OpenForms::openLoads(Operation *op, const Expr &expr) {
  bool failed = false;
  Expr opened = rewrite(expr, [&](Expr node) -> Expr {
    if (node.getKind() != ExprKind::Load || failed)
      return {};
    SmallVector<Expr> at;
    for (const Expr &index : node->operands) {
      at.push_back(openLoads(op, index));
      failed |= !at.back();
    }
    Expr element =
        failed ? Expr() : getElement(op->getOperand(node->operand), at);
    failed |= !element;
    return element;
  });
  return failed || isTooLarge(opened) ? Expr() : opened;
}

Expr OpenForms::get(OpResult result) {
  if (auto it = known.find(result); it != known.end())
    return it->second;
  Operation *op = result.getOwner();
  Expr element;
  if (auto constant = dyn_cast<ConstantOp>(op)) {
    element = getProgression(constant);
  } else if (auto primitive = dyn_cast<IndexFormInterface>(op);
             primitive && isValid(op)) {
    IndexForm form = primitive.getIndexForms()[result.getResultNumber()];
    element = openLoads(op, renameBound(form.body, next));
  }
  return known[result] = element;
}
