//===- TrainRun.h - training by the entries of an artifact --------------===//
//
// Part of the Tenon project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef TENON_TOOLS_TENON_RUN_TRAINRUN_H
#define TENON_TOOLS_TENON_RUN_TRAINRUN_H

#include "CommandLine.h"

namespace tenon::run {

/// Trains a model that was compiled with --train. Returns the exit status:
/// 130 if a signal ended it early, with its states saved.
int runTraining(const CommandLine &line);

} // namespace tenon::run

#endif // TENON_TOOLS_TENON_RUN_TRAINRUN_H
