//===- PlanJson.cpp - a plan as JSON --------------------------------------===//
//
// Part of the Tenon project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "PlanOutput.h"

#include "llvm/Support/JSON.h"

using namespace llvm;
using namespace tenon::parallelize;

/// The times in which a lane computes nothing, in an iteration.
static void writeIdle(const std::vector<TaskTime> &tasks, double seconds,
                      json::OStream &out) {
  out.attributeArray("idle", [&] {
    double end = 0;
    auto write = [&](double begin) {
      if (begin > end)
        out.array([&] {
          out.value(end);
          out.value(begin);
        });
    };
    for (const TaskTime &task : tasks) {
      write(task.begin);
      end = task.end;
    }
    write(seconds);
  });
}

static void writeStage(const Planned &planned, unsigned number,
                       json::OStream &out) {
  const PlannedStage &stage = planned.plan.plan[number];
  const Stage &times = planned.plan.pipeline.stages[number];
  out.attribute("stage", number);
  out.attributeArray("operators", [&] {
    for (unsigned op : stage.operators)
      out.value(planned.model.names[op]);
  });
  out.attributeArray("devices", [&] {
    for (unsigned device : stage.devices)
      out.value(device);
  });
  out.attribute("micro_batch", stage.microBatch);
  out.attribute("k", stage.k);
  out.attribute("activations", stage.recompute ? "recompute"
                               : stage.offload ? "offload"
                                               : "keep");
  out.attribute("eager", stage.eager);
  out.attribute("split_backward", stage.splitBackward);
  out.attribute("in_flight", planned.plan.simulation.inFlight[number]);
  out.attribute("forward_seconds", times.forward);
  out.attribute("backward_input_seconds", times.backwardInput);
  out.attribute("backward_weight_seconds", times.backwardWeight);
  out.attribute("busy_seconds", planned.getBusySeconds(number));
}

void writePlanJson(const Planned &planned, raw_ostream &os) {
  const Evaluation &plan = planned.plan;
  const CommandLine &line = planned.line;
  const Cluster &cluster = planned.cluster.cluster;
  json::OStream out(os, 2);
  out.object([&] {
    out.attribute("schema_version", 2);
    out.attribute("model", planned.name);
    out.attribute("planner", getName(line.planner));
    out.attribute("cluster", planned.cluster.name);
    out.attribute("mini_batch", line.miniBatch);
    out.attribute("forward_only", line.forwardOnly);
    out.attribute("step_seconds", plan.seconds);
    out.attribute("busy_share", planned.getBusyShare());
    out.attribute("is_fastest", plan.isFastest);
    out.attribute("costs", planned.costs);
    const IdleShares &idle = planned.idle;
    out.attributeObject("idle_shares", [&] {
      out.attribute("filling", idle.filling);
      out.attribute("draining", idle.draining);
      out.attribute("stages", idle.stages);
      out.attribute("links", idle.links);
      out.attribute("sums", idle.sums);
      out.attribute("updates", idle.updates);
      out.attribute("unused", idle.unused);
    });
    out.attributeArray("rejected", [&] {
      for (const RejectedPlan &other : plan.rejected)
        out.object([&] {
          out.attribute("seconds", other.seconds);
          out.attribute("bytes", other.mostBytes);
          out.attribute("num_stages", other.plan.size());
          out.attribute("reason", other.reason);
        });
    });
    out.attributeArray("stages", [&] {
      for (unsigned number = 0; number < plan.plan.size(); ++number)
        out.object([&] { writeStage(planned, number, out); });
    });
    out.attributeArray("links", [&] {
      for (const Link &link : plan.pipeline.links)
        out.object([&] {
          out.attribute("from", link.from);
          out.attribute("to", link.to);
          out.attribute("latency_seconds", link.latency);
          out.attribute("seconds_per_sample", link.secondsPerSample);
        });
    });
    std::vector<std::vector<unsigned>> stagesOf(cluster.count);
    for (auto [number, stage] : enumerate(plan.plan))
      for (unsigned device : stage.devices)
        stagesOf[device].push_back(number);
    out.attributeArray("devices", [&] {
      for (unsigned device = 0; device < cluster.count; ++device)
        out.object([&] {
          ArrayRef<unsigned> stages = stagesOf[device];
          out.attribute("device", device);
          out.attributeArray("stages", [&] {
            for (unsigned stage : stages)
              out.value(stage);
          });
          out.attribute("peak_bytes",
                        stages.empty() ? 0 : plan.stageBytes[stages.front()]);
          out.attribute("memory_bytes", cluster.getDevice(device).memoryBytes);
          writeIdle(stages.empty()
                        ? std::vector<TaskTime>()
                        : plan.simulation
                              .times[plan.pipeline.stages[stages.front()].lane],
                    plan.seconds, out);
        });
    });
  });
  os << "\n";
}
