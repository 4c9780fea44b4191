//===- NearTies.h - choices that depend on errors -------------------------===//
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
/// their largest or smallest one. An analysis that treats both as independent
/// would find every such comparison undecided.
bool choosesExtreme(mlir::Operation *op);

/// Excludes those results of such an op that another choice within the errors
/// of `operand` would change, and bounds the others. The op's parameters are
/// constant, and `results` was computed without errors.
void excludeNearTies(mlir::Operation *op, const Tensor &operand,
                     llvm::MutableArrayRef<Tensor> results);

/// Bounds the results of a reference function that sorts or selects: the error
/// of an element is at most the operand's largest error. Positions have no
/// bound unless the operands are exact.
void boundReference(llvm::ArrayRef<Tensor> operands,
                    llvm::MutableArrayRef<Tensor> results);

} // namespace tenon::interpret

#endif // TENON_LIB_INTERPRET_NEARTIES_H
