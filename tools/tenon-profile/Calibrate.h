//===- Calibrate.h - the rates of this machine's CPU ----------------------===//
//
// Part of the Tenon project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef TENON_TOOLS_TENON_PROFILE_CALIBRATE_H
#define TENON_TOOLS_TENON_PROFILE_CALIBRATE_H

#include "Admit.h"
#include "Options.h"

/// Measures kernels of all kinds (see CalibrationModels.h), fits the rates of
/// their classes, writes them as a profile, and prints them.
llvm::Error calibrate(const CommandLine &line, mlir::MLIRContext &context,
                      const Judges &judges);

#endif // TENON_TOOLS_TENON_PROFILE_CALIBRATE_H
