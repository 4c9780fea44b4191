//===- Operators.h - the table of ONNX operators --------------------------===//
//
// Part of the Tenon project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef TENON_LIB_IMPORT_ONNX_OPERATORS_H
#define TENON_LIB_IMPORT_ONNX_OPERATORS_H

#include "NodeContext.h"

namespace tenon::onnx {

using Converter = mlir::LogicalResult (*)(NodeContext &);

enum class Support {
  Direct,   // one graph op
  Composed, // several graph ops
  Import,   // evaluated at import
  Refused
};

struct Operator {
  llvm::StringLiteral name;
  Support support;
  Converter converter; // null if rejected
  /// What is missing, or why the operator is rejected.
  llvm::StringLiteral note;
  /// Whether inputs may be sequences; other operators take tensors.
  bool takesSequences = false;
};

/// The operators of each family, defined in separate files.
llvm::ArrayRef<Operator> elementwiseOperators();
llvm::ArrayRef<Operator> activationOperators();
llvm::ArrayRef<Operator> linearOperators();
llvm::ArrayRef<Operator> poolOperators();
llvm::ArrayRef<Operator> normOperators();
llvm::ArrayRef<Operator> reduceOperators();
llvm::ArrayRef<Operator> shapeOperators();
llvm::ArrayRef<Operator> sliceOperators();
llvm::ArrayRef<Operator> indexOperators();
llvm::ArrayRef<Operator> constantOperators();
llvm::ArrayRef<Operator> resizeOperators();
llvm::ArrayRef<Operator> attentionOperators();
llvm::ArrayRef<Operator> einsumOperators();
llvm::ArrayRef<Operator> recurrentOperators();
llvm::ArrayRef<Operator> sequenceOperators();
llvm::ArrayRef<Operator> tensorSequenceOperators();
llvm::ArrayRef<Operator> specialOperators();
llvm::ArrayRef<Operator> gridOperators();
llvm::ArrayRef<Operator> linearAttentionOperators();
llvm::ArrayRef<Operator> loopOperators();
llvm::ArrayRef<Operator> refusedOperators();

/// Returns null for names that the standard does not have.
const Operator *findOperator(llvm::StringRef name);

} // namespace tenon::onnx

#endif // TENON_LIB_IMPORT_ONNX_OPERATORS_H
