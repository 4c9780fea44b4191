//===- Measure.h - times of a compiled model's steps ----------------------===//
//
// Part of the Tenon project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef TENON_TOOLS_TENON_PROFILE_MEASURE_H
#define TENON_TOOLS_TENON_PROFILE_MEASURE_H

#include "PlacedModel.h"
#include "Workspace.h"
#include "tenon/Backend/Backend.h"
#include "tenon/Cost/CostDatabase.h"

/// Seconds of every counted run, by call.
using CallTimes = std::vector<std::vector<double>>;

struct RunOptions {
  unsigned threads = 1, repeat = 20;
  /// After which a run counts as one that hangs; 0: never.
  unsigned limitSeconds = 0;
};

/// Runs the model under tenon-run, which is in the folder of this program, and
/// reads its trace.
llvm::Expected<CallTimes> measureCalls(const PlacedModel &model,
                                       const RunOptions &options,
                                       const Workspace &workspace,
                                       llvm::StringRef tenonRun);

/// The same without a trace: the median latency of a run, in seconds.
llvm::Expected<double> measureRun(const PlacedModel &model,
                                  const RunOptions &options,
                                  const Workspace &workspace,
                                  llvm::StringRef tenonRun);

/// The distribution of samples; there is at least one.
tenon::cost::Measurement summarize(std::vector<double> samples);

#endif // TENON_TOOLS_TENON_PROFILE_MEASURE_H
