//===- Shrink.h - smaller graphs that still fail ------------------------===//
//
// Part of the Tenon project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef TENON_TOOLS_TENON_FUZZ_SHRINK_H
#define TENON_TOOLS_TENON_FUZZ_SHRINK_H

#include "mlir/IR/BuiltinOps.h"
#include "mlir/IR/OwningOpRef.h"

namespace tenon::fuzz {

/// Drops results, and turns results of ops into inputs, as long as `fails`
/// holds of what is left.
mlir::OwningOpRef<mlir::ModuleOp>
shrink(mlir::ModuleOp module, llvm::function_ref<bool(mlir::ModuleOp)> fails);

} // namespace tenon::fuzz

#endif // TENON_TOOLS_TENON_FUZZ_SHRINK_H
