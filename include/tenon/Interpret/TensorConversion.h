//===- TensorConversion.h - conversion of tensors from and to files -------===//
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

/// Converts element types of files to the graph dialect's, and back.
mlir::Type getElementType(artifact::DType dtype, mlir::MLIRContext *context);
artifact::DType getDType(mlir::Type elementType);

/// Fails if there is not enough memory.
mlir::FailureOr<Tensor> fromData(const artifact::TensorData &data,
                                 mlir::MLIRContext *context, Domain domain);
/// As above, for elements in memory.
mlir::FailureOr<Tensor> fromBytes(const void *bytes, artifact::DType dtype,
                                  mlir::Type elementType,
                                  llvm::ArrayRef<int64_t> shape, Domain domain);

/// Rounds floats to the element type; residues of the field domain become i64.
artifact::TensorData toData(const Tensor &tensor, Domain domain);

/// Reads weights from the safetensors file `path`, which is mapped at the first
/// request.
ParameterSource parametersFromFile(std::string path);
/// Draws weights like the run time does for `--params random:SEED`.
ParameterSource randomParameters(uint64_t seed);

} // namespace tenon::interpret

#endif // TENON_INTERPRET_TENSORCONVERSION_H
