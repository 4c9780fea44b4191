//===- TimelineReport.h - the timeline of a pipeline ------------*- C++ -*-===//
//
// Part of the Tenon project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef TENON_REPORT_TIMELINEREPORT_H
#define TENON_REPORT_TIMELINEREPORT_H

#include "llvm/Support/raw_ostream.h"

#include <cstdint>
#include <string>
#include <utility>
#include <vector>

namespace tenon::report {

/// A task of a stage for one micro-batch. Times are in seconds.
struct TimelineTask {
  double begin = 0, end = 0;
  /// "forward", "backward", "backward_input", "backward_weight" or "sum", of
  /// gradients.
  std::string kind;
  unsigned stage = 0;
  int64_t microBatch = 0;
  /// Those of the device that has the most.
  int64_t samples = 0;
};

struct TimelineLane {
  /// Such as "devices 0-3".
  std::string name;
  std::vector<TimelineTask> tasks;
  int64_t peakBytes = 0, memoryBytes = 0;
};

struct TimelineMessage {
  unsigned fromLane = 0, toLane = 0;
  double begin = 0, end = 0;
  bool isGradient = false;
  /// The samples [first, last).
  int64_t first = 0, last = 0;
};

struct TimelineStage {
  unsigned lane = 0;
  /// What it computes, and how it runs, in words.
  std::string operators, mode;
  int64_t microBatch = 0;
  /// The stages whose values it reads.
  std::vector<unsigned> reads;
};

struct Timeline {
  std::string title;
  /// The seconds of an iteration.
  double seconds = 0;
  std::vector<TimelineLane> lanes;
  std::vector<TimelineMessage> messages;
  std::vector<TimelineStage> stages;
  /// What is stated above, as names and values.
  std::vector<std::pair<std::string, std::string>> facts;
  /// What it is of, as JSON, for the trace.
  std::string plan;
};

/// Writes a page that needs no network. It draws as many lanes as have 200,000
/// tasks together, and says so if there are more.
void writeTimelineHtml(const Timeline &timeline, llvm::raw_ostream &os);

/// Writes trace events for Perfetto (docs/formats.md).
void writeTimelineTrace(const Timeline &timeline, llvm::raw_ostream &os);

} // namespace tenon::report

#endif // TENON_REPORT_TIMELINEREPORT_H
