//===- Trace.cpp - recording trace events ---------------------------------===//
//
// Part of the Tenon project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Trace.h"

#include "tenon/Artifact/Json.h"

#include <cstdio>
#include <ctime>
#include <unistd.h>

namespace tenon::runtime {

int64_t Trace::now() {
  timespec time;
  ::clock_gettime(CLOCK_MONOTONIC, &time);
  return static_cast<int64_t>(time.tv_sec) * 1000000000 + time.tv_nsec;
}

void Trace::add(int32_t step, const char *name, const char *category,
                const char *detail, int64_t begin, int64_t end) {
  if (events.size() < maxEvents)
    events.push_back({step, name, category, detail, begin, end});
  else
    ++dropped;
}

const char *Trace::json() {
  text = "{\"displayTimeUnit\": \"ns\", \"schema_version\": 1, \"dropped\": " +
         std::to_string(dropped) + ", \"traceEvents\": [";
  int64_t origin = events.empty() ? 0 : events.front().begin;
  for (const Event &event : events)
    origin = event.begin < origin ? event.begin : origin;
  for (const Event &event : events) {
    char times[160];
    std::snprintf(times, sizeof times,
                  ", \"ph\": \"X\", \"pid\": %d, \"tid\": 0, \"ts\": %.3f, "
                  "\"dur\": %.3f",
                  static_cast<int>(::getpid()),
                  static_cast<double>(event.begin - origin) / 1000,
                  static_cast<double>(event.end - event.begin) / 1000);
    text += &event == events.data() ? "\n" : ",\n";
    text += "{\"name\": " + artifact::quoteJson(event.name) +
            ", \"cat\": " + artifact::quoteJson(event.category) + times +
            ", \"args\": {\"step\": " + std::to_string(event.step);
    if (event.detail)
      text += ", \"implementation\": " + artifact::quoteJson(event.detail);
    text += "}}";
  }
  text += "\n]}\n";
  return text.c_str();
}

} // namespace tenon::runtime
