//===- TensorConversion.cpp - conversion of tensors from and to files -----===//
//
// Part of the Tenon project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "tenon/Interpret/TensorConversion.h"
#include "Arithmetic.h"
#include "tenon/Artifact/Philox.h"
#include "tenon/Artifact/Safetensors.h"

#include "mlir/IR/Builders.h"

#include <cstring>

using namespace mlir;
using namespace tenon::interpret;
using tenon::artifact::DType;
using tenon::artifact::TensorData;

Type tenon::interpret::getElementType(DType dtype, MLIRContext *context) {
  Builder builder(context);
  switch (dtype) {
  case DType::F64:
    return builder.getF64Type();
  case DType::F32:
    return builder.getF32Type();
  case DType::F16:
    return builder.getF16Type();
  case DType::BF16:
    return builder.getBF16Type();
  case DType::I64:
    return builder.getI64Type();
  case DType::I32:
    return builder.getI32Type();
  case DType::I8:
    return builder.getI8Type();
  case DType::U8:
    return builder.getIntegerType(8, /*isSigned=*/false);
  case DType::Bool:
    return builder.getI1Type();
  }
  llvm_unreachable("unknown element type");
}

DType tenon::interpret::getDType(Type elementType) {
  switch (kindOf(elementType)) {
  case Kind::F64:
    return DType::F64;
  case Kind::F32:
    return DType::F32;
  case Kind::F16:
    return DType::F16;
  case Kind::BF16:
    return DType::BF16;
  case Kind::I64:
    return DType::I64;
  case Kind::I32:
    return DType::I32;
  case Kind::I8:
    return DType::I8;
  case Kind::UI8:
    return DType::U8;
  case Kind::I1:
    return DType::Bool;
  }
  llvm_unreachable("unknown kind");
}

FailureOr<Tensor> tenon::interpret::fromBytes(const void *bytes, DType dtype,
                                              Type elementType,
                                              ArrayRef<int64_t> shape,
                                              Domain domain) {
  FailureOr<Tensor> tensor = Tensor::allocate(elementType, shape);
  if (failed(tensor))
    return failure();
  Cell *cells = tensor->data();
  int64_t count = tensor->getNumElements();
  auto read = [&](auto type) {
    decltype(type) value;
    const char *next = static_cast<const char *>(bytes);
    for (int64_t number = 0; number < count; ++number) {
      std::memcpy(&value, next, sizeof(value));
      next += sizeof(value);
      if constexpr (std::is_integral_v<decltype(type)>)
        cells[number].integer = value;
      else
        cells[number].number = value;
    }
  };
  switch (dtype) {
  case DType::F32:
    read(float());
    break;
  case DType::I64:
    read(int64_t());
    break;
  case DType::I32:
    read(int32_t());
    break;
  case DType::I8:
    read(int8_t());
    break;
  case DType::U8:
    read(uint8_t());
    break;
  case DType::Bool:
    for (int64_t number = 0; number < count; ++number)
      cells[number].integer = static_cast<const uint8_t *>(bytes)[number] != 0;
    break;
  default:
    for (int64_t number = 0; number < count; ++number)
      cells[number].number = artifact::readElement(bytes, dtype, number);
  }
  return toDomain(*tensor, domain);
}

FailureOr<Tensor> tenon::interpret::fromData(const TensorData &data,
                                             MLIRContext *context,
                                             Domain domain) {
  return fromBytes(data.bytes.data(), data.dtype,
                   getElementType(data.dtype, context), data.shape, domain);
}

TensorData tenon::interpret::toData(const Tensor &tensor, Domain domain) {
  DType dtype = getDType(tensor.getElementType());
  bool isFloat = artifact::isFloat(dtype);
  if (isFloat && domain.kind == Domain::Kind::Field)
    dtype = DType::I64;
  ArrayRef<int64_t> shape = tensor.getShape();
  artifact::Expected<TensorData> data =
      TensorData::zeros(dtype, {shape.begin(), shape.end()});
  if (!data)
    llvm::report_fatal_error(llvm::StringRef(data.error()));
  for (int64_t number = 0; number < tensor.getNumElements(); ++number) {
    if (artifact::isFloat(dtype))
      data->set(number, tensor.data()[number].number);
    else
      data->setInteger(number, tensor.data()[number].integer);
  }
  return std::move(*data);
}

ParameterSource tenon::interpret::parametersFromFile(std::string path) {
  struct State {
    std::string path;
    std::optional<artifact::SafetensorsFile> file;
  };
  auto state = std::make_shared<State>();
  state->path = std::move(path);
  return [state](Operation *op, StringRef name, RankedTensorType type,
                 Domain domain) -> FailureOr<Tensor> {
    if (!state->file) {
      auto file = artifact::SafetensorsFile::open(state->path);
      if (!file)
        return op->emitError() << file.error();
      state->file = std::move(*file);
    }
    const artifact::SafetensorsEntry *entry =
        state->file->find(std::string_view(name.data(), name.size()));
    if (!entry)
      return op->emitError() << "weights '" << state->path
                             << "' have no tensor '" << name << "'";
    DType dtype = getDType(type.getElementType());
    if (entry->dtype != dtype ||
        ArrayRef<int64_t>(entry->shape) != type.getShape())
      return op->emitError()
             << "weight '" << name << "' of '" << state->path << "': expected "
             << artifact::formatType(dtype, type.getShape().vec())
             << ", but got "
             << artifact::formatType(entry->dtype, entry->shape);
    FailureOr<Tensor> tensor =
        fromBytes(state->file->data(*entry), dtype, type.getElementType(),
                  type.getShape(), domain);
    if (failed(tensor))
      return op->emitError()
             << "weight '" << name << "' does not fit into memory";
    return tensor;
  };
}

ParameterSource tenon::interpret::randomParameters(uint64_t seed) {
  return [seed](Operation *op, StringRef name, RankedTensorType type,
                Domain domain) -> FailureOr<Tensor> {
    DType dtype = getDType(type.getElementType());
    std::vector<int64_t> shape = type.getShape().vec();
    auto data = TensorData::zeros(dtype, shape);
    if (!data)
      return op->emitError() << "weight '" << name << "': " << data.error();
    artifact::fillRandom(
        data->bytes.data(), dtype, 0, data->numElements(),
        artifact::streamKey(seed, std::string_view(name.data(), name.size())),
        artifact::defaultParameterDistribution(dtype, shape));
    FailureOr<Tensor> tensor = fromBytes(data->bytes.data(), dtype,
                                         type.getElementType(), shape, domain);
    if (failed(tensor))
      return op->emitError()
             << "weight '" << name << "' does not fit into memory";
    return tensor;
  };
}
