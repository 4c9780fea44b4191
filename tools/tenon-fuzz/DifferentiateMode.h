//===- DifferentiateMode.h - tenon-fuzz --differentiate -------------------===//
//
// Part of the Tenon project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef TENON_TOOLS_TENON_FUZZ_DIFFERENTIATEMODE_H
#define TENON_TOOLS_TENON_FUZZ_DIFFERENTIATEMODE_H

#include "CommandLine.h"

namespace mlir {
class MLIRContext;
} // namespace mlir

namespace tenon::fuzz {

/// Differentiates random graphs and compares the gradients with differences.
/// Returns the exit status.
int runDifferentiate(const CommandLine &line, mlir::MLIRContext &context);

} // namespace tenon::fuzz

#endif // TENON_TOOLS_TENON_FUZZ_DIFFERENTIATEMODE_H
