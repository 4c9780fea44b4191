//===- Passes.h - passes of the graph dialect -----------------------------===//
//
// Part of the Tenon project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef TENON_DIALECT_GRAPH_TRANSFORMS_PASSES_H
#define TENON_DIALECT_GRAPH_TRANSFORMS_PASSES_H

#include "tenon/Support/EnumOption.h"

#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Pass/Pass.h"
#include "llvm/ADT/STLFunctionalExtras.h"

namespace tenon::graph {

#define GEN_PASS_DECL
#include "tenon/Dialect/Graph/Transforms/Passes.h.inc"

/// Replaces the composites inside `root` for which `select` holds by their
/// decomposition, until none is left; `replaced` counts them. Fails with a
/// diagnostic if an op has no decomposition (see the pass).
mlir::LogicalResult
decomposeAll(mlir::Operation *root,
             llvm::function_ref<bool(mlir::Operation *)> select,
             unsigned *replaced = nullptr);

/// Creates --graph-decompose for all composites but those that `keeps` selects.
std::unique_ptr<mlir::Pass>
createGraphDecompose(std::function<bool(mlir::Operation *)> keeps);

#define GEN_PASS_REGISTRATION
#include "tenon/Dialect/Graph/Transforms/Passes.h.inc"

} // namespace tenon::graph

#endif // TENON_DIALECT_GRAPH_TRANSFORMS_PASSES_H
