//===- ProverMode.h - the prover on random rules --------------------------===//
//
// Part of the Tenon project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef TENON_TOOLS_TENON_FUZZ_PROVERMODE_H
#define TENON_TOOLS_TENON_FUZZ_PROVERMODE_H

#include "CommandLine.h"

#include "mlir/IR/MLIRContext.h"

namespace tenon::fuzz {

/// `--prover`; returns the exit status.
int runProver(const CommandLine &line, mlir::MLIRContext &context);

} // namespace tenon::fuzz

#endif // TENON_TOOLS_TENON_FUZZ_PROVERMODE_H
