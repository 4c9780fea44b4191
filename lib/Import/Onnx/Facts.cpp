//===- Facts.cpp - small tensors known at import --------------------------===//
//
// Part of the Tenon project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Facts.h"

#include <cmath>
#include <limits>

using namespace tenon;
using namespace tenon::onnx;
using artifact::DType;
using graph::Shape;
using graph::SymInt;

/// Doubles represent integers exactly up to this value.
static constexpr double maxExact = 9007199254740992.0;

/// The minimum of int64_t, exactly.
static constexpr double leastInteger = -9223372036854775808.0;

Fact::Fact(int64_t value) : value(graph::SymInt(value)) {
  if (value == std::numeric_limits<int64_t>::min())
    this->value = leastInteger;
}

std::optional<SymInt> tenon::onnx::getBound(const Fact &fact) {
  if (const SymInt *integer = fact.getInteger())
    return *integer;
  if (fact.getNumber() == leastInteger)
    return SymInt(-std::numeric_limits<int64_t>::max());
  return std::nullopt;
}

Fact Fact::number(double value) {
  if (std::floor(value) == value && std::fabs(value) < maxExact &&
      !(value == 0 && std::signbit(value)))
    return Fact(static_cast<int64_t>(value));
  return Fact(value);
}

std::optional<double> Fact::getNumber() const {
  if (const double *number = std::get_if<double>(&value))
    return *number;
  std::optional<int64_t> integer = getConstantInteger();
  return integer ? std::optional<double>(*integer) : std::nullopt;
}

std::optional<int64_t> Fact::getConstantInteger() const {
  const SymInt *integer = getInteger();
  return integer ? integer->getConstant() : std::nullopt;
}

std::optional<Shape> FactTensor::getIntegers() const {
  Shape values;
  for (const Fact &element : elements) {
    const SymInt *integer = element.getInteger();
    if (!integer)
      return std::nullopt;
    values.push_back(*integer);
  }
  return values;
}

std::optional<llvm::SmallVector<int64_t>>
FactTensor::getConstantIntegers() const {
  llvm::SmallVector<int64_t> values;
  for (const Fact &element : elements) {
    std::optional<int64_t> integer = element.getConstantInteger();
    if (!integer)
      return std::nullopt;
    values.push_back(*integer);
  }
  return values;
}

std::optional<llvm::SmallVector<double>> FactTensor::getNumbers() const {
  llvm::SmallVector<double> values;
  for (const Fact &element : elements) {
    std::optional<double> number = element.getNumber();
    std::optional<int64_t> integer = element.getConstantInteger();
    // Integers of more than 53 bits may not be numbers of this type.
    bool isExact = !integer || (std::abs(*number) < 0x1p63 &&
                                static_cast<int64_t>(*number) == *integer);
    if (!number || !isExact)
      return std::nullopt;
    values.push_back(*number);
  }
  return values;
}

bool FactTensor::isConstant() const {
  return llvm::all_of(elements, [](const Fact &element) {
    return element.getNumber().has_value();
  });
}

FactTensor FactTensor::vector(llvm::ArrayRef<SymInt> values) {
  FactTensor result;
  result.shape = {static_cast<int64_t>(values.size())};
  result.elements.assign(values.begin(), values.end());
  return result;
}

FactTensor FactTensor::scalar(SymInt value) {
  FactTensor result;
  result.elements.push_back(std::move(value));
  return result;
}

std::optional<FactTensor> FactTensor::fromTensor(const OnnxTensor &tensor) {
  int64_t count = tensor.numElements();
  if (count > maxFactElements)
    return std::nullopt;
  FactTensor result;
  result.dtype = tensor.dtype;
  result.shape = tensor.shape;
  for (int64_t i = 0; i < count; ++i)
    result.elements.push_back(artifact::isFloat(tensor.dtype)
                                  ? Fact::number(tensor.getNumber(i))
                                  : Fact(tensor.getInteger(i)));
  return result;
}

Fact tenon::onnx::roundTo(DType dtype, Fact value) {
  std::optional<double> number = value.getNumber();
  if (!number || !artifact::isFloat(dtype))
    return value;
  switch (dtype) {
  case DType::F32:
    return Fact::number(static_cast<float>(*number));
  case DType::F16:
    return Fact::number(artifact::halfToFloat(artifact::toHalf(*number)));
  case DType::BF16:
    return Fact::number(artifact::bfloatToFloat(artifact::toBfloat(*number)));
  default:
    return value;
  }
}
