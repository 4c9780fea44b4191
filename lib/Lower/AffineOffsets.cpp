//===- AffineOffsets.cpp - linear offsets and merged dimensions -----------===//
//
// Part of the Tenon project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "AffineOffsets.h"

#include "llvm/ADT/DenseSet.h"

using namespace mlir;
using namespace tenon;
using namespace tenon::graph;
using namespace tenon::lower;

static Expr linearOffset(ArrayRef<Expr> indices, ArrayRef<SymInt> shape) {
  Expr offset = Expr::index(0);
  SymInt stride = 1;
  for (size_t axis = shape.size(); axis-- > 0;) {
    // The index of an axis of size 1 is always 0.
    if (shape[axis].getConstant() != 1)
      offset = Expr::addIndex(Expr::mulIndex(indices[axis], Expr::size(stride)),
                              offset);
    stride = stride * shape[axis];
  }
  return offset;
}

void tenon::lower::linearizeLoads(LoopPlan &plan) {
  for (KernelLoop &loop : plan.loops) {
    llvm::DenseMap<const ExprNode *, Expr> done;
    std::function<Expr(Expr)> linearize = [&](Expr root) -> Expr {
      return rewrite(root, [&](Expr node) -> Expr {
        if (node.getKind() != ExprKind::Load)
          return {};
        auto [it, inserted] = done.try_emplace(node.getPointer());
        if (!inserted)
          return it->second;
        SmallVector<Expr, 4> indices;
        for (const Expr &index : node->operands)
          indices.push_back(linearize(index));
        ArrayRef<Expr> inner = indices;
        ArrayRef<SymInt> shape;
        if (node->operand < plan.numInputs) {
          shape = plan.inputShapes[node->operand];
        } else {
          const KernelLoop &source = plan.loops[node->operand - plan.numInputs];
          shape = source.shape;
          if (source.output < 0) {
            shape = shape.drop_front(plan.numRowDims);
            inner = inner.drop_front(plan.numRowDims);
          }
        }
        Expr result =
            Expr::load(node->operand, {linearOffset(inner, shape)}, node->type);
        done[node.getPointer()] = result;
        return result;
      });
    };
    loop.body = linearize(loop.body);
  }
}

namespace {
/// How the loads of an expression use its variables.
struct VarUses {
  SmallVector<AffineForm, 0> loads;
  llvm::DenseSet<unsigned> pinned; // has uses that are not affine in a load
};

void collectUses(const Expr &root, VarUses &uses) {
  llvm::DenseSet<const ExprNode *> seen;
  std::function<void(const Expr &)> visit = [&](const Expr &expr) {
    if (!seen.insert(expr.getPointer()).second)
      return;
    if (expr.getKind() == ExprKind::Load)
      if (std::optional<AffineForm> form = getAffineForm(expr->operands[0])) {
        uses.loads.push_back(std::move(*form));
        return;
      }
    if (expr.getKind() == ExprKind::Var)
      uses.pinned.insert(expr->var);
    for (const Expr &operand : expr->operands)
      visit(operand);
  };
  visit(root);
}

bool canMerge(unsigned outer, unsigned inner, const SymInt &innerSize,
              const VarUses &uses) {
  if (uses.pinned.contains(outer) || uses.pinned.contains(inner))
    return false;
  for (const AffineForm &load : uses.loads)
    if (load.coefficient(outer) != load.coefficient(inner) * innerSize)
      return false;
  return true;
}

/// Merges the variables of every reduction if possible.
Expr mergeReductions(const Expr &root) {
  return rewrite(root, [&](Expr node) -> Expr {
    if (node.getKind() != ExprKind::Reduce || node->vars.size() < 2)
      return {};
    VarUses uses;
    collectUses(node->operands.back(), uses);
    collectUses(node->operands[node->operands.size() - 2], uses);
    for (const Expr &extent : ArrayRef<Expr>(node->operands).drop_back(2)) {
      collectUses(extent, uses);
      if (extent.getKind() != ExprKind::Size)
        return {};
    }
    SmallVector<unsigned, 4> vars{node->vars.front()};
    SmallVector<SymInt, 4> extents{node->operands.front()->size};
    llvm::DenseSet<unsigned> gone;
    for (unsigned i = 1; i < node->vars.size(); ++i) {
      const SymInt &size = node->operands[i]->size;
      if (canMerge(vars.back(), node->vars[i], size, uses)) {
        gone.insert(vars.back());
        vars.back() = node->vars[i];
        extents.back() = extents.back() * size;
      } else {
        vars.push_back(node->vars[i]);
        extents.push_back(size);
      }
    }
    if (gone.empty())
      return {};
    auto drop = [&](Expr expr) {
      return rewrite(expr, [&](Expr inner) -> Expr {
        if (inner.getKind() == ExprKind::Var && gone.contains(inner->var))
          return Expr::index(0);
        return {};
      });
    };
    SmallVector<Expr, 4> sizes;
    for (const SymInt &extent : extents)
      sizes.push_back(Expr::size(extent));
    return Expr::reduce(node->reduce, vars, sizes,
                        drop(node->operands[node->operands.size() - 2]),
                        drop(node->operands.back()));
  });
}
} // namespace

/// Merges neighbouring axes of the shape that all kernel loops share, if every
/// load traverses them like a single axis.
static bool mergeAxes(LoopPlan &plan) {
  VarUses uses;
  for (const KernelLoop &loop : plan.loops)
    collectUses(loop.body, uses);
  Shape merged;
  SmallVector<Expr, 4> replacements;
  for (auto [axis, size] : llvm::enumerate(plan.loops.front().shape)) {
    if (axis > 0 && canMerge(axis - 1, axis, size, uses)) {
      merged.back() = merged.back() * size;
      // The inner variable covers both axes, and the outer one stays 0.
      replacements.back() = Expr::index(0);
    } else {
      merged.push_back(size);
    }
    replacements.push_back(Expr::var(merged.size() - 1));
  }
  if (merged.size() == plan.loops.front().shape.size())
    return false;
  for (KernelLoop &loop : plan.loops) {
    loop.body = substituteVars(loop.body, replacements);
    loop.shape = merged;
  }
  return true;
}

void tenon::lower::mergeDimensions(LoopPlan &plan) {
  for (KernelLoop &loop : plan.loops)
    loop.body = mergeReductions(loop.body);
  if (plan.loops.size() != 1)
    return;
  const KernelLoop &loop = plan.loops.front();
  if (loop.body.getKind() == ExprKind::Reduce || loop.shape.size() < 2)
    return;
  if (mergeAxes(plan))
    plan.numRowDims = loop.shape.size() == 1 ? 1 : loop.shape.size() - 1;
}

void tenon::lower::mergeChain(LoopPlan &plan) {
  for (KernelLoop &loop : plan.loops)
    loop.body = mergeReductions(loop.body);
  mergeAxes(plan);
  plan.numRowDims = plan.loops.front().shape.size();
}
