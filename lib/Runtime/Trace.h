//===- Trace.h - recording trace events -----------------------------------===//
//
// Part of the Tenon project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef TENON_LIB_RUNTIME_TRACE_H
#define TENON_LIB_RUNTIME_TRACE_H

#include <cstdint>
#include <string>
#include <vector>

namespace tenon::runtime {

/// Events of one instance, written in Chrome's trace-event format
/// (chrome://tracing, https://ui.perfetto.dev).
class Trace {
public:
  /// Returns nanoseconds of a steady clock.
  static int64_t now();

  /// `step` is the position among the steps of a run; it distinguishes steps of
  /// the same name. `name`, `category` and `detail` must outlive the trace;
  /// `detail` may be null.
  void add(int32_t step, const char *name, const char *category,
           const char *detail, int64_t begin, int64_t end);

  /// Returns the trace as JSON, valid until the next call.
  const char *json();

private:
  struct Event {
    int32_t step;
    const char *name;
    const char *category;
    const char *detail;
    int64_t begin;
    int64_t end;
  };

  // When this limit is reached, later events are dropped.
  static constexpr size_t maxEvents = 1 << 20;
  std::vector<Event> events;
  uint64_t dropped = 0;
  std::string text;
};

} // namespace tenon::runtime

#endif // TENON_LIB_RUNTIME_TRACE_H
