//===- ExactSearch.cpp - all plans of a few operators ---------------------===//
//
// Part of the Tenon project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "ExactSearch.h"
#include "Draft.h"
#include "Evaluator.h"

#include "llvm/ADT/STLExtras.h"

#include <algorithm>
#include <map>
#include <tuple>

using namespace tenon::parallelize;

/// Steps that a choice counts for whose seconds are computed.
static constexpr int64_t kChoiceSteps = 16;

namespace {
/// Seconds of a stage that no plan with it is below.
struct Times {
  double forward = 0;
  /// The part of the last micro-batch that the stages before wait for.
  double backward = 0;
  /// The seconds of all micro-batches, and those that no stage waits for.
  double busy = 0, own = 0;
};

/// A stage's number of devices, micro-batch and mode; which of the devices, k
/// and eagerness are chosen later.
struct Choice : Times {
  PlannedStage planned;
};

/// Those of a stage, from the least busy one, and the least of all.
struct Choices {
  std::vector<Choice> all;
  Times least;
};

/// Devices of one node that are alike.
struct Group {
  unsigned node = 0;
  Cluster::Device device;
  std::vector<unsigned> devices;
  size_t numUsed = 0;

  bool isLike(const Group &other) const {
    return device == other.device && devices.size() == other.devices.size();
  }
};

class Search {
public:
  Search(const OperatorGraph &graph, const Cluster &cluster,
         const PlannerOptions &options, int64_t budget,
         std::optional<Evaluation> &best)
      : graph(graph), cluster(cluster), options(options), budget(budget),
        best(best), sets(graph),
        evaluator(graph, cluster, options.training, sets) {
    for (unsigned device = 0; device < cluster.count; ++device) {
      unsigned node = device / cluster.perNode;
      Cluster::Device numbers = cluster.getDevice(device);
      auto group = llvm::find_if(groups, [&](const Group &one) {
        return one.node == node && one.device == numbers;
      });
      if (group == groups.end())
        group = groups.insert(group, {node, numbers, {}, 0});
      group->devices.push_back(device);
      fastest = std::max(fastest, numbers.speed);
    }
  }

  bool run() {
    for (bool split : {false, true}) {
      splitsBackward = split;
      bool mayBe =
          !split || (options.maySplitBackward && !options.training.forwardOnly);
      if (mayBe)
        partition(0);
    }
    return budget > 0;
  }

private:
  void partition(unsigned op);
  /// Finds which stages read which, and their order; false if there is none.
  bool sortStages();
  const Choices &getChoices(const std::vector<unsigned> &operators);
  double getBound() const;
  void choose(size_t number, unsigned used);
  void chooseModes(size_t number);
  void place(size_t number);
  void placeStage(size_t number, size_t group, size_t left);
  bool isLikeOneBefore(size_t group) const;
  void simulate();

  const OperatorGraph &graph;
  const Cluster &cluster;
  const PlannerOptions &options;
  int64_t budget;
  std::optional<Evaluation> &best;
  OperatorSets sets;
  Evaluator evaluator;
  std::vector<Group> groups;
  double fastest = 0;
  bool splitsBackward = false;
  /// By operators, the number of stages, and whether backward tasks are split.
  std::map<std::tuple<std::vector<unsigned>, size_t, bool>, Choices> known;

  /// The operators of each stage.
  std::vector<std::vector<unsigned>> cut;
  /// What follows is in the order of the pipeline.
  std::vector<std::vector<unsigned>> before;
  std::vector<bool> isLast;
  std::vector<const Choices *> choices;
  std::vector<const Choice *> chosen;
  Plan plan;
};
} // namespace

void Search::partition(unsigned op) {
  if (budget == 0)
    return;
  if (op == graph.size()) {
    if (!sortStages())
      return;
    chosen.assign(cut.size(), nullptr);
    if (llvm::none_of(choices,
                      [](const Choices *of) { return of->all.empty(); }))
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
    choices.push_back(&getChoices(cut[stage]));
  }
  return true;
}

const Choices &Search::getChoices(const std::vector<unsigned> &operators) {
  auto [place, isNew] =
      known.try_emplace({operators, cut.size(), splitsBackward});
  std::vector<Choice> &found = place->second.all;
  if (!isNew)
    return place->second;
  const TrainingOptions &training = options.training;
  StageView view;
  view.set = sets.get(operators);
  view.place.least.speed = fastest;
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
        choice.planned.splitBackward = splitsBackward;
        bool isPossible = mode == 0 || !training.forwardOnly;
        if (mode == 1)
          isPossible &= options.mayRecompute;
        if (mode == 2)
          isPossible &= options.mayOffload && cluster.hostBytesPerSecond > 0;
        if (!isPossible)
          continue;
        if (budget == 0)
          return place->second;
        budget -= std::min(budget, kChoiceSteps);
        // At least one micro-batch is in flight.
        view.numDevices = devices;
        view.microBatch = size;
        view.recompute = mode == 1;
        view.offload = mode == 2;
        if (getStageBytes(training, view, size, 0) > cluster.getMostMemory())
          continue;
        Stage times = getStageTimes(graph, cluster, training, view);
        choice.forward = times.forward;
        TaskSeconds each{times.forward, times.backwardInput,
                         times.backwardWeight};
        int64_t full = training.miniBatch / size;
        auto add = [&](const TaskSeconds &task, int64_t count) {
          auto number = static_cast<double>(count);
          choice.busy += number * (task.forward + task.backwardInput +
                                   task.backwardWeight);
          if (splitsBackward)
            choice.own += number * task.backwardWeight;
        };
        add(each, full);
        TaskSeconds last = times.last.value_or(each);
        if (times.last)
          add(last, 1);
        choice.backward =
            last.backwardInput + (splitsBackward ? 0 : last.backwardWeight);
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
  if (!found.empty())
    place->second.least = found.front();
  Times &least = place->second.least;
  for (const Choice &choice : found) {
    least.forward = std::min(least.forward, choice.forward);
    least.backward = std::min(least.backward, choice.backward);
    least.own = std::max(least.own, choice.own);
  }
  return place->second;
}

/// The seconds that all plans need which choose what is chosen.
double Search::getBound() const {
  double bound = 0;
  std::vector<double> way(cut.size()), back(cut.size());
  std::vector<Times> least(cut.size());
  for (size_t stage = 0; stage < cut.size(); ++stage) {
    Times &own = least[stage];
    own = chosen[stage] ? *chosen[stage] : choices[stage]->least;
    for (unsigned other : before[stage]) {
      way[stage] = std::max(way[stage], way[other] + least[other].forward);
      back[stage] = std::max(back[stage], back[other] + least[other].backward);
    }
    bound = std::max({bound, way[stage] + own.busy,
                      way[stage] + own.busy - own.own + back[stage]});
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
  for (const Choice &choice : choices[number]->all) {
    // Those after it are as busy.
    if (budget == 0 || (best && choice.busy >= best->seconds))
      break;
    --budget;
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
    for (PlannedStage &stage : plan)
      stage.devices.clear();
    return place(0);
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

/// Whether no device of a group's node is used, nor of a node before it that is
/// like it: which of them is used makes no difference.
bool Search::isLikeOneBefore(size_t number) const {
  auto getNode = [&](unsigned node) {
    std::vector<Group> own;
    for (const Group &group : groups)
      if (group.node == node)
        own.push_back(group);
    return own;
  };
  std::vector<Group> own = getNode(groups[number].node);
  auto isUnused = [](const Group &group) { return group.numUsed == 0; };
  if (!llvm::all_of(own, isUnused))
    return false;
  for (unsigned node = 0; node < groups[number].node; ++node) {
    std::vector<Group> other = getNode(node);
    if (other.size() == own.size() && llvm::all_of(other, isUnused) &&
        llvm::all_of(llvm::zip(own, other), [](auto pair) {
          return std::get<0>(pair).isLike(std::get<1>(pair));
        }))
      return true;
  }
  return false;
}

/// Gives `left` more devices to a stage, of the groups from `number` on.
void Search::placeStage(size_t number, size_t first, size_t left) {
  if (left == 0)
    return place(number + 1);
  if (first == groups.size() || budget == 0)
    return;
  Group &group = groups[first];
  std::vector<unsigned> &devices = plan[number].devices;
  size_t most = std::min(left, group.devices.size() - group.numUsed);
  if (isLikeOneBefore(first))
    most = 0;
  for (size_t count = most; count > 0; --count) {
    for (size_t one = 0; one < count; ++one)
      devices.push_back(group.devices[group.numUsed++]);
    placeStage(number, first + 1, left - count);
    devices.resize(devices.size() - count);
    group.numUsed -= count;
  }
  placeStage(number, first + 1, left);
}

void Search::simulate() {
  if (budget == 0)
    return;
  std::optional<Evaluator::Rating> rating =
      evaluator.rateWhole(evaluator.getViews(plan), evaluator.getLimit());
  budget = std::max<int64_t>(0, budget - kPlanSteps -
                                    (rating ? rating->numTasks : 0));
  if (!rating || rating->getOverflow(evaluator.getLimit()) > 0 ||
      (best && rating->seconds >= best->seconds))
    return;
  std::string unused;
  std::optional<Evaluation> found = evaluator.evaluate(plan, unused);
  if (found && isFitting(*found, cluster) &&
      (!best || found->seconds < best->seconds))
    best = std::move(found);
}

bool tenon::parallelize::searchAll(const OperatorGraph &graph,
                                   const Cluster &cluster,
                                   const PlannerOptions &options,
                                   int64_t budget,
                                   std::optional<Evaluation> &best) {
  return Search(graph, cluster, options, budget, best).run();
}
