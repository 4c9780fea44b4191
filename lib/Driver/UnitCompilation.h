//===- UnitCompilation.h - the passes of one program ----------------------===//
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

#include "mlir/IR/BuiltinOps.h"

namespace tenon {

/// The last phase that runs: a graph is written as it is after Optimize.
CompilePhase getLastPhase(const CompileOptions &options);

/// Compiles one program of an artifact: a module for devices of one kind. One
/// pass manager runs the pipelines of the phases, up to the last one that is
/// asked for. A lowered module goes on behind Lower.
class UnitCompilation {
public:
  /// The target of `module` is that of the unit, and `options` are its own.
  /// `devices`: the kinds that the artifact has programs for. `prover` proves
  /// what changes the graph; null: nothing is proved.
  UnitCompilation(mlir::ModuleOp module, const CompileOptions &options,
                  llvm::ArrayRef<Device> devices, PhaseTimes &times,
                  prove::RewriteProver *prover)
      : module(module), target(kernel::getTarget(module)), options(options),
        devices(devices), times(times), prover(prover), place(target) {}

  mlir::LogicalResult run();

  /// None: no report was asked for.
  const std::optional<report::OptimizeReport> &getPage() const { return page; }
  const std::string &getLog() const { return log; }

private:
  class Observer;

  mlir::LogicalResult readCosts();
  void addOptimize(mlir::OpPassManager &passes);
  void buildPasses(mlir::OpPassManager &passes, CompilePhase last);
  void observe(const optimize::OptimizeRun &run);
  void describePlaced();

  mlir::ModuleOp module;
  const kernel::TargetAttr target;
  const CompileOptions &options;
  llvm::ArrayRef<Device> devices;
  PhaseTimes &times;
  prove::RewriteProver *prover;
  Costs costs;
  /// How the graph is placed, in the end and by the search.
  PlacePipelineOptions place;
  bool isOptimized = false;
  std::optional<report::OptimizeReport> page;
  std::string log;
};

} // namespace tenon

#endif // TENON_LIB_DRIVER_UNITCOMPILATION_H
