//===- Planner.cpp - where to cut a model into stages ---------------------===//
//
// Part of the Tenon project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "tenon/Parallelize/Planner.h"
#include "Draft.h"
#include "ExactSearch.h"
#include "StageMemory.h"
#include "StageTable.h"
#include "tenon/Parallelize/Baselines.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringSet.h"
#include "llvm/Support/MathExtras.h"

#include <algorithm>
#include <map>
#include <set>

using namespace tenon::parallelize;

/// The most units that devices are given out in, and the most stages in a row,
/// of the dynamic programming.
static constexpr unsigned kMostUnits = 64, kMostDepth = 32;
/// How many candidates of the dynamic programming are simulated, and how many
/// the local search begins from.
static constexpr size_t kSimulated = 48, kRefined = 4;
/// Of plans with more stages, the local search takes any better neighbour
/// instead of the best.
static constexpr size_t kFewStages = 4;

/// Steps of planPiper, whose plans are candidates where it ends soon.
static constexpr uint64_t kDownsetSteps = 1 << 16;

namespace {
/// A draft and what it costs.
struct Rated {
  Draft draft;
  Evaluation evaluation;
  /// The bytes that its stages need more than their devices have.
  int64_t overflow = 0, mostBytes = 0;

  /// Of equally fast plans, the one that needs less memory is better.
  bool operator<(const Rated &other) const {
    return std::make_tuple(overflow, evaluation.seconds, mostBytes) <
           std::make_tuple(other.overflow, other.evaluation.seconds,
                           other.mostBytes);
  }
};

class Planner {
public:
  Planner(const OperatorGraph &graph, const Cluster &cluster,
          const PlannerOptions &options)
      : graph(graph), cluster(cluster), options(options),
        budget(options.budget) {}

  std::optional<Evaluation> run(std::string &reason);

private:
  /// Cuts a tree for each micro-batch size and depth.
  void addCandidates(const SeriesParallel &tree);
  std::optional<Rated> rate(Draft draft);
  /// Makes stages that do not fit keep less, if they can.
  std::optional<Rated> fit(Draft draft);
  Rated refine(Rated best, int64_t share);

  const OperatorGraph &graph;
  const Cluster &cluster;
  const PlannerOptions &options;
  int64_t budget;
  /// By the estimated seconds of an iteration; those found first are first
  /// among equals.
  std::multimap<double, Draft> candidates;
  /// The drafts that were simulated.
  llvm::StringSet<> seen;
};
} // namespace

std::vector<int64_t>
tenon::parallelize::getMicroBatchSizes(const PlannerOptions &options) {
  int64_t miniBatch = options.training.miniBatch;
  std::vector<int64_t> sizes;
  auto add = [&](int64_t size) {
    bool isNew = sizes.empty() || sizes.back() != size;
    bool isEven = !options.evenParts || miniBatch % size == 0;
    if (isNew && isEven && size >= options.leastMicroBatch &&
        size <= options.mostMicroBatch &&
        (miniBatch - 1) / size < kMostMicroBatches)
      sizes.push_back(size);
  };
  // A size of its own that the user wants.
  if (options.leastMicroBatch == options.mostMicroBatch) {
    add(std::min(miniBatch, options.mostMicroBatch));
    return sizes;
  }
  // From the largest size to the smallest one, by their number.
  for (int64_t count = 1; count <= miniBatch;) {
    int64_t size = (miniBatch + count - 1) / count;
    add(size);
    // The next number that has a smaller size.
    count = size == 1 ? miniBatch + 1 : (miniBatch - 1) / (size - 1) + 1;
  }
  std::reverse(sizes.begin(), sizes.end());
  return sizes;
}

std::string tenon::parallelize::describeNoSize(const PlannerOptions &options) {
  std::string text = "no size of micro-batches from " +
                     std::to_string(options.leastMicroBatch) + " to " +
                     std::to_string(std::min(options.mostMicroBatch,
                                             options.training.miniBatch));
  return options.evenParts ? text + " divides the mini-batch of " +
                                 std::to_string(options.training.miniBatch) +
                                 " samples, as batch norms need it"
                           : text + " makes at most " +
                                 std::to_string(kMostMicroBatches) + " of them";
}

std::vector<int64_t>
tenon::parallelize::getTriedMicroBatchSizes(const PlannerOptions &options) {
  std::vector<int64_t> tried;
  for (int64_t size : getMicroBatchSizes(options))
    if (tried.empty() || llvm::Log2_64(size) != llvm::Log2_64(tried.back()) ||
        size == options.training.miniBatch)
      tried.push_back(size);
  return tried;
}

void Planner::addCandidates(const SeriesParallel &tree) {
  unsigned unit = 1;
  while (cluster.count / unit > kMostUnits)
    unit *= 2;
  unsigned numUnits = cluster.count / unit;
  unsigned mostDepth = std::min<unsigned>(
      {numUnits, kMostDepth, static_cast<unsigned>(graph.size())});
  int64_t miniBatch = options.training.miniBatch;
  for (int64_t size : getTriedMicroBatchSizes(options)) {
    StageTable table(graph, tree, size, numUnits, unit, mostDepth);
    double before = -1;
    for (unsigned depth = 1; depth <= mostDepth; ++depth) {
      double seconds = table.getSeconds(numUnits, depth);
      if (seconds == before || seconds > 1e300)
        continue;
      before = seconds;
      Draft draft;
      for (StageCut &cut : table.getCut(numUnits, depth))
        draft.push_back({std::move(cut.operators), cut.numDevices, size});
      sortStages(draft);
      // The pipeline fills and drains for as long as it is deep.
      double samples = static_cast<double>(miniBatch) +
                       static_cast<double>(size) * (depth - 1);
      candidates.emplace(seconds * samples, std::move(draft));
    }
  }
}

/// Returns nothing if the draft is no plan, was rated before, or the budget is
/// spent.
std::optional<Rated> Planner::rate(Draft draft) {
  if (budget <= 0 || !seen.insert(getKey(draft)).second)
    return std::nullopt;
  std::optional<Plan> plan = assignDevices(draft, cluster);
  if (!plan)
    return std::nullopt;
  budget -= kPlanSteps;
  std::string reason;
  std::optional<Evaluation> found =
      evaluate(graph, cluster, options.training, std::move(*plan), reason);
  if (!found)
    return std::nullopt;
  budget -= getNumTasks(*found);
  Rated rated{std::move(draft), std::move(*found)};
  for (int64_t bytes : rated.evaluation.stageBytes) {
    rated.overflow += std::max<int64_t>(0, bytes - cluster.memoryBytes);
    rated.mostBytes = std::max(rated.mostBytes, bytes);
  }
  return rated;
}

std::optional<Rated> Planner::fit(Draft draft) {
  std::optional<Rated> rated = rate(std::move(draft));
  while (rated && rated->overflow > 0) {
    Draft next = rated->draft;
    const Evaluation &evaluation = rated->evaluation;
    // The stages of an evaluation are in another order.
    for (size_t number = 0; number < evaluation.plan.size(); ++number) {
      if (evaluation.stageBytes[number] <= cluster.memoryBytes)
        continue;
      DraftStage &stage = *llvm::find_if(next, [&](const DraftStage &one) {
        return one.operators == evaluation.plan[number].operators;
      });
      DraftStage less = stage;
      less.recompute = true;
      if (stage.recompute || !isAllowed(less, options)) {
        less = stage;
        less.microBatch /= 2;
      }
      if (!options.sameMicroBatch && isAllowed(less, options))
        stage = less;
    }
    std::optional<Rated> smaller = rate(std::move(next));
    if (!smaller)
      return rated;
    rated = std::move(smaller);
  }
  return rated;
}

Rated Planner::refine(Rated best, int64_t share) {
  int64_t end = budget - share;
  for (bool improved = true; improved && budget > end;) {
    improved = false;
    bool isSmall = best.draft.size() <= kFewStages;
    Rated next = best;
    for (Draft &draft :
         getNeighbours(graph, best.draft, cluster.count, options)) {
      if (budget <= end || (improved && !isSmall))
        break;
      std::optional<Rated> rated = rate(std::move(draft));
      if (rated && *rated < next) {
        next = std::move(*rated);
        improved = true;
      }
    }
    best = std::move(next);
  }
  return best;
}

std::optional<Evaluation> Planner::run(std::string &reason) {
  if (graph.empty() || cluster.count == 0 || options.training.miniBatch < 1) {
    reason = "expected operators, devices and samples";
    return std::nullopt;
  }
  if (getMicroBatchSizes(options).empty()) {
    reason = describeNoSize(options);
    return std::nullopt;
  }
  SeriesParallel tree = decompose(graph);
  addCandidates(tree);
  // Parts are small that take less than half the time which devices have.
  addCandidates(absorbSmallParts(graph, tree,
                                 getSecondsPerSample(graph, tree.operators) /
                                     (2.0 * cluster.count)));
  std::multiset<Rated> rated;
  for (auto &[seconds, draft] : candidates)
    if (rated.size() < kSimulated)
      if (std::optional<Rated> fitting = fit(std::move(draft)))
        rated.insert(std::move(*fitting));
  // Chains, and what they are without waiting for each other.
  std::optional<Evaluation> best;
  std::string unused;
  PlannerOptions chainOptions = options;
  chainOptions.downsetBudget =
      std::min<uint64_t>(options.downsetBudget, kDownsetSteps);
  for (auto plan : {planSequential, planPipeDream, planPiper}) {
    std::optional<Evaluation> chain =
        plan(graph, cluster, chainOptions, unused);
    if (!chain)
      continue;
    Draft draft;
    for (const PlannedStage &stage : chain->plan)
      draft.push_back({stage.operators,
                       static_cast<unsigned>(stage.devices.size()),
                       stage.microBatch});
    sortStages(draft);
    if (std::optional<Rated> fitting = fit(std::move(draft)))
      rated.insert(std::move(*fitting));
    if (!best || chain->seconds < best->seconds)
      best = std::move(chain);
  }
  size_t begun = 0;
  int64_t share = budget / static_cast<int64_t>(kRefined);
  for (const Rated &start : rated) {
    if (begun++ == kRefined)
      break;
    Rated refined = refine(start, share);
    if (refined.overflow == 0 &&
        (!best || refined.evaluation.seconds < best->seconds))
      best = std::move(refined.evaluation);
  }
  if (options.exact && graph.size() <= kExactOperators &&
      cluster.count <= kExactDevices) {
    bool all = searchAll(graph, cluster, options, options.budget, best);
    if (best)
      best->isFastest = all;
  }
  if (!best)
    reason = "no plan was found whose stages fit into " +
             std::to_string(cluster.memoryBytes) + " bytes of each device";
  return best;
}

std::optional<Evaluation> tenon::parallelize::planGraph(
    const OperatorGraph &graph, const Cluster &cluster,
    const PlannerOptions &options, std::string &reason) {
  std::optional<Evaluation> found =
      Planner(graph, cluster, options).run(reason);
  if (found)
    countStageBytes(graph, options.training, *found);
  return found;
}
