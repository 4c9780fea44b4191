//===- Passes.h - placement of graph pieces on backends -------------------===//
//
// Part of the Tenon project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef TENON_PLACE_PASSES_H
#define TENON_PLACE_PASSES_H

#include "tenon/Cost/CostModel.h"
#include "tenon/Dialect/Kernel/IR/Kernel.h"

#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Pass/Pass.h"

namespace tenon::place {

#define GEN_PASS_DECL
#include "tenon/Place/Passes.h.inc"

/// Costs for a pass to use in place of its options.
struct PlaceServices {
  /// Outlives the model, which refers to it; may be null.
  std::shared_ptr<const cost::CostDatabase> database;
  std::shared_ptr<const cost::CostModel> costs;
};

std::unique_ptr<mlir::Pass> createGraphPlace(const GraphPlaceOptions &options,
                                             PlaceServices services);

#define GEN_PASS_REGISTRATION
#include "tenon/Place/Passes.h.inc"

} // namespace tenon::place

#endif // TENON_PLACE_PASSES_H
