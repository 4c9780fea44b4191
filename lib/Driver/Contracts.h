//===- Contracts.h - what a module is between phases ----------------------===//
//
// Part of the Tenon project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef TENON_LIB_DRIVER_CONTRACTS_H
#define TENON_LIB_DRIVER_CONTRACTS_H

#include "mlir/IR/BuiltinOps.h"

namespace tenon {

/// Contracts between the phases: a module of states and public functions, the
/// entries, whose ops are all of the graph dialect; and after placement, whose
/// graph ops but constants and parameters are inside kernel.calls.
mlir::LogicalResult checkGraph(mlir::ModuleOp module);
mlir::LogicalResult checkPlaced(mlir::ModuleOp module);

/// Whether a module is what Lower makes of a model: programs instead of graphs.
bool isLowered(mlir::ModuleOp module);

/// Whether it holds nothing else.
mlir::LogicalResult checkLowered(mlir::ModuleOp module);

/// Whether a module holds calls of backends.
bool isPlaced(mlir::ModuleOp module);

/// Whether placement finds nothing to do in it any more.
bool isFullyPlaced(mlir::ModuleOp module);

} // namespace tenon

#endif // TENON_LIB_DRIVER_CONTRACTS_H
