//===- PlanTimeline.cpp - a plan as a timeline ----------------------------===//
//
// Part of the Tenon project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "PlanOutput.h"

#include "llvm/Support/Format.h"

using namespace tenon::parallelize;
using namespace tenon::report;

static std::string formatText(const char *text, double value) {
  std::string result;
  llvm::raw_string_ostream(result) << llvm::format(text, value);
  return result;
}

/// Devices update their parameters once all gradients are there.
static void addUpdates(const Planned &planned, Timeline &timeline) {
  std::vector<double> ends(timeline.lanes.size(),
                           planned.plan.seconds - planned.plan.updateSeconds);
  for (auto [number, stage] : llvm::enumerate(planned.plan.plan)) {
    double seconds = 0;
    for (unsigned op : stage.operators)
      seconds += planned.model.graph[op].updateSeconds;
    unsigned lane = timeline.stages[number].lane;
    double begin = ends[lane];
    ends[lane] += seconds;
    if (seconds > 0)
      timeline.lanes[lane].tasks.push_back(
          {begin, ends[lane], "update", static_cast<unsigned>(number), 0, 0});
  }
}

Timeline makeTimeline(const Planned &planned) {
  const Evaluation &plan = planned.plan;
  Timeline timeline;
  timeline.title = planned.name;
  timeline.plan = printRunPlan(
      getRunPlan(planned.model.digest, planned.training, plan.plan));
  timeline.seconds = plan.seconds;
  timeline.lanes.resize(plan.schedule.lanes.size());
  for (auto [number, lane] : llvm::enumerate(timeline.lanes))
    for (auto [task, time] : llvm::zip_equal(plan.schedule.lanes[number],
                                             plan.simulation.times[number]))
      // Ranks have no task for gradients that no stage wants.
      if (task.kind != TaskKind::BackwardInput || time.end > time.begin)
        lane.tasks.push_back({time.begin, time.end, getName(task.kind),
                              task.stage, task.microBatch,
                              planned.getSamples(task)});
  for (unsigned number = 0; number < plan.plan.size(); ++number) {
    const PlannedStage &stagePlan = plan.plan[number];
    TimelineStage stage;
    stage.lane = plan.pipeline.stages[number].lane;
    stage.operators = planned.getOperators(number);
    stage.mode = planned.getMode(number);
    stage.microBatch = stagePlan.microBatch;
    TimelineLane &lane = timeline.lanes[stage.lane];
    lane.name = "devices " + planned.getDevices(number);
    lane.peakBytes = plan.stageBytes[number];
    lane.memoryBytes =
        planned.cluster.cluster.getLeast(stagePlan.devices).memoryBytes;
    double sum = plan.reduceSeconds[number], begin = lane.tasks.back().end;
    if (sum > 0)
      lane.tasks.push_back({begin, begin + sum, "sum", number, 0, 0});
    timeline.stages.push_back(std::move(stage));
  }
  addUpdates(planned, timeline);
  if (std::string idle = planned.getIdleDevices(); !idle.empty()) {
    TimelineLane lane;
    lane.name = "devices " + idle + ", idle";
    lane.memoryBytes = planned.cluster.cluster.memoryBytes;
    timeline.lanes.push_back(std::move(lane));
  }
  for (const Link &link : plan.pipeline.links)
    timeline.stages[link.to].reads.push_back(link.from);
  for (const SentMessage &message : plan.simulation.messages) {
    const Link &link = plan.pipeline.links[message.link];
    unsigned from = plan.pipeline.stages[link.from].lane,
             to = plan.pipeline.stages[link.to].lane;
    timeline.messages.push_back({message.isGradient ? to : from,
                                 message.isGradient ? from : to, message.begin,
                                 message.end, message.isGradient,
                                 message.firstSample, message.lastSample});
  }
  const CommandLine &line = planned.line;
  timeline.facts = {
      {"mini-batch", std::to_string(line.miniBatch) + " samples" +
                         (line.forwardOnly ? ", forward only" : "")},
      {"iteration", formatText("%.4g ms", 1e3 * plan.seconds)},
      {"devices compute",
       formatText("%.0f%% of the time", 100 * planned.getBusyShare())},
      {"cluster", planned.cluster.name + ", " +
                      std::to_string(planned.cluster.cluster.count) +
                      " devices (" + planned.cluster.source + ")"},
      {"devices wait", planned.getIdle()},
      {"costs", planned.costs},
      {"planner", getName(line.planner)}};
  for (const RejectedPlan &other : plan.rejected)
    timeline.facts.emplace_back(other.seconds < plan.seconds ? "faster"
                                                             : "next best",
                                describeRejected(other));
  return timeline;
}

void printComparison(const OperatorGraph &graph, const Planned &planned,
                     const MeasuredRun &run, llvm::raw_ostream &os) {
  const Cluster &cluster = planned.cluster.cluster;
  os << "stage  task              samples    predicted            measured  "
        " ratio\n";
  for (const RunTasks &tasks : run.tasks) {
    double predicted = predictSeconds(graph, cluster, run, tasks);
    os << llvm::format("%5u  %-16s %8lld %9.3f ms %5zu x %8.3f ms", tasks.stage,
                       tasks.kind.c_str(),
                       static_cast<long long>(tasks.samples), 1e3 * predicted,
                       tasks.count, 1e3 * tasks.seconds);
    if (predicted > 0)
      os << llvm::format("  %6.2f", tasks.seconds / predicted);
    else
      os << "  not predicted";
    os << "\n";
  }
  os << llvm::format("iteration: %.3f ms measured", 1e3 * run.seconds);
  // The plan of another cluster may not be one of this.
  TrainingOptions options = planned.training;
  options.miniBatch = run.plan.miniBatch;
  std::string unused;
  for (auto [costs, name] : {std::pair(&graph, "predicted"),
                             {&planned.model.graph, "with the fitted costs"}})
    if (std::optional<Evaluation> simulated =
            evaluate(*costs, cluster, options, run.plan.stages, unused))
      os << llvm::format(", %.3f ms %s", 1e3 * simulated->seconds, name);
  os << "\n";
}
