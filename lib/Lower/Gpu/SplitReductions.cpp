//===- SplitReductions.cpp - reductions with too few results --------------===//
//
// Part of the Tenon project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "../SplitReduction.h"
#include "GpuParts.h"
#include "tenon/Dialect/Graph/Analysis/SizeEstimate.h"

using namespace mlir;
using namespace tenon;
using namespace tenon::graph;
using namespace tenon::lower;

/// The numbers of threads and of blocks that keep a large GPU busy.
static constexpr int64_t kWantedThreads = 128 * 1024;
static constexpr int64_t kWantedBlocks = 512;
/// The minimum number of terms of a thread, and of a team.
static constexpr int64_t kThreadTerms = 64;
static constexpr int64_t kTeamTerms = 4096;

/// Returns into how many parts the axis of a reduction is divided; 1 if it is
/// not divided.
static int64_t chooseParts(const KernelLoop &loop, unsigned axis) {
  int64_t results = 1, terms = 1;
  for (const SymInt &size : loop.shape)
    results *= std::max<int64_t>(estimateSize(size), 1);
  for (const Expr &extent :
       ArrayRef<Expr>(loop.body->operands).take_front(loop.body->vars.size()))
    terms *= estimateSize(extent->size);
  bool alongMemory = reducesAlongMemory(loop);
  int64_t wanted = alongMemory ? kWantedBlocks : kWantedThreads;
  int64_t least = alongMemory ? kTeamTerms : kThreadTerms;
  const SymInt &extent = loop.body->operands[axis]->size;
  // Wide accesses can read parts without a guard.
  int64_t parts = toEqualParts(
      extent,
      std::min({estimateSize(extent), terms / least, wanted / results}));
  // Two kernels instead of one must be worth a launch.
  return parts >= 4 ? parts : 1;
}

bool tenon::lower::splitReductions(LoopPlan &plan,
                                   const LowerOptions &options) {
  SmallVector<KernelLoop, 0> loops;
  SmallVector<unsigned> moved;         // new number by old number
  constexpr unsigned kFreshVar = 4096; // above all planned variables
  bool changed = false;
  for (auto [number, original] : llvm::enumerate(plan.loops)) {
    KernelLoop loop = original;
    loop.body = rewriteLoads(loop.body, [&](unsigned load) {
      return load < plan.numInputs
                 ? load
                 : plan.numInputs + moved[load - plan.numInputs];
    });
    std::optional<unsigned> axis;
    if (loop.body.getKind() == ExprKind::Reduce &&
        !isContraction(plan, number, options))
      axis = findLongestAxis(loop.body);
    int64_t parts = 1;
    if (axis)
      parts = chooseParts(loop, *axis);
    if (parts > 1) {
      changed = true;
      auto [partial, joined] =
          splitReduction(loop, *axis, parts, plan.numInputs + loops.size(),
                         kFreshVar * (loops.size() + 1));
      loops.push_back(std::move(partial));
      loop = std::move(joined);
    }
    moved.push_back(loops.size());
    loops.push_back(std::move(loop));
  }
  if (changed)
    plan.loops = std::move(loops);
  return changed;
}
