//===- Operands.h - operands of library calls -----------------------------===//
//
// Part of the Tenon project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef TENON_BACKEND_OPERANDS_H
#define TENON_BACKEND_OPERANDS_H

#include "tenon/Backend/LibraryCall.h"
#include "tenon/Dialect/Kernel/IR/Kernel.h"

#include <utility>

namespace tenon::backend {

/// Returns the transposes, with a constant order of axes, that compute the
/// operands of a matmul and that no other op reads; null if there is none.
/// If both operands are the same value, neither is returned.
std::pair<graph::TransposeOp, graph::TransposeOp>
getOperandTransposes(graph::MatmulOp root);

/// Views `value`, an operand or the result of a matmul, as [batch..., rows,
/// columns] with `rank` axes. `transpose` (or null) computes it from a tensor
/// in memory; `isTransposed` is the matmul's flag for this operand.
CallOperand viewMatmulOperand(mlir::Value value, graph::TransposeOp transpose,
                              bool isTransposed, size_t rank);

/// Returns the block argument number of each value, in order. Emits a
/// diagnostic if a value is not a block argument.
mlir::FailureOr<llvm::SmallVector<unsigned>>
numberInputs(kernel::CallOp call, llvm::ArrayRef<mlir::Value> inputs);

} // namespace tenon::backend

#endif // TENON_BACKEND_OPERANDS_H
