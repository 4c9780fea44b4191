//===- BatchMode.h - cuts along the batch of random models ------*- C++ -*-===//
//
// Part of the Tenon project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef TENON_TOOLS_TENON_FUZZ_BATCHMODE_H
#define TENON_TOOLS_TENON_FUZZ_BATCHMODE_H

#include "CommandLine.h"

#include "mlir/IR/MLIRContext.h"

namespace tenon::fuzz {

/// `--batch`; returns the exit status.
int runBatch(const CommandLine &line, mlir::MLIRContext &context);

} // namespace tenon::fuzz

#endif // TENON_TOOLS_TENON_FUZZ_BATCHMODE_H
