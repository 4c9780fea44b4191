//===- OpSpecialization.h - ops with the sizes of a run -------------------===//
//
// Part of the Tenon project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef TENON_LIB_INTERPRET_OPSPECIALIZATION_H
#define TENON_LIB_INTERPRET_OPSPECIALIZATION_H

#include "tenon/Interpret/Interpreter.h"

namespace tenon::interpret {

/// A copy of `op` in its own block, whose arguments are the operands. All sizes
/// are constant: operands have the types of the tensors, symbols in attributes
/// are replaced, and result types are inferred again.
struct SpecializedOp {
  std::unique_ptr<mlir::Block> block;
  mlir::Operation *op = nullptr;
};

/// Reports, at `op`, sizes that contradict each other or are unknown.
mlir::FailureOr<SpecializedOp> specialize(mlir::Operation *op,
                                          llvm::ArrayRef<Tensor> operands,
                                          const Symbols &symbols);

} // namespace tenon::interpret

#endif // TENON_LIB_INTERPRET_OPSPECIALIZATION_H
