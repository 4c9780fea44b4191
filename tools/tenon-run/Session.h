//===- Session.h - runs of an entry with given inputs -------------------===//
//
// Part of the Tenon project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef TENON_TOOLS_TENON_RUN_SESSION_H
#define TENON_TOOLS_TENON_RUN_SESSION_H

#include "LoadedModel.h"
#include "ProgressLine.h"
#include "Report.h"

namespace tenon::run {

/// Runs of an entry with given inputs.
class Session {
public:
  explicit Session(const CommandLine &line) : line(line) {}

  artifact::Status run() {
    artifact::Status status = runAll();
    progress.clear();
    return status;
  }
  bool agrees() const { return report.agrees; }

private:
  artifact::Status runAll();
  artifact::Status loadInputs();
  artifact::Status allocateOutputs();
  void shareDonated();
  artifact::Status call(double &elapsed);
  artifact::Status measureOther();
  artifact::Status keepTrace(double elapsed);
  artifact::Status writeTrace();
  artifact::Status finish();
  artifact::Status compareOutputs();

  const CommandLine &line;
  LoadedModel model;
  std::vector<artifact::TensorData> inputs, outputs;
  std::vector<const artifact::InputSpec *> expected, written; // by output
  std::vector<tenon_tensor> inputViews, outputViews;
  /// Times of runs and their traces.
  std::vector<std::pair<double, std::string>> traces;
  Report report;
  ProgressLine progress;
};

} // namespace tenon::run

#endif // TENON_TOOLS_TENON_RUN_SESSION_H
