//===- ProgressLine.h - how far a long run has come ---------------------===//
//
// Part of the Tenon project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef TENON_TOOLS_TENON_RUN_PROGRESSLINE_H
#define TENON_TOOLS_TENON_RUN_PROGRESSLINE_H

#include <chrono>
#include <cstdio>
#include <string>
#include <unistd.h>

namespace tenon::run {

/// Milliseconds of a clock that only goes forward.
inline double milliseconds() {
  using Clock = std::chrono::steady_clock;
  return std::chrono::duration<double, std::milli>(
             Clock::now().time_since_epoch())
      .count();
}

/// A line on standard error, if that is a terminal.
class ProgressLine {
public:
  ~ProgressLine() { clear(); }

  /// Whether `show` is worth calling: five times a second at most.
  bool isDue() const { return enabled && milliseconds() - last >= 200; }

  /// Replaces the line.
  void show(const std::string &text) {
    if (!enabled)
      return;
    last = milliseconds();
    shown = true;
    std::fprintf(stderr, "\r\033[K%s", text.c_str());
    std::fflush(stderr);
  }

  void clear() {
    if (shown)
      std::fprintf(stderr, "\r\033[K");
    shown = false;
  }

private:
  bool enabled = ::isatty(STDERR_FILENO) != 0;
  bool shown = false;
  double last = milliseconds();
};

} // namespace tenon::run

#endif // TENON_TOOLS_TENON_RUN_PROGRESSLINE_H
