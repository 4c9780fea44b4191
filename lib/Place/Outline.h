//===- Outline.h - outlining of ops into a kernel.call --------------------===//
//
// Part of the Tenon project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef TENON_LIB_PLACE_OUTLINE_H
#define TENON_LIB_PLACE_OUTLINE_H

#include "tenon/Dialect/Kernel/IR/Kernel.h"

namespace tenon::place {

/// Returns the values from outside that the ops use, each once, in order of
/// first use.
llvm::SmallVector<mlir::Value>
collectInputs(llvm::ArrayRef<mlir::Operation *> ops);

/// Returns the results of the ops that other ops use, in order.
llvm::SmallVector<mlir::Value>
collectOutputs(llvm::ArrayRef<mlir::Operation *> ops);

/// Creates a kernel.call that computes copies of the ops, at the position of
/// the last op. Its results are not used yet.
kernel::CallOp createCall(llvm::ArrayRef<mlir::Operation *> ops,
                          llvm::StringRef backend, llvm::StringRef pattern);

/// Moves the ops (of one block, in order) into a kernel.call at the position of
/// the last op. Constants that only they use must be among them.
kernel::CallOp outline(llvm::ArrayRef<mlir::Operation *> ops,
                       llvm::StringRef backend, llvm::StringRef pattern);

} // namespace tenon::place

#endif // TENON_LIB_PLACE_OUTLINE_H
