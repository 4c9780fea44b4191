//===- Evaluator.cpp - plans of one graph and what they cost --------------===//
//
// Part of the Tenon project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Evaluator.h"
#include "StageMemory.h"
#include "tenon/Parallelize/Schedules.h"

#include "llvm/ADT/STLExtras.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <map>
#include <numeric>
#include <queue>
#include <set>
#include <utility>

using namespace tenon::parallelize;

namespace {
/// Lays out one plan, and what follows from it.
class Layout {
public:
  Layout(const OperatorGraph &graph, const Cluster &cluster,
         const TrainingOptions &options, std::vector<StageView> views,
         std::string &reason)
      : graph(graph), cluster(cluster), options(options), reason(reason),
        views(std::move(views)) {}

  /// Sorts the stages, and fills in the pipeline, its links and schedule.
  bool layOut();
  /// Simulates, and adds the sums of gradients.
  bool simulate(Simulation *recorded);

  Evaluation result;

private:
  bool sortStages();
  void addLinks();
  std::optional<Schedule> makeSchedule();
  /// The slowest wire of those between some devices.
  Cluster::Wire getWire(const Place &place) const;
  double getReduceSeconds(const Place &place, size_t numDevices,
                          int64_t bytes) const;
  void addSharedSums();
  void addUpdates();
  bool hasInputs(unsigned stage) const {
    return llvm::any_of(result.pipeline.links,
                        [&](const Link &link) { return link.to == stage; });
  }

  const OperatorGraph &graph;
  const Cluster &cluster;
  const TrainingOptions &options;
  std::string &reason;
  std::vector<unsigned> stageOf;

public:
  /// In the order of the pipeline, and their numbers before.
  std::vector<StageView> views;
  std::vector<unsigned> order;
};
} // namespace

bool Layout::sortStages() {
  size_t count = views.size();
  stageOf.assign(graph.size(), count);
  for (auto [number, view] : llvm::enumerate(views))
    for (unsigned op : view.set->operators)
      stageOf[op] = number;
  std::vector<std::vector<unsigned>> after(count);
  std::vector<unsigned> waits(count, 0), firstOperator(count, graph.size());
  auto add = [&](unsigned from, unsigned to) {
    if (!llvm::is_contained(after[from], to)) {
      after[from].push_back(to);
      ++waits[to];
    }
  };
  for (auto [op, node] : llvm::enumerate(graph)) {
    unsigned stage = stageOf[op];
    firstOperator[stage] = std::min<unsigned>(firstOperator[stage], op);
    for (unsigned operand : node.operands)
      if (stageOf[operand] != stage)
        add(stageOf[operand], stage);
  }
  for (unsigned stage = 1; stage < count; ++stage)
    if (views[stage].isAfterPrevious)
      add(stage - 1, stage);
  // The next stage is the one whose first operator is first, of those that may
  // be next.
  using Next = std::pair<unsigned, unsigned>;
  std::priority_queue<Next, std::vector<Next>, std::greater<>> ready;
  for (unsigned stage = 0; stage < count; ++stage)
    if (waits[stage] == 0)
      ready.push({firstOperator[stage], stage});
  std::vector<unsigned> numberOf(count);
  std::vector<StageView> sorted;
  while (!ready.empty()) {
    unsigned stage = ready.top().second;
    ready.pop();
    numberOf[stage] = sorted.size();
    sorted.push_back(views[stage]);
    order.push_back(stage);
    for (unsigned next : after[stage])
      if (--waits[next] == 0)
        ready.push({firstOperator[next], next});
  }
  if (sorted.size() < count) {
    reason = "the stages form a cycle: one of them is not convex";
    return false;
  }
  views = std::move(sorted);
  for (unsigned &stage : stageOf)
    stage = numberOf[stage];
  return true;
}

Cluster::Wire Layout::getWire(const Place &place) const {
  Cluster::Wire wire =
      place.firstNode == place.lastNode ? cluster.inside : cluster.between;
  wire.bytesPerSecond *= place.least.linkSpeed;
  return wire;
}

/// Adds what goes from one stage to another: the result of an operator once,
/// however many operators read it.
void Layout::addLinks() {
  size_t count = views.size();
  std::vector<unsigned> readBy(graph.size(), count);
  std::vector<int64_t> bytes(count);
  std::vector<bool> isLinked(count);
  for (unsigned to = 0; to < count; ++to) {
    std::fill_n(bytes.begin(), to, 0);
    std::fill_n(isLinked.begin(), to, false);
    for (unsigned op : views[to].set->operators)
      for (unsigned operand : graph[op].operands) {
        unsigned from = stageOf[operand];
        if (from == to || readBy[operand] == to)
          continue;
        readBy[operand] = to;
        bytes[from] += graph[operand].resultBytes;
        isLinked[from] = true;
      }
    if (to > 0 && views[to].isAfterPrevious)
      isLinked[to - 1] = true;
    for (unsigned from = 0; from < to; ++from) {
      if (!isLinked[from])
        continue;
      Link link;
      link.from = from;
      link.to = to;
      const Place &a = views[from].place, &b = views[to].place;
      // A link of a chain that carries nothing only says that it is its turn.
      if (bytes[from] > 0) {
        // Devices send at the same time, each to those that have its samples.
        Cluster::Wire wire =
            getWire({std::min(a.firstNode, b.firstNode),
                     std::max(a.lastNode, b.lastNode),
                     {1, 0, std::min(a.least.linkSpeed, b.least.linkSpeed)}});
        link.latency = wire.latency;
        size_t wires = std::min(views[from].numDevices, views[to].numDevices);
        link.secondsPerSample = static_cast<double>(bytes[from]) /
                                wire.bytesPerSecond /
                                static_cast<double>(wires);
      }
      result.pipeline.links.push_back(link);
      result.linkBytes.push_back(bytes[from]);
    }
  }
}

/// The seconds in which devices sum their gradients: a ring, over its slowest
/// wire.
double Layout::getReduceSeconds(const Place &place, size_t numDevices,
                                int64_t bytes) const {
  auto count = static_cast<double>(numDevices);
  Cluster::Wire wire = getWire(place);
  return 2 * (count - 1) *
         (wire.latency +
          static_cast<double>(bytes) / wire.bytesPerSecond / count);
}

/// Adds the sums of gradients of parameters that several stages have.
void Layout::addSharedSums() {
  struct Shared {
    std::set<unsigned> stages;
    int64_t bytes = 0;
  };
  std::map<unsigned, Shared> parameters;
  for (unsigned stage = 0; stage < views.size(); ++stage)
    for (unsigned op : views[stage].set->operators)
      for (auto [parameter, bytes] : graph[op].sharedParameters) {
        parameters[parameter].stages.insert(stage);
        parameters[parameter].bytes = bytes;
      }
  // Those of the same stages are one sum.
  std::map<std::set<unsigned>, int64_t> sums;
  for (const auto &[number, shared] : parameters)
    if (shared.stages.size() > 1)
      sums[shared.stages] += shared.bytes;
  double end = result.seconds;
  for (const auto &[stages, bytes] : sums) {
    Place all = views[*stages.begin()].place;
    size_t count = 0;
    for (unsigned stage : stages) {
      const Place &own = views[stage].place;
      all = {std::min(all.firstNode, own.firstNode),
             std::max(all.lastNode, own.lastNode),
             {1, 0, std::min(all.least.linkSpeed, own.least.linkSpeed)}};
      count += views[stage].numDevices;
    }
    end += getReduceSeconds(all, count, bytes);
  }
  result.seconds = end;
}

std::optional<Schedule> Layout::makeSchedule() {
  const Pipeline &pipeline = result.pipeline;
  if (options.forwardOnly)
    return makeForwardSchedule(pipeline);
  std::vector<int64_t> ks;
  std::vector<bool> eager;
  for (const StageView &view : views) {
    ks.push_back(view.k);
    eager.push_back(view.eager);
  }
  bool isSplit = views.front().splitBackward;
  bool sharesLanes = pipeline.getNumLanes() < pipeline.stages.size();
  std::string unused;
  if (sharesLanes && !isSplit)
    if (std::optional<Schedule> made =
            makeInterleavedSchedule(pipeline, unused))
      return made;
  std::vector<int64_t> inFlight = getInFlight(pipeline, ks, eager);
  if (!isSplit && !sharesLanes)
    return makeAlternatingSchedule(pipeline, ks, inFlight);
  return makeListSchedule(pipeline, makeListOptions(inFlight, isSplit), reason);
}

/// A stage that reads no other one has no gradients of inputs to give: its
/// tasks for weights do all.
static void joinBackward(Stage &stage) {
  stage.backwardWeight += std::exchange(stage.backwardInput, 0);
  if (stage.last)
    stage.last->backwardWeight += std::exchange(stage.last->backwardInput, 0);
}

bool Layout::layOut() {
  if (!sortStages())
    return false;
  result.pipeline.miniBatch = options.miniBatch;
  // Lanes are numbered in the order of their first stages.
  std::vector<unsigned> lanes;
  for (StageView &view : views) {
    auto lane = llvm::find(lanes, view.lane);
    unsigned number = lane - lanes.begin();
    if (lane == lanes.end())
      lanes.push_back(view.lane);
    view.lane = number;
    result.pipeline.stages.push_back(
        getStageTimes(graph, cluster, options, view));
  }
  addLinks();
  for (const Link &link : result.pipeline.links)
    if (views[link.from].lane == views[link.to].lane) {
      reason = "stage " + std::to_string(link.to) + " reads stage " +
               std::to_string(link.from) + ", which has the same devices";
      return false;
    }
  for (unsigned stage = 0; stage < views.size(); ++stage)
    if (views[stage].splitBackward && !hasInputs(stage))
      joinBackward(result.pipeline.stages[stage]);
  if (!isValid(result.pipeline, reason))
    return false;
  std::optional<Schedule> schedule = makeSchedule();
  if (!schedule)
    return false;
  result.schedule = std::move(*schedule);
  return true;
}

/// Ranks wait for each other before they update parameters.
void Layout::addUpdates() {
  std::vector<double> lanes(result.pipeline.getNumLanes(), 0);
  for (const StageView &view : views)
    lanes[view.lane] += view.set->updateSeconds / view.place.least.speed;
  result.updateSeconds = *llvm::max_element(lanes);
  result.seconds += result.updateSeconds;
}

bool Layout::simulate(Simulation *recorded) {
  std::optional<SimulatedEnd> end = runSchedule(
      result.pipeline, result.schedule, !options.forwardOnly, recorded, reason);
  if (!end)
    return false;
  for (const StageView &view : views) {
    double reduce = options.forwardOnly
                        ? 0
                        : getReduceSeconds(view.place, view.numDevices,
                                           view.set->bytes.allWeights);
    result.reduceSeconds.push_back(reduce);
    end->lanes[view.lane] += reduce;
    result.seconds = std::max(result.seconds, end->lanes[view.lane]);
  }
  if (!options.forwardOnly) {
    addSharedSums();
    addUpdates();
  }
  if (!recorded)
    result.simulation.inFlight = std::move(end->inFlight);
  return true;
}

std::optional<Evaluation> Evaluator::evaluate(Plan plan, std::string &reason) {
  if (!isValid(graph, cluster, options, plan, reason))
    return std::nullopt;
  Layout layout(graph, cluster, options, getViews(plan), reason);
  Evaluation &result = layout.result;
  if (!layout.layOut() || !layout.simulate(&result.simulation))
    return std::nullopt;
  for (unsigned stage : layout.order)
    result.plan.push_back(std::move(plan[stage]));
  result.stageBytes = countStageBytes(options, layout.views, result);
  return std::move(result);
}

std::vector<StageView> Evaluator::getViews(const Plan &plan) {
  std::vector<StageView> views;
  std::vector<unsigned> firstOfLane;
  for (const PlannedStage &stage : plan) {
    StageView view;
    view.set = sets.get(stage.operators);
    view.numDevices = stage.devices.size();
    view.place = getPlace(cluster, stage.devices);
    auto lane = llvm::find(firstOfLane, stage.devices.front());
    view.lane = lane - firstOfLane.begin();
    if (lane == firstOfLane.end())
      firstOfLane.push_back(stage.devices.front());
    view.microBatch = stage.microBatch;
    view.k = stage.k;
    view.recompute = stage.recompute;
    view.offload = stage.offload;
    view.eager = stage.eager;
    view.splitBackward = stage.splitBackward;
    view.isAfterPrevious = stage.isAfterPrevious;
    views.push_back(view);
  }
  return views;
}

int64_t Evaluator::Rating::getOverflow(int64_t limit) const {
  int64_t overflow = 0;
  for (int64_t bytes : stageBytes)
    overflow += std::max<int64_t>(0, bytes - limit);
  return overflow;
}

std::optional<Evaluator::Rating>
Evaluator::simulate(const std::vector<StageView> &views, int64_t miniBatch,
                    std::optional<int64_t> limit) {
  TrainingOptions own = options;
  own.miniBatch = miniBatch;
  std::string unused;
  Layout layout(graph, cluster, own, views, unused);
  Evaluation &result = layout.result;
  if (!layout.layOut() || !layout.simulate(nullptr))
    return std::nullopt;
  Rating rating;
  rating.seconds = result.seconds;
  for (const std::vector<Task> &tasks : result.schedule.lanes)
    rating.numTasks += static_cast<int64_t>(tasks.size());
  if (!limit)
    return rating;
  auto first = static_cast<double>(getLimit());
  auto setBytes = [&](std::vector<int64_t> bytes) {
    rating.stageBytes = std::move(bytes);
    for (auto [view, own] : llvm::zip(layout.views, rating.stageBytes)) {
      auto memory = static_cast<double>(view.place.least.memoryBytes);
      if (memory != first)
        own = static_cast<int64_t>(
            std::ceil(static_cast<double>(own) / memory * first));
    }
    rating.mostBytes = *llvm::max_element(rating.stageBytes);
  };
  setBytes(boundStageBytes(own, layout.views, result));
  rating.mostLimit = *limit;
  if (rating.mostBytes > *limit) {
    result.simulation = {};
    layout.simulate(&result.simulation);
    rating.numTasks *= 2;
    setBytes(countStageBytes(own, layout.views, result));
    rating.mostLimit = std::numeric_limits<int64_t>::min();
  }
  return rating;
}

bool Evaluator::isFitting(const std::vector<StageView> &views,
                          const Rating &rating) {
  if (rating.mostBytes <= getLimit() && rating.mostLimit >= rating.mostBytes)
    return true;
  int64_t numTasks = 0;
  for (const StageView &view : views)
    numTasks += 2 * (options.miniBatch / view.microBatch + 1);
  std::optional<Rating> counted = numTasks <= kCountedTasks
                                      ? rateWhole(views, getLimit())
                                      : rate(views, getLimit());
  return counted && counted->getOverflow(getLimit()) == 0;
}

double Evaluator::getBound(const std::vector<StageView> &views) const {
  double bound = 0;
  std::vector<double> lanes(views.size(), 0);
  for (const StageView &view : views) {
    Stage stage = getStageTimes(graph, cluster, options, view);
    TaskSeconds last = stage.last.value_or(TaskSeconds());
    double each = stage.forward + stage.backwardInput + stage.backwardWeight;
    lanes[view.lane] +=
        each * static_cast<double>(options.miniBatch / view.microBatch) +
        last.forward + last.backwardInput + last.backwardWeight;
    bound = std::max(bound, lanes[view.lane]);
  }
  return bound;
}

std::optional<Evaluator::Rating>
Evaluator::rate(const std::vector<StageView> &views, int64_t limit) {
  // After so many samples, the schedules of all stages are where they were. If
  // that is too many, times grow evenly over a few more groups at least.
  int64_t period = 1, most = 1;
  for (const StageView &view : views) {
    int64_t group = view.k * view.microBatch;
    most = std::max(most, group);
    period = std::lcm(std::min(period, kMostPeriod * most), group);
  }
  period = std::min(period, kMostPeriod * most);
  // Interleaved schedules also repeat by the number of their lanes.
  unsigned numLanes = 0;
  for (const StageView &view : views)
    numLanes = std::max(numLanes, view.lane + 1);
  if (numLanes < views.size())
    period *= numLanes;
  int64_t warmUp = period * (kWarmUp + 2 * static_cast<int64_t>(views.size()));
  int64_t skipped = (options.miniBatch - warmUp) / period;
  if (skipped < 2)
    return simulate(views, options.miniBatch, limit);
  // The time is that of a shorter iteration, and of each period as much more.
  int64_t rest = options.miniBatch - skipped * period;
  std::optional<Rating> one = simulate(views, rest, std::nullopt),
                        two = simulate(views, rest + period, limit);
  if (!one || !two)
    return std::nullopt;
  two->numTasks += one->numTasks;
  two->seconds +=
      static_cast<double>(skipped - 1) * (two->seconds - one->seconds);
  // Times of list schedules need not be periodic.
  two->seconds = std::max(two->seconds, getBound(views));
  return two;
}
