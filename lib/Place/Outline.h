//===- Outline.h - moves ops into a kernel.call ---------------------------===//
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

/// Values from outside that the ops use, each once, in order of first use.
llvm::SmallVector<mlir::Value>
collectInputs(llvm::ArrayRef<mlir::Operation *> ops);

/// Results of the ops that others use, in order.
llvm::SmallVector<mlir::Value>
collectOutputs(llvm::ArrayRef<mlir::Operation *> ops);

/// A kernel.call that computes what the ops do, from copies of them, at the
/// place of the last. Nobody reads its results yet.
kernel::CallOp createCall(llvm::ArrayRef<mlir::Operation *> ops,
                          llvm::StringRef backend, llvm::StringRef pattern);

/// Moves the ops (of one block, in order) into a kernel.call at the place of
/// the last of them. Constants that only they use must be among them.
kernel::CallOp outline(llvm::ArrayRef<mlir::Operation *> ops,
                       llvm::StringRef backend, llvm::StringRef pattern);

} // namespace tenon::place

#endif // TENON_LIB_PLACE_OUTLINE_H
