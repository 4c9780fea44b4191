//===- CompilePlan.h - from a program of stages to artifacts --------------===//
//
// Part of the Tenon project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef TENON_DRIVER_COMPILEPLAN_H
#define TENON_DRIVER_COMPILEPLAN_H

#include "tenon/Driver/Compile.h"

namespace tenon {

/// Whether the result that `options` asks for is a plan: `NAME.plan.json`.
bool isPlanOutput(const CompileOptions &options);

/// Compiles the `pipe.program` of options.input: every stage to an artifact
/// `NAME.STAGE.so` of its own, and the plan that joins them. Reports failures
/// as diagnostics, and leaves nothing behind then.
mlir::LogicalResult compilePlan(const CompileOptions &options,
                                mlir::MLIRContext &context);

} // namespace tenon

#endif // TENON_DRIVER_COMPILEPLAN_H
