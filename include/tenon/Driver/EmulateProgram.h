//===- EmulateProgram.h - runs a program for GPUs on the CPU --------------===//
//
// Part of the Tenon project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef TENON_DRIVER_EMULATEPROGRAM_H
#define TENON_DRIVER_EMULATEPROGRAM_H

#include "tenon/Interpret/Interpreter.h"
#include "tenon/Support/Policy.h"

#include "mlir/IR/BuiltinOps.h"

namespace tenon {

struct EmulateOptions {
  /// The device is a GPU. Kernels are also assembled for the architectures, if
  /// there are any: what becomes of it is not run, but must come out.
  Policy policy;
  interpret::ParameterSource parameters;
  /// Instructions that one launch may run, all threads together.
  uint64_t instructionBudget = uint64_t(1) << 36;
};

struct EmulateStatistics {
  /// Different kernels, launches, and instructions of all threads.
  size_t kernels = 0, launches = 0;
  size_t libraryCalls = 0; // of libraries, by the interpreter
  uint64_t instructions = 0;
};

/// The policy for GPUs that a command line names: `f32` and `tf32` are
/// precisions, `strict` is a floating-point mode. std::nullopt for other text.
std::optional<Policy> parseEmulation(llvm::StringRef name);

/// Lowers a placed module for GPUs and runs its steps in order: kernels in the
/// emulator, copies on the host, and library calls by the interpreter. Every
/// buffer has memory of its own, which is uninitialized when its life begins
/// and gone when it ends, so that a plan of lifetimes that is wrong is found
/// out. Returns the outputs, in domain f64.
/// What the emulator finds wrong is reported at the kernel's location.
mlir::FailureOr<llvm::SmallVector<interpret::Tensor>>
emulateProgram(mlir::ModuleOp placed, llvm::ArrayRef<interpret::Tensor> inputs,
               const EmulateOptions &options,
               EmulateStatistics *statistics = nullptr);

} // namespace tenon

#endif // TENON_DRIVER_EMULATEPROGRAM_H
