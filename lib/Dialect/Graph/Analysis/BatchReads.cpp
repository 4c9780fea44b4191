//===- BatchReads.cpp - what rows are read, and which of them are equal ---===//
//
// Part of the Tenon project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "BatchFinder.h"
#include "tenon/Dialect/Graph/IR/SizeFacts.h"

using namespace mlir;
using namespace tenon;
using namespace tenon::graph;

/// Whether a variable occurs in an expression, also in the indices of loads.
static bool occurs(const Expr &expr, unsigned var) {
  bool found = false;
  walk(expr, [&](Expr node) {
    found |= node.getKind() == ExprKind::Var && node->var == var;
  });
  return found;
}

static bool isVar(const Expr &expr, unsigned var) {
  return expr.getKind() == ExprKind::Var && expr->var == var;
}

/// If the number of samples is a constant, what is not cut keeps its sizes.
bool BatchFinder::isIndependent(Value value) {
  if (found.size.isConstant())
    return true;
  auto [place, isNew] = independent.try_emplace(value, true);
  if (!isNew)
    return place->second;
  bool result = llvm::none_of(getShape(value), [&](const SymInt &size) {
    return found.dependsOnNumber(size);
  });
  Operation *op = value.getDefiningOp();
  if (op && result) {
    for (Value operand : op->getOperands())
      result &= isIndependent(operand);
    op->getAttrDictionary().walk([&](DimsAttr dims) {
      for (const SymInt &entry : dims.getEntries())
        result &= !found.dependsOnNumber(entry);
    });
  }
  independent[value] = result;
  return result;
}

/// Collects what an expression reads; fails if index v decides something else
/// than which samples are read.
bool BatchFinder::read(Operation *op, const Expr &expr, unsigned axis,
                       Reads &reads) {
  if (expr.getKind() == ExprKind::Var)
    return expr->var != axis;
  reads.usesNumber |=
      expr.getKind() == ExprKind::Size && found.dependsOnNumber(expr->size);
  if (expr.getKind() != ExprKind::Load)
    return llvm::all_of(expr->operands, [&](const Expr &operand) {
      return read(op, operand, axis, reads);
    });
  Value operand = op->getOperand(expr->operand);
  std::optional<SampleAxis> samples;
  if (found.hasSamples(operand))
    samples = found.get(operand);
  bool isUniform = false;
  for (auto [place, index] : llvm::enumerate(expr->operands)) {
    if (samples && place == samples->axis) {
      if (!isVar(index, axis) ||
          (reads.rows && !provablyEqual(*reads.rows, samples->rows)))
        return false;
      reads.rows = samples->rows;
      continue;
    }
    if (!samples && isVar(index, axis)) {
      reads.uniform.emplace_back(operand, place);
      isUniform = true;
      continue;
    }
    // If all rows are equal, it does not matter which of them is read.
    if (!samples && occurs(index, axis) && hasEqualRows(operand, place) &&
        tryUniform(operand, place)) {
      isUniform = true;
      continue;
    }
    if (!read(op, index, axis, reads))
      return false;
  }
  if (!samples && !isUniform)
    reads.whole.push_back(operand);
  return true;
}

bool BatchFinder::hasEqualRows(Value value, unsigned axis) {
  Operation *op = value.getDefiningOp();
  if (auto constant = dyn_cast_or_null<ConstantOp>(op))
    return isa<SplatElementsAttr>(constant.getValue());
  auto primitive = dyn_cast_or_null<IndexFormInterface>(op);
  if (!primitive || found.hasSamples(value))
    return false;
  auto [place, isNew] = equalRows.try_emplace({value, axis}, false);
  if (!isNew)
    return place->second;
  auto check = [&](auto &self, const Expr &expr) -> bool {
    if (expr.getKind() == ExprKind::Var)
      return expr->var != axis;
    if (expr.getKind() != ExprKind::Load)
      return llvm::all_of(expr->operands, [&](const Expr &operand) {
        return self(self, operand);
      });
    for (auto [number, index] : llvm::enumerate(expr->operands))
      if (occurs(index, axis) &&
          !hasEqualRows(op->getOperand(expr->operand), number))
        return false;
    return true;
  };
  unsigned result = cast<OpResult>(value).getResultNumber();
  bool isEqual = check(check, primitive.getIndexForms()[result].body);
  equalRows[{value, axis}] = isEqual;
  return isEqual;
}

bool BatchFinder::tryUniform(Value value, unsigned axis) {
  std::optional<SymInt> rows = getRows(getShape(value)[axis]);
  if (!rows)
    return false;
  llvm::DenseMap<Value, SampleAxis> before = found.axes;
  if (makeUniform(value, {axis, *rows, true}))
    return true;
  found.axes = std::move(before);
  return false;
}

bool BatchFinder::makeUniform(Value value, const SampleAxis &axis) {
  if (std::optional<SampleAxis> known = found.get(value))
    return known->axis == axis.axis && provablyEqual(known->rows, axis.rows);
  if (!provablyEqual(getShape(value)[axis.axis], found.size * axis.rows) ||
      findWrongSize(value, axis))
    return false;
  Operation *op = value.getDefiningOp();
  if (auto constant = dyn_cast_or_null<ConstantOp>(op)) {
    if (!isa<SplatElementsAttr>(constant.getValue()))
      return false;
    found.axes[value] = axis;
    return true;
  }
  if (auto reshape = dyn_cast_or_null<ReshapeOp>(op)) {
    std::optional<SampleAxis> from = getReshaped(
        axis, getShape(reshape.getResult()), getShape(reshape.getOperand()));
    if (!from || !makeUniform(reshape.getOperand(), *from))
      return false;
    found.axes[value] = axis;
    return true;
  }
  auto primitive = dyn_cast_or_null<IndexFormInterface>(op);
  if (!primitive)
    return false;
  IndexForm form =
      primitive.getIndexForms()[cast<OpResult>(value).getResultNumber()];
  Reads reads;
  if (!read(op, form.body, axis.axis, reads) || reads.rows ||
      reads.usesNumber || findCountedIndices(op))
    return false;
  for (auto [operand, place] : reads.uniform)
    if (!makeUniform(operand, {place, axis.rows, true}))
      return false;
  if (!llvm::all_of(reads.whole,
                    [&](Value operand) { return isIndependent(operand); }))
    return false;
  found.axes[value] = axis;
  return true;
}
