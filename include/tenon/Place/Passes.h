//===- Passes.h - placement of subgraphs on backends ----------------------===//
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

/// Caches the properties of subgraphs that placement computes with one cost
/// model. Graphs that are placed with the same cache share it: graphs of one
/// search are equal in most of their ops. The cache does not change the chosen
/// plan.
class SubgraphCache;
std::shared_ptr<SubgraphCache> createSubgraphCache();

/// Objects that a pass uses in addition to its options. The cost objects
/// replace the corresponding options.
struct PlaceServices {
  /// Must outlive the model, which refers to it; may be null.
  std::shared_ptr<const cost::CostDatabase> database;
  std::shared_ptr<const cost::CostModel> costs;
  /// Whether to omit remarks about patterns that are not used.
  bool quiet = false;
  /// The cache for `costs`. If null, each function is placed independently.
  std::shared_ptr<SubgraphCache> subgraphs;
};

/// Returns true if a pin refers to the op, by the name of its location or by
/// its mnemonic.
bool isNamedBy(mlir::Operation *op, llvm::StringRef pin);

std::unique_ptr<mlir::Pass> createGraphPlace(const GraphPlaceOptions &options,
                                             PlaceServices services);

#define GEN_PASS_REGISTRATION
#include "tenon/Place/Passes.h.inc"

} // namespace tenon::place

#endif // TENON_PLACE_PASSES_H
