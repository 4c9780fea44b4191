//===- TimelineTrace.cpp - timelines as trace events ----------------------===//
//
// Part of the Tenon project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "tenon/Report/TimelineReport.h"
#include "tenon/Support/Json.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/Support/Format.h"
#include "llvm/Support/JSON.h"

#include <algorithm>
#include <map>

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

static double getMedian(std::vector<double> values) {
  if (values.empty())
    return 0;
  auto middle = values.begin() + values.size() / 2;
  std::nth_element(values.begin(), middle, values.end());
  return *middle;
}

Expected<TimelineComparison>
tenon::report::compareWithTrace(const Timeline &timeline, StringRef trace) {
  Expected<json::Value> parsed = tenon::parseJson(trace);
  if (!parsed)
    return parsed.takeError();
  const json::Object *object = parsed->getAsObject();
  const json::Array *events =
      object ? object->getArray("traceEvents") : nullptr;
  if (!events)
    return createStringError("expected an object with 'traceEvents'");
  using Key = std::pair<int64_t, std::string>;
  std::map<Key, std::pair<std::vector<double>, std::vector<double>>> times;
  for (const TimelineLane &lane : timeline.lanes)
    for (const TimelineTask &task : lane.tasks)
      times[{task.stage, task.kind}].first.push_back(task.end - task.begin);
  TimelineComparison result;
  result.predictedSeconds = timeline.seconds;
  double first = 0, last = 0;
  bool hasAny = false;
  for (auto [number, event] : enumerate(*events)) {
    const json::Object *fields = event.getAsObject();
    if (!fields || fields->getString("cat") != StringRef("task"))
      continue;
    const json::Object *args = fields->getObject("args");
    std::optional<double> begin = fields->getNumber("ts"),
                          length = fields->getNumber("dur");
    std::optional<int64_t> stage =
        args ? args->getInteger("stage") : std::nullopt;
    std::optional<StringRef> kind =
        args ? args->getString("kind") : std::nullopt;
    if (!begin || !length || !(*length >= 0) || !stage || *stage < 0 || !kind)
      return createStringError(formatv(
          "event {0}: expected a task with 'ts', 'dur', and 'stage' and "
          "'kind' among its 'args'",
          number));
    times[{*stage, kind->str()}].second.push_back(1e-6 * *length);
    first = hasAny ? std::min(first, *begin) : *begin;
    last = hasAny ? std::max(last, *begin + *length) : *begin + *length;
    hasAny = true;
  }
  if (!hasAny)
    return createStringError("expected events with the category 'task'");
  // Each device of a stage has the tasks of the plan, once or in several
  // iterations. A run has others, which no plan has, such as updates; sums may
  // be parts of these.
  for (auto &[key, both] : times) {
    size_t planned = both.first.size(), measured = both.second.size();
    if (key.first >= static_cast<int64_t>(timeline.stages.size()))
      return createStringError(formatv(
          "it is no trace of this plan: it has a stage {0}", key.first));
    if (planned == 0 || (measured == 0 && key.second == "sum"))
      continue;
    if (measured == 0 || measured % planned != 0)
      return createStringError(formatv(
          "it is no trace of this plan: stage {0} has {1} tasks '{2}' in an "
          "iteration, but got {3} in the trace",
          key.first, planned, key.second, measured));
  }
  result.measuredSeconds = 1e-6 * (last - first);
  for (auto &[key, both] : times)
    result.rows.push_back({key.second, static_cast<unsigned>(key.first),
                           both.first.size(), both.second.size(),
                           getMedian(both.first), getMedian(both.second)});
  return result;
}
