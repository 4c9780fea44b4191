//===- GpuParts.cpp - division of a subgraph into GPU kernels -------------===//
//
// Part of the Tenon project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "GpuParts.h"
#include "../AffineOffsets.h"
#include "../SplitReduction.h"
#include "Contraction.h"
#include "Lanes.h"
#include "tenon/Dialect/Graph/Analysis/SizeEstimate.h"

using namespace mlir;
using namespace tenon;
using namespace tenon::graph;
using namespace tenon::lower;

/// The number of terms from which on threads share a reduction.
static constexpr int64_t kSharedTerms = 32;

/// Whether `loop` reads the kernel loops from `first` on at its own index
/// alone.
static bool readsOwnIndex(const LoopPlan &plan, const KernelLoop &loop,
                          unsigned first) {
  bool own = true;
  walk(loop.body, [&](Expr node) {
    if (node.getKind() == ExprKind::Load &&
        node->operand >= plan.numInputs + first)
      own &= loadsOwnIndex(node, loop.shape.size());
  });
  return own;
}

static bool isChain(const LoopPlan &plan, unsigned first, unsigned end) {
  for (unsigned number = first; number < end; ++number)
    if (ArrayRef<SymInt>(plan.loops[number].shape) !=
            ArrayRef<SymInt>(plan.loops[first].shape) ||
        !readsOwnIndex(plan, plan.loops[number], first))
      return false;
  return true;
}

bool tenon::lower::isChain(const LoopPlan &plan) {
  return ::isChain(plan, 0, plan.loops.size());
}

Expr tenon::lower::rewriteLoads(const Expr &root,
                                llvm::function_ref<unsigned(unsigned)> number) {
  return rewrite(root, [&](Expr node) -> Expr {
    if (node.getKind() != ExprKind::Load)
      return {};
    SmallVector<Expr, 4> indices;
    for (const Expr &index : node->operands)
      indices.push_back(rewriteLoads(index, number));
    return Expr::load(number(node->operand), indices, node->type);
  });
}

bool tenon::lower::reducesAlongMemory(const KernelLoop &loop) {
  const Expr &reduce = loop.body;
  if (reduce->vars.empty())
    return false;
  bool reduction = false, result = false;
  walk(reduce->operands.back(), [&](Expr node) {
    if (node.getKind() != ExprKind::Load || node->operands.empty())
      return;
    const Expr &last = node->operands.back();
    auto moves = [&](unsigned var) {
      return analyzeLanes(last, {var}).stride == 1;
    };
    reduction |= moves(reduce->vars.back());
    if (!loop.shape.empty())
      result |= moves(loop.shape.size() - 1);
  });
  return reduction && !result;
}

bool tenon::lower::wantsRows(const LoopPlan &plan,
                             const LowerOptions &options) {
  // A team adds the terms in another order.
  if (!options.numerics.mayReassociate())
    return false;
  int64_t shared = 0;
  bool gains = false;
  for (auto [number, loop] : llvm::enumerate(plan.loops)) {
    std::optional<int64_t> inner = plan.innerSize(number).getConstant();
    if (loop.body.getKind() == ExprKind::Reduce) {
      std::optional<int64_t> terms = countTerms(loop.body);
      if (inner == 1 && !terms)
        return false;
      gains |= inner == 1 && terms && *terms >= kSharedTerms &&
               reducesAlongMemory(loop);
    }
    if (loop.output >= 0)
      continue;
    if (!inner)
      return false;
    if (*inner != 1)
      shared += (*inner * byteWidth(loop.elementType) + kWidestAccess - 1) /
                kWidestAccess * kWidestAccess;
  }
  // The rest of shared memory is for the partial results of teams.
  return gains && shared <= kStaticShared - 8 * 1024;
}

/// Returns the kernel loops [first, end) as a separate plan, in which the
/// results of earlier kernel loops are inputs.
static GpuPart takeLoops(const LoopPlan &plan, unsigned first, unsigned end,
                         ArrayRef<unsigned> bufferOfLoop) {
  GpuPart part;
  llvm::DenseMap<unsigned, unsigned> inputs; // by load in the whole plan
  auto getInput = [&](unsigned load) {
    auto [it, inserted] = inputs.try_emplace(load, inputs.size());
    if (inserted) {
      bool isInput = load < plan.numInputs;
      part.plan.inputShapes.push_back(
          isInput ? plan.inputShapes[load]
                  : plan.loops[load - plan.numInputs].shape);
      part.buffers.push_back(isInput ? load
                                     : bufferOfLoop[load - plan.numInputs]);
    }
    return it->second;
  };
  for (unsigned number = first; number < end; ++number) {
    walk(plan.loops[number].body, [&](Expr node) {
      if (node.getKind() == ExprKind::Load &&
          node->operand < plan.numInputs + first)
        getInput(node->operand);
    });
    if (int over = plan.loops[number].inPlaceOf; over >= 0)
      getInput(over);
  }
  part.plan.numInputs = inputs.size();
  part.plan.numRowDims = plan.loops[first].shape.size();
  unsigned numOutputs = 0;
  for (unsigned number = first; number < end; ++number) {
    KernelLoop loop = plan.loops[number];
    loop.body = rewriteLoads(loop.body, [&](unsigned load) -> unsigned {
      return load < plan.numInputs + first
                 ? inputs[load]
                 : part.plan.numInputs + (load - plan.numInputs - first);
    });
    if (loop.inPlaceOf >= 0)
      loop.inPlaceOf = static_cast<int>(inputs[loop.inPlaceOf]);
    if (bufferOfLoop[number] != ~0u) {
      loop.output = static_cast<int>(numOutputs++);
      part.buffers.push_back(bufferOfLoop[number]);
    }
    part.plan.loops.push_back(std::move(loop));
  }
  return part;
}

/// Returns true if the kernel loops [first, end), which are a chain, are one
/// contraction.
static bool isContraction(const LoopPlan &plan, unsigned first, unsigned end,
                          const LowerOptions &options) {
  SmallVector<unsigned> buffers(plan.loops.size(), 0);
  LoopPlan alone = takeLoops(plan, first, end, buffers).plan;
  linearizeLoads(alone);
  mergeChain(alone);
  return matchContraction(alone, options).has_value();
}

bool tenon::lower::isContraction(const LoopPlan &plan, unsigned number,
                                 const LowerOptions &options) {
  return plan.loops[number].body.getKind() == ExprKind::Reduce &&
         ::isContraction(plan, number, number + 1, options);
}

GpuParts tenon::lower::cutForGpu(LoopPlan plan, const LowerOptions &options) {
  GpuParts result;
  bool mustCut =
      options.numerics.mayReassociate() && splitReductions(plan, options);
  unsigned numLoops = plan.loops.size(), numOutputs = 0;
  SmallVector<bool> isProduct;
  for (auto [number, loop] : llvm::enumerate(plan.loops)) {
    numOutputs = std::max<unsigned>(numOutputs, loop.output + 1);
    isProduct.push_back(isContraction(plan, number, options));
    mustCut |= isProduct.back() && number > 0;
  }
  // A product includes the elementwise kernel loops after it, but no further
  // sum.
  auto isRun = [&](unsigned first, unsigned end) {
    return ::isChain(plan, first, end) &&
           (!isProduct[first] || ::isContraction(plan, first, end, options));
  };
  bool isWhole = isRun(0, numLoops) || (!llvm::is_contained(isProduct, true) &&
                                        wantsRows(plan, options));
  if (isWhole && !mustCut) {
    GpuPart whole{plan, {}};
    for (unsigned buffer = 0; buffer < plan.numInputs + numOutputs; ++buffer)
      whole.buffers.push_back(buffer);
    result.parts.push_back(std::move(whole));
    return result;
  }
  // Divide the kernel loops into runs that are chains. Results that a later run
  // reads are stored.
  SmallVector<unsigned> begins;
  for (unsigned first = 0, end; first < numLoops; first = end) {
    begins.push_back(first);
    for (end = first + 1; end < numLoops; ++end)
      if (isProduct[end] || !isRun(first, end + 1))
        break;
  }
  begins.push_back(numLoops);
  SmallVector<unsigned> bufferOfLoop(numLoops, ~0u);
  for (auto [number, loop] : llvm::enumerate(plan.loops))
    if (loop.output >= 0)
      bufferOfLoop[number] = plan.numInputs + loop.output;
  for (size_t run = 0; run + 1 < begins.size(); ++run)
    for (unsigned number = begins[run]; number < begins[run + 1]; ++number)
      walk(plan.loops[number].body, [&](Expr node) {
        if (node.getKind() != ExprKind::Load ||
            node->operand < plan.numInputs ||
            node->operand >= plan.numInputs + begins[run])
          return;
        unsigned source = node->operand - plan.numInputs;
        if (bufferOfLoop[source] != ~0u)
          return;
        bufferOfLoop[source] =
            plan.numInputs + numOutputs + result.temporaries.size();
        result.temporaries.push_back(
            {plan.loops[source].shape, plan.loops[source].elementType});
      });
  for (size_t run = 0; run + 1 < begins.size(); ++run)
    result.parts.push_back(
        takeLoops(plan, begins[run], begins[run + 1], bufferOfLoop));
  return result;
}

Expr tenon::lower::getPosition(ArrayRef<SymInt> shape, unsigned first) {
  Expr position = Expr::index(0);
  SymInt stride = 1;
  for (size_t axis = shape.size(); axis-- > first;) {
    position = Expr::addIndex(
        Expr::mulIndex(Expr::var(axis), Expr::size(stride)), position);
    stride = stride * shape[axis];
  }
  return position;
}

GpuKernel tenon::lower::buildGpuKernel(const GpuKernelPlace &place,
                                       LoopPlan plan) {
  if (isChain(plan)) {
    plan.numRowDims = plan.loops.front().shape.size();
    bool rows = wantsRows(plan, place.options);
    linearizeLoads(plan);
    mergeChain(plan);
    if (auto contraction = matchContraction(plan, place.options))
      return buildContraction(place, plan, *contraction);
    if (rows)
      return buildRowKernel(place, plan);
    if (std::optional<unsigned> axis = findTransposedAxis(plan))
      return buildTransposeKernel(place, plan, *axis);
    return buildPointKernel(place, plan);
  }
  linearizeLoads(plan);
  mergeDimensions(plan);
  return buildRowKernel(place, plan);
}
