//===- EmulateProgram.h - compiles for GPUs and runs on the CPU -----------===//
//
// Part of the Tenon project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef TENON_DRIVER_EMULATEPROGRAM_H
#define TENON_DRIVER_EMULATEPROGRAM_H

#include "tenon/Emulate/RunProgram.h"
#include "tenon/Support/Numerics.h"

#include "mlir/IR/BuiltinOps.h"

namespace tenon {

struct EmulateOptions : emulate::RunOptions {
  Numerics numerics;
  /// Kernels are also assembled for these architectures: what becomes of it is
  /// not run, but must come out.
  std::vector<std::string> archs;
};

/// The numerics of GPUs that a command line names: `f32` and `tf32` are
/// precisions, `strict` is a floating-point mode. std::nullopt for other text.
std::optional<Numerics> parseEmulation(llvm::StringRef name);

/// Lowers a placed module for GPUs and runs one of its entries (see
/// emulate::runProgram).
mlir::FailureOr<llvm::SmallVector<interpret::Tensor>>
emulateProgram(mlir::func::FuncOp entry,
               llvm::ArrayRef<interpret::Tensor> inputs,
               interpret::States &states, const EmulateOptions &options,
               emulate::RunStatistics *statistics = nullptr);

} // namespace tenon

#endif // TENON_DRIVER_EMULATEPROGRAM_H
