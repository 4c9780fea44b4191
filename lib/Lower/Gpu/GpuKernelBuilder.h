//===- GpuKernelBuilder.h - the frame of a GPU kernel ---------------------===//
//
// Part of the Tenon project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Own GPU kernels are made of the same stages as those of a CPU, as functions
// of the gpu dialect. Global memory is LLVM pointers, whose loads and stores
// say their alignment; shared memory is globals of the `gpu.module`. Grids and
// blocks have one dimension.
//
//===----------------------------------------------------------------------===//

#ifndef TENON_LIB_LOWER_GPU_GPUKERNELBUILDER_H
#define TENON_LIB_LOWER_GPU_GPUKERNELBUILDER_H

#include "../ExprEmitter.h"
#include "tenon/Dialect/Kernel/Analysis/StagePlan.h"
#include "tenon/Lower/Lower.h"

#include "mlir/Dialect/GPU/IR/GPUDialect.h"

namespace tenon::lower {

using kernel::Stage;
using kernel::StagePlan;

/// Lanes of a warp.
constexpr int64_t kWarp = 32;
/// Bytes of the widest access of a thread, to which buffers are aligned.
constexpr int64_t kWidestAccess = 16;
/// Bytes of shared memory that every block may have on every GPU.
constexpr int64_t kStaticShared = 48 * 1024;

/// What the runtime must know to launch a kernel.
struct GpuKernel {
  std::string name;
  graph::SymInt blocks = 1;
  int64_t blockThreads = 0;
  int64_t sharedBytes = 0; // of dynamic size
};

/// Where kernels are made, and for which programs.
struct GpuKernelPlace {
  mlir::gpu::GPUModuleOp module;
  mlir::Location loc;
  std::string name;
  llvm::ArrayRef<std::string> symbols;
  const LowerOptions &options;
};

/// Builds one kernel: its function (arguments: the addresses of the plan's
/// inputs and outputs, the workspace's, the symbols' values), and what its body
/// needs.
class GpuKernelBuilder {
public:
  GpuKernelBuilder(const GpuKernelPlace &place, const StagePlan &plan,
                   int64_t blockThreads);
  /// Returns what was built; `blocks` of it are launched.
  GpuKernel finish(graph::SymInt blocks);

  /// Adds shared memory to the kernel and returns its address.
  mlir::Value allocateShared(int64_t bytes);
  /// Waits for all threads of the block.
  void emitBarrier();
  /// Waits for all threads of the warp.
  void emitWarpBarrier();
  /// Starts to copy 4, 8 or 16 bytes from global to shared memory; where
  /// `exists` (null: always) is false, to fill them with zeros.
  void emitAsyncCopy(mlir::Value to, mlir::Value from, int64_t bytes,
                     mlir::Value exists);
  /// Ends a group of copies; and waits until all but the last groups of the
  /// thread are there.
  void emitAsyncGroup();
  void emitAsyncWait(int64_t groups);
  /// The value that the lane of the warp has whose number differs in `bits`.
  mlir::Value emitShuffleXor(mlir::Value value, int64_t bits);

  mlir::Value constant(int64_t value);
  mlir::Value add(mlir::Value a, mlir::Value b);
  mlir::Value mul(mlir::Value a, mlir::Value b);
  mlir::Value div(mlir::Value a, mlir::Value b); // of what is not negative
  mlir::Value rem(mlir::Value a, mlir::Value b);
  mlir::Value less(mlir::Value a, mlir::Value b);

  /// Fills the then-block of a branch.
  void emitIf(mlir::Value condition, llvm::function_ref<void()> then,
              llvm::function_ref<void()> otherwise = nullptr);
  /// A loop over [from, to) in steps, with the values that it carries.
  llvm::SmallVector<mlir::Value>
  emitFor(mlir::Value from, mlir::Value to, mlir::Value step,
          mlir::ValueRange carried,
          llvm::function_ref<llvm::SmallVector<mlir::Value>(mlir::Value,
                                                            mlir::ValueRange)>
              body);

  GpuKernelPlace place;
  mlir::OpBuilder builder;
  mlir::Location loc;
  /// The plan's inputs and stages; of stages, those that write outputs.
  EmitContext context;
  mlir::Value thread, block; // of type index
  int64_t blockThreads;

private:
  mlir::gpu::GPUFuncOp function;
  unsigned numShared = 0;
};

} // namespace tenon::lower

#endif // TENON_LIB_LOWER_GPU_GPUKERNELBUILDER_H
