//===- Ranks.cpp - programs of a pipeline's ranks, checked ----------------===//
//
// Part of the Tenon project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "tenon/Driver/Ranks.h"
#include "tenon/Lower/Passes.h"
#include "tenon/Parallelize/CheckRanks.h"
#include "tenon/Parallelize/PipeProgram.h"

#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Pass/PassManager.h"

using namespace mlir;
using namespace tenon;

static LogicalResult planArenas(ModuleOp module) {
  PassManager passes(module->getName());
  passes.addPass(lower::createProgramPlanArena());
  return passes.run(module);
}

LogicalResult tenon::addMeshRanks(ModuleOp module) {
  module.getContext()
      ->loadDialect<func::FuncDialect, program::ProgramDialect>();
  return success(succeeded(parallelize::emitMeshRanks(module)) &&
                 succeeded(planArenas(module)));
}

LogicalResult
tenon::addRanks(pipe::ProgramOp program,
                const differentiate::GraphTrainOptions *training) {
  program.getContext()
      ->loadDialect<func::FuncDialect, program::ProgramDialect>();
  if (failed(parallelize::emitRanks(program, training)))
    return failure();
  auto module = program->getParentOfType<ModuleOp>();
  return success(succeeded(planArenas(module)) &&
                 succeeded(parallelize::checkRanks(program)));
}
