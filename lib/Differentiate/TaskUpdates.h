//===- TaskUpdates.h - updates of a stage, as tasks -------------*- C++ -*-===//
//
// Part of the Tenon project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef TENON_LIB_DIFFERENTIATE_TASKUPDATES_H
#define TENON_LIB_DIFFERENTIATE_TASKUPDATES_H

#include "TrainStep.h"

namespace tenon::differentiate {

/// The state to which the backward tasks of a mini-batch add the gradient of a
/// parameter, and which its update leaves zero.
std::string getTaskGradient(const GraphTrainOptions &options,
                            llvm::StringRef parameter);

/// Adds `update`, `advance` and, with `clip`, `norm` to a module, and those of
/// each parameter of `shared` (--graph-train with `tasks`), and the states that
/// they have besides those of getTaskGradient. Fails, with a diagnostic, if the
/// name of a state is used.
mlir::LogicalResult
addTaskUpdates(mlir::ModuleOp module, mlir::Location loc,
               const Trained &trained, const GraphTrainOptions &options,
               llvm::function_ref<bool(llvm::StringRef)> hasDecay);

} // namespace tenon::differentiate

#endif // TENON_LIB_DIFFERENTIATE_TASKUPDATES_H
