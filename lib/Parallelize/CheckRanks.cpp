//===- CheckRanks.cpp - programs of ranks are right -----------------------===//
//
// Part of the Tenon project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "tenon/Parallelize/CheckRanks.h"
#include "tenon/Dialect/Graph/IR/StateOps.h"

#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/IR/BuiltinOps.h"
#include "llvm/Support/MathExtras.h"

#include <map>

using namespace mlir;
using namespace tenon;
using namespace tenon::parallelize;

namespace {
/// The memory of a rank over all entries, in bytes.
struct RankMemory {
  /// Parameters and states, by name: a state that starts as a parameter takes
  /// its place.
  std::map<std::string, uint64_t> weights;
  uint64_t arena = 0;
};
} // namespace

static uint64_t countBytes(Type type) {
  std::optional<int64_t> bytes =
      program::countBytes(cast<RankedTensorType>(type)).getConstant();
  return bytes ? static_cast<uint64_t>(*bytes) : UINT64_MAX;
}

static void addWeights(func::FuncOp task, RankMemory &memory) {
  for (Operation &op : task.getBody().front()) {
    if (auto parameter = dyn_cast<graph::ParameterOp>(op))
      memory.weights[parameter.getName().str()] =
          countBytes(parameter.getResult().getType());
    else if (auto read = dyn_cast<graph::ReadStateOp>(op))
      memory.weights[read.getState().str()] = countBytes(read.getType());
    else if (auto write = dyn_cast<graph::WriteStateOp>(op))
      memory.weights[write.getState().str()] =
          countBytes(write.getValue().getType());
  }
}

/// Weights and tensors between tasks fit. What tasks need by themselves is
/// known once they are lowered.
static LogicalResult checkMemory(pipe::ProgramOp program, ModuleOp module) {
  if (!program.getMesh())
    return success();
  std::vector<RankMemory> memories(program.getRanks());
  for (auto ranks : module.getOps<program::RanksOp>())
    for (program::RankOp rank : ranks.getRanks()) {
      RankMemory &memory = memories[rank.getRank()];
      for (auto arena : rank.getBody().getOps<program::ArenaOp>())
        memory.arena = std::max(memory.arena,
                                llvm::SaturatingAdd<uint64_t>(
                                    arena.getOffset().value_or(0),
                                    countBytes(program::getTensorType(arena))));
      for (auto task : rank.getRun().getBody().getOps<program::TaskOp>())
        addWeights(module.lookupSymbol<func::FuncOp>(task.getEntry()), memory);
    }
  for (auto [number, memory] : llvm::enumerate(memories)) {
    uint64_t weights = 0;
    for (const auto &[name, bytes] : memory.weights)
      weights = llvm::SaturatingAdd(weights, bytes);
    uint64_t limit =
        program.getMemoryBytes(static_cast<int64_t>(number)).value_or(0);
    if (llvm::SaturatingAdd(weights, memory.arena) > limit)
      return program.emitError()
             << "rank " << number << " needs " << memory.arena
             << " bytes between tasks, beside " << weights
             << " bytes of parameters and states, but its device has " << limit;
  }
  return success();
}

LogicalResult tenon::parallelize::checkRanks(pipe::ProgramOp program) {
  auto module = program->getParentOfType<ModuleOp>();
  if (module.getOps<program::RanksOp>().empty())
    return program.emitError(
        "expected programs of its ranks, which --pipe-to-program makes");
  for (auto ranks : module.getOps<program::RanksOp>())
    if (failed(checkRendezvous(ranks)))
      return failure();
  return success(succeeded(checkComputation(program)) &&
                 succeeded(checkMemory(program, module)));
}
