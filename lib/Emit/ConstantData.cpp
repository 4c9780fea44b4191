//===- ConstantData.cpp - elements as bytes -------------------------------===//
//
// Part of the Tenon project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "ConstantData.h"

#include "mlir/IR/BuiltinTypes.h"
#include "mlir/IR/DialectResourceBlobManager.h"

using namespace tenon;

std::optional<artifact::DType> tenon::emit::getDType(mlir::Type type) {
  using artifact::DType;
  if (type.isF64())
    return DType::F64;
  if (type.isF32())
    return DType::F32;
  if (type.isF16())
    return DType::F16;
  if (type.isBF16())
    return DType::BF16;
  auto integer = mlir::dyn_cast<mlir::IntegerType>(type);
  if (!integer)
    return std::nullopt;
  if (integer.isUnsigned())
    return integer.getWidth() == 8 ? std::optional(DType::U8) : std::nullopt;
  switch (integer.getWidth()) {
  case 64:
    return DType::I64;
  case 32:
    return DType::I32;
  case 8:
    return DType::I8;
  case 1:
    return DType::Bool;
  }
  return std::nullopt;
}

llvm::Expected<std::string> tenon::emit::getData(mlir::ElementsAttr data) {
  mlir::ShapedType type = data.getShapedType();
  std::optional<artifact::DType> dtype = getDType(type.getElementType());
  if (!dtype)
    return llvm::createStringError("constant has an element type without a "
                                   "form in memory");
  size_t elementSize = artifact::dtypeSize(*dtype);
  size_t count = type.getNumElements();
  std::string bytes;
  if (auto resource = mlir::dyn_cast<mlir::DenseResourceElementsAttr>(data)) {
    mlir::AsmResourceBlob *blob = resource.getRawHandle().getBlob();
    if (!blob)
      return llvm::createStringError("constant's resource '" +
                                     resource.getRawHandle().getKey() +
                                     "' has no data");
    bytes.assign(blob->getData().begin(), blob->getData().end());
  } else if (auto dense = mlir::dyn_cast<mlir::DenseElementsAttr>(data)) {
    if (*dtype == artifact::DType::Bool) {
      bytes.reserve(count);
      for (bool value : dense.getValues<bool>())
        bytes.push_back(value ? 1 : 0);
    } else {
      llvm::ArrayRef<char> raw = dense.getRawData();
      size_t copies = dense.isSplat() ? count : 1;
      bytes.reserve(raw.size() * copies);
      for (size_t copy = 0; copy < copies; ++copy)
        bytes.append(raw.data(), raw.size());
    }
  } else {
    return llvm::createStringError("constant is neither dense nor a resource");
  }
  if (bytes.size() != count * elementSize)
    return llvm::createStringError(
        "constant holds " + llvm::Twine(bytes.size()) + " bytes; expected " +
        llvm::Twine(count * elementSize));
  return bytes;
}
