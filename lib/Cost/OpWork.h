//===- OpWork.h - what single ops do --------------------------------------===//
//
// Part of the Tenon project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef TENON_LIB_COST_OPWORK_H
#define TENON_LIB_COST_OPWORK_H

#include "SizeValues.h"

namespace tenon::cost {

/// Adds the flops of a graph op, or of any other op with tensor results, which
/// counts as elementwise.
void addFlops(mlir::Operation *op, const SizeValues &sizes, Work &work);

/// How many elements of operand number `operand` the op reads: all of them,
/// except where it picks some.
double getElementsRead(mlir::Operation *op, unsigned operand,
                       const SizeValues &sizes);

/// Bytes that the op reads of all its operands, each read once; those of
/// weights are added to `weights` instead. `loads` may be null.
double getBytesRead(mlir::Operation *op, const SizeValues &sizes,
                    const kernel::LoadAnalysis *loads, double &weights);

/// Replaces the flops of the convolution in a placed call by those of minimal
/// filtering (see tenon/Backend/Winograd.h) with its transforms.
void useMinimalFiltering(kernel::CallOp call, const SizeValues &sizes,
                         Work &work);

} // namespace tenon::cost

#endif // TENON_LIB_COST_OPWORK_H
