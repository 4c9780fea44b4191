//===- Compilation.h - one run of the pipeline ----------------------------===//
//
// Part of the Tenon project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef TENON_LIB_DRIVER_COMPILATION_H
#define TENON_LIB_DRIVER_COMPILATION_H

#include "Costs.h"
#include "ModelInput.h"
#include "OutputPlan.h"
#include "PhaseTimes.h"
#include "tenon/Driver/Compile.h"
#include "tenon/Driver/Pipelines.h"
#include "tenon/Lower/Lower.h"
#include "tenon/Report/OptimizeReport.h"

#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/IR/BuiltinOps.h"
#include "llvm/ADT/SmallString.h"
#include "llvm/ADT/StringMap.h"
#include "llvm/Support/Path.h"
#include "llvm/Support/SourceMgr.h"

namespace tenon {

/// One run of the pipeline.
class Compilation {
public:
  Compilation(const CompileOptions &options, mlir::MLIRContext &context);

  mlir::LogicalResult run();

private:
  bool toStandardOutput() const {
    return options.output.empty() || options.output == "-";
  }
  bool writesMlir() const {
    return options.stopAfter < CompilePhase::Emit ||
           options.emit == EmitKind::Mlir;
  }
  mlir::InFlightDiagnostic error() {
    return mlir::emitError(mlir::UnknownLoc::get(&context));
  }
  mlir::LogicalResult runPhases();
  mlir::LogicalResult lowerForDevices();
  void makeUnits();
  const CompileOptions &getOptions() const { return units[unit]; }
  bool hasPrecision() const;
  mlir::LogicalResult import();
  mlir::LogicalResult functionalize();
  mlir::LogicalResult extractChecks();
  mlir::LogicalResult loadCosts();
  bool isPlaced() const;
  PlacePipelineOptions getPlaceOptions() const;
  mlir::LogicalResult optimize();
  mlir::LogicalResult setPrecision();
  mlir::LogicalResult checkPins();
  mlir::LogicalResult place();
  mlir::LogicalResult lower();
  mlir::LogicalResult keepProgram();
  mlir::LogicalResult finishLowered();
  mlir::LogicalResult emitArtifact();
  mlir::LogicalResult writeModule(mlir::ModuleOp module);
  mlir::LogicalResult writeParams(mlir::ModuleOp module);
  mlir::LogicalResult writeReport();
  mlir::LogicalResult prepareOutputs();
  mlir::LogicalResult checkFiles();
  mlir::LogicalResult finishModule(mlir::ModuleOp module);
  bool writesWeights() const;
  bool isReachable() const;
  std::string getRelativeWeights() const;
  std::string besideOutput(llvm::StringRef extension) const {
    llvm::SmallString<256> name(options.output);
    llvm::sys::path::replace_extension(name, extension);
    return name.str().str();
  }

  const CompileOptions &options;
  /// That of the options, completed by the module's.
  Policy policy;
  /// What the module carried when it was read.
  Policy carried;
  /// The options of each program, the default one first. Files of log and
  /// report have temporary names.
  std::vector<CompileOptions> units;
  /// The program that is compiled now.
  size_t unit = 0;
  mlir::MLIRContext &context;
  llvm::SourceMgr sources;
  mlir::SourceMgrDiagnosticHandler handler;
  mlir::ScopedDiagnosticHandler makesRoom;
  std::unique_ptr<Progress> progress; // null: none is wanted
  PhaseTimes times;
  WorkCounts counts;
  ModelInput model;
  Costs costs;
  /// None: no report was asked for.
  std::optional<report::OptimizeReport> page;
  /// With a program.target per device, the default first.
  mlir::OwningOpRef<mlir::ModuleOp> programs;
  /// For the second device, where there are two.
  mlir::OwningOpRef<mlir::ModuleOp> imported;
  /// By entry: the indices that a run checks, as the model has them.
  llvm::StringMap<mlir::OwningOpRef<mlir::func::FuncOp>> checks;
  OutputPlan outputs;
  /// Weights of an ONNX model on their way to the artifact; empty: none.
  std::string weights;
};

} // namespace tenon

#endif // TENON_LIB_DRIVER_COMPILATION_H
