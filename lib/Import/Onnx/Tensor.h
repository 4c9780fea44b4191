//===- Tensor.h - tensors of an ONNX model --------------------------------===//
//
// Part of the Tenon project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef TENON_LIB_IMPORT_ONNX_TENSOR_H
#define TENON_LIB_IMPORT_ONNX_TENSOR_H

#include "tenon/Artifact/DType.h"
#include "tenon/Artifact/File.h"

#include "mlir/IR/BuiltinAttributes.h"
#include "mlir/IR/BuiltinTypes.h"
#include "llvm/ADT/SmallVector.h"
#include "llvm/ADT/StringMap.h"
#include "llvm/ADT/StringRef.h"
#include "llvm/Support/Error.h"
#include "llvm/Support/MemoryBuffer.h"

#include <memory>

namespace tenon::onnx {

class TensorProto;

/// ONNX's numbers of element types.
enum OnnxType : int32_t {
  OnnxFloat = 1,
  OnnxUint8 = 2,
  OnnxInt8 = 3,
  OnnxInt32 = 6,
  OnnxInt64 = 7,
  OnnxBool = 9,
  OnnxFloat16 = 10,
  OnnxDouble = 11,
  OnnxBfloat16 = 16
};

/// The element type; nullopt if Tenon does not support it.
std::optional<artifact::DType> toDType(int32_t onnxType);
int32_t fromDType(artifact::DType dtype);
/// ONNX's name of the type ("int16"); "type 77" for unknown numbers.
std::string onnxTypeName(int32_t onnxType);
mlir::Type toElementType(artifact::DType dtype, mlir::MLIRContext *context);
std::optional<artifact::DType> toDType(mlir::Type elementType);

/// A tensor whose `bytes` are the little-endian row-major elements, exactly as
/// many as `shape` requires. This is a view: `owner` or the model owns the
/// bytes.
struct OnnxTensor {
  std::string name;
  artifact::DType dtype = artifact::DType::F32;
  llvm::SmallVector<int64_t> shape;
  llvm::StringRef bytes;
  std::shared_ptr<const void> owner;

  int64_t numElements() const;
  mlir::RankedTensorType getType(mlir::MLIRContext *context) const;
  double getNumber(int64_t index) const;
  int64_t getInteger(int64_t index) const;
  mlir::DenseElementsAttr toAttr(mlir::MLIRContext *context) const;
};

/// The files with external tensor data, which are opened once each.
class ExternalFiles {
public:
  /// `directory` is that of the model; if it is empty, external data is
  /// rejected.
  explicit ExternalFiles(llvm::StringRef directory) : directory(directory) {}
  llvm::Expected<std::shared_ptr<artifact::MappedFile>>
  open(llvm::StringRef name);
  /// The files that were opened, in that order.
  const std::vector<std::string> &getPaths() const { return paths; }

private:
  std::string directory;
  llvm::StringMap<std::shared_ptr<artifact::MappedFile>> opened;
  std::vector<std::string> paths;
};

/// Reads `proto`, which must outlive the result.
llvm::Expected<OnnxTensor> readTensor(const TensorProto &proto,
                                      ExternalFiles &files);

} // namespace tenon::onnx

#endif // TENON_LIB_IMPORT_ONNX_TENSOR_H
