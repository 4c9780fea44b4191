//===- LoweredProgram.h - what Lower hands to Emit ------------------------===//
//
// Part of the Tenon project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// A model after lowering: kernels as functions of the LLVM dialect, and the
// tables that say in which order, on which buffers and how far in parallel they
// run. Emit writes the tables in the form of tenon/Artifact/Program.h, whose
// comments define the fields' meaning; sizes are SymInts here.
//
//===----------------------------------------------------------------------===//

#ifndef TENON_LOWER_LOWEREDPROGRAM_H
#define TENON_LOWER_LOWEREDPROGRAM_H

#include "tenon/Backend/LibraryCall.h"
#include "tenon/Dialect/Graph/IR/Graph.h"
#include "tenon/Dialect/Graph/IR/IndexUses.h"
#include "tenon/Dialect/Graph/IR/SizeConditions.h"

#include "mlir/IR/BuiltinOps.h"
#include "mlir/IR/OwningOpRef.h"

namespace tenon::lower {

enum class BufferKind {
  Input,
  Output,
  Param,
  Constant,
  Prepared,
  Arena,
  Check
};

struct Buffer {
  BufferKind kind = BufferKind::Arena;
  /// Input, Output, Param, Check: the position in the program's list.
  unsigned index = 0;
  /// Constant: the data.
  mlir::ElementsAttr data;
  graph::SymInt bytes;
  /// Arena, Prepared: steps (counted over all steps) between which it lives.
  unsigned firstStep = 0, lastStep = 0;
};

enum class StepKind { Kernel, Library, Copy, Plugin };
struct Step {
  /// For traces and diagnostics: the op's name and where it came from.
  std::string name;
  StepKind kind = StepKind::Kernel;
  llvm::SmallVector<unsigned> buffers;
  /// Kernel: the symbol of a function in `kernels`.
  std::string kernel;
  backend::Site site; // Library
  /// Library, on a GPU: the symbol of a function in `references`.
  std::string reference;
  backend::PluginCall plugin;
  /// Kernel: parts that may run at once on a CPU, blocks of the grid on a GPU.
  graph::SymInt extent = 1;
  int64_t grain = 1; // of a CPU
  /// Kernel of a GPU: threads of a block, and bytes of the shared memory whose
  /// size the launch says (beyond what the kernel declares itself).
  int64_t blockThreads = 0;
  int64_t sharedBytes = 0;
};

/// Kernels as a CUDA driver loads them.
struct GpuImage {
  std::string arch; // such as sm_80: what a cubin is for, the least of PTX
  bool isPtx = false;
  std::string bytes;
};

struct ModelValue {
  std::string name;
  mlir::RankedTensorType type;
};

/// Indices that a step has looked through: its words say which is wrong.
struct CheckedIndices {
  std::string reader; // what reads at them
  std::string input;  // the input that they are; empty: computed
  graph::Shape shape;
  /// One for all, or one per entry of the last axis.
  llvm::SmallVector<graph::IndexRange, 1> ranges;
  std::optional<int64_t> ignored;
  /// Of a kind Check (in every run) or Prepared (at load): 2 words per part.
  unsigned buffer = 0;
  unsigned step = 0; // which writes them
  int64_t parts = 1;
};

struct LoweredProgram {
  std::string name;
  /// For a CPU, LLVM-dialect functions of type tenon_kernel_fn. For a GPU, one
  /// `gpu.module` whose kernels take the addresses of the step's buffers, the
  /// address of the workspace, and the symbols' values (i64).
  mlir::OwningOpRef<mlir::ModuleOp> kernels;
  bool isForGpu = false;
  /// For a GPU: graph functions that compute what the library steps do, from
  /// and to tensors as they lie in the steps' buffers. Null: no such steps.
  mlir::OwningOpRef<mlir::ModuleOp> references;
  /// What `kernels` was assembled to, by architecture; empty before that.
  llvm::SmallVector<GpuImage, 0> images;
  /// Dimension symbols in the order in which kernels index them.
  llvm::SmallVector<std::string> symbols;
  llvm::SmallVector<ModelValue> inputs, outputs, params;
  /// For each input, the output that may take over its storage, or -1.
  llvm::SmallVector<int32_t> donations;
  llvm::SmallVector<Buffer, 0> buffers;
  /// The prepare steps first.
  llvm::SmallVector<Step, 0> steps;
  unsigned numPrepareSteps = 0;
  /// Scratch in bytes: of one thread on a CPU, of all kernels (which run one
  /// after the other) on a GPU.
  graph::SymInt scratchBytes = 0;
  /// What the sizes of inputs must satisfy for the ops to be defined.
  llvm::SmallVector<graph::SizeCondition, 0> conditions;
  llvm::SmallVector<CheckedIndices, 0> checks;
};

} // namespace tenon::lower

#endif // TENON_LOWER_LOWEREDPROGRAM_H
