//===- TargetLowering.h - a program of one device in the making -----------===//
//
// Part of the Tenon project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// What the entries of a target have in common: its kernels, its shared buffers
// and the steps of load. A value of the type !program.buffer is called a buffer
// here.
//
//===----------------------------------------------------------------------===//

#ifndef TENON_LIB_LOWER_TARGETLOWERING_H
#define TENON_LIB_LOWER_TARGETLOWERING_H

#include "Gpu/GpuKernelBuilder.h"
#include "KernelBuilder.h"
#include "tenon/Backend/LibraryCall.h"
#include "tenon/Dialect/Program/IR/Program.h"
#include "tenon/Lower/Lower.h"

#include "mlir/Dialect/GPU/IR/GPUDialect.h"
#include "mlir/IR/Builders.h"
#include "mlir/IR/BuiltinOps.h"
#include "mlir/IR/OwningOpRef.h"

#include <map>

namespace tenon::lower {

/// A step before it is known what does it.
struct Step {
  /// For traces and diagnostics: the op's name and where it came from.
  std::string name;
  mlir::Location loc;
  llvm::SmallVector<mlir::Value> buffers;
  /// Whether it is done at load.
  bool prepares = false;
};

/// How a kernel is started; see program.launch.
struct Launch {
  std::string kernel;
  graph::SymInt extent = 1;
  int64_t grain = 1;        // of a CPU
  int64_t blockThreads = 0; // of a GPU, as the next
  int64_t sharedBytes = 0;
};

class TargetLowering {
public:
  /// An empty target in a module of its own.
  TargetLowering(mlir::Location loc, const LowerOptions &options);

  const LowerOptions &getOptions() const { return options; }

  /// Begins an entry: what follows goes into it, until `finishEntry`.
  program::EntryOp beginEntry(mlir::Location loc, llvm::StringRef name,
                              llvm::ArrayRef<std::string> symbols);
  void finishEntry();
  /// Lowers the kernels of all entries, and gives the module.
  mlir::FailureOr<mlir::OwningOpRef<mlir::ModuleOp>> finish();

  llvm::ArrayRef<std::string> getSymbols() const { return symbols; }

  // Buffers. Those of all entries are made once.
  mlir::FailureOr<mlir::Value> getParameter(mlir::Operation *op,
                                            llvm::StringRef name,
                                            mlir::RankedTensorType type);
  mlir::Value getConstant(mlir::Location loc, mlir::ElementsAttr value);
  mlir::Value addState(mlir::Location loc, llvm::StringRef name,
                       mlir::RankedTensorType type, mlir::ElementsAttr initial);
  mlir::Value getState(llvm::StringRef name) const {
    return states.lookup(name);
  }
  mlir::Value addInput(mlir::Location loc, llvm::StringRef name,
                       mlir::RankedTensorType type,
                       std::optional<int32_t> donated);
  mlir::Value addOutput(mlir::Location loc, llvm::StringRef name,
                        mlir::RankedTensorType type);
  mlir::Value addPrepared(mlir::Location loc, mlir::RankedTensorType type);
  /// Memory of the run, or of the load; `origin` may be empty.
  mlir::Value addArena(mlir::Location loc, mlir::RankedTensorType type,
                       bool prepares, llvm::StringRef origin = "");
  mlir::Value addFindings(mlir::Location loc, mlir::RankedTensorType type);
  void addRequirement(mlir::Location loc, llvm::StringRef text,
                      const graph::SymInt &value);

  // Steps.
  void addLaunch(const Step &step, const Launch &launch);
  /// `reference`: the name of a function of `getReferences`, or empty.
  void addLibraryCall(const Step &step, const backend::Site &site,
                      llvm::StringRef reference);
  void addPluginCall(const Step &step, const backend::PluginCall &call);
  void addCopy(mlir::Location loc, const llvm::Twine &name, mlir::Value from,
               mlir::Value to);
  mlir::OpBuilder &getStepBuilder(bool prepares) {
    return prepares ? prepareSteps : runSteps;
  }

  // Kernels. Layers of one model repeat theirs: equal plans share one function.
  /// A kernel for CPUs, for the current entry's symbols.
  Launch useKernel(mlir::Location loc, kernel::StagePlan plan, bool prepares);
  /// A kernel for GPUs, by a text that says what it computes.
  Launch
  useGpuKernel(mlir::Location loc, llvm::StringRef key,
               llvm::function_ref<GpuKernel(const GpuKernelPlace &)> build);

  /// Graph functions that say what calls of libraries compute.
  mlir::ModuleOp getReferences();

  /// Packed weights, by the buffer and the order of its axes. Null at first.
  mlir::Value &getPacked(mlir::Value buffer, llvm::ArrayRef<unsigned> order) {
    return packed[{buffer.getAsOpaquePointer(),
                   std::vector<unsigned>(order.begin(), order.end())}];
  }
  /// What a kernel computes at load of these buffers. Empty at first.
  llvm::SmallVector<mlir::Value> &
  getPreparedResults(llvm::StringRef plan, llvm::ArrayRef<mlir::Value> inputs);

private:
  /// What kernels are given differs between entries with other symbols.
  std::string getKey(llvm::StringRef plan) const;

  const LowerOptions &options;
  mlir::OwningOpRef<mlir::ModuleOp> module;
  program::TargetOp target;
  program::PrepareOp prepare;
  program::EntryOp entry; // the one that is made
  mlir::ModuleOp kernelModule, references;
  mlir::gpu::GPUModuleOp gpuModule;
  /// Where the next of each goes.
  mlir::OpBuilder shared, prepareBuffers, prepareSteps, entryBuffers, runSteps;
  bool hasPrepareBuffers = false;
  llvm::SmallVector<std::string> symbols;
  graph::SymInt prepareScratch = 0, runScratch = 0;
  struct Kernel {
    std::string name;
    BuiltKernel built; // of a CPU
    GpuKernel gpu;
  };
  llvm::StringMap<Kernel> kernels;
  llvm::DenseMap<mlir::Attribute, mlir::Value> constants;
  llvm::StringMap<mlir::Value> parameters, states;
  std::map<std::pair<const void *, std::vector<unsigned>>, mlir::Value> packed;
  std::map<std::pair<std::string, std::vector<const void *>>,
           llvm::SmallVector<mlir::Value>>
      preparedResults;
};

} // namespace tenon::lower

#endif // TENON_LIB_LOWER_TARGETLOWERING_H
