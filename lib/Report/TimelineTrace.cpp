//===- TimelineTrace.cpp - timelines as trace events ----------------------===//
//
// Part of the Tenon project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "tenon/Report/TimelineReport.h"

#include "llvm/Support/JSON.h"

using namespace llvm;
using namespace tenon::report;

/// Threads of a lane in the trace: its tasks, and what it receives.
static constexpr unsigned kTasks = 0, kMessages = 1;

static void writeName(json::OStream &out, const char *what, unsigned lane,
                      unsigned thread, const std::string &name) {
  out.object([&] {
    out.attribute("name", what);
    out.attribute("ph", "M");
    out.attribute("pid", lane);
    out.attribute("tid", thread);
    out.attributeObject("args", [&] { out.attribute("name", name); });
  });
}

static void writeTimes(json::OStream &out, unsigned lane, unsigned thread,
                       double begin, double end) {
  out.attribute("ph", "X");
  out.attribute("pid", lane);
  out.attribute("tid", thread);
  out.attribute("ts", 1e6 * begin);
  out.attribute("dur", 1e6 * (end - begin));
}

void tenon::report::writeTimelineTrace(const Timeline &timeline,
                                       raw_ostream &os) {
  json::OStream out(os);
  out.object([&] {
    out.attribute("displayTimeUnit", "ns");
    out.attribute("schema_version", 1);
    out.attributeBegin("plan");
    out.rawValue(timeline.plan);
    out.attributeEnd();
    out.attributeArray("traceEvents", [&] {
      for (unsigned number = 0; number < timeline.lanes.size(); ++number) {
        const TimelineLane &lane = timeline.lanes[number];
        writeName(out, "process_name", number, kTasks, lane.name);
        writeName(out, "thread_name", number, kTasks, "tasks");
        writeName(out, "thread_name", number, kMessages, "received");
        for (const TimelineTask &task : lane.tasks)
          out.object([&] {
            out.attribute("name",
                          task.kind + " " + std::to_string(task.microBatch));
            out.attribute("cat", "task");
            writeTimes(out, number, kTasks, task.begin, task.end);
            out.attributeObject("args", [&] {
              out.attribute("stage", task.stage);
              out.attribute("kind", task.kind);
              out.attribute("micro_batch", task.microBatch);
              out.attribute("samples", task.samples);
            });
          });
      }
      for (const TimelineMessage &message : timeline.messages)
        out.object([&] {
          out.attribute("name", (message.isGradient ? "gradients of samples "
                                                    : "values of samples ") +
                                    std::to_string(message.first) + " to " +
                                    std::to_string(message.last));
          out.attribute("cat", "message");
          writeTimes(out, message.toLane, kMessages, message.begin,
                     message.end);
          out.attributeObject("args", [&] {
            out.attribute("from", timeline.lanes[message.fromLane].name);
          });
        });
    });
  });
  os << "\n";
}
