//===- NearTies.h - choices that errors may change ----------------------===//
//
// Part of the Tenon project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef TENON_LIB_INTERPRET_NEARTIES_H
#define TENON_LIB_INTERPRET_NEARTIES_H

#include "tenon/Interpret/Interpreter.h"

namespace tenon::interpret {

/// Whether `op` chooses an element by comparing an operand's elements with
/// their largest or smallest: an analysis that takes both for independent
/// would find every such comparison undecided.
bool choosesExtreme(mlir::Operation *op);

/// Excludes the results of such an op, whose parameters are numbers, that
/// another choice within the errors of `operand` would change, and bounds the
/// others. `results` was computed without errors.
void excludeNearTies(mlir::Operation *op, const Tensor &operand,
                     llvm::MutableArrayRef<Tensor> results);

/// Bounds for the results of a reference function that sorts or selects: no
/// element is off by more than the worst operand's; positions have no bound
/// unless the operands are exact.
void boundReference(llvm::ArrayRef<Tensor> operands,
                    llvm::MutableArrayRef<Tensor> results);

} // namespace tenon::interpret

#endif // TENON_LIB_INTERPRET_NEARTIES_H
