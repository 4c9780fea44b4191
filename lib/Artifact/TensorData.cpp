//===- TensorData.cpp - a tensor held in memory ---------------------------===//
//
// Part of the Tenon project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "tenon/Artifact/TensorData.h"

#include <cmath>
#include <cstring>
#include <limits>
#include <new>

namespace tenon::artifact {

static constexpr int64_t maxBytes = int64_t(1) << 48;

Expected<int64_t> countElements(const std::vector<int64_t> &shape,
                                size_t elementSize) {
  int64_t count = 1;
  bool zero = false;
  for (int64_t size : shape) {
    if (size < 0)
      return makeError("expected sizes of at least 0, but got ", size);
    zero |= size == 0;
  }
  if (zero)
    return int64_t(0);
  for (int64_t size : shape)
    if (__builtin_mul_overflow(count, size, &count) ||
        count > maxBytes / static_cast<int64_t>(elementSize))
      return makeError("shape ", formatShape(shape),
                       " needs more than 2^48 bytes");
  return count;
}

Expected<TensorData> TensorData::zeros(DType dtype,
                                       std::vector<int64_t> shape) {
  Expected<int64_t> count = countElements(shape, dtypeSize(dtype));
  if (!count)
    return count.takeError();
  TensorData result;
  result.dtype = dtype;
  result.shape = std::move(shape);
  size_t bytes = static_cast<size_t>(*count) * dtypeSize(dtype);
  try {
    result.bytes.assign(bytes, 0);
  } catch (const std::bad_alloc &) {
    return makeError("out of memory: a tensor of shape ",
                     formatShape(result.shape), " needs ", bytes, " bytes");
  }
  return result;
}

template <typename T> static T load(const void *data, int64_t index) {
  T value;
  std::memcpy(&value, static_cast<const char *>(data) + index * sizeof(T),
              sizeof(T));
  return value;
}

template <typename T> static void store(void *data, int64_t index, T value) {
  std::memcpy(static_cast<char *>(data) + index * sizeof(T), &value, sizeof(T));
}

template <typename T> static T saturate(double value) {
  if (std::isnan(value))
    return 0;
  value = std::trunc(value);
  if (value <= static_cast<double>(std::numeric_limits<T>::min()))
    return std::numeric_limits<T>::min();
  // 2^63 - 1 rounds up to 2^63 as a double, hence >=.
  if (value >= static_cast<double>(std::numeric_limits<T>::max()))
    return std::numeric_limits<T>::max();
  return static_cast<T>(value);
}

double readElement(const void *data, DType dtype, int64_t index) {
  switch (dtype) {
  case DType::F64:
    return load<double>(data, index);
  case DType::F32:
    return load<float>(data, index);
  case DType::F16:
    return halfToFloat(load<uint16_t>(data, index));
  case DType::BF16:
    return bfloatToFloat(load<uint16_t>(data, index));
  case DType::I64:
    return static_cast<double>(load<int64_t>(data, index));
  case DType::I32:
    return load<int32_t>(data, index);
  case DType::I8:
    return load<int8_t>(data, index);
  case DType::U8:
    return load<uint8_t>(data, index);
  case DType::Bool:
    return load<uint8_t>(data, index) != 0;
  }
  return 0;
}

void writeElement(void *data, DType dtype, int64_t index, double value) {
  switch (dtype) {
  case DType::F64:
    return store(data, index, value);
  case DType::F32:
    return store(data, index, static_cast<float>(value));
  case DType::F16:
    return store(data, index, toHalf(value));
  case DType::BF16:
    return store(data, index, toBfloat(value));
  case DType::I64:
    return store(data, index, saturate<int64_t>(value));
  case DType::I32:
    return store(data, index, saturate<int32_t>(value));
  case DType::I8:
    return store(data, index, saturate<int8_t>(value));
  case DType::U8:
    return store(data, index, saturate<uint8_t>(value));
  case DType::Bool:
    return store<uint8_t>(data, index, value != 0);
  }
}

double TensorData::get(int64_t index) const {
  return readElement(bytes.data(), dtype, index);
}

void TensorData::set(int64_t index, double value) {
  writeElement(bytes.data(), dtype, index, value);
}

int64_t TensorData::getInteger(int64_t index) const {
  if (dtype == DType::I64)
    return load<int64_t>(bytes.data(), index);
  return saturate<int64_t>(get(index));
}

void TensorData::setInteger(int64_t index, int64_t value) {
  switch (dtype) {
  case DType::I64:
    return store(bytes.data(), index, value);
  case DType::I32:
    return store(bytes.data(), index, static_cast<int32_t>(value));
  case DType::I8:
  case DType::U8:
    return store(bytes.data(), index, static_cast<uint8_t>(value));
  case DType::Bool:
    return store<uint8_t>(bytes.data(), index, value != 0);
  case DType::F32: // not through double, which would round twice
    return store(bytes.data(), index, static_cast<float>(value));
  default:
    return set(index, static_cast<double>(value));
  }
}

TensorData TensorData::convert(DType to) const {
  if (to == dtype)
    return *this;
  TensorData result;
  result.dtype = to;
  result.shape = shape;
  int64_t count = numElements();
  result.bytes.resize(count * dtypeSize(to));
  if (isFloat(dtype)) {
    for (int64_t i = 0; i < count; ++i)
      result.set(i, get(i));
  } else {
    for (int64_t i = 0; i < count; ++i)
      result.setInteger(i, getInteger(i));
  }
  return result;
}

std::string formatType(DType dtype, const std::vector<int64_t> &shape) {
  return concat(dtypeName(dtype), ' ', formatShape(shape));
}

} // namespace tenon::artifact
