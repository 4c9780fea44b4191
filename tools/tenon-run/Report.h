//===- Report.h - what tenon-run tells of a run -------------------------===//
//
// Part of the Tenon project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef TENON_TOOLS_TENON_RUN_REPORT_H
#define TENON_TOOLS_TENON_RUN_REPORT_H

#include "tenon/Artifact/Compare.h"
#include "tenon/Artifact/TensorData.h"

#include <optional>
#include <string>
#include <vector>

namespace tenon::run {

/// Values of one tensor. NaN and infinities are counted and left out.
struct Statistics {
  double min = 0, max = 0, mean = 0;
  int64_t finite = 0, nans = 0, infinities = 0;
};

Statistics summarize(const artifact::TensorData &tensor);

struct TensorReport {
  std::string name;
  artifact::DType dtype;
  std::vector<int64_t> shape;
  std::string source; // of an input
  Statistics statistics;
  std::optional<artifact::Comparison> comparison;
  std::string expectedPath;
};

/// Milliseconds of runs.
struct Latency {
  std::vector<double> runs; // without the first one

  double min() const;
  double max() const;
  double mean() const;
  /// `fraction` 0.5: the median.
  double percentile(double fraction) const;
};

struct Report {
  std::string artifact, model, target, params;
  int32_t threads = 0;
  std::vector<TensorReport> inputs, outputs;
  double loadMilliseconds = 0, firstMilliseconds = 0;
  Latency latency;      // empty without --repeat
  Latency otherLatency; // of an instance that need not be deterministic
  uint64_t memoryBytes = 0;
  bool agrees = true;

  void print() const;
  std::string json() const;
};

} // namespace tenon::run

#endif // TENON_TOOLS_TENON_RUN_REPORT_H
