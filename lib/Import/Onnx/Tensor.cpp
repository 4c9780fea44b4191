//===- Tensor.cpp - tensors of an ONNX model ------------------------------===//
//
// Part of the Tenon project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Tensor.h"

#include "onnx.pb.h"
#include "tenon/Artifact/TensorData.h"
#include "tenon/Support/File.h"

#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/Endian.h"

using namespace mlir;
using namespace tenon;
using namespace tenon::onnx;
using artifact::DType;

static_assert(llvm::endianness::native == llvm::endianness::little,
              "tensor data is used in place");

//===----------------------------------------------------------------------===//
// Types
//===----------------------------------------------------------------------===//

std::optional<DType> tenon::onnx::toDType(int32_t onnxType) {
  switch (onnxType) {
  case OnnxFloat:
    return DType::F32;
  case OnnxUint8:
    return DType::U8;
  case OnnxInt8:
    return DType::I8;
  case OnnxInt32:
    return DType::I32;
  case OnnxInt64:
    return DType::I64;
  case OnnxBool:
    return DType::Bool;
  case OnnxFloat16:
    return DType::F16;
  case OnnxDouble:
    return DType::F64;
  case OnnxBfloat16:
    return DType::BF16;
  }
  return std::nullopt;
}

int32_t tenon::onnx::fromDType(DType dtype) {
  switch (dtype) {
  case DType::F64:
    return OnnxDouble;
  case DType::F32:
    return OnnxFloat;
  case DType::F16:
    return OnnxFloat16;
  case DType::BF16:
    return OnnxBfloat16;
  case DType::I64:
    return OnnxInt64;
  case DType::I32:
    return OnnxInt32;
  case DType::I8:
    return OnnxInt8;
  case DType::U8:
    return OnnxUint8;
  case DType::Bool:
    return OnnxBool;
  }
  return 0;
}

std::string tenon::onnx::onnxTypeName(int32_t onnxType) {
  static const char *const names[] = {
      "undefined",      "float",      "uint8",
      "int8",           "uint16",     "int16",
      "int32",          "int64",      "string",
      "bool",           "float16",    "double",
      "uint32",         "uint64",     "complex64",
      "complex128",     "bfloat16",   "float8e4m3fn",
      "float8e4m3fnuz", "float8e5m2", "float8e5m2fnuz",
      "uint4",          "int4",       "float4e2m1",
      "float8e8m0",     "uint2",      "int2"};
  if (onnxType >= 0 && onnxType < static_cast<int32_t>(std::size(names)))
    return names[onnxType];
  return "type " + std::to_string(onnxType);
}

Type tenon::onnx::toElementType(DType dtype, MLIRContext *context) {
  Builder b(context);
  switch (dtype) {
  case DType::F64:
    return b.getF64Type();
  case DType::F32:
    return b.getF32Type();
  case DType::F16:
    return b.getF16Type();
  case DType::BF16:
    return b.getBF16Type();
  case DType::I64:
    return b.getI64Type();
  case DType::I32:
    return b.getI32Type();
  case DType::I8:
    return b.getI8Type();
  case DType::U8:
    return b.getIntegerType(8, /*isSigned=*/false);
  case DType::Bool:
    return b.getI1Type();
  }
  return {};
}

std::optional<DType> tenon::onnx::toDType(Type elementType) {
  for (DType dtype :
       {DType::F64, DType::F32, DType::F16, DType::BF16, DType::I64, DType::I32,
        DType::I8, DType::U8, DType::Bool})
    if (toElementType(dtype, elementType.getContext()) == elementType)
      return dtype;
  return std::nullopt;
}

//===----------------------------------------------------------------------===//
// OnnxTensor
//===----------------------------------------------------------------------===//

int64_t OnnxTensor::numElements() const {
  return bytes.size() / artifact::dtypeSize(dtype);
}

RankedTensorType OnnxTensor::getType(MLIRContext *context) const {
  return RankedTensorType::get(shape, toElementType(dtype, context));
}

double OnnxTensor::getNumber(int64_t index) const {
  return artifact::readElement(bytes.data(), dtype, index);
}

int64_t OnnxTensor::getInteger(int64_t index) const {
  const char *data = bytes.data();
  switch (dtype) {
  case DType::I64:
    return llvm::support::endian::read64le(data + index * 8);
  case DType::I32:
    return static_cast<int32_t>(
        llvm::support::endian::read32le(data + index * 4));
  default:
    return static_cast<int64_t>(getNumber(index));
  }
}

DenseElementsAttr OnnxTensor::toAttr(MLIRContext *context) const {
  RankedTensorType type = getType(context);
  if (dtype == DType::Bool) {
    SmallVector<bool> values;
    for (char c : bytes)
      values.push_back(c != 0);
    return DenseElementsAttr::get(type, values);
  }
  // The buffer must be aligned for the element type; the bytes of a file may
  // not be.
  std::vector<uint64_t> aligned((bytes.size() + 7) / 8);
  if (!bytes.empty())
    std::memcpy(aligned.data(), bytes.data(), bytes.size());
  return DenseElementsAttr::getFromRawBuffer(
      type, ArrayRef<char>(reinterpret_cast<const char *>(aligned.data()),
                           bytes.size()));
}

//===----------------------------------------------------------------------===//
// Reading
//===----------------------------------------------------------------------===//

template <typename... Args>
static llvm::Error makeError(const char *format, const Args &...args) {
  return llvm::createStringError(llvm::inconvertibleErrorCode(), format,
                                 args...);
}

llvm::Expected<std::shared_ptr<artifact::MappedFile>>
ExternalFiles::open(StringRef name) {
  auto found = opened.find(name);
  if (found != opened.end())
    return found->second;
  if (directory.empty())
    return makeError("external data in '%s' needs a model that is a file",
                     name.str().c_str());
  llvm::Expected<std::string> file =
      findBesideModel(directory, name, "external data");
  if (!file)
    return file.takeError();
  auto mapped = artifact::MappedFile::open(*file);
  if (!mapped)
    return makeError("can't open external data: %s", mapped.error().c_str());
  paths.push_back(*file);
  return opened[name] =
             std::make_shared<artifact::MappedFile>(std::move(*mapped));
}

static llvm::Error readExternal(const TensorProto &proto, ExternalFiles &files,
                                uint64_t expected, OnnxTensor &tensor) {
  std::string location;
  uint64_t offset = 0, length = expected;
  for (const StringStringEntryProto &entry : proto.external_data()) {
    StringRef key = entry.key(), value = entry.value();
    if (key == "location")
      location = value.str();
    else if ((key == "offset" && value.getAsInteger(10, offset)) ||
             (key == "length" && value.getAsInteger(10, length)))
      return makeError("external data has %s '%s'; expected an integer",
                       key.str().c_str(), value.str().c_str());
  }
  if (length != expected)
    return makeError("external data has %llu bytes; expected %llu",
                     (unsigned long long)length, (unsigned long long)expected);
  auto file = files.open(location);
  if (!file)
    return file.takeError();
  uint64_t size = (*file)->size();
  if (offset > size || length > size - offset)
    return makeError("bytes %llu to %llu of external data '%s' are out of "
                     "range; the file has %llu bytes",
                     (unsigned long long)offset,
                     (unsigned long long)(offset + length), location.c_str(),
                     (unsigned long long)size);
  tensor.bytes = StringRef(
      reinterpret_cast<const char *>((*file)->data()) + offset, length);
  tensor.owner = *file;
  return llvm::Error::success();
}

/// The elements of a typed field, viewed in place.
template <typename Field>
static llvm::Error viewField(const Field &field, int64_t expected,
                             OnnxTensor &tensor) {
  if (field.size() != expected)
    return makeError("expected %lld elements, but got %lld",
                     (long long)expected, (long long)field.size());
  tensor.bytes = StringRef(reinterpret_cast<const char *>(field.data()),
                           field.size() * sizeof(*field.data()));
  return llvm::Error::success();
}

/// The elements of int32_data, which also holds all narrower types.
static llvm::Error narrowField(const TensorProto &proto, int64_t expected,
                               OnnxTensor &tensor) {
  if (proto.int32_data_size() != expected)
    return makeError("expected %lld elements, but got %lld",
                     (long long)expected, (long long)proto.int32_data_size());
  size_t width = artifact::dtypeSize(tensor.dtype);
  auto bytes = std::make_shared<std::string>(expected * width, '\0');
  for (int64_t i = 0; i < expected; ++i) {
    int32_t value = proto.int32_data(i);
    if (tensor.dtype == DType::Bool)
      value = value != 0;
    std::memcpy(bytes->data() + i * width, &value, width);
  }
  tensor.bytes = *bytes;
  tensor.owner = bytes;
  return llvm::Error::success();
}

llvm::Expected<OnnxTensor> tenon::onnx::readTensor(const TensorProto &proto,
                                                   ExternalFiles &files) {
  OnnxTensor tensor;
  tensor.name = proto.name();
  std::optional<DType> dtype = toDType(proto.data_type());
  if (!dtype)
    return makeError("element type %s is not supported",
                     onnxTypeName(proto.data_type()).c_str());
  tensor.dtype = *dtype;
  tensor.shape.assign(proto.dims().begin(), proto.dims().end());
  artifact::Expected<int64_t> count = artifact::countElements(
      std::vector<int64_t>(tensor.shape.begin(), tensor.shape.end()),
      artifact::dtypeSize(*dtype));
  if (!count)
    return makeError("%s", count.error().c_str());
  uint64_t size = *count * artifact::dtypeSize(*dtype);

  llvm::Error error = llvm::Error::success();
  if (proto.data_location() == 1) {
    error = readExternal(proto, files, size, tensor);
  } else if (proto.has_raw_data() && !proto.raw_data().empty()) {
    tensor.bytes = proto.raw_data();
    if (tensor.bytes.size() != size)
      error = makeError("expected %llu bytes of data, but got %llu",
                        (unsigned long long)size,
                        (unsigned long long)tensor.bytes.size());
  } else if (size == 0) {
    tensor.bytes = "";
  } else if (*dtype == DType::F32) {
    error = viewField(proto.float_data(), *count, tensor);
  } else if (*dtype == DType::F64) {
    error = viewField(proto.double_data(), *count, tensor);
  } else if (*dtype == DType::I64) {
    error = viewField(proto.int64_data(), *count, tensor);
  } else if (*dtype == DType::I32) {
    error = viewField(proto.int32_data(), *count, tensor);
  } else {
    error = narrowField(proto, *count, tensor);
  }
  if (error)
    return std::move(error);
  return tensor;
}
