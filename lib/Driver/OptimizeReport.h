//===- OptimizeReport.h - what a page about an optimization shows ---------===//
//
// Part of the Tenon project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef TENON_LIB_DRIVER_OPTIMIZEREPORT_H
#define TENON_LIB_DRIVER_OPTIMIZEREPORT_H

#include "tenon/Driver/Pipelines.h"
#include "tenon/Optimize/Optimize.h"
#include "tenon/Report/OptimizeReport.h"

namespace tenon {

/// One side of the report: the function's ops, and its kernels as it would be
/// placed. `log` says which ops rules made; null: the side before.
report::Side describeSide(mlir::func::FuncOp function,
                          const cost::CostModel &costs,
                          const PlacePipelineOptions &place,
                          const optimize::FunctionLog *log);

/// The rules, facts and notes of a result.
void describeResult(const optimize::OptimizeResult &result,
                    const optimize::RuleSet &rules,
                    report::OptimizeReport &report);

} // namespace tenon

#endif // TENON_LIB_DRIVER_OPTIMIZEREPORT_H
