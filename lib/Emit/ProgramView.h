//===- ProgramView.h - numbering the ops of a target for its tables -------===//
//
// Part of the Tenon project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Tables refer to buffers, steps and checks by numbers, ops refer to them by
// values. This class numbers every op of a program.target: first the buffers
// that all entries share, then those of load, then those of each entry;
// likewise steps and checks.
//
//===----------------------------------------------------------------------===//

#ifndef TENON_LIB_EMIT_PROGRAMVIEW_H
#define TENON_LIB_EMIT_PROGRAMVIEW_H

#include "tenon/Dialect/Program/IR/Program.h"
#include "tenon/Emit/Target.h"

#include "mlir/IR/BuiltinOps.h"

namespace tenon::emit {

/// The load part or an entry.
struct ProgramPart {
  std::string name;
  llvm::SmallVector<std::string> symbols;
  llvm::SmallVector<program::InputOp> inputs;
  llvm::SmallVector<program::OutputOp> outputs;
  llvm::SmallVector<program::RequireOp> requirements;
  llvm::SmallVector<mlir::Value> buffers; // buffers of this part
  llvm::SmallVector<mlir::Operation *> steps;
  unsigned firstBuffer = 0, firstStep = 0;
  graph::SymInt scratchBytes = 0;
  /// -1: the runtime places the arena's buffers when their sizes are known.
  int64_t arenaBytes = 0;
  /// The programs of the ranks that do it; null if it has steps of its own.
  program::RanksOp ranks;
};

struct ProgramView {
  /// `host`: the CPU of the program's code. What the linker sees gets `suffix`,
  /// so that it differs from that of other programs. If `gpus` is empty, those
  /// of a GPU program are those of its images.
  ProgramView(program::TargetOp target, kernel::CpuAttr host,
              llvm::ArrayRef<kernel::CudaAttr> gpus, llvm::StringRef suffix);

  Device getDevice() const { return target.getDevice(); }
  bool isForGpu() const { return getDevice() == Device::Cuda; }
  /// Returns the kernels of a CPU program; null if there are none.
  mlir::ModuleOp getKernels() const;
  llvm::SmallVector<program::ImageAttr> getImages() const;
  unsigned getNumber(mlir::Value buffer) const {
    return numbers.lookup(buffer);
  }
  /// The name that the linker sees of a kernel on the CPU.
  std::string getSymbol(program::LaunchOp launch) const {
    return (launch.getKernel().getLeafReference().getValue() + suffix).str();
  }
  /// The entries that callers run: all, or those that ranks do.
  llvm::ArrayRef<ProgramPart> getCalled() const {
    llvm::ArrayRef<ProgramPart> all = entries;
    return isOfRanks() ? all.take_while([](const ProgramPart &entry) {
      return static_cast<bool>(entry.ranks);
    })
                       : all;
  }
  bool isOfRanks() const { return !entries.empty() && entries.front().ranks; }
  /// Returns the prepare part, then the entries.
  llvm::SmallVector<const ProgramPart *> getParts() const;

  mutable program::TargetOp target;
  kernel::CpuAttr host;
  std::string suffix;
  /// As --target has it, such as "cpu:x86-64-v3" or "cuda:sm_80,sm_90".
  std::string targetName;
  llvm::SmallVector<program::ParameterOp> params;
  llvm::SmallVector<program::StateOp> states;
  llvm::SmallVector<mlir::Value> shared;
  ProgramPart prepare;
  llvm::SmallVector<ProgramPart, 0> entries;
  /// The checks, each with the number of its step.
  llvm::SmallVector<std::pair<program::CheckOp, unsigned>> checks;
  unsigned numBuffers = 0, numSteps = 0;
  int64_t constantBytes = 0, preparedBytes = 0;

private:
  void addSteps(mlir::Block &block, ProgramPart &part);
  void finish(ProgramPart &part);

  llvm::DenseMap<mlir::Value, unsigned> numbers;
};

/// Returns the name of a step, for traces and diagnostics.
llvm::StringRef getStepName(mlir::Operation *step);

/// Returns the floating-point operations of a library call, where a
/// multiplication and an addition count as two; 0 for other steps.
graph::SymInt countFlops(mlir::Operation *step);

} // namespace tenon::emit

#endif // TENON_LIB_EMIT_PROGRAMVIEW_H
