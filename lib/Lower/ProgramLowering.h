//===- ProgramLowering.h - from a placed function to steps ----------------===//
//
// Part of the Tenon project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef TENON_LIB_LOWER_PROGRAMLOWERING_H
#define TENON_LIB_LOWER_PROGRAMLOWERING_H

#include "Gpu/GpuParts.h"
#include "TargetLowering.h"
#include "tenon/Backend/Backend.h"
#include "tenon/Dialect/Graph/Transforms/IndexChecks.h"
#include "tenon/Dialect/Kernel/IR/Kernel.h"

#include "mlir/Dialect/Func/IR/FuncOps.h"

namespace tenon::lower {

/// Lowers one entry. The implementation is in LowerProgram.cpp (values, order
/// of steps), GeneratedKernels.cpp, LibraryCalls.cpp and IndexChecks.cpp.
class ProgramLowering {
public:
  ProgramLowering(mlir::func::FuncOp function, TargetLowering &target)
      : function(function), target(target), options(target.getOptions()) {}

  mlir::LogicalResult run();

private:
  /// A result of a kernel that is written over one of the kernel's inputs.
  struct Overwrite {
    unsigned result, input;
  };
  /// The destination of a result of the function.
  struct Destination {
    unsigned result;
    std::string name;
    mlir::Value buffer;
    /// Arguments that may share this memory, or (states) do share it.
    llvm::SmallVector<mlir::BlockArgument, 1> aliases;
  };

  mlir::LogicalResult declareArguments();
  mlir::LogicalResult declareResults();
  mlir::LogicalResult checkSizes(mlir::Type type, mlir::Location loc);
  mlir::LogicalResult checkSizes(mlir::Operation *op);
  mlir::LogicalResult visit(mlir::Operation *op);
  mlir::LogicalResult visitCall(kernel::CallOp call);
  mlir::LogicalResult
  buildGeneratedKernel(kernel::CallOp call, Step &step,
                       llvm::ArrayRef<Overwrite> overwrites);
  mlir::Value packWeight(mlir::Value weight, mlir::Value buffer,
                         llvm::ArrayRef<unsigned> order, const Step &step);
  void packInputs(kernel::CallOp call, kernel::LoopPlan &plan, Step &step);
  void useCpuKernels(kernel::LoopPlan plan, const Step &step);
  void useGpuKernels(const kernel::LoopPlan &plan, const Step &step);
  bool useGpuAttention(kernel::CallOp call, const Step &step);
  /// The library's own description of a placed call.
  mlir::FailureOr<backend::LibraryCall>
  describeLibraryCall(kernel::CallOp call) const;
  mlir::LogicalResult buildLibraryCall(kernel::CallOp call,
                                       backend::LibraryCall built, Step &step);
  Device getDevice() const { return options.device; }
  mlir::LogicalResult reorderWeight(kernel::CallOp call,
                                    const backend::LibraryCall &built,
                                    Step &step);
  std::string keepReference(kernel::CallOp call,
                            const backend::LibraryCall &built);
  void buildPluginCall(kernel::CallOp call, backend::LibraryCall built,
                       Step &step);
  // Checks of indices (IndexChecks.cpp), each just before the first reader.
  void collectChecks();
  void addChecksBefore(kernel::CallOp reader);
  void addOtherChecks();
  void addCheck(const graph::IndexCheck &check);
  void delayStateWrites();
  void finishResults();
  void copyTo(const Destination &destination, mlir::Value source);
  bool mayWrite(mlir::OpResult result, const Destination &destination,
                llvm::SmallVectorImpl<unsigned> &inputs);
  /// `built`: of calls of libraries.
  bool writesStraight(mlir::OpResult result, const Destination &destination,
                      const std::optional<backend::LibraryCall> &built,
                      llvm::SmallVectorImpl<Overwrite> &overwrites);

  mlir::func::FuncOp function;
  TargetLowering &target;
  const LowerOptions &options;
  llvm::DenseMap<mlir::Value, mlir::Value> bufferOf;
  llvm::DenseSet<mlir::Value> prepared; // known once weights are loaded
  llvm::SmallVector<Destination, 0> destinations;
  /// For each value, the number of the destination that its kernel should
  /// write.
  llvm::DenseMap<mlir::Value, unsigned> destinationOf;
  llvm::SmallVector<graph::IndexCheck, 0> waitingChecks;
};

/// Returns the kernel loops of a generated kernel.
mlir::FailureOr<kernel::LoopPlan> planKernel(kernel::CallOp call);

} // namespace tenon::lower

#endif // TENON_LIB_LOWER_PROGRAMLOWERING_H
