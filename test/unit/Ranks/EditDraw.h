//===- EditDraw.h - random changes of programs of ranks ---------*- C++ -*-===//
//
// Part of the Tenon project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef TENON_TEST_UNIT_RANKS_EDITDRAW_H
#define TENON_TEST_UNIT_RANKS_EDITDRAW_H

#include "tenon/Dialect/Program/IR/Program.h"

#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/IR/BuiltinOps.h"

#include <random>
#include <vector>

namespace tenon::ranks {

/// Draws what is changed in a module.
class EditDraw {
public:
  EditDraw(mlir::ModuleOp module, uint64_t seed)
      : module(module), random(seed) {}

  /// A number in [0, count).
  size_t below(size_t count) { return random() % count; }
  bool isHeads() { return below(2) == 0; }
  /// One element of a range that has some.
  template <typename Range> decltype(auto) pick(Range &&range) {
    return *std::next(std::begin(range), below(llvm::range_size(range)));
  }

  using Steps = std::vector<mlir::Operation *>;
  /// The steps of these kinds, or of all, of all ranks of all entries.
  template <typename... Ops> Steps getSteps() {
    Steps steps;
    module->walk([&](program::RunOp run) {
      for (mlir::Operation &step : run.getBody().front())
        if (isAny<Ops...>(step))
          steps.push_back(&step);
    });
    return steps;
  }
  /// One of them; null if there is none.
  template <typename... Ops> mlir::Operation *drawStep() {
    Steps steps = getSteps<Ops...>();
    return steps.empty() ? nullptr : pick(steps);
  }
  template <typename Op> Op draw() {
    return mlir::cast_or_null<Op>(drawStep<Op>());
  }
  program::RanksOp drawRanks() {
    return pick(module.getOps<program::RanksOp>());
  }

  /// Another buffer of a type that the rank of a step has; null if there is
  /// none.
  mlir::Value drawBuffer(mlir::Operation *step, mlir::RankedTensorType type,
                         mlir::Value other);
  /// Moves a step to a place between those of its operands and its uses.
  void moveAnywhere(mlir::Operation *step);
  /// A function of the module with a body; null if there is none.
  mlir::func::FuncOp drawFunction();

  /// States lives anew, and draws new places that don't overlap.
  void placeBuffers();

  mlir::ModuleOp module;

private:
  template <typename... Ops> static bool isAny(mlir::Operation &step) {
    if constexpr (sizeof...(Ops) == 0)
      return true;
    else
      return mlir::isa<Ops...>(step);
  }
  void placeBuffers(program::RankOp rank);

  std::mt19937_64 random;
};

/// Returns whether it has changed something.
struct Edit {
  const char *name;
  bool (*apply)(EditDraw &draw);
  /// Whether the proof may refuse it although nothing changes.
  bool mayBeRefused = false;
};

llvm::ArrayRef<Edit> getStepEdits();
llvm::ArrayRef<Edit> getMessageEdits();
llvm::ArrayRef<Edit> getSumEdits();
llvm::ArrayRef<Edit> getBufferEdits();
llvm::ArrayRef<Edit> getBodyEdits();
llvm::ArrayRef<Edit> getTaskEdits();
llvm::ArrayRef<Edit> getInterfaceEdits();
/// Edits after which the programs mostly do the same.
llvm::ArrayRef<Edit> getNeutralEdits();

/// The step that waits for a token.
program::WaitOp getWait(mlir::Operation *transfer);
/// Erases a message or a sum of one rank, with its wait.
void eraseTransfer(mlir::Operation *transfer);
/// The steps that meet one by their tags, and it itself. Has no nulls.
std::vector<mlir::Operation *> getMeeting(mlir::Operation *transfer);

} // namespace tenon::ranks

#endif // TENON_TEST_UNIT_RANKS_EDITDRAW_H
