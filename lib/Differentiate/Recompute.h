//===- Recompute.h - parts of a forward pass that are computed twice ------===//
//
// Part of the Tenon project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef TENON_LIB_DIFFERENTIATE_RECOMPUTE_H
#define TENON_LIB_DIFFERENTIATE_RECOMPUTE_H

#include "mlir/Dialect/Func/IR/FuncOps.h"

namespace tenon::differentiate {

/// Computes parts of the forward pass of `function`, a function of one block
/// without unused ops, again where the backward pass needs them. `forward` are
/// the ops of the forward pass; some may be erased. `option` must be valid
/// (checkRecompute). Emits a remark that says what is saved and added. Fails,
/// with a diagnostic at the function, if the number of bytes is too small, or
/// if it is a number and sizes are dynamic. `numOps` is increased by the number
/// of ops that are added, except views.
mlir::LogicalResult recompute(mlir::func::FuncOp function,
                              llvm::ArrayRef<mlir::Operation *> forward,
                              llvm::StringRef option, unsigned &numOps);

} // namespace tenon::differentiate

#endif // TENON_LIB_DIFFERENTIATE_RECOMPUTE_H
