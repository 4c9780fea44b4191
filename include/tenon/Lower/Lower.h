//===- Lower.h - from a placed model to a program -------------------------===//
//
// Part of the Tenon project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef TENON_LOWER_LOWER_H
#define TENON_LOWER_LOWER_H

#include "mlir/IR/BuiltinOps.h"
#include "mlir/IR/OwningOpRef.h"
#include "llvm/Support/LogicalResult.h"

namespace tenon::lower {

struct LowerOptions {
  /// Vector width in bits that generated loops aim for: 256 (x86-64-v3) or 512.
  unsigned vectorBits = 256;
  /// Whether float sums may be regrouped (not under --fp=strict).
  bool reassociate = true;
  /// Whether kernels are for a GPU.
  bool forGpu = false;
  /// GPU: whether the factors of f32 products that are summed may be rounded to
  /// tf32 (8 bits of exponent, 10 of mantissa), which tensor cores take.
  bool tf32 = false;
};

/// Lowers a placed module, whose public functions are its entries; `main`, if
/// there is one, is the first. Their ops are kernel.calls, constants,
/// parameters, reshapes and the return. Gives a module with one program.target.
/// Emits diagnostics on failure.
mlir::FailureOr<mlir::OwningOpRef<mlir::ModuleOp>>
lowerProgram(mlir::ModuleOp module, const LowerOptions &options);

/// Whether a composite is lowered for GPUs as it is: a kernel of own code
/// computes it.
bool hasGpuKernel(mlir::Operation *composite, const LowerOptions &options);

/// Turns tensor-core products (nvgpu.mma.sync of f16, bf16 and tf32) into
/// NVVM's.
void lowerMatrixProducts(mlir::Operation *root);

} // namespace tenon::lower

#endif // TENON_LOWER_LOWER_H
