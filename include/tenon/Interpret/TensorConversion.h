//===- TensorConversion.h - tensors of files and of the interpreter -----===//
//
// Part of the Tenon project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef TENON_INTERPRET_TENSORCONVERSION_H
#define TENON_INTERPRET_TENSORCONVERSION_H

#include "tenon/Artifact/TensorData.h"
#include "tenon/Interpret/Interpreter.h"

namespace tenon::interpret {

/// The graph dialect's type of a file's element type, and back.
mlir::Type getElementType(artifact::DType dtype, mlir::MLIRContext *context);
artifact::DType getDType(mlir::Type elementType);

/// Failure when the memory can't be had.
mlir::FailureOr<Tensor> fromData(const artifact::TensorData &data,
                                 mlir::MLIRContext *context, Domain domain);
/// As above, from elements in memory.
mlir::FailureOr<Tensor> fromBytes(const void *bytes, artifact::DType dtype,
                                  mlir::Type elementType,
                                  llvm::ArrayRef<int64_t> shape, Domain domain);

/// Floats are rounded to the element type; residues of the field domain are
/// given as i64.
artifact::TensorData toData(const Tensor &tensor, Domain domain);

/// Weights from the safetensors file `path`, mapped when first asked for.
ParameterSource parametersFromFile(std::string path);
/// Weights drawn as the run time draws them for `--params random:SEED`.
ParameterSource randomParameters(uint64_t seed);

} // namespace tenon::interpret

#endif // TENON_INTERPRET_TENSORCONVERSION_H
