//===- Entries.h - public functions of a model ----------------------------===//
//
// Part of the Tenon project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef TENON_DIALECT_GRAPH_TRANSFORMS_ENTRIES_H
#define TENON_DIALECT_GRAPH_TRANSFORMS_ENTRIES_H

#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/IR/BuiltinOps.h"

namespace tenon::graph {

/// The public functions of a module that have a body, in order, but with
/// `main`, the default entry, first.
llvm::SmallVector<mlir::func::FuncOp> getEntries(mlir::ModuleOp module);

} // namespace tenon::graph

#endif // TENON_DIALECT_GRAPH_TRANSFORMS_ENTRIES_H
