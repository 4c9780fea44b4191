//===- Lower.h - from a placed model to a program -------------------------===//
//
// Part of the Tenon project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef TENON_LOWER_LOWER_H
#define TENON_LOWER_LOWER_H

#include "tenon/Support/Numerics.h"

#include "mlir/IR/BuiltinOps.h"
#include "mlir/IR/OwningOpRef.h"
#include "llvm/Support/LogicalResult.h"

namespace tenon::lower {

struct LowerOptions {
  Numerics numerics;
  Device device = Device::Cpu;
  /// Vector width in bits that generated loops use: 256 (x86-64-v3) or 512.
  unsigned vectorBits = 256;

  bool isForGpu() const { return device == Device::Cuda; }
};

/// Lowers a placed module to a module with one program.target. The public
/// functions of `module` are the entries; if there is a `main`, it is the
/// first. Their ops must be kernel.calls, constants, parameters, reshapes and
/// the return. Emits diagnostics on failure.
mlir::FailureOr<mlir::OwningOpRef<mlir::ModuleOp>>
lowerProgram(mlir::ModuleOp module, const LowerOptions &options);

/// Registers the dialects of what lowerProgram makes.
void registerDialects(mlir::DialectRegistry &registry);

/// Returns true if a generated GPU kernel computes the composite without its
/// decomposition.
bool hasGpuKernel(mlir::Operation *composite, const LowerOptions &options);

/// Converts tensor-core products (nvgpu.mma.sync of f16, bf16 and tf32) to
/// NVVM.
void lowerMatrixProducts(mlir::Operation *root);

} // namespace tenon::lower

#endif // TENON_LOWER_LOWER_H
