//===- Trace.h - the values that one run computed ------------------------===//
//
// Part of the Tenon project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef TENON_COMPARE_TRACE_H
#define TENON_COMPARE_TRACE_H

#include "tenon/Artifact/TensorData.h"

#include "llvm/ADT/StringRef.h"

#include <string>
#include <vector>

namespace tenon::compare {

/// The parsed form of what tenon/Dialect/Graph/IR/Origin.h writes.
struct Origin {
  std::vector<std::string> places;
  /// The op with its dialect, such as "graph.relu"; empty if not known.
  std::string op;
  unsigned result = 0;

  /// Returns for example "graph.relu at model.mlir:12:8", with all places.
  std::string describe() const;
};

/// Never fails: a text that is not an origin is parsed as an op without places.
Origin parseOrigin(llvm::StringRef text);

/// A value that a run has shown.
struct TracedValue {
  Origin origin;
  /// The name of the artifact's step that computed it; empty for a model.
  std::string step;
  /// The value as stored: the axes may be permuted, or merged into one.
  artifact::TensorData data;
  /// For a model's output, its name; outputs follow all steps.
  std::string output;
  /// Earlier values of the trace whose elements it repeats, possibly rounded:
  /// those that a cast, a reshape or a transpose reads.
  std::vector<size_t> repeats;
};

/// The values of a run, in the order of execution.
struct Trace {
  /// The file that was run.
  std::string name;
  /// Whether every value is the result of an op of a model. Otherwise, values
  /// are the results of kernels that a compiler made, and may be values that
  /// the model does not have.
  bool isOfModel = false;
  std::vector<TracedValue> values;
};

} // namespace tenon::compare

#endif // TENON_COMPARE_TRACE_H
