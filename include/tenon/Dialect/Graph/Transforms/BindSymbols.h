//===- BindSymbols.h - numbers in place of symbols --------------*- C++ -*-===//
//
// Part of the Tenon project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef TENON_DIALECT_GRAPH_TRANSFORMS_BINDSYMBOLS_H
#define TENON_DIALECT_GRAPH_TRANSFORMS_BINDSYMBOLS_H

#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/IR/BuiltinOps.h"

#include <string>
#include <vector>

namespace tenon::graph {

/// Replaces dimension symbols of a module by numbers; sizes that become
/// constant move from encodings into types. Fails, with a diagnostic, if the
/// module has no such symbol.
mlir::LogicalResult
bindSymbols(mlir::ModuleOp module,
            const std::vector<std::pair<std::string, int64_t>> &values);

/// Several arguments may have the samples, each with a symbol of its own for
/// their number, as exporters name them. Replaces symbols that must equal that
/// of the model (getSampleNumber), because an op demands it, and those that
/// are the size of axis 0 of an argument that has no axis of that size, if
/// `isSamples` of them. Returns them.
llvm::SmallVector<std::string> unifySampleSymbols(
    mlir::func::FuncOp model,
    llvm::function_ref<bool(llvm::StringRef)> isSamples = [](llvm::StringRef) {
      return true;
    });

} // namespace tenon::graph

#endif // TENON_DIALECT_GRAPH_TRANSFORMS_BINDSYMBOLS_H
