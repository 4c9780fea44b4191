//===- Cone.h - the ops that compute a value from others --------*- C++ -*-===//
//
// Part of the Tenon project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef TENON_LIB_PROVE_CONE_H
#define TENON_LIB_PROVE_CONE_H

#include "mlir/IR/Operation.h"
#include "mlir/IR/Value.h"

namespace tenon::prove {

/// The ops of a block that compute a value from leaves.
struct Cone {
  /// In the order of the block.
  llvm::SmallVector<mlir::Operation *> ops;
  /// The values that the ops read and that are not computed by them, in the
  /// order in which the ops read them.
  llvm::SmallVector<mlir::Value> leaves;
  /// Whether there are more ops than the limit: then the cone is not complete.
  bool isTooLarge = false;

  bool contains(mlir::Operation *op) const {
    return llvm::is_contained(ops, op);
  }
};

/// The cone of `root`, whose leaves are inputs of the function, what `isLeaf`
/// says, and `root` itself if it has no op.
Cone getCone(mlir::Value root, llvm::function_ref<bool(mlir::Value)> isLeaf,
             size_t limit);

/// Whether the value is an input of its function for a proof: an argument, a
/// parameter, or a constant whose elements equations do not state.
bool isInput(mlir::Value value);

/// Whether the value is a constant whose elements equations state, possibly
/// moved or repeated. Proofs look into such a value.
bool isSmallConstant(mlir::Value value);

} // namespace tenon::prove

#endif // TENON_LIB_PROVE_CONE_H
