//===- Prepared.h - what is computed once, at load ------------------------===//
//
// Part of the Tenon project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef TENON_DIALECT_KERNEL_ANALYSIS_PREPARED_H
#define TENON_DIALECT_KERNEL_ANALYSIS_PREPARED_H

#include "mlir/IR/Operation.h"

namespace tenon::kernel {

/// Whether a value is a parameter, a constant, or computed from only those and
/// of static shape: it exists once a model is loaded. Operands that are null
/// (of ops that stand outside of a graph) are none.
bool isPrepared(mlir::Value value);

/// Whether all operands of an op are prepared, and its results static: then it
/// runs at load.
bool runsAtLoad(mlir::Operation *op);

} // namespace tenon::kernel

#endif // TENON_DIALECT_KERNEL_ANALYSIS_PREPARED_H
