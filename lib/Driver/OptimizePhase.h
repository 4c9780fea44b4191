//===- OptimizePhase.h - what the optimizer did, for reports and proofs ---===//
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

namespace tenon {

/// Describes what the optimizer did on the page of a report. `place` is how the
/// graph will be placed.
void describeOptimized(const optimize::OptimizeRun &run,
                       const CompileOptions &options,
                       const PlacePipelineOptions &place, const Costs &costs,
                       report::OptimizeReport &page);

/// The page of a graph that is not optimized.
void describeUnchanged(mlir::ModuleOp module, const CompileOptions &options,
                       const PlacePipelineOptions &place, const Costs &costs,
                       report::OptimizeReport &page);

/// Derives the results again, step by step, from what was optimized.
void replayOptimized(const optimize::OptimizeRun &run,
                     prove::RewriteProver &prover);

} // namespace tenon

#endif // TENON_LIB_DRIVER_OPTIMIZEPHASE_H
