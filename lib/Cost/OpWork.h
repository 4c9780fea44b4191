//===- OpWork.h - work of single ops --------------------------------------===//
//
// Part of the Tenon project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef TENON_LIB_COST_OPWORK_H
#define TENON_LIB_COST_OPWORK_H

#include "tenon/Cost/SizeValues.h"

namespace tenon::cost {

/// Adds the flops of a graph op. Any other op with tensor results counts as
/// elementwise.
void addFlops(mlir::Operation *op, const SizeValues &sizes, Work &work);

/// The number of elements of operand number `operand` that the op reads: all of
/// them, unless the op selects some.
double getElementsRead(mlir::Operation *op, unsigned operand,
                       const SizeValues &sizes);

/// The bytes that the op reads from all its operands, each read once. Bytes of
/// weights are added to `weights` instead. `loads` may be null.
double getBytesRead(mlir::Operation *op, const SizeValues &sizes,
                    const kernel::LoadAnalysis *loads, double &weights);

} // namespace tenon::cost

#endif // TENON_LIB_COST_OPWORK_H
