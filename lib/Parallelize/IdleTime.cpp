//===- IdleTime.cpp - why devices wait in a plan --------------------------===//
//
// Part of the Tenon project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "tenon/Parallelize/IdleTime.h"

#include "llvm/ADT/STLExtras.h"

#include <algorithm>
#include <map>

using namespace tenon::parallelize;

namespace {
/// When links begin to send what arrives at a time, by the stage that waits.
using Sends = std::map<std::pair<unsigned, double>, double>;
} // namespace

static Sends findSends(const Evaluation &plan) {
  Sends sends;
  for (const SentMessage &message : plan.simulation.messages) {
    const Link &link = plan.pipeline.links[message.link];
    unsigned to = message.isGradient ? link.from : link.to;
    sends[{to, message.end}] = message.begin;
  }
  return sends;
}

IdleShares tenon::parallelize::getIdleShares(const Evaluation &plan,
                                             unsigned numDevices) {
  const Sends sends = findSends(plan);
  IdleShares idle;
  double devices = 0;
  for (unsigned lane = 0; lane < plan.schedule.lanes.size(); ++lane) {
    double count = 0, sums = 0;
    for (auto [number, stage] : llvm::enumerate(plan.plan))
      if (plan.pipeline.stages[number].lane == lane) {
        count = static_cast<double>(stage.devices.size());
        sums += plan.reduceSeconds[number];
      }
    devices += count;
    const std::vector<TaskTime> &times = plan.simulation.times[lane];
    idle.filling += count * times.front().begin;
    idle.sums += count * sums;
    idle.updates += count * plan.updateSeconds;
    idle.draining +=
        count * (plan.seconds - times.back().end - sums - plan.updateSeconds);
    for (size_t task = 1; task < times.size(); ++task) {
      double begin = times[task - 1].end, end = times[task].begin;
      if (end <= begin)
        continue;
      auto send = sends.find({plan.schedule.lanes[lane][task].stage, end});
      double sent =
          send == sends.end() ? end : std::clamp(send->second, begin, end);
      idle.stages += count * (sent - begin);
      idle.links += count * (end - sent);
    }
  }
  idle.unused = (numDevices - devices) * plan.seconds;
  double all = numDevices * plan.seconds;
  for (double *share : {&idle.filling, &idle.draining, &idle.links,
                        &idle.stages, &idle.sums, &idle.updates, &idle.unused})
    *share = all > 0 ? *share / all : 0;
  return idle;
}
