//===- Planner.cpp - where to cut a model into stages ---------------------===//
//
// Part of the Tenon project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "tenon/Parallelize/Planner.h"
#include "ChainTable.h"
#include "ExactSearch.h"
#include "Subproblems.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/Support/MathExtras.h"

#include <algorithm>
#include <cmath>
#include <future>
#include <limits>
#include <list>
#include <map>

using namespace tenon::parallelize;

/// Steps of the planners of chains, whose plans are candidates; and of those
/// with operators in their own order, for all devices, if the fastest plan does
/// not fit into memory. There, the local search is at its weakest.
static constexpr uint64_t kDownsetSteps = 1 << 18, kScarceSteps = 1 << 24;

/// How many sizes of micro-batches of the plans of the subproblems are tried
/// from one to twice as much.
static constexpr int64_t kFinalSizes = 32;

/// Once so many plans of the subproblems may fit, others are tried only if they
/// take up to so many times as long for a sample as the fastest one does for
/// the mini-batch.
static constexpr size_t kEnough = 256;
static constexpr double kNear = 1.25;

/// Mini-batches of fewer samples have the same subproblems.
static constexpr int64_t kFewSamples = 16;

/// Tasks of the plans that are simulated as a whole, as many more as long as
/// none was found that fits, and those of the search of all plans.
static constexpr int64_t kFinalTasks = 1 << 19, kMostTasks = 1 << 22,
                         kExactBudget = 1 << 22;

/// Up to so many devices, each number is a subproblem.
static constexpr unsigned kEachCount = 64;

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

std::string tenon::parallelize::describeMemory(const Cluster &cluster) {
  int64_t least = cluster.getMostMemory();
  for (unsigned device = 0; device < cluster.count; ++device)
    least = std::min(least, cluster.getDevice(device).memoryBytes);
  std::string most = std::to_string(cluster.getMostMemory());
  return least == cluster.getMostMemory()
             ? most + " bytes of each device"
             : std::to_string(least) + " to " + most + " bytes of the devices";
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

namespace {
/// The subproblems of a mini-batch. Shares nothing with others, so that they
/// are solved at the same time.
class Level {
public:
  Level(const OperatorGraph &graph, const Cluster &cluster,
        PlannerOptions options, int64_t miniBatch)
      : cluster(cluster), sets(graph),
        tables(graph, sets, options.training.stateFactor, cluster.count) {
    options.training.miniBatch = miniBatch;
    subproblems.emplace(graph, cluster, std::move(options), sets, tables);
  }

  void solve(const std::function<void(const std::string &)> &progress) {
    for (unsigned count = 1; count <= cluster.count;) {
      if (progress)
        progress("plan for " + std::to_string(count) + " of " +
                 std::to_string(cluster.count) + " devices");
      subproblems->solve(count);
      // Four numbers of devices from a power of 2 to the next.
      count += count < kEachCount ? 1 : (1u << llvm::Log2_32(count)) / 4;
    }
  }

  Subproblems *operator->() { return &*subproblems; }

private:
  const Cluster &cluster;
  OperatorSets sets;
  StageTables tables;
  std::optional<Subproblems> subproblems;
};

class Planner {
public:
  Planner(const OperatorGraph &graph, const Cluster &cluster,
          const PlannerOptions &options)
      : graph(graph), cluster(cluster), options(options), sets(graph),
        evaluator(graph, cluster, options.training, sets) {}

  std::optional<Evaluation> run(std::string &reason);

private:
  void addChains(ChainOptions kind, uint64_t steps);
  void addSubproblems();
  /// Whether the fastest plan of the subproblems does not fit.
  bool isMemoryScarce();
  /// Whether micro-batches may have any size.
  bool choosesSizes() const {
    return !options.evenParts && options.leastMicroBatch == 1 &&
           options.mostMicroBatch >= options.training.miniBatch;
  }
  std::vector<int64_t> getFinalSizes(int64_t own) const;
  /// Adds a plan of a subproblem with all micro-batches near its own.
  void addSizes(const FoundDraft &found);
  void add(const Plan &plan);
  int64_t countTasks(const Plan &plan) const;
  void choose();
  /// Says why others were not chosen, unless they have too many tasks.
  void addRejected();

  const OperatorGraph &graph;
  const Cluster &cluster;
  const PlannerOptions &options;
  OperatorSets sets;
  Evaluator evaluator;
  std::list<Level> searched;
  /// By their estimated seconds; those found first are first among equals.
  std::multimap<double, Plan> candidates;
  /// Of all subproblems, whatever it needs.
  FoundDraft fastest;
  std::optional<Evaluation> best;
};
} // namespace

void Planner::add(const Plan &plan) {
  std::vector<StageView> views = evaluator.getViews(plan);
  std::optional<Evaluator::Rating> rating =
      evaluator.rate(views, evaluator.getLimit());
  bool isBetter = rating && (candidates.empty() ||
                             rating->seconds < candidates.begin()->first);
  if (isBetter ? evaluator.isFitting(views, *rating)
               : rating && rating->mostBytes <= cluster.getMostMemory())
    candidates.emplace(rating->seconds, plan);
}

/// Chains, and what they are without waiting for each other.
void Planner::addChains(ChainOptions kind, uint64_t steps) {
  PlannerOptions own = options;
  own.downsetBudget = std::min(options.downsetBudget, steps);
  for (Plan &plan : planChains(graph, cluster, own, kind).plans) {
    add(plan);
    for (PlannedStage &stage : plan)
      stage.isAfterPrevious = false;
    add(plan);
  }
}

/// Plans of 1 device up to all, for powers of 2 around the mini-batch: so its
/// neighbours have the same candidates.
void Planner::addSubproblems() {
  int64_t miniBatch = options.training.miniBatch;
  auto below = int64_t(1) << llvm::Log2_64(miniBatch);
  std::vector<int64_t> levels = {below, 2 * below};
  if (miniBatch < kFewSamples)
    levels = {1, 4, kFewSamples};
  if (!choosesSizes())
    levels = {miniBatch};
  for (int64_t samples : levels)
    searched.emplace_back(graph, cluster, options, samples);
  {
    std::vector<std::future<void>> others;
    for (Level &level : llvm::drop_begin(searched))
      others.push_back(
          std::async(std::launch::async, [&level] { level.solve(nullptr); }));
    searched.front().solve(options.progress);
  }
  std::vector<FoundDraft> found;
  for (auto [samples, level] : llvm::zip_equal(levels, searched)) {
    llvm::append_range(found, level->takeFound());
    const FoundDraft &any = level->getFastest();
    if (samples <= miniBatch && !any.draft.empty())
      fastest = any;
  }
  std::stable_sort(found.begin(), found.end(),
                   [](const FoundDraft &a, const FoundDraft &b) {
                     return a.secondsPerSample < b.secondsPerSample;
                   });
  auto samples = static_cast<double>(miniBatch);
  for (const FoundDraft &one : found) {
    if (candidates.size() >= kEnough &&
        one.secondsPerSample * samples > kNear * candidates.begin()->first)
      break;
    addSizes(one);
  }
}

bool Planner::isMemoryScarce() {
  if (candidates.empty())
    return true;
  if (fastest.draft.empty())
    return false;
  std::optional<std::vector<StageView>> views =
      placeStages(fastest.draft, cluster, fastest.count);
  if (!views)
    return false;
  std::optional<Evaluator::Rating> rating =
      evaluator.rate(*views, evaluator.getLimit());
  return rating && rating->seconds < candidates.begin()->first &&
         rating->getOverflow(evaluator.getLimit()) > 0;
}

/// Sizes that do not depend on the mini-batch, so that its neighbours have the
/// same ones, unless only some are allowed.
std::vector<int64_t> Planner::getFinalSizes(int64_t own) const {
  std::vector<int64_t> sizes;
  if (!choosesSizes()) {
    for (int64_t size : getMicroBatchSizes(options))
      if (size >= own / 2 && size <= 2 * own)
        sizes.push_back(size);
    return sizes;
  }
  for (int64_t size = std::max<int64_t>(own / 2, 1); size <= 2 * own;
       size += size / kFinalSizes + 1)
    sizes.push_back(size);
  if (!llvm::is_contained(sizes, own))
    sizes.push_back(own);
  return sizes;
}

void Planner::addSizes(const FoundDraft &found) {
  int64_t own = found.draft.front().microBatch;
  for (int64_t size : getFinalSizes(own)) {
    Draft draft = found.draft;
    double factor = static_cast<double>(size) / static_cast<double>(own);
    bool isPlan = true;
    for (DraftStage &stage : draft) {
      auto scaled = static_cast<int64_t>(
          std::llround(static_cast<double>(stage.microBatch) * factor));
      stage.microBatch =
          std::clamp<int64_t>(scaled, 1, options.training.miniBatch);
      stage.numDevices = static_cast<unsigned>(
          std::min<int64_t>(stage.numDevices, stage.microBatch));
      isPlan &= isAllowed(stage, options);
    }
    if (!isPlan)
      continue;
    std::optional<std::vector<StageView>> views =
        placeStages(draft, cluster, found.count);
    if (!views || (!candidates.empty() &&
                   evaluator.getBound(*views) >= candidates.begin()->first))
      continue;
    if (std::optional<Plan> plan = assignDevices(draft, cluster, found.count))
      add(*plan);
  }
}

/// The tasks of an iteration, with a backward task for each forward task.
int64_t Planner::countTasks(const Plan &plan) const {
  int64_t numTasks = 0;
  for (const PlannedStage &stage : plan)
    numTasks += 2 * (options.training.miniBatch / stage.microBatch + 1);
  return numTasks;
}

/// Simulates the best candidates as a whole.
void Planner::choose() {
  int64_t left = kFinalTasks;
  for (const auto &[seconds, plan] : candidates) {
    if (best ? left <= 0 || seconds >= best->seconds : left <= -kMostTasks)
      break;
    int64_t numTasks = countTasks(plan);
    if (best && numTasks > left)
      break;
    std::string unused;
    std::optional<Evaluation> found = evaluator.evaluate(plan, unused);
    if (!found || !isFitting(*found, cluster))
      continue;
    left -= numTasks;
    if (!best || found->seconds < best->seconds)
      best = std::move(found);
  }
}

/// The seconds of the lane that computes longest, and of the sums of gradients.
static std::pair<double, double> getBusiest(const Evaluation &plan) {
  double busiest = 0, sums = 0;
  for (const std::vector<TaskTime> &times : plan.simulation.times) {
    double busy = 0;
    for (const TaskTime &time : times)
      busy += time.end - time.begin;
    busiest = std::max(busiest, busy);
  }
  for (double seconds : plan.reduceSeconds)
    sums = std::max(sums, seconds);
  return {busiest, sums};
}

/// Names what differs most.
static std::string compare(const Evaluation &one, const Evaluation &best) {
  auto [busy, sums] = getBusiest(one);
  auto [bestBusy, bestSums] = getBusiest(best);
  double waits = one.seconds - busy - sums,
         bestWaits = best.seconds - bestBusy - bestSums;
  double most = std::max({busy - bestBusy, sums - bestSums, waits - bestWaits});
  if (most == busy - bestBusy)
    return "its slowest stage computes longer";
  return most == sums - bestSums ? "it sums gradients for longer"
                                 : "it fills, drains and waits for longer";
}

void Planner::addRejected() {
  auto getStages = [](const Plan &plan) {
    std::vector<std::pair<std::vector<unsigned>, size_t>> stages;
    for (const PlannedStage &stage : plan)
      stages.emplace_back(stage.operators, stage.devices.size());
    llvm::sort(stages);
    return stages;
  };
  auto own = getStages(best->plan);
  std::string unused;
  for (auto &[seconds, plan] : candidates) {
    if (getStages(plan) == own)
      continue;
    if (countTasks(plan) > kFinalTasks)
      break;
    if (std::optional<Evaluation> next = evaluator.evaluate(plan, unused))
      best->rejected.push_back({next->plan, next->seconds,
                                *llvm::max_element(next->stageBytes),
                                compare(*next, *best)});
    break;
  }
  if (fastest.draft.empty() || fastest.mostBytes <= cluster.getMostMemory())
    return;
  std::optional<Plan> plan =
      assignDevices(fastest.draft, cluster, fastest.count);
  if (countTasks(*plan) > kFinalTasks)
    return;
  std::optional<Evaluation> large = evaluator.evaluate(*plan, unused);
  if (large && !isFitting(*large, cluster) && large->seconds < best->seconds)
    best->rejected.push_back({large->plan, large->seconds,
                              *llvm::max_element(large->stageBytes),
                              "it does not fit into memory"});
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
  if (options.training.givenBytes > cluster.getMostMemory()) {
    reason = "the inputs and outputs of " +
             std::to_string(options.training.miniBatch) + " samples are " +
             std::to_string(options.training.givenBytes) +
             " bytes, which do not fit into " + describeMemory(cluster);
    return std::nullopt;
  }
  for (ChainOptions kind : {getSequential(), getPipeDream(), getPiper()}) {
    // One table has those of all numbers of devices, but not in all orders.
    kind.fewerDevices = !kind.allOrders;
    addChains(kind, kDownsetSteps);
  }
  addSubproblems();
  if (isMemoryScarce())
    for (const ChainOptions &kind : {getSequential(), getPipeDream()})
      addChains(kind, kScarceSteps);
  choose();
  if (options.exact && graph.size() <= kExactOperators) {
    // Of more devices, the plans of the first ones.
    Cluster first = cluster;
    first.count = std::min(cluster.count, kExactDevices);
    bool all = searchAll(graph, first, options, kExactBudget, best);
    if (best)
      best->isFastest = all && first.count == cluster.count;
  }
  if (best) {
    addRejected();
    return std::move(best);
  }
  // The smallest micro-batches need the least memory.
  int64_t least = getMicroBatchSizes(options).front();
  if (least < std::min(options.mostMicroBatch, options.training.miniBatch)) {
    PlannerOptions smallest = options;
    smallest.leastMicroBatch = smallest.mostMicroBatch = least;
    return planGraph(graph, cluster, smallest, reason);
  }
  reason = "no plan was found whose stages fit into " + describeMemory(cluster);
  return std::nullopt;
}

std::optional<Evaluation> tenon::parallelize::planGraph(
    const OperatorGraph &graph, const Cluster &cluster,
    const PlannerOptions &options, std::string &reason) {
  return Planner(graph, cluster, options).run(reason);
}
