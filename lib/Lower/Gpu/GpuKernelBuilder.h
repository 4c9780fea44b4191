//===- GpuKernelBuilder.h - construction of GPU kernels -------------------===//
//
// Part of the Tenon project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Generated GPU kernels are built from the same kernel loops as CPU kernels, as
// functions of the gpu dialect. Global memory is accessed through LLVM
// pointers, with the alignment stated in loads and stores. Shared memory
// consists of globals of the `gpu.module`. Grids and blocks have one dimension.
//
//===----------------------------------------------------------------------===//

#ifndef TENON_LIB_LOWER_GPU_GPUKERNELBUILDER_H
#define TENON_LIB_LOWER_GPU_GPUKERNELBUILDER_H

#include "../ExprEmitter.h"
#include "tenon/Dialect/Kernel/Analysis/LoopPlan.h"
#include "tenon/Lower/Lower.h"

#include "mlir/Dialect/GPU/IR/GPUDialect.h"

namespace tenon::lower {

using kernel::KernelLoop;
using kernel::LoopPlan;

/// The number of lanes of a warp.
constexpr int64_t kWarp = 32;
/// The number of bytes of a thread's widest access, to which buffers are
/// aligned.
constexpr int64_t kWidestAccess = 16;
/// The number of bytes of shared memory that every GPU provides to every block.
constexpr int64_t kStaticShared = 48 * 1024;

/// The properties of a kernel that the runtime needs to launch it.
struct GpuKernel {
  std::string name;
  graph::SymInt blocks = 1;
  int64_t blockThreads = 0;
  int64_t sharedBytes = 0; // of dynamic size
};

/// The module in which a kernel is created, and its options.
struct GpuKernelPlace {
  mlir::gpu::GPUModuleOp module;
  mlir::Location loc;
  std::string name;
  llvm::ArrayRef<std::string> symbols;
  const LowerOptions &options;
};

/// Builds one kernel: its function (arguments: the addresses of the plan's
/// inputs and outputs, the address of the workspace, the symbols' values), and
/// the operations that its body needs.
class GpuKernelBuilder {
public:
  GpuKernelBuilder(const GpuKernelPlace &place, const LoopPlan &plan,
                   int64_t blockThreads);
  /// Returns the built kernel, which is launched with `blocks` blocks.
  GpuKernel finish(graph::SymInt blocks);

  /// Adds shared memory to the kernel and returns its address.
  mlir::Value allocateShared(int64_t bytes);
  /// Waits for all threads of the block.
  void emitBarrier();
  /// Waits for all threads of the warp.
  void emitWarpBarrier();
  /// Starts to copy 4, 8 or 16 bytes from global to shared memory. If `exists`
  /// is false (null means true), fills them with zeros instead.
  void emitAsyncCopy(mlir::Value to, mlir::Value from, int64_t bytes,
                     mlir::Value exists);
  /// The first ends a group of copies. The second waits until at most the last
  /// `groups` groups of the thread are incomplete.
  void emitAsyncGroup();
  void emitAsyncWait(int64_t groups);
  /// Returns the value of the lane whose number differs from this lane's in
  /// `bits`.
  mlir::Value emitShuffleXor(mlir::Value value, int64_t bits);

  mlir::Value constant(int64_t value);
  mlir::Value add(mlir::Value a, mlir::Value b);
  mlir::Value mul(mlir::Value a, mlir::Value b);
  mlir::Value div(mlir::Value a, mlir::Value b); // of non-negative values
  mlir::Value rem(mlir::Value a, mlir::Value b);
  mlir::Value less(mlir::Value a, mlir::Value b);

  /// Emits a branch with the given contents.
  void emitIf(mlir::Value condition, llvm::function_ref<void()> then,
              llvm::function_ref<void()> otherwise = nullptr);
  /// Emits a loop over [from, to) with a step, and with the values that it
  /// carries.
  llvm::SmallVector<mlir::Value>
  emitFor(mlir::Value from, mlir::Value to, mlir::Value step,
          mlir::ValueRange carried,
          llvm::function_ref<llvm::SmallVector<mlir::Value>(mlir::Value,
                                                            mlir::ValueRange)>
              body);

  GpuKernelPlace place;
  mlir::OpBuilder builder;
  mlir::Location loc;
  /// The pointers of the plan's inputs and of the kernel loops that write
  /// outputs.
  EmitContext context;
  mlir::Value thread, block; // of type index
  int64_t blockThreads;

private:
  mlir::gpu::GPUFuncOp function;
  unsigned numShared = 0;
};

} // namespace tenon::lower

#endif // TENON_LIB_LOWER_GPU_GPUKERNELBUILDER_H
