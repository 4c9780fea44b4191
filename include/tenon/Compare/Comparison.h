//===- Comparison.h - finding the first wrong value of a run --------------===//
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

/// The result for one value of a trace.
struct ComparedValue {
  size_t number = 0; // number in the trace
  /// The origin of the counterpart; empty for an output.
  Origin origin;
  /// For an output: its name.
  std::string output;
  /// The difference from the value that follows from what the run itself
  /// computed before; without a model, from the value of the other run.
  Difference local;
  /// The difference from the reference's own run, starting at the inputs: the
  /// accumulated error.
  Difference whole;
  /// The shape that element numbers refer to.
  std::vector<int64_t> shape;
};

struct Comparison {
  /// The values that have counterparts, in the order of the trace.
  std::vector<ComparedValue> values;
  /// The numbers of the values without counterparts.
  std::vector<size_t> unmatched;
  /// Index into `values` of the first wrong value.
  std::optional<size_t> first;
  /// With a model: the ops, by origin, that compute that value from correct
  /// values. If a kernel computes several ops, one of them is wrong.
  std::vector<Origin> suspects;
  /// The values that they read, which are correct but may be read incorrectly.
  std::vector<Origin> reads;
  /// The first output, in `values`, whose error exceeds the allowance although
  /// no value is wrong: errors have accumulated.
  std::optional<size_t> grownOutput;
};

struct CompareOptions {
  /// The allowance for whole runs.
  Allowance allowance = {1e-3, 0};
  /// The allowed multiple of the deviation of a computation that is rounded op
  /// by op. It covers other summation orders, and functions with an error of a
  /// few units.
  double factor = 32;
  /// The unit roundoff of values that were computed in lower precision than
  /// their types; 0: none.
  double unit = 0;
};

/// Judges every value of `trace` by the results of the model's ops for the
/// values that the run itself showed before. Reports its errors, including a
/// trace without any counterpart.
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
