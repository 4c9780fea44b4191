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

/// What tenon/Dialect/Graph/IR/Origin.h writes, taken apart.
struct Origin {
  std::vector<std::string> places;
  /// With its dialect: "graph.relu". Empty: not known.
  std::string op;
  unsigned result = 0;

  /// "graph.relu at model.mlir:12:8", with all places.
  std::string describe() const;
};

/// Never fails: a text that is no origin is an op without places.
Origin parseOrigin(llvm::StringRef text);

/// A value that a run has shown.
struct TracedValue {
  Origin origin;
  /// What computed it: the name of an artifact's step; empty for a model.
  std::string step;
  /// As stored: the axes may be permuted, or be only one.
  artifact::TensorData data;
  /// Of a model's outputs, the name; these come after all steps.
  std::string output;
  /// Earlier values of the trace whose elements it repeats, perhaps rounded:
  /// those that a cast, a reshape or a transpose reads.
  std::vector<size_t> repeats;
};

/// In the order of execution.
struct Trace {
  /// What ran: a file.
  std::string name;
  /// Whether every value is the result of an op of a model. Else it is what
  /// leaves the kernels that a compiler made, which may be a value that the
  /// model does not have.
  bool isOfModel = false;
  std::vector<TracedValue> values;
};

} // namespace tenon::compare

#endif // TENON_COMPARE_TRACE_H
