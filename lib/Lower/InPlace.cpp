//===- InPlace.cpp - results that overwrite donated inputs ----------------===//
//
// Part of the Tenon project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "InPlace.h"
#include "AffineOffsets.h"
#include "tenon/Dialect/Graph/Analysis/Views.h"

using namespace mlir;
using namespace tenon;
using namespace tenon::graph;
using namespace tenon::lower;

Operation *tenon::lower::findLastReader(Value value, Operation *op) {
  for (OpOperand &use : value.getUses()) {
    Operation *user = use.getOwner();
    OpOperand *viewed = getViewedOperand(user);
    if (viewed == &use)
      op = findLastReader(user->getResult(0), op);
    else if (!viewed && op->isBeforeInBlock(user)) // a gate is not read
      op = user;
  }
  return op;
}

bool tenon::lower::isReadAfter(Value value, Operation *op) {
  return findLastReader(value, op) != op;
}

llvm::SmallVector<unsigned> tenon::lower::findOperands(Operation *op,
                                                       Value value) {
  llvm::SmallVector<unsigned> found;
  for (auto [number, operand] : llvm::enumerate(op->getOperands()))
    if (getStorage(operand) == value)
      found.push_back(number);
  return found;
}

/// Returns true if the index is exactly the variable. An affine form is needed
/// because a slice of a concatenated part adds the offset that the
/// concatenation subtracts.
static bool isVariable(const Expr &index, unsigned var) {
  std::optional<AffineForm> form = getAffineForm(index);
  if (!form || form->constant != SymInt(0))
    return false;
  for (const auto &[other, coefficient] : form->coefficients)
    if (other != var && coefficient != SymInt(0))
      return false;
  return form->coefficient(var) == SymInt(1);
}

bool tenon::lower::canOverwrite(const kernel::LoopPlan &plan, unsigned number,
                                unsigned input) {
  const kernel::KernelLoop &loop = plan.loops[number];
  // A reduction writes its neutral element before it reads any input.
  if (loop.body.getKind() == ExprKind::Reduce ||
      plan.inputShapes[input] != loop.shape)
    return false;
  for (size_t reader = 0; reader < plan.loops.size(); ++reader) {
    // Kernel loops run one after another within a row. Earlier kernel loops
    // read the old elements of the row, and later kernel loops would read the
    // new ones.
    size_t own = reader < number ? plan.numRowDims : loop.shape.size();
    bool misses = false;
    walk(plan.loops[reader].body, [&](Expr node) {
      if (node.getKind() != ExprKind::Load || node->operand != input)
        return;
      misses |= reader > number;
      for (size_t axis = 0; axis < own; ++axis)
        misses |= loop.shape[axis].getConstant() != 1 &&
                  !isVariable(node->operands[axis], axis);
    });
    if (misses)
      return false;
  }
  return true;
}
