//===- GpuImages.h - kernels as a driver loads them -----------------------===//
//
// Part of the Tenon project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef TENON_EMIT_GPUIMAGES_H
#define TENON_EMIT_GPUIMAGES_H

#include "tenon/Dialect/Program/IR/Program.h"

namespace tenon::emit {

/// Assembles the kernels of a target for GPUs, and stores the results as its
/// images: machine code for each of `archs` if ptxas is found (in
/// CUDAToolkit_ROOT or /usr/local/cuda), and PTX for the first and the last of
/// them. The driver assembles the PTX for later GPUs, and if it is older than
/// ptxas. Without ptxas, the images are only PTX. The kernels are not changed.
/// The images depend only on the kernels, `archs` and the toolkit. Emits
/// diagnostics on failure.
mlir::LogicalResult assembleKernels(program::TargetOp target,
                                    llvm::ArrayRef<std::string> archs);

/// Writes the images to `folder`, which is made where it is not there, as
/// NAME.ARCH.cubin, each with its NAME.ARCH.ptx, and the kernels before that as
/// NAME.kernels.mlir. Emits diagnostics on failure.
mlir::LogicalResult dumpKernels(program::TargetOp target, llvm::StringRef name,
                                llvm::StringRef folder);

} // namespace tenon::emit

#endif // TENON_EMIT_GPUIMAGES_H
