//===- AxisFlow.cpp - axis flow of index forms ----------------------------===//
//
// Part of the Tenon project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "tenon/Dialect/Graph/Analysis/AxisFlow.h"
#include "tenon/Dialect/Graph/Analysis/LinearIndex.h"
#include "tenon/Dialect/Graph/IR/SizeFacts.h"

#include "AccessAlgebra.h"

#include "llvm/ADT/DenseSet.h"
#include "llvm/ADT/STLExtras.h"

using namespace tenon;
using namespace tenon::graph;

namespace {
/// Analyses one index form.
class FormFlow {
public:
  FormFlow(const IndexForm &form, llvm::ArrayRef<Shape> operandShapes)
      : form(form), operandShapes(operandShapes),
        ranges(form.shape, form.body) {
    walk(form.body, [&](Expr node) {
      if (node.getKind() == ExprKind::Load)
        loads.push_back(node);
    });
  }

  ResultAxisFlow getAxis(unsigned var) const;
  void addReduced(AxisFlow &flow) const;

private:
  AxisAccess getAccess(const Expr &load, unsigned var) const;
  std::optional<AxisAccess> getSlice(const Expr &index, const SymInt &size,
                                     unsigned var) const;
  bool isUsedOutsideOfLoads(unsigned var) const;
  std::optional<ReducedAxis> getReduced(const Expr &reduce,
                                        unsigned number) const;

  const IndexForm &form;
  llvm::ArrayRef<Shape> operandShapes;
  IndexRanges ranges;
  llvm::SmallVector<Expr> loads;
};
} // namespace

/// Removes clamps to [0, size), which the definition of a slice makes anyway.
static Expr dropClamps(Expr index, const SymInt &size,
                       const IndexRanges &ranges) {
  while (true) {
    bool isMin = index.getKind() == ExprKind::IndexMin;
    if (!isMin && index.getKind() != ExprKind::IndexMax)
      return index;
    std::optional<Expr> inner;
    for (unsigned number : {0u, 1u}) {
      IndexInterval bound = ranges.get(index->operands[number]);
      if (isMin ? bound.low && provablyAtLeast(*bound.low, size - 1)
                : bound.high && provablyAtLeast(SymInt(0), *bound.high))
        inner = index->operands[1 - number];
    }
    if (!inner)
      return index;
    index = *inner;
  }
}

/// The slice that `index` of an axis of `size` elements takes for a slice of
/// variable `var`; nothing if it has another form.
std::optional<AxisAccess>
FormFlow::getSlice(const Expr &index, const SymInt &size, unsigned var) const {
  LinearIndex linear = getLinearIndex(dropClamps(index, size, ranges), &ranges);
  AxisAccess access;
  access.kind = AxisAccess::Kind::Sliced;
  // One quotient, and a constant beside it, are a quotient of a sum.
  if (linear.terms.size() == 1 &&
      linear.terms.front().coefficient == SymInt(1) &&
      linear.terms.front().index.getKind() == ExprKind::IndexFloorDiv) {
    Expr quotient = linear.terms.front().index;
    if (quotient->operands[1].getKind() != ExprKind::Size)
      return std::nullopt;
    access.divisor = quotient->operands[1]->size;
    if (!provablyAtLeast(access.divisor, SymInt(1)))
      return std::nullopt;
    SymInt constant = linear.constant;
    linear = getLinearIndex(quotient->operands[0], &ranges);
    linear.constant = linear.constant + constant * access.divisor;
  }
  access.stride = linear.getCoefficient(var);
  std::optional<int64_t> stride = access.stride.getConstant();
  bool hasSign =
      stride ? *stride != 0 : provablyAtLeast(access.stride, SymInt(1));
  if (!hasSign)
    return std::nullopt;
  LinearIndex rest;
  rest.constant = linear.constant;
  for (const LinearIndex::Term &term : linear.terms) {
    if (term.index.getKind() == ExprKind::Var && term.index->var == var)
      continue;
    if (usesVar(term.index, var))
      return std::nullopt;
    rest.add(term.index, term.coefficient);
  }
  IndexInterval interval = ranges.get(rest);
  if (!interval.low || !interval.high)
    return std::nullopt;
  access.low = *interval.low;
  access.high = *interval.high;
  return access;
}

AxisAccess FormFlow::getAccess(const Expr &load, unsigned var) const {
  AxisAccess best;
  const Shape &shape = operandShapes[load->operand];
  bool uses = false;
  for (auto [axis, index] : llvm::enumerate(load->operands)) {
    if (!usesVar(index, var))
      continue;
    uses = true;
    std::optional<AxisAccess> slice = getSlice(index, shape[axis], var);
    if (!slice)
      continue;
    slice->axis = axis;
    bool isFirst = best.kind != AxisAccess::Kind::Sliced;
    if (isFirst || (slice->isSame() && !best.isSame()))
      best = *slice;
  }
  if (!uses)
    best.kind = AxisAccess::Kind::Shared;
  else if (best.kind != AxisAccess::Kind::Sliced)
    best.kind = AxisAccess::Kind::Whole;
  return best;
}

/// Whether the value of variable `var` matters elsewhere than in the indices of
/// loads.
bool FormFlow::isUsedOutsideOfLoads(unsigned var) const {
  llvm::DenseSet<const ExprNode *> seen;
  std::function<bool(const Expr &)> uses = [&](const Expr &node) {
    if (!seen.insert(node.getPointer()).second ||
        node.getKind() == ExprKind::Load)
      return false;
    if (node.getKind() == ExprKind::Var)
      return node->var == var;
    return llvm::any_of(node->operands, uses);
  };
  return uses(form.body);
}

ResultAxisFlow FormFlow::getAxis(unsigned var) const {
  ResultAxisFlow flow;
  flow.operands.resize(operandShapes.size());
  flow.usesPosition = isUsedOutsideOfLoads(var);
  for (const Expr &load : loads) {
    AxisAccess access = getAccess(load, var);
    if (access.kind == AxisAccess::Kind::Sliced) {
      // The slice must be the operand's whole extent for the whole result, and
      // the index must decide nothing else.
      bool isSame = access.isSame() &&
                    provablyEqual(operandShapes[load->operand][access.axis],
                                  form.shape[var]);
      for (auto [axis, index] : llvm::enumerate(load->operands))
        isSame &= axis == access.axis || !usesVar(index, var);
      flow.usesPosition |= !isSame;
    } else if (access.kind == AxisAccess::Kind::Whole) {
      flow.usesPosition = true;
    }
    AxisAccess &known = flow.operands[load->operand];
    known = joinAccesses(known, access);
  }
  return flow;
}

std::optional<ReducedAxis> FormFlow::getReduced(const Expr &reduce,
                                                unsigned number) const {
  unsigned var = reduce->vars[number];
  const Expr &extent = reduce->operands[number];
  if (extent.getKind() != ExprKind::Size || extent->size.isUnknown())
    return std::nullopt;
  ReducedAxis reduced;
  reduced.kind = reduce->reduce;
  reduced.size = extent->size;
  reduced.accumulation = reduce->type;
  reduced.var = var;
  // Neither another extent nor the guard may depend on the variable.
  for (const Expr &operand :
       llvm::ArrayRef<Expr>(reduce->operands).drop_back(1))
    if (usesVar(operand, var))
      return std::nullopt;
  const Expr &body = reduce->operands.back();
  bool fits = true;
  llvm::DenseSet<const ExprNode *> seen;
  std::function<void(const Expr &)> visit = [&](const Expr &node) {
    if (!seen.insert(node.getPointer()).second)
      return;
    if (node.getKind() == ExprKind::Var && node->var == var) {
      fits = false;
      return;
    }
    if (node.getKind() != ExprKind::Load) {
      for (const Expr &operand : node->operands)
        visit(operand);
      return;
    }
    // At most one index is the variable, and the others do without it.
    for (auto [axis, index] : llvm::enumerate(node->operands)) {
      if (index.getKind() != ExprKind::Var || index->var != var) {
        visit(index);
        continue;
      }
      std::pair<unsigned, unsigned> place(node->operand, axis);
      fits &= provablyEqual(operandShapes[node->operand][axis], reduced.size);
      bool isCutElsewhere = false;
      for (const auto &[operand, known] : reduced.axes)
        isCutElsewhere |= operand == place.first && known != place.second;
      fits &= !isCutElsewhere;
      if (!llvm::is_contained(reduced.axes, place))
        reduced.axes.push_back(place);
    }
  };
  visit(body);
  // A load of an operand that is cut must be at the cut.
  for (const Expr &load : loads)
    for (const auto &[operand, axis] : reduced.axes)
      if (load->operand == operand)
        fits &= load->operands[axis].getKind() == ExprKind::Var &&
                load->operands[axis]->var == var;
  if (!fits || reduced.axes.empty())
    return std::nullopt;
  llvm::sort(reduced.axes);
  return reduced;
}

void FormFlow::addReduced(AxisFlow &flow) const {
  Expr root = form.body;
  // The sums of 16-bit types are rounded once, at the end.
  if (root.getKind() == ExprKind::Cast)
    root = root->operands[0];
  if (root.getKind() != ExprKind::Reduce)
    return;
  for (unsigned number = 0; number < root->vars.size(); ++number)
    if (std::optional<ReducedAxis> reduced = getReduced(root, number))
      flow.reduced.push_back(std::move(*reduced));
}

AxisFlow graph::getAxisFlow(const IndexForm &form,
                            llvm::ArrayRef<Shape> operandShapes) {
  FormFlow analysis(form, operandShapes);
  AxisFlow flow;
  for (unsigned axis = 0; axis < form.shape.size(); ++axis)
    flow.axes.push_back(analysis.getAxis(axis));
  analysis.addReduced(flow);
  return flow;
}
