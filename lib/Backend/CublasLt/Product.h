//===- Product.h - matmuls as calls of cuBLASLt ---------------------------===//
//
// Part of the Tenon project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef TENON_LIB_BACKEND_CUBLASLT_PRODUCT_H
#define TENON_LIB_BACKEND_CUBLASLT_PRODUCT_H

#include "../Cuda/Epilogue.h"

namespace tenon::backend {

/// A matmul, the transposes through which its operands are read and its result
/// is written (null: none), and its epilogue.
struct Product {
  explicit Product(graph::MatmulOp root)
      : root(root), epilogue(root.getResult()) {}

  /// Adds the transposes of operands (getOperandTransposes).
  bool takeOperandTransposes();
  /// Adds the transpose that is the only reader of the end.
  bool takeResultTranspose();
  Epilogue::Rules getRules() const;
  /// Returns why cuBLASLt does not support it; empty if it does.
  llvm::StringRef getRefusal() const;
  /// Returns the operands and post-ops of the call, and the values of its
  /// operands except the result.
  LibraryCall describe(llvm::SmallVectorImpl<mlir::Value> &inputs) const;
  /// Returns its ops, the root first, and their names.
  Subgraph getSubgraph() const;

  graph::MatmulOp root;
  graph::TransposeOp lhs, rhs, result;
  Epilogue epilogue;
};

} // namespace tenon::backend

#endif // TENON_LIB_BACKEND_CUBLASLT_PRODUCT_H
