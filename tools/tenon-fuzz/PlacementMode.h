//===- PlacementMode.h - placement of random graphs -----------------------===//
//
// Part of the Tenon project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef TENON_TOOLS_TENON_FUZZ_PLACEMENTMODE_H
#define TENON_TOOLS_TENON_FUZZ_PLACEMENTMODE_H

#include "CommandLine.h"

namespace mlir {
class MLIRContext;
} // namespace mlir

namespace tenon::fuzz {

/// `--placement`; returns the exit status.
int runPlacement(const CommandLine &line, mlir::MLIRContext &context);

} // namespace tenon::fuzz

#endif // TENON_TOOLS_TENON_FUZZ_PLACEMENTMODE_H
