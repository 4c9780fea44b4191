//===- PhaseTimes.h - how long the phases of a compilation take -----------===//
//
// Part of the Tenon project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef TENON_LIB_DRIVER_PHASETIMES_H
#define TENON_LIB_DRIVER_PHASETIMES_H

#include "tenon/Support/Progress.h"

#include "llvm/ADT/SmallVector.h"

#include <array>
#include <optional>

namespace tenon {

enum class Phase {
  Import,
  Optimize,
  Place,
  Lower,
  Assemble,
  Translate,
  Codegen,
  Link,
  Weights,
  Export
};

/// What a compilation is made of, counted: equal models give equal counts on
/// every machine.
struct WorkCounts {
  size_t ops = 0;     // of the model, after the import
  size_t steps = 0;   // of all programs
  size_t kernels = 0; // functions that code is generated for
  size_t buffers = 0;
};

class PhaseTimes {
public:
  using Clock = std::chrono::steady_clock;

  /// `progress` may be null.
  explicit PhaseTimes(Progress *progress) : progress(progress) {}

  /// Runs a phase.
  template <typename F> auto time(Phase phase, F body) {
    enter(phase);
    auto start = Clock::now();
    auto result = body();
    add(phase, std::chrono::duration<double>(Clock::now() - start).count());
    return result;
  }
  /// Says that a phase begins, which is timed elsewhere.
  void enter(Phase phase);
  void add(Phase phase, double seconds) { runs.emplace_back(phase, seconds); }

  /// How long the phase Optimize loaded rules and searched for a better graph.
  void addSearch(double ruleSeconds, double searchSeconds) {
    rules += ruleSeconds;
    search = search.value_or(0) + searchSeconds;
  }

  /// Each run of a phase on a line, in their order, and their sum (--timing).
  void printRuns(llvm::raw_ostream &os) const;
  /// A table of phases in the order of Phase, of what is outside of them, and
  /// of the whole time since the start (--time-report).
  void printReport(llvm::raw_ostream &os) const;

  WorkCounts counts;

private:
  Progress *progress;
  Clock::time_point start = Clock::now();
  llvm::SmallVector<std::pair<Phase, double>> runs;
  double rules = 0;
  std::optional<double> search;
};

} // namespace tenon

#endif // TENON_LIB_DRIVER_PHASETIMES_H
