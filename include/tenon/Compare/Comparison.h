//===- Comparison.h - the first value of a run that is wrong -------------===//
//
// Part of the Tenon project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef TENON_COMPARE_COMPARISON_H
#define TENON_COMPARE_COMPARISON_H

#include "tenon/Compare/Difference.h"
#include "tenon/Compare/ReferenceGraph.h"
#include "tenon/Compare/Trace.h"

#include <optional>
#include <string>
#include <vector>

namespace tenon::compare {

/// What was found of one value of a trace.
struct ComparedValue {
  size_t number = 0; // in the trace
  /// Of the counterpart; empty for an output.
  Origin origin;
  /// Of an output: its name.
  std::string output;
  /// Against what the value had to be, given what the run itself computed
  /// before; or, without a model, against the value of the other run.
  Difference local;
  /// Against the reference's own run from the inputs on: what has grown.
  Difference whole;
  /// The shape in which elements are counted.
  std::vector<int64_t> shape;
};

struct Comparison {
  /// Those that have counterparts, in the order of the trace.
  std::vector<ComparedValue> values;
  /// Numbers of those that have none.
  std::vector<size_t> unmatched;
  /// Index into `values` of the first one that is wrong.
  std::optional<size_t> first;
  /// With a model: the ops, by origin, that compute that value from values that
  /// were right. Where a kernel computes several ops, one of them is wrong.
  std::vector<Origin> suspects;
  /// The values that they read, which are right, but may be read wrongly.
  std::vector<Origin> reads;
  /// The first output, in `values`, whose error is more than is allowed,
  /// although no value is wrong: errors have grown.
  std::optional<size_t> grownOutput;
};

struct CompareOptions {
  /// Of whole runs.
  Allowance allowance = {1e-3, 0};
  /// How many times the deviation of a computation that is rounded op by op a
  /// value may deviate: other orders of summation, and functions that are a few
  /// units off.
  double factor = 32;
  /// The unit roundoff of what was computed in less than the types say; 0:
  /// nothing was.
  double unit = 0;
};

/// Judges every value of `trace` by what the model's ops give for the values
/// that the run itself showed before. Reports its errors; those of a trace
/// without any counterpart, too.
mlir::FailureOr<Comparison> compareWithModel(const Trace &trace,
                                             ReferenceGraph &model,
                                             const CompareOptions &options);

/// Judges every value of `trace` by the value of the same origin in `expected`.
artifact::Expected<Comparison> compareTraces(const Trace &trace,
                                             const Trace &expected,
                                             mlir::MLIRContext *context,
                                             const CompareOptions &options);

} // namespace tenon::compare

#endif // TENON_COMPARE_COMPARISON_H
