//===- CheckRanks.cpp - programs of ranks are right -----------------------===//
//
// Part of the Tenon project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "tenon/Parallelize/CheckRanks.h"

#include "mlir/IR/BuiltinOps.h"

using namespace mlir;
using namespace tenon;
using namespace tenon::parallelize;

LogicalResult tenon::parallelize::checkRanks(pipe::ProgramOp program) {
  auto module = program->getParentOfType<ModuleOp>();
  if (module.getOps<program::RanksOp>().empty())
    return program.emitError(
        "expected programs of its ranks, which --pipe-to-program makes");
  for (auto ranks : module.getOps<program::RanksOp>())
    if (failed(checkRendezvous(ranks)))
      return failure();
  return checkComputation(program);
}
