//===- KernelPositions.cpp - positions that a kernel computes -------------===//
//
// Part of the Tenon project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "KernelPositions.h"

#include "tenon/Dialect/Graph/Analysis/LinearIndex.h"
#include "tenon/Dialect/Graph/Analysis/SizeEstimate.h"

using namespace mlir;
using namespace tenon;
using namespace tenon::graph;
using namespace tenon::place;

/// How much more often than once is too often.
static constexpr double kMostRepeats = 2.5;

namespace {
/// Visits every node of an expression once, with the number of times that it is
/// evaluated for each element.
class EvaluationVisitor {
public:
  using Visit = llvm::function_ref<void(const Expr &, double)>;

  explicit EvaluationVisitor(Visit onNode) : onNode(onNode) {}

  void visit(const Expr &expr, double times) {
    if (!seen.insert(expr.getPointer()).second)
      return;
    onNode(expr, times);
    if (expr.getKind() == ExprKind::Reduce)
      for (const Expr &extent : ArrayRef<Expr>(expr->operands).drop_back(2))
        if (extent.getKind() == ExprKind::Size)
          times *= estimateSize(extent->size);
    for (const Expr &operand : expr->operands)
      visit(operand, times);
  }

private:
  Visit onNode;
  llvm::DenseSet<const ExprNode *> seen;
};
} // namespace

static double countElements(ArrayRef<SymInt> shape) {
  double elements = 1;
  for (const SymInt &size : shape)
    elements *= estimateSize(size);
  return elements;
}

/// Whether an element is loaded from a position that is computed, by arithmetic
/// or from data, from the last variable.
static bool computesPositions(const Expr &body, ArrayRef<SymInt> shape) {
  bool computes = false;
  walk(body, [&](Expr node) {
    if (node.getKind() != ExprKind::FromElement || shape.empty())
      return;
    computes |= usesVar(node, shape.size() - 1);
  });
  return computes;
}

bool place::computesMorePositions(const kernel::LoopPlan &plan,
                                  ArrayRef<Operation *> ops,
                                  kernel::IndexFormCache &forms) {
  if (llvm::none_of(plan.loops, [](const kernel::KernelLoop &loop) {
        return computesPositions(loop.body, loop.shape);
      }))
    return false;
  return llvm::none_of(ops, [&](Operation *op) {
    auto meaning = dyn_cast<IndexFormInterface>(op);
    return meaning &&
           llvm::any_of(forms.get(meaning), [](const IndexForm &form) {
             return computesPositions(form.body, form.shape);
           });
  });
}

static bool usesReductionVar(const Expr &index, unsigned rank) {
  bool uses = false;
  walk(index, [&](const Expr &node) {
    uses |= node.getKind() == ExprKind::Var && node->var >= rank;
  });
  return uses;
}

bool place::repeatsReadsAcross(const kernel::LoopPlan &plan) {
  bool repeats = false;
  for (const kernel::KernelLoop &loop : plan.loops) {
    if (loop.shape.empty())
      continue;
    unsigned last = loop.shape.size() - 1;
    auto onNode = [&](const Expr &node, double times) {
      if (node.getKind() != ExprKind::Load || node->operand >= plan.numInputs ||
          node->operands.empty())
        return;
      ArrayRef<Expr> position = node->operands;
      // An index that is affine in a variable of a reduction runs along memory.
      bool runsAlong = usesVar(position.back(), last) ||
                       (getAffineForm(position.back()) &&
                        usesReductionVar(position.back(), loop.shape.size()));
      bool isAcross = !runsAlong && llvm::any_of(position, [](const Expr &at) {
        return !getAffineForm(at);
      }) && llvm::any_of(position.drop_back(), [&](const Expr &at) {
        return usesVar(at, last);
      });
      repeats |=
          isAcross &&
          times * countElements(loop.shape) >
              kMostRepeats * countElements(plan.inputShapes[node->operand]);
    };
    EvaluationVisitor(onNode).visit(loop.body, 1);
  }
  return repeats;
}
