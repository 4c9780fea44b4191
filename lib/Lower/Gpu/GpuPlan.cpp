//===- GpuPlan.cpp - division of a subgraph into GPU kernels --------------===//
//
// Part of the Tenon project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "GpuPlan.h"
#include "../AffineOffsets.h"
#include "../RowWork.h"
#include "Contraction.h"
#include "Lanes.h"
#include "tenon/Dialect/Graph/Analysis/SizeEstimate.h"

using namespace mlir;
using namespace tenon;
using namespace tenon::graph;
using namespace tenon::lower;

/// The number of terms from which on threads share a reduction.
static constexpr int64_t kSharedTerms = 32;

/// Whether `stage` reads the stages from `first` on at its own index alone.
static bool readsOwnIndex(const StagePlan &plan, const Stage &stage,
                          unsigned first) {
  bool own = true;
  walk(stage.body, [&](Expr node) {
    if (node.getKind() == ExprKind::Load &&
        node->operand >= plan.numInputs + first)
      own &= loadsOwnIndex(node, stage.shape.size());
  });
  return own;
}

static bool isChain(const StagePlan &plan, unsigned first, unsigned end) {
  for (unsigned number = first; number < end; ++number)
    if (ArrayRef<SymInt>(plan.stages[number].shape) !=
            ArrayRef<SymInt>(plan.stages[first].shape) ||
        !readsOwnIndex(plan, plan.stages[number], first))
      return false;
  return true;
}

bool tenon::lower::isChain(const StagePlan &plan) {
  return ::isChain(plan, 0, plan.stages.size());
}

/// Returns the number of terms of a reduction, if no extent depends on another
/// of its variables.
static std::optional<int64_t> countTerms(const Expr &reduce) {
  int64_t terms = 1;
  for (const Expr &extent :
       ArrayRef<Expr>(reduce->operands).take_front(reduce->vars.size())) {
    if (extent.getKind() != ExprKind::Size)
      return std::nullopt;
    terms *= estimateSize(extent->size);
  }
  return terms;
}

std::optional<unsigned> tenon::lower::findLongestAxis(const Expr &reduce) {
  if (reduce->vars.empty() || !countTerms(reduce))
    return std::nullopt;
  unsigned longest = 0;
  for (unsigned axis = 1; axis < reduce->vars.size(); ++axis)
    if (estimateSize(reduce->operands[axis]->size) >
        estimateSize(reduce->operands[longest]->size))
      longest = axis;
  return longest;
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

bool tenon::lower::reducesAlongMemory(const Stage &stage) {
  const Expr &reduce = stage.body;
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
    if (!stage.shape.empty())
      result |= moves(stage.shape.size() - 1);
  });
  return reduction && !result;
}

bool tenon::lower::wantsRows(const StagePlan &plan,
                             const LowerOptions &options) {
  // A team adds the terms in another order.
  if (!options.policy.mayReassociate())
    return false;
  int64_t shared = 0;
  bool gains = false;
  for (auto [number, stage] : llvm::enumerate(plan.stages)) {
    std::optional<int64_t> inner = plan.innerSize(number).getConstant();
    if (stage.body.getKind() == ExprKind::Reduce) {
      std::optional<int64_t> terms = countTerms(stage.body);
      if (inner == 1 && !terms)
        return false;
      gains |= inner == 1 && terms && *terms >= kSharedTerms &&
               reducesAlongMemory(stage);
    }
    if (stage.output >= 0)
      continue;
    if (!inner)
      return false;
    if (*inner != 1)
      shared += (*inner * byteWidth(stage.elementType) + kWidestAccess - 1) /
                kWidestAccess * kWidestAccess;
  }
  // The rest of shared memory is for the partial results of teams.
  return gains && shared <= kStaticShared - 8 * 1024;
}

/// Returns the stages [first, end) as a separate plan, in which the results of
/// earlier stages are inputs.
static GpuPart takeStages(const StagePlan &plan, unsigned first, unsigned end,
                          ArrayRef<unsigned> bufferOfStage) {
  GpuPart part;
  llvm::DenseMap<unsigned, unsigned> inputs; // by load in the whole plan
  auto getInput = [&](unsigned load) {
    auto [it, inserted] = inputs.try_emplace(load, inputs.size());
    if (inserted) {
      bool isInput = load < plan.numInputs;
      part.plan.inputShapes.push_back(
          isInput ? plan.inputShapes[load]
                  : plan.stages[load - plan.numInputs].shape);
      part.buffers.push_back(isInput ? load
                                     : bufferOfStage[load - plan.numInputs]);
    }
    return it->second;
  };
  for (unsigned number = first; number < end; ++number) {
    walk(plan.stages[number].body, [&](Expr node) {
      if (node.getKind() == ExprKind::Load &&
          node->operand < plan.numInputs + first)
        getInput(node->operand);
    });
    if (int over = plan.stages[number].inPlaceOf; over >= 0)
      getInput(over);
  }
  part.plan.numInputs = inputs.size();
  part.plan.numRowDims = plan.stages[first].shape.size();
  unsigned numOutputs = 0;
  for (unsigned number = first; number < end; ++number) {
    Stage stage = plan.stages[number];
    stage.body = rewriteLoads(stage.body, [&](unsigned load) -> unsigned {
      return load < plan.numInputs + first
                 ? inputs[load]
                 : part.plan.numInputs + (load - plan.numInputs - first);
    });
    if (stage.inPlaceOf >= 0)
      stage.inPlaceOf = static_cast<int>(inputs[stage.inPlaceOf]);
    if (bufferOfStage[number] != ~0u) {
      stage.output = static_cast<int>(numOutputs++);
      part.buffers.push_back(bufferOfStage[number]);
    }
    part.plan.stages.push_back(std::move(stage));
  }
  return part;
}

/// Returns true if the stages [first, end), which are a chain, are one
/// contraction.
static bool isContraction(const StagePlan &plan, unsigned first, unsigned end,
                          const LowerOptions &options) {
  SmallVector<unsigned> buffers(plan.stages.size(), 0);
  StagePlan alone = takeStages(plan, first, end, buffers).plan;
  linearizeLoads(alone);
  mergeChain(alone);
  return matchContraction(alone, options).has_value();
}

bool tenon::lower::isContraction(const StagePlan &plan, unsigned number,
                                 const LowerOptions &options) {
  return plan.stages[number].body.getKind() == ExprKind::Reduce &&
         ::isContraction(plan, number, number + 1, options);
}

GpuParts tenon::lower::cutForGpu(StagePlan plan, const LowerOptions &options) {
  GpuParts result;
  bool mustCut =
      options.policy.mayReassociate() && splitReductions(plan, options);
  unsigned numStages = plan.stages.size(), numOutputs = 0;
  SmallVector<bool> isProduct;
  for (auto [number, stage] : llvm::enumerate(plan.stages)) {
    numOutputs = std::max<unsigned>(numOutputs, stage.output + 1);
    isProduct.push_back(isContraction(plan, number, options));
    mustCut |= isProduct.back() && number > 0;
  }
  // A product includes the elementwise stages after it, but no further sum.
  auto isRun = [&](unsigned first, unsigned end) {
    return ::isChain(plan, first, end) &&
           (!isProduct[first] || ::isContraction(plan, first, end, options));
  };
  bool isWhole = isRun(0, numStages) || (!llvm::is_contained(isProduct, true) &&
                                         wantsRows(plan, options));
  if (isWhole && !mustCut) {
    GpuPart whole{plan, {}};
    for (unsigned buffer = 0; buffer < plan.numInputs + numOutputs; ++buffer)
      whole.buffers.push_back(buffer);
    result.parts.push_back(std::move(whole));
    return result;
  }
  // Divide the stages into runs that are chains. Results that a later run reads
  // are stored.
  SmallVector<unsigned> begins;
  for (unsigned first = 0, end; first < numStages; first = end) {
    begins.push_back(first);
    for (end = first + 1; end < numStages; ++end)
      if (isProduct[end] || !isRun(first, end + 1))
        break;
  }
  begins.push_back(numStages);
  SmallVector<unsigned> bufferOfStage(numStages, ~0u);
  for (auto [number, stage] : llvm::enumerate(plan.stages))
    if (stage.output >= 0)
      bufferOfStage[number] = plan.numInputs + stage.output;
  for (size_t run = 0; run + 1 < begins.size(); ++run)
    for (unsigned number = begins[run]; number < begins[run + 1]; ++number)
      walk(plan.stages[number].body, [&](Expr node) {
        if (node.getKind() != ExprKind::Load ||
            node->operand < plan.numInputs ||
            node->operand >= plan.numInputs + begins[run])
          return;
        unsigned source = node->operand - plan.numInputs;
        if (bufferOfStage[source] != ~0u)
          return;
        bufferOfStage[source] =
            plan.numInputs + numOutputs + result.temporaries.size();
        result.temporaries.push_back(
            {plan.stages[source].shape, plan.stages[source].elementType});
      });
  for (size_t run = 0; run + 1 < begins.size(); ++run)
    result.parts.push_back(
        takeStages(plan, begins[run], begins[run + 1], bufferOfStage));
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
                                       StagePlan plan) {
  if (isChain(plan)) {
    plan.numRowDims = plan.stages.front().shape.size();
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
