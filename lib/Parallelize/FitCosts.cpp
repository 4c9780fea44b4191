//===- FitCosts.cpp - costs that give what was measured -------------------===//
//
// Part of the Tenon project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "tenon/Parallelize/MeasuredRun.h"

#include "llvm/ADT/STLExtras.h"

using namespace tenon::parallelize;

/// The kinds of costs of an operator.
static TaskCost Operator::*const kForward = &Operator::forward;
static TaskCost Operator::*const kInput = &Operator::backwardInput;
static TaskCost Operator::*const kWeight = &Operator::backwardWeight;

namespace {
using Kinds = llvm::SmallVector<TaskCost Operator::*, 2>;

/// What tasks of a kind compute: costs that are theirs, and whether the forward
/// task once more.
struct Computed {
  Kinds own;
  bool forwardAgain = false;
};
} // namespace

/// In a plan with backward tasks in two, a stage that gives no gradients of
/// inputs has one for all.
static bool joinsBackward(const std::vector<RunTasks> &all, unsigned stage) {
  return llvm::none_of(all, [&](const RunTasks &tasks) {
    return tasks.stage == stage && tasks.kind == "backward_input";
  });
}

static Computed getComputed(const PlannedStage &stage, llvm::StringRef kind,
                            bool joins) {
  if (kind == "forward")
    return {{kForward}, false};
  if (kind == "backward" || (kind == "backward_weight" && joins))
    return {{kInput, kWeight}, stage.recompute};
  if (kind == "backward_input")
    return {{kInput}, stage.recompute};
  if (kind == "backward_weight")
    return {{kWeight}, false};
  return {};
}

/// The speed of the slowest device of a stage; those of another cluster have
/// that of the profile.
static double getSpeed(const Cluster &cluster, const PlannedStage &stage) {
  bool isThere = llvm::all_of(
      stage.devices, [&](unsigned device) { return device < cluster.count; });
  return isThere ? cluster.getLeast(stage.devices).speed : 1;
}

static double getSeconds(const OperatorGraph &graph, const Cluster &cluster,
                         const PlannedStage &stage, const Kinds &kinds,
                         int64_t samples) {
  double seconds = 0;
  for (unsigned op : stage.operators)
    for (TaskCost Operator::*kind : kinds)
      seconds += (graph[op].*kind).getSeconds(static_cast<double>(samples));
  return seconds / getSpeed(cluster, stage);
}

double tenon::parallelize::predictSeconds(const OperatorGraph &graph,
                                          const Cluster &cluster,
                                          const MeasuredRun &run,
                                          const RunTasks &tasks) {
  const PlannedStage &stage = run.plan.stages[tasks.stage];
  if (tasks.kind == "update") {
    double seconds = 0;
    for (unsigned op : stage.operators)
      seconds += graph[op].updateSeconds;
    return seconds / getSpeed(cluster, stage);
  }
  Computed computed =
      getComputed(stage, tasks.kind, joinsBackward(run.tasks, tasks.stage));
  if (computed.forwardAgain)
    computed.own.push_back(kForward);
  return getSeconds(graph, cluster, stage, computed.own, tasks.samples);
}

namespace {
/// Fits the costs of one stage.
class StageFit {
public:
  StageFit(OperatorGraph &graph, const Cluster &cluster, const MeasuredRun &run,
           unsigned number)
      : graph(graph), cluster(cluster), run(run), number(number),
        stage(run.plan.stages[number]) {}

  void fit(llvm::StringRef kind);
  void fitUpdate();

private:
  OperatorGraph &graph;
  const Cluster &cluster;
  const MeasuredRun &run;
  const unsigned number;
  const PlannedStage &stage;
};
} // namespace

namespace {
/// Sums over tasks, each as often as it ran.
struct Sums {
  double count = 0, predicted = 0, measured = 0;
  double squares = 0, products = 0;

  void add(double times, double x, double y) {
    count += times;
    predicted += times * x;
    measured += times * y;
    squares += times * x * x;
    products += times * x * y;
  }
};

/// measured = fixed + factor * predicted.
struct Line {
  double fixed = 0, factor = 0;
};
} // namespace

/// The line of least squares if tasks have several sizes and it has no negative
/// number, else the factor alone.
static Line fitLine(const Sums &sums) {
  double x = sums.predicted / sums.count, y = sums.measured / sums.count;
  double variance = sums.squares / sums.count - x * x;
  if (x == 0)
    return {y, 0};
  // Tasks of about one size say nothing of a fixed part.
  constexpr double kLeastSpread = 0.05;
  if (variance > kLeastSpread * kLeastSpread * x * x) {
    double factor = (sums.products / sums.count - x * y) / variance;
    double fixed = y - factor * x;
    if (factor > 0 && fixed > 0)
      return {fixed, factor};
  }
  return {0, y / x};
}

void StageFit::fit(llvm::StringRef kind) {
  Computed computed =
      getComputed(stage, kind, joinsBackward(run.tasks, number));
  Sums sums;
  int64_t most = 0;
  for (const RunTasks &tasks : run.tasks) {
    if (tasks.stage != number || tasks.kind != kind)
      continue;
    double seconds = tasks.seconds + run.overheadSeconds;
    // The costs of forward tasks were fitted before.
    if (computed.forwardAgain)
      seconds -= getSeconds(graph, cluster, stage, {kForward}, tasks.samples);
    sums.add(static_cast<double>(tasks.count),
             getSeconds(graph, cluster, stage, computed.own, tasks.samples),
             std::max(0.0, seconds));
    most = std::max(most, tasks.samples);
  }
  if (sums.count == 0)
    return;
  Line line = fitLine(sums);
  double fixed = line.fixed * getSpeed(cluster, stage);
  if (line.factor == 0) {
    (graph[stage.operators.front()].*computed.own.back()).fixed += fixed;
    return;
  }
  // Operators have as much of the fixed part as of the largest tasks.
  auto samples = static_cast<double>(most);
  double all = getSeconds(graph, cluster, stage, computed.own, most) *
               getSpeed(cluster, stage);
  for (unsigned op : stage.operators)
    for (TaskCost Operator::*own : computed.own) {
      TaskCost &cost = graph[op].*own;
      double share = cost.getSeconds(samples) / all;
      for (double *part : {&cost.fixed, &cost.perSample, &cost.least})
        *part *= line.factor;
      cost.fixed += share * fixed;
    }
}

void StageFit::fitUpdate() {
  double seconds = 0, bytes = 0;
  for (const RunTasks &tasks : run.tasks)
    if (tasks.stage == number &&
        (tasks.kind == "update" || tasks.kind == "norm"))
      seconds += tasks.seconds * getSpeed(cluster, stage);
  for (unsigned op : stage.operators)
    bytes += static_cast<double>(graph[op].weightBytes);
  for (unsigned op : stage.operators)
    if (bytes > 0)
      graph[op].updateSeconds =
          seconds * static_cast<double>(graph[op].weightBytes) / bytes;
}

OperatorGraph tenon::parallelize::fitCosts(OperatorGraph graph,
                                           const Cluster &cluster,
                                           const MeasuredRun &run) {
  for (unsigned number = 0; number < run.plan.stages.size(); ++number) {
    StageFit stage(graph, cluster, run, number);
    for (const char *kind :
         {"forward", "backward", "backward_input", "backward_weight"})
      stage.fit(kind);
    stage.fitUpdate();
  }
  return graph;
}
