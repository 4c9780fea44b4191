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

/// What placing graphs by one cost model learns of their pieces. Graphs that
/// are placed with the same cache share it: those of one search are equal in
/// most of their ops. It changes nothing of what is chosen.
class PieceCache;
std::shared_ptr<PieceCache> createPieceCache();

/// What a pass is given beside its options: costs, to use in place of them.
struct PlaceServices {
  /// Outlives the model, which refers to it; may be null.
  std::shared_ptr<const cost::CostDatabase> database;
  std::shared_ptr<const cost::CostModel> costs;
  /// No remarks about patterns that are left out.
  bool quiet = false;
  /// Pins may name ops of other functions alone.
  bool sharesPins = false;
  /// Of `costs`; null: each function is placed by itself.
  std::shared_ptr<PieceCache> pieces;
};

/// Whether a pin means the op: by the name of its location, or by its mnemonic.
bool isNamedBy(mlir::Operation *op, llvm::StringRef pin);

std::unique_ptr<mlir::Pass> createGraphPlace(const GraphPlaceOptions &options,
                                             PlaceServices services);

#define GEN_PASS_REGISTRATION
#include "tenon/Place/Passes.h.inc"

} // namespace tenon::place

#endif // TENON_PLACE_PASSES_H
