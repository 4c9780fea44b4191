//===- ExactSearch.cpp - all plans of a few operators ---------------------===//
//
// Part of the Tenon project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "ExactSearch.h"
#include "Draft.h"
#include "StageTimes.h"

#include "llvm/ADT/STLExtras.h"

#include <algorithm>
#include <tuple>

using namespace tenon::parallelize;

namespace {
/// A stage's number of devices, micro-batch and mode; which of the devices, k
/// and eagerness are chosen later.
struct Choice {
  PlannedStage planned;
  double forward = 0, backward = 0;
  /// The seconds of all micro-batches.
  double busy = 0;
};

class Search {
public:
  Search(const OperatorGraph &graph, const Cluster &cluster,
         const PlannerOptions &options, int64_t budget,
         std::optional<Evaluation> &best)
      : graph(graph), cluster(cluster), options(options), budget(budget),
        best(best) {}

  bool run() {
    partition(0);
    return budget > 0;
  }

private:
  void partition(unsigned op);
  /// Finds which stages read which, and their order; false if there is none.
  bool sortStages();
  std::vector<Choice> getChoices(const std::vector<unsigned> &operators) const;
  double getBound() const;
  void choose(size_t number, unsigned used);
  void chooseModes(size_t number);
  void place(size_t number);
  void placeStage(size_t number, unsigned node, size_t left);
  void simulate();

  const OperatorGraph &graph;
  const Cluster &cluster;
  const PlannerOptions &options;
  int64_t budget;
  std::optional<Evaluation> &best;

  /// The operators of each stage.
  std::vector<std::vector<unsigned>> cut;
  /// What follows is in the order of the pipeline.
  std::vector<std::vector<unsigned>> before;
  std::vector<bool> isLast;
  std::vector<std::vector<Choice>> choices;
  std::vector<const Choice *> chosen;
  Plan plan;
  /// The devices of each node that are used.
  std::vector<unsigned> usedOfNode;
};
} // namespace

void Search::partition(unsigned op) {
  if (budget == 0)
    return;
  if (op == graph.size()) {
    if (!sortStages())
      return;
    chosen.assign(cut.size(), nullptr);
    if (llvm::none_of(choices, [](const auto &of) { return of.empty(); }))
      choose(0, 0);
    return;
  }
  for (size_t stage = 0; stage < cut.size(); ++stage) {
    cut[stage].push_back(op);
    partition(op + 1);
    cut[stage].pop_back();
  }
  if (cut.size() == cluster.count)
    return;
  cut.push_back({op});
  partition(op + 1);
  cut.pop_back();
}

bool Search::sortStages() {
  std::vector<unsigned> stageOf(graph.size());
  for (auto [stage, operators] : llvm::enumerate(cut))
    for (unsigned op : operators)
      stageOf[op] = stage;
  std::vector<std::vector<unsigned>> reads(cut.size());
  for (auto [op, node] : llvm::enumerate(graph))
    for (unsigned operand : node.operands)
      if (stageOf[operand] != stageOf[op] &&
          !llvm::is_contained(reads[stageOf[op]], stageOf[operand]))
        reads[stageOf[op]].push_back(stageOf[operand]);
  std::vector<unsigned> order;
  while (order.size() < cut.size()) {
    unsigned next = 0;
    for (; next < cut.size(); ++next)
      if (!llvm::is_contained(order, next) &&
          llvm::all_of(reads[next], [&](unsigned stage) {
            return llvm::is_contained(order, stage);
          }))
        break;
    if (next == cut.size())
      return false;
    order.push_back(next);
  }
  before.assign(cut.size(), {});
  isLast.assign(cut.size(), true);
  choices.clear();
  for (auto [place, stage] : llvm::enumerate(order)) {
    for (unsigned read : reads[stage]) {
      unsigned other = llvm::find(order, read) - order.begin();
      before[place].push_back(other);
      isLast[other] = false;
    }
    choices.push_back(getChoices(cut[stage]));
  }
  return true;
}

std::vector<Choice>
Search::getChoices(const std::vector<unsigned> &operators) const {
  std::vector<Choice> found;
  const TrainingOptions &training = options.training;
  OperatorBytes bytes(graph, operators);
  unsigned mostDevices = cluster.count - (cut.size() - 1);
  for (int64_t size : getMicroBatchSizes(options)) {
    for (unsigned devices = 1; devices <= mostDevices; ++devices) {
      if (size < devices || (options.evenParts && size % devices != 0))
        continue;
      for (unsigned mode = 0; mode < 3; ++mode) {
        Choice choice;
        choice.planned.operators = operators;
        choice.planned.devices.resize(devices);
        choice.planned.microBatch = size;
        choice.planned.recompute = mode == 1;
        choice.planned.offload = mode == 2;
        bool isPossible = mode == 0 || !training.forwardOnly;
        if (mode == 1)
          isPossible &= options.mayRecompute;
        if (mode == 2)
          isPossible &= options.mayOffload && cluster.hostBytesPerSecond > 0;
        if (!isPossible)
          continue;
        // At least one micro-batch is in flight.
        if (getStageBytes(training, choice.planned, bytes, size, 0) >
            cluster.memoryBytes)
          continue;
        Stage times = getStageTimes(graph, cluster, training, choice.planned);
        choice.forward = times.forward;
        choice.backward = times.backwardInput + times.backwardWeight;
        choice.busy = static_cast<double>(training.miniBatch / size) *
                      (choice.forward + choice.backward);
        if (times.last)
          choice.busy += times.last->forward + times.last->backwardInput +
                         times.last->backwardWeight;
        found.push_back(std::move(choice));
      }
    }
  }
  // No two of them are equal.
  auto getKey = [](const Choice &choice) {
    const PlannedStage &planned = choice.planned;
    return std::make_tuple(choice.busy, planned.microBatch,
                           planned.devices.size(), planned.recompute,
                           planned.offload);
  };
  llvm::sort(found, [&](const Choice &a, const Choice &b) {
    return getKey(a) < getKey(b);
  });
  return found;
}

/// The seconds that all plans need which choose what is chosen.
double Search::getBound() const {
  double bound = 0;
  std::vector<double> way(cut.size()), back(cut.size()), forward(cut.size()),
      backward(cut.size());
  for (size_t stage = 0; stage < cut.size(); ++stage) {
    double busy = 0;
    if (const Choice *choice = chosen[stage]) {
      forward[stage] = choice->forward;
      backward[stage] = choice->backward;
      busy = choice->busy;
    } else {
      forward[stage] = backward[stage] = best ? best->seconds : 0;
      for (const Choice &choice : choices[stage]) {
        forward[stage] = std::min(forward[stage], choice.forward);
        backward[stage] = std::min(backward[stage], choice.backward);
      }
      busy = choices[stage].front().busy;
    }
    for (unsigned other : before[stage]) {
      way[stage] = std::max(way[stage], way[other] + forward[other]);
      back[stage] = std::max(back[stage], back[other] + backward[other]);
    }
    bound = std::max(bound, way[stage] + busy + back[stage]);
  }
  return bound;
}

void Search::choose(size_t number, unsigned used) {
  // Sums in another order than the simulation's differ in their last bits.
  if (budget == 0 || (best && getBound() >= best->seconds * (1 - 1e-12)))
    return;
  if (number == cut.size()) {
    plan.clear();
    for (const Choice *choice : chosen)
      plan.push_back(choice->planned);
    chooseModes(0);
    return;
  }
  size_t after = cut.size() - number - 1;
  for (const Choice &choice : choices[number]) {
    if (used + choice.planned.devices.size() + after > cluster.count)
      continue;
    if (options.sameMicroBatch && number > 0 &&
        choice.planned.microBatch != chosen[0]->planned.microBatch)
      continue;
    chosen[number] = &choice;
    choose(number + 1, used + choice.planned.devices.size());
  }
  chosen[number] = nullptr;
}

/// Chooses k and eagerness of the stages from `number` on.
void Search::chooseModes(size_t number) {
  if (number == plan.size()) {
    unsigned nodes = (cluster.count + cluster.perNode - 1) / cluster.perNode;
    usedOfNode.assign(nodes, 0);
    for (PlannedStage &stage : plan)
      stage.devices.clear();
    place(0);
    return;
  }
  PlannedStage &stage = plan[number];
  int64_t microBatches =
      (options.training.miniBatch - 1) / stage.microBatch + 1;
  for (int64_t k = 1; k == 1 || k <= std::min(options.mostK, microBatches);
       k *= 2)
    for (bool eager : {false, true}) {
      if (options.training.forwardOnly && (k > 1 || eager))
        continue;
      if (eager && (isLast[number] || !options.mayBeEager))
        continue;
      stage.k = k;
      stage.eager = eager;
      chooseModes(number + 1);
    }
}

void Search::place(size_t number) {
  if (number == plan.size())
    return simulate();
  placeStage(number, 0, chosen[number]->planned.devices.size());
}

/// Gives `left` more devices to a stage, of the nodes from `node` on.
void Search::placeStage(size_t number, unsigned node, size_t left) {
  if (left == 0)
    return place(number + 1);
  if (node == usedOfNode.size() || budget == 0)
    return;
  unsigned begin = node * cluster.perNode;
  unsigned size = std::min(cluster.perNode, cluster.count - begin);
  std::vector<unsigned> &devices = plan[number].devices;
  for (size_t count = std::min<size_t>(left, size - usedOfNode[node]);
       count > 0; --count) {
    for (size_t one = 0; one < count; ++one)
      devices.push_back(begin + usedOfNode[node]++);
    placeStage(number, node + 1, left - count);
    devices.resize(devices.size() - count);
    usedOfNode[node] -= count;
  }
  // Nodes of equal size that no one uses are alike.
  bool isNewAndFull = usedOfNode[node] == 0 && size == cluster.perNode;
  if (!isNewAndFull)
    return placeStage(number, node + 1, left);
  while (node < usedOfNode.size() && usedOfNode[node] == 0)
    ++node;
  unsigned lastBegin = (usedOfNode.size() - 1) * cluster.perNode;
  bool isLastSmaller = lastBegin + cluster.perNode > cluster.count;
  if (isLastSmaller && usedOfNode.back() == 0)
    node = std::min<unsigned>(node, usedOfNode.size() - 1);
  placeStage(number, node, left);
}

void Search::simulate() {
  if (budget == 0)
    return;
  budget = std::max<int64_t>(0, budget - kPlanSteps);
  std::string reason;
  std::optional<Evaluation> found =
      evaluate(graph, cluster, options.training, plan, reason);
  if (found)
    budget = std::max<int64_t>(0, budget - getNumTasks(*found));
  if (!found || (best && found->seconds >= best->seconds))
    return;
  if (llvm::all_of(found->stageBytes,
                   [&](int64_t bytes) { return bytes <= cluster.memoryBytes; }))
    best = std::move(found);
}

bool tenon::parallelize::searchAll(const OperatorGraph &graph,
                                   const Cluster &cluster,
                                   const PlannerOptions &options,
                                   int64_t budget,
                                   std::optional<Evaluation> &best) {
  return Search(graph, cluster, options, budget, best).run();
}
