//===- PackWeights.cpp - weights in the order of results ----------------===//
//
// Part of the Tenon project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "PackWeights.h"
#include "BlockedReduction.h"

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
