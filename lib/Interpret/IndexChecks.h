//===- IndexChecks.h - range checks of indices ----------------------------===//
//
// Part of the Tenon project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef TENON_LIB_INTERPRET_INDEXCHECKS_H
#define TENON_LIB_INTERPRET_INDEXCHECKS_H

#include "tenon/Interpret/Tensor.h"

#include "mlir/IR/Block.h"
#include "llvm/ADT/DenseSet.h"

namespace tenon::interpret {

/// The ops of `block` that neither its terminator nor `wanted` depends on.
llvm::DenseSet<mlir::Operation *> findDeadOps(mlir::Block &block,
                                              mlir::ValueRange wanted);

/// Reports, at `op`, the first of its indices that is out of range. `op` has
/// static shapes; its operands are `operands`.
mlir::LogicalResult checkIndices(mlir::Operation *op,
                                 llvm::ArrayRef<Tensor> operands);

} // namespace tenon::interpret

#endif // TENON_LIB_INTERPRET_INDEXCHECKS_H
