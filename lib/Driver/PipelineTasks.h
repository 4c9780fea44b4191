//===- PipelineTasks.h - the tasks of a pipeline as functions -------------===//
//
// Part of the Tenon project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// A pipeline is compiled as one module whose functions are the tasks of its
// stages, each for the samples that one rank has of a micro-batch. Above them
// are the entries that callers run. The runtime is told in between what each
// rank does (Artifact/Pipeline.h).
//
//===----------------------------------------------------------------------===//

#ifndef TENON_LIB_DRIVER_PIPELINETASKS_H
#define TENON_LIB_DRIVER_PIPELINETASKS_H

#include "tenon/Artifact/Pipeline.h"
#include "tenon/Dialect/Pipe/IR/Pipe.h"
#include "tenon/Differentiate/Passes.h"

#include "mlir/IR/BuiltinOps.h"
#include "mlir/IR/OwningOpRef.h"

#include <optional>

namespace tenon {

/// An entry that callers run, for the whole mini-batch.
struct PipelineEntry {
  using Values = llvm::SmallVector<std::pair<std::string, mlir::Type>>;
  std::string name;
  Values inputs, outputs;
};

struct PipelineTasks {
  /// A function STAGE.KIND for each task, and the states.
  mlir::OwningOpRef<mlir::ModuleOp> module;
  artifact::Pipeline pipeline;
  llvm::SmallVector<PipelineEntry> entries;
};

/// Checks the programs of the ranks, and makes the functions of their tasks.
/// `training` is there if and only if the program trains. Fails with an error
/// if the number of samples is no symbol, or without a mini-batch any size is
/// one; if the loss is not that of samples, or where --graph-train fails on a
/// stage.
mlir::FailureOr<PipelineTasks>
buildPipelineTasks(pipe::ProgramOp program,
                   const differentiate::GraphTrainOptions *training);

/// Adds the entries that callers run to each target of a lowered module, whose
/// entries become tasks.
void addPipelineEntries(mlir::ModuleOp lowered, const PipelineTasks &tasks);

} // namespace tenon

#endif // TENON_LIB_DRIVER_PIPELINETASKS_H
