//===- PlanText.cpp - a plan as a table -----------------------------------===//
//
// Part of the Tenon project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "PlanOutput.h"

#include "llvm/Support/Format.h"

#include <algorithm>
#include <numeric>
#include <set>

using namespace tenon::parallelize;

double Planned::getBusySeconds(unsigned stage) const {
  unsigned lane = plan.pipeline.stages[stage].lane;
  double seconds = 0;
  for (auto [task, time] :
       llvm::zip_equal(plan.schedule.lanes[lane], plan.simulation.times[lane]))
    if (task.stage == stage)
      seconds += time.end - time.begin;
  return seconds;
}

double Planned::getBusyShare() const {
  double busy = 0;
  for (auto [number, stage] : llvm::enumerate(plan.plan))
    busy += getBusySeconds(number) * static_cast<double>(stage.devices.size());
  return busy / (plan.seconds * cluster.cluster.count);
}

std::string Planned::getOperators(unsigned stage) const {
  const std::vector<unsigned> &operators = plan.plan[stage].operators;
  std::string first = model.names[operators.front()];
  std::string last = model.names[operators.back()];
  return first == last ? first : first + " ... " + last;
}

/// "0-3,5" of numbers in order.
static std::string getRanges(llvm::ArrayRef<unsigned> numbers) {
  std::string text;
  for (size_t begin = 0; begin < numbers.size();) {
    size_t end = begin + 1;
    while (end < numbers.size() && numbers[end] == numbers[end - 1] + 1)
      ++end;
    text += (text.empty() ? "" : ",") + std::to_string(numbers[begin]);
    if (end > begin + 1)
      text += "-" + std::to_string(numbers[end - 1]);
    begin = end;
  }
  return text;
}

std::string Planned::getDevices(unsigned stage) const {
  std::vector<unsigned> numbers = plan.plan[stage].devices;
  llvm::sort(numbers);
  return getRanges(numbers);
}

std::string Planned::getIdleDevices() const {
  std::set<unsigned> used;
  for (const PlannedStage &stage : plan.plan)
    used.insert(stage.devices.begin(), stage.devices.end());
  std::vector<unsigned> idle;
  for (unsigned device = 0; device < cluster.cluster.count; ++device)
    if (!used.count(device))
      idle.push_back(device);
  return getRanges(idle);
}

std::string Planned::getMode(unsigned stage) const {
  const PlannedStage &planned = plan.plan[stage];
  std::string text = planned.recompute ? "recompute"
                     : planned.offload ? "offload"
                                       : "keep";
  if (planned.k > 1)
    text += ", k = " + std::to_string(planned.k);
  if (planned.eager)
    text += ", eager";
  return planned.splitBackward ? text + ", weights apart" : text;
}

int64_t Planned::getSamples(const Task &task) const {
  const PlannedStage &stage = plan.plan[task.stage];
  int64_t samples =
      std::min(stage.microBatch,
               training.miniBatch - task.microBatch * stage.microBatch);
  return static_cast<int64_t>(
      llvm::divideCeil(static_cast<uint64_t>(samples), stage.devices.size()));
}

static double inGiB(int64_t bytes) {
  return static_cast<double>(bytes) / (int64_t(1) << 30);
}

/// Stages that have the same parameter each hold it.
static void printShared(const Planned &planned, llvm::raw_ostream &os) {
  for (auto [number, name] : llvm::enumerate(planned.model.sharedParameters)) {
    std::vector<unsigned> stages;
    for (unsigned stage = 0; stage < planned.plan.plan.size(); ++stage)
      for (unsigned op : planned.plan.plan[stage].operators)
        for (const auto &shared : planned.model.graph[op].sharedParameters)
          if (shared.first == number &&
              (stages.empty() || stages.back() != stage))
            stages.push_back(stage);
    if (stages.size() < 2)
      continue;
    os << "tied: '" << name << "' is in the stages ";
    llvm::interleaveComma(stages, os);
    os << "\n";
  }
}

std::string describeRejected(const RejectedPlan &other) {
  std::set<unsigned> used;
  std::set<int64_t> sizes;
  for (const PlannedStage &stage : other.plan) {
    used.insert(stage.devices.begin(), stage.devices.end());
    sizes.insert(stage.microBatch);
  }
  size_t devices = used.size();
  std::string text;
  llvm::raw_string_ostream os(text);
  os << other.plan.size() << (other.plan.size() == 1 ? " stage" : " stages")
     << " on " << devices << (devices == 1 ? " device" : " devices")
     << ", micro-batches of ";
  llvm::interleaveComma(sizes, os);
  os << llvm::format(": %.4g ms and %.3f GiB; ", 1e3 * other.seconds,
                     inGiB(other.mostBytes))
     << other.reason;
  return text;
}

/// "16 GiB each", or "8 to 16 GiB, not alike".
static std::string getMemories(const Cluster &cluster) {
  std::string text;
  llvm::raw_string_ostream os(text);
  if (cluster.devices.empty()) {
    os << llvm::format("%.4g GiB each", inGiB(cluster.memoryBytes));
    return text;
  }
  std::vector<unsigned> all(cluster.count);
  std::iota(all.begin(), all.end(), 0);
  os << llvm::format("%.4g to %.4g GiB, not alike",
                     inGiB(cluster.getLeast(all).memoryBytes),
                     inGiB(cluster.getMostMemory()));
  return text;
}

void printPlan(const Planned &planned, llvm::raw_ostream &os) {
  const Evaluation &plan = planned.plan;
  const Cluster &cluster = planned.cluster.cluster;
  os << "model '" << planned.name << "': " << planned.model.graph.size()
     << " operators, " << planned.line.miniBatch << " samples"
     << (planned.line.forwardOnly ? ", forward only" : "") << "\n"
     << "cluster '" << planned.cluster.name << "': " << cluster.count
     << " devices, " << std::min(cluster.perNode, cluster.count)
     << " in a node, " << getMemories(cluster) << "\n";
  for (const std::string &name : planned.model.sampleSymbols)
    os << "'" << name << "' is the number of samples, too\n";
  printShared(planned, os);
  size_t width = 5;
  std::vector<std::string> devices;
  for (unsigned stage = 0; stage < plan.plan.size(); ++stage) {
    devices.push_back(planned.getDevices(stage));
    width = std::max(width, devices.back().size());
  }
  os << "stage  devices" << std::string(width > 7 ? width - 7 : 0, ' ')
     << "  micro-batch    k  in flight      GiB   busy  activations\n";
  width = std::max<size_t>(width, 7);
  for (auto [number, stage] : llvm::enumerate(plan.plan)) {
    os << llvm::format("%5zu  ", number) << devices[number]
       << std::string(width - devices[number].size(), ' ')
       << llvm::format("  %11lld  %3lld  %9lld  %7.3f  %4.0f%%  ",
                       static_cast<long long>(stage.microBatch),
                       static_cast<long long>(stage.k),
                       static_cast<long long>(plan.simulation.inFlight[number]),
                       inGiB(plan.stageBytes[number]),
                       100 * planned.getBusySeconds(number) / plan.seconds)
       << planned.getMode(number) << ": " << planned.getOperators(number)
       << "\n";
  }
  if (std::string idle = planned.getIdleDevices(); !idle.empty())
    os << "idle   " << idle << "\n";
  os << getName(planned.line.planner) << ": "
     << llvm::format("%.4g ms an iteration, %.4g samples/s, devices compute "
                     "%.0f%% of the time",
                     1e3 * plan.seconds,
                     static_cast<double>(planned.line.miniBatch) / plan.seconds,
                     100 * planned.getBusyShare())
     << (plan.isFastest ? "; no other plan is faster" : "") << "\n";
  os << "idle: " << planned.getIdle() << "\n"
     << "costs: " << planned.costs << "\n";
  for (const RejectedPlan &other : plan.rejected)
    os << (other.seconds < plan.seconds ? "faster: " : "next: ")
       << describeRejected(other) << "\n";
}

std::string Planned::getIdle() const {
  const std::pair<double, const char *> shares[] = {
      {idle.filling, "filling"},
      {idle.draining, "draining"},
      {idle.stages, "other stages"},
      {idle.links, "links"},
      {idle.sums, "sums of gradients"},
      {idle.updates, "updates of parameters"},
      {idle.unused, "devices without a stage"}};
  std::string text;
  llvm::raw_string_ostream os(text);
  for (auto [share, name] : shares)
    if (share >= 0.0005)
      os << (text.empty() ? "" : ", ") << llvm::format("%.1f%% ", 100 * share)
         << name;
  return text.empty() ? "never" : text;
}
