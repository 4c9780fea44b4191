//===- GpuPipeline.h - from GPU kernels to objects ------------------------===//
//
// Part of the Tenon project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef TENON_DRIVER_GPUPIPELINE_H
#define TENON_DRIVER_GPUPIPELINE_H

#include "mlir/Support/LLVM.h"
#include "llvm/ADT/StringRef.h"

#include <string>
#include <vector>

namespace mlir {
class DialectRegistry;
class OpPassManager;
} // namespace mlir

namespace tenon {

struct GpuBinaryOptions {
  std::vector<std::string> chips;
  /// "bin": machine code, which requires ptxas; "isa": PTX; "auto": machine
  /// code if ptxas is found, else PTX.
  std::string format = "auto";
  /// Bits that indices are computed in.
  unsigned indexBits = 64;
  /// Empty: CUDAToolkit_ROOT or /usr/local/cuda.
  std::string toolkit;
};

/// The feature that sets the PTX version for a chip, `+ptx78` for sm_90; empty
/// for a chip that is not known.
std::string getPtxFeature(llvm::StringRef chip);

/// The chips that are known.
std::vector<llvm::StringRef> getGpuChips();

/// Whether ptxas is found where GpuBinaryOptions::toolkit says by default.
bool hasGpuAssembler();

/// Whether NVIDIA's library of functions is found there.
bool hasGpuLibdevice();

/// From `gpu.module`s to `gpu.binary`s with one object per chip. Runs on a
/// module.
void buildGpuBinaryPipeline(mlir::OpPassManager &passes,
                            const GpuBinaryOptions &options);

/// The dialects and translations that the pipeline needs.
void registerGpuDialects(mlir::DialectRegistry &registry);
/// --graph-to-cubin.
void registerGpuPipelines();

} // namespace tenon

#endif // TENON_DRIVER_GPUPIPELINE_H
