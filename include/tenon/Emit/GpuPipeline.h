//===- GpuPipeline.h - from GPU kernels to objects ------------------------===//
//
// Part of the Tenon project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef TENON_EMIT_GPUPIPELINE_H
#define TENON_EMIT_GPUPIPELINE_H

#include "mlir/Support/LLVM.h"
#include "llvm/ADT/StringRef.h"

#include <string>
#include <vector>

namespace mlir {
class DialectRegistry;
class OpPassManager;
} // namespace mlir

namespace tenon::emit {

struct GpuBinaryOptions {
  std::vector<std::string> chips;
  /// Whether to write PTX. Machine code requires ptxas.
  bool toPtx = false;
  /// Bits that indices are computed in.
  unsigned indexBits = 64;
};

/// The feature that sets the PTX version for a chip, `+ptx78` for sm_90; empty
/// for a chip that is not known.
std::string getPtxFeature(llvm::StringRef chip);

/// Whether ptxas is found in the CUDA toolkit: in $CUDAToolkit_ROOT, or in
/// /usr/local/cuda.
bool hasGpuAssembler();

/// Whether NVIDIA's library of functions is found there.
bool hasGpuLibdevice();

/// From `gpu.module`s to `gpu.binary`s with one object per chip. Runs on a
/// module.
void buildGpuBinaryPipeline(mlir::OpPassManager &passes,
                            const GpuBinaryOptions &options);

/// The dialects and translations that the pipeline needs.
void registerGpuDialects(mlir::DialectRegistry &registry);

} // namespace tenon::emit

#endif // TENON_EMIT_GPUPIPELINE_H
