//===- OpSpecialization.h - ops at the sizes of a run -------------------===//
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

/// A copy of `op` alone in a block, whose operands are the block's arguments,
/// and in which every size is a number: types of operands are the tensors',
/// symbols in attributes are replaced, and types of results are inferred anew.
struct SpecializedOp {
  std::unique_ptr<mlir::Block> block;
  mlir::Operation *op = nullptr;
};

/// Reports, at `op`, sizes that contradict each other or are not known.
mlir::FailureOr<SpecializedOp> specialize(mlir::Operation *op,
                                          llvm::ArrayRef<Tensor> operands,
                                          const Symbols &symbols);

} // namespace tenon::interpret

#endif // TENON_LIB_INTERPRET_OPSPECIALIZATION_H
