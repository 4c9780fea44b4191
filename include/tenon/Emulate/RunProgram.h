//===- RunProgram.h - runs a program for GPUs on the CPU ------------------===//
//
// Part of the Tenon project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef TENON_EMULATE_RUNPROGRAM_H
#define TENON_EMULATE_RUNPROGRAM_H

#include "tenon/Dialect/Program/IR/Program.h"
#include "tenon/Interpret/Interpreter.h"
#include "tenon/Interpret/States.h"

#include "mlir/Dialect/Func/IR/FuncOps.h"

namespace tenon::emulate {

struct RunOptions {
  interpret::ParameterSource parameters;
  /// Instructions that one launch may run, all threads together.
  uint64_t instructionBudget = uint64_t(1) << 36;
};

struct RunStatistics {
  /// Different kernels, launches, and instructions of all threads.
  size_t kernels = 0, launches = 0;
  size_t libraryCalls = 0; // of libraries, by the interpreter
  uint64_t instructions = 0;
};

/// Runs the load and then the entry of `target`, a program for GPUs, that was
/// lowered from `function`: kernels in the emulator, copies on the host,
/// and library calls by the interpreter, from their `reference`. Every buffer
/// has memory of its own, which is uninitialized when its life begins and gone
/// when it ends, so that a plan of lifetimes that is wrong is found out.
///
/// `inputs` are those of the entry, without states; `states` has the values of
/// all states before the run, and then those after it. Returns the outputs, in
/// domain f64. Fails, with a diagnostic and without a change of states, if
/// sizes of inputs do not fit, a parameter or a state has no value, an index is
/// out of range, the program has steps that are not emulated, or the emulator
/// finds an error, which is reported at the kernel's location.
mlir::FailureOr<llvm::SmallVector<interpret::Tensor>>
runProgram(mlir::func::FuncOp function, program::TargetOp target,
           llvm::ArrayRef<interpret::Tensor> inputs, interpret::States &states,
           const RunOptions &options, RunStatistics *statistics = nullptr);

} // namespace tenon::emulate

#endif // TENON_EMULATE_RUNPROGRAM_H
