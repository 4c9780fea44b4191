//===- OptimizeStage.h - the optimizer inside a compilation ---------------===//
//
// Part of the Tenon project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef TENON_LIB_DRIVER_OPTIMIZESTAGE_H
#define TENON_LIB_DRIVER_OPTIMIZESTAGE_H

#include "Costs.h"
#include "tenon/Driver/Compile.h"
#include "tenon/Driver/Pipelines.h"

#include "mlir/IR/BuiltinOps.h"

namespace tenon {

/// Optimizes the module as `options` say, and writes the log and the report
/// that they ask for. `place` is how it will be placed.
mlir::LogicalResult optimizeStage(mlir::ModuleOp module,
                                  const CompileOptions &options,
                                  const PlacePipelineOptions &place,
                                  const Costs &costs);

} // namespace tenon

#endif // TENON_LIB_DRIVER_OPTIMIZESTAGE_H
