//===- InPlace.h - results that overwrite donated inputs ------------------===//
//
// Part of the Tenon project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The caller of a model may give an output the memory of the input that is
// donated to it, or other memory. A kernel may then write the output directly
// only if no later read needs the old contents.
//
//===----------------------------------------------------------------------===//

#ifndef TENON_LIB_LOWER_INPLACE_H
#define TENON_LIB_LOWER_INPLACE_H

#include "tenon/Dialect/Kernel/Analysis/LoopPlan.h"

#include "mlir/IR/Operation.h"

namespace tenon::lower {

/// Returns true if the value, or a view of it, is read after `op`. Returning
/// the value counts as reading it.
bool isReadAfter(mlir::Value value, mlir::Operation *op);

/// Returns the last op in the block, from `op` on, that reads the value or a
/// view of it: `op` itself, if there is none.
mlir::Operation *findLastReader(mlir::Value value, mlir::Operation *op);

/// Returns the numbers of the op's operands that are the value or a view of it.
llvm::SmallVector<unsigned> findOperands(mlir::Operation *op,
                                         mlir::Value value);

/// Returns true if a kernel loop of the plan may write its elements over those
/// of an input: each element is read before it is written, and only by the row
/// that writes it. The plan's loads must still have one index per axis.
bool canOverwrite(const kernel::LoopPlan &plan, unsigned loop, unsigned input);

} // namespace tenon::lower

#endif // TENON_LIB_LOWER_INPLACE_H
