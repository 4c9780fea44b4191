//===- Product.h - matmuls as calls of cuBLASLt ---------------------------===//
//
// Part of the Tenon project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef TENON_LIB_BACKEND_CUBLASLT_PRODUCT_H
#define TENON_LIB_BACKEND_CUBLASLT_PRODUCT_H

#include "Epilogue.h"

namespace tenon::backend {

/// A matmul, transposes that its operands and its result are read and written
/// through (null: none), and what follows it.
struct Product {
  explicit Product(graph::MatmulOp root)
      : root(root), epilogue(root.getResult()) {}

  /// Takes the transposes that alone are between others and the operands.
  bool takeOperandTransposes();
  /// Takes the transpose that alone reads the end.
  bool takeResultTranspose();
  Epilogue::Rules getRules() const;
  /// Why it is no call of cuBLASLt; empty: it is one.
  llvm::StringRef getRefusal() const;
  /// The call, and the values that its operands but the result are.
  Site describe(llvm::SmallVectorImpl<mlir::Value> &inputs) const;
  /// Its ops, the root first, and their names.
  Piece getPiece() const;

  graph::MatmulOp root;
  graph::TransposeOp lhs, rhs, result;
  Epilogue epilogue;
};

} // namespace tenon::backend

#endif // TENON_LIB_BACKEND_CUBLASLT_PRODUCT_H
