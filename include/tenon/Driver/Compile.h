//===- Compile.h - from a model's file to an artifact --------------------===//
//
// Part of the Tenon project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef TENON_DRIVER_COMPILE_H
#define TENON_DRIVER_COMPILE_H

#include "tenon/Dialect/Kernel/IR/Targets.h"
#include "tenon/Differentiate/Passes.h"

#include "mlir/Support/LLVM.h"

#include <cstdint>
#include <functional>
#include <optional>
#include <set>
#include <string>
#include <utility>
#include <vector>

namespace mlir {
class MLIRContext;
class PassManager;
} // namespace mlir

namespace tenon {

/// The phases of a compilation, in their order.
enum class CompilePhase { Import, Optimize, Place, Lower, Emit };

/// What a compilation writes.
enum class EmitKind { SharedLibrary, Object, Mlir, Onnx };

/// Options of the phase that rewrites the graph.
struct OptimizePhaseOptions {
  bool isOn = false;
  /// Whether the user asked for it: else the phase is left out where Tenon's
  /// rules are not there.
  bool required = true;
  /// A folder or file of rules; empty: Tenon's own.
  std::string rules;
  /// Device profiles by name or file, and databases of measured costs: one, or
  /// one for each kind of device (`cuda=h200,cpu=F.json`). Empty: the profile
  /// of the target (getProfileFor), and no measured costs. Costs "none": not
  /// even `calibration`.
  std::string profile, costs;
  /// The profile of this machine's CPU, a file; empty: none. It takes the place
  /// of "cpu" if neither a profile nor costs of a CPU are named.
  std::string calibration;
  /// Extract by ILP.
  bool exact = false;
  /// E-nodes beyond the model's.
  std::optional<unsigned> budget;
  /// How much cheaper a result must be to be taken, as a fraction of the
  /// input's cost. If it is below 0, a costlier result is taken, too, in order
  /// to measure results that the cost model rejects.
  std::optional<double> leastGain;
  /// Bytes that may be needed at once; 0: no bound.
  uint64_t memoryLimit = 0;
  /// Files to write; empty: none. A report is JSON where its name ends so.
  std::string log, report;
};

struct CompileOptions {
  /// A model: .onnx, .mlir or .mlirbc (graph or tosa ops).
  std::string input;
  /// Where the result goes; empty or "-" is standard output, for MLIR alone.
  std::string output;
  /// The target as far as the user states it; the module's `kernel.target`
  /// states the rest.
  kernel::TargetOptions target;
  /// The names of the options that the user gave, with their dashes. If a model
  /// is past the phase of such an option, it is refused. Options that are set
  /// but not named here are then without effect.
  std::set<std::string, std::less<>> given;
  EmitKind emit = EmitKind::SharedLibrary;
  /// Compile the entries of training in place of the model's: --graph-train,
  /// after the import.
  std::optional<differentiate::GraphTrainOptions> train;
  /// With `train`: print what is trained to standard output after the import,
  /// and stop there if there is no `output`.
  bool listsWeights = false;
  /// What the names of the artifact's functions begin with.
  std::string symbolPrefix = "tenon";
  /// The last phase that runs. Before Emit, the module as it is then is
  /// written as MLIR.
  CompilePhase stopAfter = CompilePhase::Emit;
  OptimizePhaseOptions optimize;
  /// (op, backend): ops, by the name of their location or by their mnemonic,
  /// that must run on a backend.
  std::vector<std::pair<std::string, std::string>> pins;
  /// Backends that must not be used.
  std::vector<std::string> without;
  /// "mixed": the cheapest plan; "all:B": backend B wherever it can.
  std::string plan = "mixed";
  /// Also use patterns of plug-ins that were not compared with the
  /// interpreter: see cost::Admission.
  bool unadmitted = false;
  /// Omit remarks about patterns that are not used, and about kernels that were
  /// not measured, because the caller knows them.
  bool quietPlace = false;
  /// NAME=@FILE for an input that is fixed to a tensor, SYMBOL=N for a
  /// dimension that is fixed to a size.
  std::vector<std::string> binds;
  /// A folder to which the assembled kernels for GPUs are written; none if
  /// empty.
  std::string dumpKernels;
  /// The weights of an .mlir model; empty: those that it names.
  std::string weights;
  /// Replace files beside the output that Tenon did not write.
  bool force = false;
  /// Prove what each pass between import and placement does, and what the
  /// optimizer did. The result is a table on standard error, or JSON in the
  /// file `rewritesReport`.
  bool proveRewrites = false;
  std::string rewritesReport;
  /// Called with the pass manager of each unit; null: nothing.
  std::function<mlir::LogicalResult(mlir::PassManager &)> configurePasses;
  /// Verify after every pass, not only at the end.
  bool verifyEach = false;
  /// Report on standard error how long each phase took: each run of one, or a
  /// table that sums to the whole time.
  bool timing = false, timeReport = false;
  /// Say on standard error what goes on, if that is a terminal and takes long.
  bool progress = false;
  /// Written into the manifest, e.g. "tenon-compile 0.1.0".
  std::string toolVersion;
  unsigned threads = 2;
};

/// Runs the pipeline. Failures are reported as diagnostics, and leave no output
/// behind. `context` must hold all dialects (registerAllDialects).
mlir::LogicalResult compile(const CompileOptions &options,
                            mlir::MLIRContext &context);

} // namespace tenon

#endif // TENON_DRIVER_COMPILE_H
