//===- CompileDeployment.h - from a program of stages to artifacts --------===//
//
// Part of the Tenon project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef TENON_LIB_DRIVER_COMPILEDEPLOYMENT_H
#define TENON_LIB_DRIVER_COMPILEDEPLOYMENT_H

#include "tenon/Driver/Compile.h"

namespace tenon {

struct CompileSession;

/// Whether the result that `options` asks for is a deployment:
/// `NAME.plan.json`.
bool isDeploymentOutput(const CompileOptions &options);

/// Compiles the `pipe.program` of options.input: every stage to an artifact
/// `NAME.STAGE.so` of its own, and the deployment that joins them. The log and
/// the report of a stage have its name before their extension. Reports failures
/// as diagnostics, and leaves nothing behind then.
mlir::LogicalResult compileDeployment(const CompileOptions &options,
                                      mlir::MLIRContext &context,
                                      CompileSession &session);

} // namespace tenon

#endif // TENON_LIB_DRIVER_COMPILEDEPLOYMENT_H
