//===- TensorData.h - a tensor held in memory -----------------------------===//
//
// Part of the Tenon project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef TENON_ARTIFACT_TENSORDATA_H
#define TENON_ARTIFACT_TENSORDATA_H

#include "tenon/Artifact/DType.h"
#include "tenon/Artifact/Status.h"

#include <cstdint>
#include <string>
#include <vector>

namespace tenon::artifact {

/// Returns the number of elements, or an error if a size is negative or the
/// tensor would take more than 2^48 bytes.
Expected<int64_t> countElements(const std::vector<int64_t> &shape,
                                size_t elementSize);

/// Reads one element, `data[index]`; conversions are those of
/// TensorData::convert.
double readElement(const void *data, DType dtype, int64_t index);
void writeElement(void *data, DType dtype, int64_t index, double value);

/// A dense row-major tensor. `bytes` always holds exactly the elements that
/// `shape` says.
struct TensorData {
  DType dtype = DType::F32;
  std::vector<int64_t> shape;
  std::vector<uint8_t> bytes;

  /// Creates a tensor of zeros.
  static Expected<TensorData> zeros(DType dtype, std::vector<int64_t> shape);

  int64_t numElements() const {
    return static_cast<int64_t>(bytes.size() / dtypeSize(dtype));
  }
  template <typename T> T *as() { return reinterpret_cast<T *>(bytes.data()); }
  template <typename T> const T *as() const {
    return reinterpret_cast<const T *>(bytes.data());
  }

  /// Returns element `index` in row-major order. Integers beyond 2^53 are
  /// rounded by `get`; `getInteger` is exact for them and truncates floats.
  double get(int64_t index) const;
  int64_t getInteger(int64_t index) const;
  /// Stores `value` in the tensor's element type: rounded to nearest for
  /// floats; truncated and saturated for integers (NaN gives 0); value != 0 for
  /// bool.
  void set(int64_t index, double value);
  void setInteger(int64_t index, int64_t value);

  /// Converts the values to another type as `set` does, except that integer to
  /// integer conversions wrap around, as in ONNX's Cast.
  TensorData convert(DType to) const;
};

/// Returns the type in one line, such as "f32 2x3".
std::string formatType(DType dtype, const std::vector<int64_t> &shape);

} // namespace tenon::artifact

#endif // TENON_ARTIFACT_TENSORDATA_H
