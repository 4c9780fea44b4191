//===- UnitCompilation.h - the phases of one program ----------------------===//
//
// Part of the Tenon project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef TENON_LIB_DRIVER_UNITCOMPILATION_H
#define TENON_LIB_DRIVER_UNITCOMPILATION_H

#include "Costs.h"
#include "PhaseTimes.h"
#include "tenon/Driver/Compile.h"
#include "tenon/Driver/Pipelines.h"
#include "tenon/Driver/ProveRewrites.h"
#include "tenon/Report/OptimizeReport.h"

#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/IR/BuiltinOps.h"

namespace tenon {

/// Puts the targets of a module behind those of another.
void appendTargets(mlir::OwningOpRef<mlir::ModuleOp> module,
                   mlir::ModuleOp programs);

/// The last phase that runs: a graph is written as it is after Optimize.
CompilePhase getLastPhase(const CompileOptions &options);

/// Compiles one program of an artifact: a module for one device. What follows
/// the import depends on the device.
class UnitCompilation {
public:
  /// The target of `module` is that of the unit, and `options` are its own.
  /// `devices`: the kinds that the artifact has programs for. `prover` proves
  /// what changes the graph; null: nothing is proved.
  UnitCompilation(mlir::OwningOpRef<mlir::ModuleOp> module,
                  const CompileOptions &options, llvm::ArrayRef<Device> devices,
                  PhaseTimes &times, prove::RewriteProver *prover)
      : module(std::move(module)), target(kernel::getTarget(*this->module)),
        options(options), devices(devices), times(times),
        prover(prover) {}

  /// Runs the phases of the table, up to the last one that is asked for. A
  /// lowered module goes on behind Lower.
  mlir::LogicalResult run();

  mlir::OwningOpRef<mlir::ModuleOp> takeModule() { return std::move(module); }
  /// None: no report was asked for.
  const std::optional<report::OptimizeReport> &getPage() const { return page; }
  const std::string &getLog() const { return log; }

private:
  struct PhaseEntry;
  static llvm::ArrayRef<PhaseEntry> getPhases();

  mlir::LogicalResult optimize();
  mlir::LogicalResult place();
  mlir::LogicalResult lower();
  /// The program of the placed module, with code for one CPU.
  mlir::FailureOr<mlir::OwningOpRef<mlir::ModuleOp>>
  lowerFor(kernel::CpuAttr cpu);
  mlir::LogicalResult assemble();

  mlir::LogicalResult loadCosts();
  PlacePipelineOptions getPlaceOptions() const;
  bool hasPrecision() const;
  mlir::LogicalResult setPrecision();
  mlir::LogicalResult checkPins();
  mlir::LogicalResult runPasses(mlir::PassManager &passes);
  mlir::InFlightDiagnostic error() {
    return mlir::emitError(mlir::UnknownLoc::get(module->getContext()));
  }

  mlir::OwningOpRef<mlir::ModuleOp> module;
  const kernel::TargetAttr target;
  const CompileOptions &options;
  llvm::ArrayRef<Device> devices;
  PhaseTimes &times;
  prove::RewriteProver *prover;
  Costs costs;
  std::optional<report::OptimizeReport> page;
  std::string log;
};

} // namespace tenon

#endif // TENON_LIB_DRIVER_UNITCOMPILATION_H
