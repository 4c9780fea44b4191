//===- ProgramLowering.h - from a placed function to steps ----------------===//
//
// Part of the Tenon project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef TENON_LIB_LOWER_PROGRAMLOWERING_H
#define TENON_LIB_LOWER_PROGRAMLOWERING_H

#include "Gpu/GpuPlan.h"
#include "KernelBuilder.h"
#include "tenon/Backend/Backend.h"
#include "tenon/Dialect/Graph/Transforms/IndexChecks.h"
#include "tenon/Dialect/Kernel/IR/Kernel.h"
#include "tenon/Lower/Lower.h"

#include "mlir/Dialect/Func/IR/FuncOps.h"

namespace tenon::lower {

/// One lowering of a program. Its parts are in LowerProgram.cpp (values, order
/// of steps), OwnKernels.cpp, LibraryCalls.cpp and IndexChecks.cpp.
class ProgramLowering {
public:
  ProgramLowering(mlir::func::FuncOp function, const LowerOptions &options)
      : function(function), options(options) {}

  mlir::FailureOr<LoweredProgram> run();

private:
  /// A kernel's result that is written over an input of the kernel.
  struct Overwrite {
    unsigned result, input;
  };

  mlir::LogicalResult declareValues();
  mlir::LogicalResult collectSymbols();
  mlir::LogicalResult checkSizes(mlir::Operation *op);
  mlir::LogicalResult visit(mlir::Operation *op);
  mlir::LogicalResult visitCall(kernel::CallOp call);
  mlir::LogicalResult buildOwnKernel(kernel::CallOp call, Step &step,
                                     llvm::ArrayRef<Overwrite> overwrites);
  void packInputs(kernel::CallOp call, kernel::StagePlan &plan, Step &step);
  void useKernel(mlir::Location loc, kernel::StagePlan plan, Step &step);
  void useGpuKernels(mlir::Location loc, const kernel::StagePlan &plan,
                     Step &step, bool prepares);
  bool useGpuAttention(kernel::CallOp call, Step &step, bool prepares);
  mlir::LogicalResult buildLibraryCall(kernel::CallOp call, Step &step);
  backend::Device getDevice() const {
    return options.forGpu ? backend::Device::Cuda : backend::Device::Cpu;
  }
  mlir::LogicalResult reorderWeight(kernel::CallOp call,
                                    const backend::LibraryCall &built,
                                    Step &step);
  void keepReference(kernel::CallOp call, const backend::LibraryCall &built,
                     Step &step);
  mlir::LogicalResult buildPluginCall(kernel::CallOp call,
                                      backend::LibraryCall built, Step &step);
  void addCopy(const llvm::Twine &name, unsigned from, unsigned to);
  // Checks of indices (IndexChecks.cpp), each just before their first reader.
  void collectChecks();
  void addChecksBefore(kernel::CallOp reader);
  void addOtherChecks();
  void addCheck(const graph::IndexCheck &check);
  void numberChecks();
  void finishOutputs();
  unsigned addBuffer(BufferKind kind, unsigned index, mlir::Type type);
  bool writesStraight(mlir::OpResult result, unsigned output,
                      llvm::SmallVectorImpl<Overwrite> &overwrites);

  struct Kernel {
    std::string name;
    BuiltKernel built; // of a CPU
    GpuKernel gpu;
  };

  mlir::func::FuncOp function;
  const LowerOptions &options;
  LoweredProgram program;
  mlir::gpu::GPUModuleOp gpuModule; // of a program for a GPU
  llvm::StringMap<Kernel> kernels;  // by what they compute
  /// Packed weights, by the buffer and the order of its axes.
  std::map<std::pair<unsigned, std::vector<unsigned>>, unsigned> packedBuffers;
  llvm::DenseMap<mlir::Value, unsigned> bufferOf;
  llvm::DenseSet<mlir::Value> prepared; // known once weights are loaded
  llvm::DenseMap<mlir::Value, unsigned> outputOf;
  llvm::DenseMap<mlir::StringAttr, unsigned> paramOf;
  llvm::SmallVector<Step, 0> prepareSteps, runSteps;
  llvm::SmallVector<unsigned> outputBuffers;
  llvm::SmallVector<graph::IndexCheck, 0> waitingChecks;
};

/// Sets the first and the last step that uses each buffer.
void setLifetimes(LoweredProgram &program);

/// The stages of a piece of own code.
mlir::FailureOr<kernel::StagePlan> planKernel(kernel::CallOp call);

} // namespace tenon::lower

#endif // TENON_LIB_LOWER_PROGRAMLOWERING_H
