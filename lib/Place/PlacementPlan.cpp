//===- PlacementPlan.cpp - selection of candidates ------------------------===//
//
// Part of the Tenon project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Explain.h"
#include "Outline.h"

#include "mlir/IR/Builders.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/xxhash.h"

using namespace mlir;
using namespace tenon;
using namespace tenon::place;

/// The number of rounds of clustering. Each round adds the ops that the last
/// plan leaves to generated code.
static constexpr unsigned kRounds = 4;

/// A difference in seconds that is below the resolution of any measurement.
static constexpr double kTie = 1e-13;

/// If `all` is empty, no backend is preferred.
static std::optional<Cover> solve(const CandidateSet &candidates,
                                  StringRef all) {
  CoverProblem problem = candidates.getProblem();
  double sum = candidates.getSecondsPerKernel() * problem.options.size();
  for (const CoverOption &option : problem.options)
    sum += option.cost;
  // The penalty for each root that the backend does not run exceeds the cost of
  // any plan.
  double fine = sum + 1;
  std::vector<bool> isRoot(problem.users.size(), false);
  // The baseline is known to run well, so replace it only by options that are
  // certain to be better.
  llvm::ArrayRef<unsigned> baseline = candidates.getBaseline();
  if (all.empty() && !baseline.empty())
    for (auto [number, candidate, option] :
         llvm::enumerate(candidates.getCandidates(), problem.options))
      option.cost = llvm::binary_search(baseline, number)
                        ? candidate.bounds.low
                        : candidate.bounds.high;
  if (!all.empty())
    for (const Candidate &candidate : candidates.getCandidates())
      if (candidate.backend == all &&
          !kernel::isGeneratedCode(candidate.backend))
        isRoot[candidates.getItem(candidate.root)] = true;
  for (auto [candidate, option] :
       llvm::zip(candidates.getCandidates(), problem.options)) {
    if (option.cost > 0)
      option.cost += candidates.getSecondsPerKernel();
    // Among plans of the same cost, prefer fewer kernels, and more kernels of
    // libraries.
    option.cost += kTie;
    if (kernel::isGeneratedCode(candidate.backend))
      option.cost += kTie * option.items.size();
    if (all.empty())
      continue;
    if (kernel::isGeneratedCode(candidate.backend))
      for (unsigned item : option.items)
        option.cost += isRoot[item] ? fine : 0;
    else if (candidate.backend != all)
      option.cost += fine * problem.users.size();
  }
  return solveCover(problem);
}

/// Prefers subgraphs that were not measured, because measuring known ones gives
/// no information. Excludes subgraphs whose predicted cost is much higher than
/// that of the cheapest cover of the same ops.
static std::optional<Cover> solveUnmeasured(const CandidateSet &candidates,
                                            const Cover &cheapest) {
  constexpr double kHopeless = 4, kSlack = 50e-6;
  CoverProblem problem = candidates.getProblem();
  std::vector<double> share(problem.users.size());
  for (unsigned option : cheapest.options) {
    const CoverOption &chosen = problem.options[option];
    for (unsigned item : chosen.items)
      share[item] = chosen.cost / chosen.items.size();
  }
  for (auto [candidate, option] :
       llvm::zip(candidates.getCandidates(), problem.options)) {
    double best = 0;
    for (unsigned item : option.items)
      best += share[item];
    bool known = candidate.cost.measured || candidate.cost.seconds == 0 ||
                 option.cost > kHopeless * best + kSlack;
    option.cost = option.items.size() - (known ? 0.0 : 1.0);
  }
  return solveCover(problem);
}

/// Iterates until the clusterer finds no new candidates among the ops that the
/// cover leaves to generated code.
static std::optional<Cover> solveAndRefine(CandidateSet &candidates,
                                           StringRef all) {
  std::optional<Cover> cover;
  for (unsigned round = 0; round < kRounds; ++round) {
    cover = solve(candidates, all);
    if (!cover || !candidates.refine(cover->options))
      break;
  }
  return cover;
}

FailureOr<PlacementPlan> place::choosePlan(CandidateSet &candidates,
                                           StringRef kind) {
  StringRef all = kind;
  if (!all.consume_front("all:")) {
    all = "";
    // The candidates for plans of one backend are also available to the mixed
    // plan.
    llvm::SetVector<StringRef> libraries;
    for (const Candidate &candidate : candidates.getCandidates())
      if (!kernel::isGeneratedCode(candidate.backend))
        libraries.insert(candidate.backend);
    for (StringRef library : libraries)
      solveAndRefine(candidates, library);
  }
  std::optional<Cover> cover = solveAndRefine(candidates, all);
  if (cover && kind == "unmeasured")
    cover = solveUnmeasured(candidates, *cover);
  if (!cover)
    return failure();
  PlacementPlan plan;
  plan.options = std::move(cover->options);
  plan.isOptimal = cover->isOptimal;
  for (unsigned option : plan.options)
    plan.cost += candidates.getProblem().options[option].cost;
  return plan;
}

std::string place::hashKernels(const CandidateSet &candidates,
                               const PlacementPlan &plan,
                               const cost::Sizes &sizes) {
  std::vector<std::string> keys;
  for (unsigned option : plan.options) {
    const Candidate &candidate = candidates.getCandidates()[option];
    kernel::CallOp call =
        createCall(candidate.ops, candidate.backend, candidate.pattern);
    keys.push_back(cost::getKernelKey(call, sizes));
    call.erase();
  }
  llvm::sort(keys);
  return llvm::utohexstr(llvm::xxh3_64bits(llvm::join(keys, "\n")),
                         /*LowerCase=*/true);
}

void place::outlinePlan(const CandidateSet &candidates,
                        const PlacementPlan &plan) {
  for (unsigned option : plan.options) {
    const Candidate &candidate = candidates.getCandidates()[option];
    SmallVector<NamedAttribute> reasons;
    for (StringRef name : getReasonNames())
      if (Attribute value = candidate.root->removeAttr(name))
        reasons.emplace_back(StringAttr::get(value.getContext(), name), value);
    kernel::CallOp call =
        outline(candidate.ops, candidate.backend, candidate.pattern);
    for (NamedAttribute reason : reasons)
      call->setAttr(reason.getName(), reason.getValue());
  }
}
