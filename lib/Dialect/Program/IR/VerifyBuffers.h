//===- VerifyBuffers.h - checks of buffers, their places and lives --------===//
//
// Part of the Tenon project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef TENON_LIB_DIALECT_PROGRAM_IR_VERIFYBUFFERS_H
#define TENON_LIB_DIALECT_PROGRAM_IR_VERIFYBUFFERS_H

#include "tenon/Dialect/Program/IR/Program.h"

#include "llvm/ADT/StringSet.h"

namespace tenon::program {

/// A buffer whose elements and sizes have a memory layout.
mlir::LogicalResult verifyBuffer(mlir::Operation *op);

/// Buffers of the arena that live at the same time lie in different bytes.
mlir::LogicalResult verifyPlaces(mlir::Block &block);

/// Arena buffers of `buffers` live within `steps`, and are used by those only
/// that lie in their life. A transfer uses its buffer until it is waited for, a
/// part that of which it is one.
mlir::LogicalResult verifyLifetimes(mlir::Block &buffers, mlir::Block &steps);

/// Fails if the name is there already.
mlir::LogicalResult insertName(llvm::StringSet<> &names, llvm::StringRef name,
                               mlir::Operation *op);

} // namespace tenon::program

#endif // TENON_LIB_DIALECT_PROGRAM_IR_VERIFYBUFFERS_H
