//===- PackWeights.cpp - weights in the order of results ----------------===//
//
// Part of the Tenon project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "PackWeights.h"
#include "BlockedReduction.h"

#include "llvm/ADT/MapVector.h"

using namespace mlir;
using namespace tenon;
using namespace tenon::graph;
using namespace tenon::lower;

/// With fewer rows, the packed weights would not be read often enough.
constexpr int64_t kFewestRows = 4;

static bool contains(const Expr &expr, unsigned var) {
  bool found = false;
  walk(expr, [&](Expr node) {
    found |= node.getKind() == ExprKind::Var && node->var == var;
  });
  return found;
}

/// Returns the axis that is indexed by variable `lane` in every load of the
/// input, if there is exactly one and it is not already the last.
static std::optional<unsigned> findLaneAxis(const LoopPlan &plan,
                                            unsigned input, unsigned lane) {
  std::optional<unsigned> axis;
  bool agrees = true;
  for (const KernelLoop &loop : plan.loops)
    walk(loop.body, [&](Expr node) {
      if (node.getKind() != ExprKind::Load || node->operand != input)
        return;
      std::optional<unsigned> found;
      for (auto [number, index] : llvm::enumerate(node->operands)) {
        if (!contains(index, lane))
          continue;
        agrees &= !found && index.getKind() == ExprKind::Var;
        found = number;
      }
      agrees &= found && (!axis || *axis == *found) &&
                *found + 1 < node->operands.size();
      axis = found;
    });
  return agrees ? axis : std::nullopt;
}

static void permuteInput(LoopPlan &plan, const PackedInput &packed) {
  Shape shape;
  for (unsigned axis : packed.order)
    shape.push_back(plan.inputShapes[packed.input][axis]);
  plan.inputShapes[packed.input] = shape;
  for (KernelLoop &loop : plan.loops)
    loop.body = rewrite(loop.body, [&](Expr node) -> Expr {
      if (node.getKind() != ExprKind::Load || node->operand != packed.input)
        return {};
      SmallVector<Expr, 4> indices;
      for (unsigned axis : packed.order)
        indices.push_back(node->operands[axis]);
      return Expr::load(packed.input, indices, node->type);
    });
}

SmallVector<PackedInput, 0>
tenon::lower::packWeights(LoopPlan &plan, unsigned vectorBits,
                          llvm::function_ref<bool(unsigned)> isConstant) {
  for (unsigned number = 0; number < plan.loops.size(); ++number) {
    const KernelLoop &loop = plan.loops[number];
    if (loop.body.getKind() != ExprKind::Reduce || loop.shape.empty())
      continue;
    unsigned lane = loop.shape.size() - 1;
    int64_t rows = 1;
    for (const SymInt &size : ArrayRef<SymInt>(loop.shape).drop_back())
      rows *= size.getConstant().value_or(kFewestRows);
    if (rows < kFewestRows)
      continue;
    LoopPlan packed = plan;
    packed.numRowDims = std::min(plan.numRowDims, lane);
    SmallVector<PackedInput, 0> inputs;
    for (unsigned input = 0; input < plan.numInputs; ++input) {
      if (!isConstant(input))
        continue;
      std::optional<unsigned> last = findLaneAxis(plan, input, lane);
      if (!last)
        continue;
      PackedInput entry{input, {}};
      for (unsigned axis = 0; axis < plan.inputShapes[input].size(); ++axis)
        if (axis != *last)
          entry.order.push_back(axis);
      entry.order.push_back(*last);
      permuteInput(packed, entry);
      inputs.push_back(std::move(entry));
    }
    if (inputs.empty())
      continue;
    LoopPlan linear = packed;
    linearizeLoads(linear);
    if (!BlockedReduction(linear, number, vectorBits).isPossible())
      continue;
    plan = std::move(packed);
    return inputs;
  }
  return {};
}

static bool isVarOf(const Expr &index, ArrayRef<unsigned> vars) {
  return index.getKind() == ExprKind::Var &&
         llvm::is_contained(vars, index->var);
}

/// Returns the variable of the reduction along which the expression's loads are
/// contiguous, if there is exactly one.
static std::optional<unsigned> findContiguousVar(const Expr &factor,
                                                 ArrayRef<unsigned> vars) {
  std::optional<unsigned> found;
  bool agrees = true;
  walk(factor, [&](Expr node) {
    if (node.getKind() != ExprKind::Load || node->operands.empty())
      return;
    std::optional<AffineForm> form = getAffineForm(node->operands.back());
    for (unsigned var : vars)
      if (form && form->coefficient(var) == SymInt(1)) {
        agrees &= !found || *found == var;
        found = var;
      }
  });
  return agrees ? found : std::nullopt;
}

/// Returns the axis of the weights along which the other factor of the terms is
/// contiguous, if the weights are contiguous along other terms.
static std::optional<unsigned> findTermAxis(const LoopPlan &plan,
                                            const Expr &weights,
                                            const Expr &other,
                                            ArrayRef<unsigned> vars) {
  std::optional<unsigned> var = findContiguousVar(other, vars);
  if (!var)
    return std::nullopt;
  const Shape &shape = plan.inputShapes[weights->operand];
  std::optional<unsigned> axis, last;
  for (auto [number, index] : llvm::enumerate(weights->operands)) {
    if (shape[number] == SymInt(1))
      continue;
    last = number;
    if (index.getKind() == ExprKind::Var && index->var == *var)
      axis = number;
  }
  bool isElsewhere =
      axis && *last != *axis && isVarOf(weights->operands[*last], vars);
  return isElsewhere ? axis : std::nullopt;
}

/// Returns the factor before conversions.
static Expr stripCasts(Expr factor) {
  while (factor.getKind() == ExprKind::Cast)
    factor = factor->operands[0];
  return factor;
}

SmallVector<PackedInput, 0>
tenon::lower::packFactors(LoopPlan &plan,
                          llvm::function_ref<bool(unsigned)> isConstant) {
  llvm::MapVector<unsigned, unsigned> axes; // by input
  for (const KernelLoop &loop : plan.loops)
    walk(loop.body, [&](Expr reduce) {
      if (reduce.getKind() != ExprKind::Reduce)
        return;
      const Expr &term = reduce->operands.back();
      if (term.getKind() != ExprKind::Apply || term->fn != ScalarFn::Mul)
        return;
      for (unsigned side : {0, 1}) {
        Expr weights = stripCasts(term->operands[side]);
        if (weights.getKind() != ExprKind::Load ||
            weights->operand >= plan.numInputs || !isConstant(weights->operand))
          continue;
        if (std::optional<unsigned> axis = findTermAxis(
                plan, weights, term->operands[1 - side], reduce->vars))
          axes.insert({weights->operand, *axis});
      }
    });
  SmallVector<PackedInput, 0> inputs;
  for (auto [input, last] : axes) {
    PackedInput entry{input, {}};
    for (unsigned axis = 0; axis < plan.inputShapes[input].size(); ++axis)
      if (axis != last)
        entry.order.push_back(axis);
    entry.order.push_back(last);
    permuteInput(plan, entry);
    inputs.push_back(std::move(entry));
  }
  return inputs;
}

LoopPlan tenon::lower::planTranspose(const Shape &shape, Type type,
                                     ArrayRef<unsigned> order) {
  KernelLoop loop;
  SmallVector<Expr, 4> indices(order.size());
  for (auto [axis, source] : llvm::enumerate(order)) {
    loop.shape.push_back(shape[source]);
    indices[source] = Expr::var(axis);
  }
  loop.elementType = type;
  loop.body = Expr::load(0, indices, type);
  loop.output = 0;
  LoopPlan plan;
  plan.numInputs = 1;
  plan.inputShapes = {shape};
  plan.loops.push_back(std::move(loop));
  plan.numRowDims = order.size() - 1;
  return plan;
}
