//===- ReverseMode.h - cotangents of a graph ------------------------------===//
//
// Part of the Tenon project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Reverse-mode differentiation of straight-line graphs. The *cotangent* of a
// value x, for a scalar L that depends on it, is a tensor of the type of x with
// the elements dL/dx[i]. (Griewank and Walther, Evaluating Derivatives, 2nd
// edition, chapter 3: the vector-Jacobian product of each op, in reverse
// order.)
//
//===----------------------------------------------------------------------===//

#ifndef TENON_DIFFERENTIATE_REVERSEMODE_H
#define TENON_DIFFERENTIATE_REVERSEMODE_H

#include "mlir/IR/Builders.h"
#include "mlir/IR/Operation.h"
#include "llvm/ADT/DenseMap.h"
#include "llvm/ADT/SetVector.h"
#include "llvm/ADT/SmallVector.h"

namespace tenon::differentiate {

/// Cotangents by value. A value without an entry has the cotangent 0.
using CotangentMap = llvm::DenseMap<mlir::Value, mlir::Value>;

/// Builds, at the insertion point of `builder`, the cotangents of the operands
/// of `op`. `cotangents` holds one value per result of `op`, of its type, or
/// null for 0; at least one is not null. `wanted` says of each operand whether
/// its cotangent is asked for. Returns one value per operand, of its type, or
/// null: for operands that are not wanted, and where the cotangent is 0. Fails,
/// with a diagnostic at `op`, if the op has no derivative with respect to a
/// wanted operand.
mlir::FailureOr<llvm::SmallVector<mlir::Value>>
buildCotangents(mlir::OpBuilder &builder, mlir::Operation *op,
                llvm::ArrayRef<mlir::Value> cotangents,
                llvm::ArrayRef<bool> wanted);

/// The values that depend on one of `sources` through ops in `ops` (in order of
/// execution) and have elements of a floating-point type. Includes the sources.
llvm::DenseSet<mlir::Value>
findActiveValues(llvm::ArrayRef<mlir::Operation *> ops,
                 llvm::ArrayRef<mlir::Value> sources);

/// Adds to `cotangents` those of all values that depend on `sources` through
/// `ops`, which are in order of execution, from the cotangents of their
/// results that it holds at the start. Sums of several uses are formed in
/// reverse order of the ops. Fails with a diagnostic at the op that has no
/// derivative.
mlir::LogicalResult pullBack(mlir::OpBuilder &builder,
                             llvm::ArrayRef<mlir::Operation *> ops,
                             llvm::ArrayRef<mlir::Value> sources,
                             CotangentMap &cotangents);

} // namespace tenon::differentiate

#endif // TENON_DIFFERENTIATE_REVERSEMODE_H
