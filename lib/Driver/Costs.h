//===- Costs.h - what one compilation knows of costs ----------------------===//
//
// Part of the Tenon project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef TENON_LIB_DRIVER_COSTS_H
#define TENON_LIB_DRIVER_COSTS_H

#include "tenon/Cost/CostDatabase.h"
#include "tenon/Cost/CostModel.h"
#include "tenon/Driver/Compile.h"

#include <memory>

namespace tenon {

struct Costs {
  /// Null: nothing was measured.
  std::shared_ptr<const cost::CostDatabase> database;
  /// The costs by which the graph is optimized and placed.
  std::shared_ptr<const cost::CostModel> model;
};

/// Reads the profile and the database that the options name. Emits a diagnostic
/// where they can't be.
mlir::FailureOr<Costs> loadCosts(const OptimizePhaseOptions &options,
                                 mlir::MLIRContext &context);

} // namespace tenon

#endif // TENON_LIB_DRIVER_COSTS_H
