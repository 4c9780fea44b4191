//===- Ranks.h - programs of a pipeline's ranks, checked --------*- C++ -*-===//
//
// Part of the Tenon project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef TENON_DRIVER_RANKS_H
#define TENON_DRIVER_RANKS_H

#include "tenon/Dialect/Pipe/IR/Pipe.h"
#include "tenon/Differentiate/Passes.h"

#include "mlir/IR/BuiltinOps.h"

namespace tenon {

/// Adds to the module of a program what its ranks run, with places of buffers,
/// and checks it: --pipe-to-program, --program-plan-arena and --pipe-check.
/// `training`: null for inference. Fails, with a diagnostic, as these do.
mlir::LogicalResult addRanks(pipe::ProgramOp program,
                             const differentiate::GraphTrainOptions *training);

/// Replaces functions with a mesh by what their ranks run, with places of
/// buffers: --pipe-to-program and --program-plan-arena. Fails as these do.
mlir::LogicalResult addMeshRanks(mlir::ModuleOp module);

} // namespace tenon

#endif // TENON_DRIVER_RANKS_H
