//===- OptimizePhase.h - the optimizer inside a compilation ---------------===//
//
// Part of the Tenon project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef TENON_LIB_DRIVER_OPTIMIZEPHASE_H
#define TENON_LIB_DRIVER_OPTIMIZEPHASE_H

#include "Costs.h"
#include "tenon/Driver/Compile.h"
#include "tenon/Driver/Pipelines.h"
#include "tenon/Driver/ProveRewrites.h"
#include "tenon/Report/OptimizeReport.h"

#include "mlir/IR/BuiltinOps.h"

namespace tenon {

struct OptimizeOutcome {
  /// How long it took to load the rules, and to search, without costs and the
  /// placement of what was found.
  double ruleSeconds = 0, searchSeconds = 0;
  /// The log as JSON, if options.optimize.log is not empty.
  std::string log;
};

/// Optimizes the module as `options` say. `place` is how it will be placed.
/// `page` gets what a report shows of it; null: there is none. `prover` proves
/// what changes the graph, and replays the rules; null: nothing is proved.
mlir::FailureOr<OptimizeOutcome>
runOptimizePhase(mlir::ModuleOp module, const CompileOptions &options,
                 const PlacePipelineOptions &place, const Costs &costs,
                 report::OptimizeReport *page, prove::RewriteProver *prover);

/// The page of a graph that is not optimized.
void describeUnchanged(mlir::ModuleOp module, const CompileOptions &options,
                       const PlacePipelineOptions &place, const Costs &costs,
                       report::OptimizeReport &page);

} // namespace tenon

#endif // TENON_LIB_DRIVER_OPTIMIZEPHASE_H
