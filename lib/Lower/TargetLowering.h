//===- TargetLowering.h - construction of the program of one device -------===//
//
// Part of the Tenon project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The parts that the entries of a target share: its kernels, its shared buffers
// and the steps of the prepare function. Values of type !program.buffer are
// called buffers here.
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
#include <tuple>

namespace tenon::lower {

/// A step, before the kernel or library that executes it is chosen.
struct Step {
  /// The op's name and its location, for traces and diagnostics.
  std::string name;
  mlir::Location loc;
  llvm::SmallVector<mlir::Value> buffers;
  /// Whether the step runs at load.
  bool prepares = false;
};

/// How a kernel is started; see program.launch.
struct Launch {
  std::string kernel;
  graph::SymInt extent = 1;
  int64_t grain = 1;        // for a CPU
  int64_t blockThreads = 0; // for a GPU, like the next
  int64_t sharedBytes = 0;
};

class TargetLowering {
public:
  /// Creates an empty target in a new module.
  TargetLowering(mlir::Location loc, const LowerOptions &options);

  const LowerOptions &getOptions() const { return options; }

  /// Begins an entry, to which everything is added until `finishEntry`.
  program::EntryOp beginEntry(mlir::Location loc, llvm::StringRef name,
                              llvm::ArrayRef<std::string> symbols);
  void finishEntry();
  /// Returns the module, whose kernels for CPUs are loops.
  mlir::OwningOpRef<mlir::ModuleOp> finish();

  llvm::ArrayRef<std::string> getSymbols() const { return symbols; }

  // Buffers. Those that entries share are created once.
  mlir::FailureOr<mlir::Value> getParameter(mlir::Operation *op,
                                            llvm::StringRef name,
                                            mlir::RankedTensorType type);
  mlir::Value getConstant(mlir::Location loc, mlir::ElementsAttr value);
  mlir::Value addState(mlir::Location loc, llvm::StringRef name,
                       mlir::RankedTensorType type, mlir::ElementsAttr initial,
                       bool isTransient, mlir::Value source);
  /// Copies programs of ranks, before all entries, which are their tasks.
  void addRanks(program::RanksOp ranks);
  mlir::Value getState(llvm::StringRef name) const {
    return states.lookup(name);
  }
  mlir::Value addInput(mlir::Location loc, llvm::StringRef name,
                       mlir::RankedTensorType type,
                       std::optional<int32_t> donated);
  mlir::Value addOutput(mlir::Location loc, llvm::StringRef name,
                        mlir::RankedTensorType type);
  mlir::Value addPrepared(mlir::Location loc, mlir::RankedTensorType type);
  /// Adds arena memory of the entry, or of the prepare function; `origin` may
  /// be empty.
  mlir::Value addArena(mlir::Location loc, mlir::RankedTensorType type,
                       bool prepares, llvm::StringRef origin = "");
  mlir::Value addFindings(mlir::Location loc, mlir::RankedTensorType type);
  void addRequirement(mlir::Location loc, llvm::StringRef text,
                      const graph::SymInt &value);

  // Steps.
  void addLaunch(const Step &step, const Launch &launch);
  /// `reference` is the name of a function of `getReferences`, or empty.
  void addLibraryCall(const Step &step, const backend::LibraryCall &call,
                      bool hasConstantWeight, llvm::StringRef reference);
  void addPluginCall(const Step &step, const backend::PluginCall &call);
  void addCopy(mlir::Location loc, const llvm::Twine &name, mlir::Value from,
               mlir::Value to);
  mlir::OpBuilder &getStepBuilder(bool prepares) {
    return prepares ? prepareSteps : runSteps;
  }

  // Kernels. A model repeats its layers, so equal plans share one function.
  /// Returns a kernel for CPUs, for the current entry's symbols.
  Launch useKernel(mlir::Location loc, kernel::LoopPlan plan, bool prepares);
  /// Returns a kernel for GPUs. `key` is a text that identifies what it
  /// computes.
  Launch
  useGpuKernel(mlir::Location loc, llvm::StringRef key,
               llvm::function_ref<GpuKernel(const GpuKernelPlace &)> build);

  /// Returns the graph functions that define what library calls compute.
  mlir::ModuleOp getReferences();

  /// Returns the copy of a buffer with this type and order of axes, which is
  /// null at first. Reshapes of a tensor share its buffer, so that one buffer
  /// may have several types.
  mlir::Value &getPacked(mlir::Value buffer, mlir::RankedTensorType type,
                         llvm::ArrayRef<unsigned> order) {
    return packed[{buffer.getAsOpaquePointer(), type.getAsOpaquePointer(),
                   std::vector<unsigned>(order.begin(), order.end())}];
  }
  /// Returns the buffers that a kernel computes at load from these inputs. The
  /// list is empty at first.
  llvm::SmallVector<mlir::Value> &
  getPreparedResults(llvm::StringRef plan, llvm::ArrayRef<mlir::Value> inputs);

private:
  /// Returns the key of a plan. Entries with different symbols pass different
  /// arguments to kernels.
  std::string getKey(llvm::StringRef plan) const;

  const LowerOptions &options;
  mlir::OwningOpRef<mlir::ModuleOp> module;
  program::TargetOp target;
  program::PrepareOp prepare;
  program::EntryOp entry; // the current entry
  mlir::ModuleOp kernelModule, references;
  mlir::gpu::GPUModuleOp gpuModule;
  /// The insertion points of the next op of each kind.
  mlir::OpBuilder shared, prepareBuffers, prepareSteps, entryBuffers, runSteps;
  program::ArenaOp lastPrepareArena;
  llvm::SmallVector<std::string> symbols;
  graph::SymInt prepareScratch = 0, runScratch = 0;
  struct Kernel {
    std::string name;
    BuiltKernel built; // for a CPU
    GpuKernel gpu;
  };
  llvm::StringMap<Kernel> kernels;
  llvm::DenseMap<mlir::Attribute, mlir::Value> constants;
  llvm::StringMap<mlir::Value> parameters, states;
  std::map<std::tuple<const void *, const void *, std::vector<unsigned>>,
           mlir::Value>
      packed; // by buffer, type and order
  std::map<std::pair<std::string, std::vector<const void *>>,
           llvm::SmallVector<mlir::Value>>
      preparedResults;
};

} // namespace tenon::lower

#endif // TENON_LIB_LOWER_TARGETLOWERING_H
