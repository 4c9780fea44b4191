//===- Binding.h - checks of a caller's tensors ---------------------------===//
//
// Part of the Tenon project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef TENON_LIB_RUNTIME_BINDING_H
#define TENON_LIB_RUNTIME_BINDING_H

#include "TensorCheck.h"

#include "tenon/Artifact/Program.h"
#include "tenon/Artifact/Status.h"

#include <cstdint>
#include <string>
#include <vector>

namespace tenon::runtime {

/// Derives the sizes of an entry's dimensions from a call's inputs, and checks
/// every tensor against them. It does not depend on the state of an instance
/// (see CallState). Allocates only for error messages.
class Binding {
public:
  /// `cudaDevice`: the device whose memory tensors may be in; -1: none.
  Binding(const tenon_entry &entry, int32_t cudaDevice);

  /// Reads the symbols from the inputs' shapes and checks all sizes. On
  /// failure, nothing is bound.
  artifact::Status bind(const tenon_tensor *inputs, size_t count);

  /// Checks types, sizes, strides, data and overlaps of all tensors. Requires a
  /// `bind` that succeeded.
  artifact::Status checkTensors(const tenon_tensor *inputs,
                                const tenon_tensor *outputs, size_t numOutputs);

  /// Returns the values of the entry's symbols, plus one more element; zeros
  /// before the first `bind`.
  const std::vector<int64_t> &symbols() const { return values; }
  /// Returns the sizes of output `index`.
  const int64_t *outputSizes(int32_t index) const {
    return sizes.data() + outputBegin[index];
  }

  const int64_t *inputSizes(int32_t index) const {
    return sizes.data() + inputBegin[index];
  }
  /// After `checkTensors`: whether all tensors are dense, or one tensor is.
  bool areDense() const { return allDense; }
  bool isDense(size_t tensor) const { return ranges[tensor].isDense; }

private:
  artifact::Status checkOverlaps(const tenon_tensor *outputs) const;
  bool mayShare(int32_t a, int32_t b, const tenon_tensor *outputs) const;
  artifact::Status checkConditions();
  std::string describeAxis(int32_t input, int32_t axis) const;

  const tenon_entry &entry;
  int32_t cudaDevice;
  std::vector<int64_t> values;  // has one element more than there are symbols
  std::vector<int32_t> boundBy; // the input that gave the symbol, or -1
  std::vector<int64_t> sizes;   // sizes of inputs, then outputs, axis by axis
  std::vector<int32_t> inputBegin, outputBegin; // positions in `sizes`
  std::vector<int64_t> conditionValues;
  std::vector<TensorRange> ranges;  // inputs, then outputs
  std::vector<TensorRange> checked; // ranges known to be free of overlaps
  bool allDense = true;
  bool bound = false; // whether `values` and `sizes` come from a valid call
};

} // namespace tenon::runtime

#endif // TENON_LIB_RUNTIME_BINDING_H
