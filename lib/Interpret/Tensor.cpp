//===- Tensor.cpp - values of the reference interpreter -----------------===//
//
// Part of the Tenon project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "tenon/Interpret/Tensor.h"
#include "llvm/Support/MathExtras.h"

#include <cstdlib>

using namespace mlir;
using namespace tenon::interpret;

/// Allocates zeroed memory that is freed with the last copy; returns null if
/// there is not enough memory.
template <typename T> static std::shared_ptr<T> allocateZeroed(size_t count) {
  // Allocate at least one element, since an empty tensor is not a null tensor.
  void *memory = std::calloc(std::max<size_t>(count, 1), sizeof(T));
  if (!memory)
    return nullptr;
  return std::shared_ptr<T>(static_cast<T *>(memory),
                            [](T *data) { std::free(data); });
}

FailureOr<Tensor> Tensor::allocate(Type elementType, ArrayRef<int64_t> shape) {
  Tensor tensor;
  tensor.elementType = elementType;
  tensor.shape.assign(shape.begin(), shape.end());
  tensor.numElements = 1;
  for (int64_t size : shape) {
    if (size < 0 ||
        llvm::MulOverflow(tensor.numElements, size, tensor.numElements))
      return failure();
  }
  if (tensor.numElements > (int64_t(1) << 48))
    return failure();
  tensor.cells = allocateZeroed<Cell>(tensor.numElements);
  if (!tensor.cells)
    return failure();
  return tensor;
}

Tensor Tensor::of(Type elementType, ArrayRef<int64_t> shape,
                  ArrayRef<double> values) {
  FailureOr<Tensor> tensor = allocate(elementType, shape);
  assert(succeeded(tensor) &&
         tensor->numElements == static_cast<int64_t>(values.size()) &&
         "one value per element");
  bool isFloat = isa<FloatType>(elementType);
  for (auto [cell, value] : llvm::zip(
           MutableArrayRef<Cell>(tensor->data(), values.size()), values)) {
    if (isFloat)
      cell.number = value;
    else
      cell.integer = static_cast<int64_t>(value);
  }
  return *tensor;
}

void Tensor::trackErrors() {
  errorCells = allocateZeroed<double>(numElements);
  excludedCells = allocateZeroed<uint8_t>(numElements);
}

Tensor Tensor::withoutErrors() const {
  Tensor tensor = *this;
  tensor.errorCells = nullptr;
  tensor.excludedCells = nullptr;
  return tensor;
}
