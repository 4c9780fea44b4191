//===- PlacementReport.h - what placement chose, and why ------------------===//
//
// Part of the Tenon project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef TENON_LIB_DRIVER_PLACEMENTREPORT_H
#define TENON_LIB_DRIVER_PLACEMENTREPORT_H

#include "tenon/Cost/CostModel.h"
#include "tenon/Report/OptimizeReport.h"

#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/IR/BuiltinOps.h"

namespace tenon {

/// Of a function that was placed with `explain`. `asked` is the plan that was
/// asked for.
report::Placement describePlacement(mlir::func::FuncOp placed,
                                    const cost::CostModel &costs,
                                    llvm::StringRef asked);

/// A remark, where kernels of the placed function are not in the database.
void remarkMissing(mlir::func::FuncOp placed, const cost::CostModel &costs);

} // namespace tenon

#endif // TENON_LIB_DRIVER_PLACEMENTREPORT_H
