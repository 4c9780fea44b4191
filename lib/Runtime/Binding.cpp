//===- Binding.cpp - checks of a caller's tensors -------------------------===//
//
// Part of the Tenon project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Binding.h"
#include "StridedCopy.h"

#include <algorithm>
#include <limits>

using namespace tenon::artifact;

namespace tenon::runtime {

/// In tenon_value.shape, a size that `dims` computes.
static constexpr int64_t computedSize = INT64_MIN;

/// The limit on a tensor's size. It keeps products of sizes far from overflow.
static constexpr int64_t maxBytes = int64_t(1) << 48;

Binding::Binding(const tenon_entry &entry, int32_t cudaDevice)
    : entry(entry), cudaDevice(cudaDevice) {
  values.assign(entry.num_symbols + 1, 0);
  boundBy.assign(entry.num_symbols, -1);
  int32_t position = 0;
  for (int32_t i = 0; i < entry.num_inputs; ++i) {
    inputBegin.push_back(position);
    position += entry.inputs[i].rank;
  }
  for (int32_t i = 0; i < entry.num_outputs; ++i) {
    outputBegin.push_back(position);
    position += entry.outputs[i].rank;
  }
  sizes.assign(position, 0);
  conditionValues.assign(entry.num_conditions, 0);
  ranges.assign(entry.num_inputs + entry.num_outputs, TensorRange());
  checked = ranges;
}

Status Binding::checkConditions() {
  if (!entry.condition_values)
    return Status::success();
  entry.condition_values(values.data(), conditionValues.data());
  for (int32_t i = 0; i < entry.num_conditions; ++i) {
    // INT64_MAX means that the value cannot be represented.
    if (conditionValues[i] >= 0 &&
        conditionValues[i] < std::numeric_limits<int64_t>::max())
      continue;
    std::string where;
    for (int32_t symbol = 0; symbol < entry.num_symbols; ++symbol)
      where += concat(symbol ? ", " : "", entry.symbol_names[symbol], " = ",
                      values[symbol]);
    return makeError("the inputs' sizes do not fit the model: ",
                     entry.conditions[i], ", where ", where);
  }
  return Status::success();
}

Status Binding::bind(const tenon_tensor *inputs, size_t count) {
  if (count != static_cast<size_t>(entry.num_inputs))
    return makeError("expected ", entry.num_inputs, " inputs, but got ", count);
  if (count > 0 && !inputs)
    return makeError("the list of inputs is null");
  bool same = bound;
  for (int32_t i = 0; i < entry.num_inputs; ++i) {
    const tenon_value &value = entry.inputs[i];
    if (inputs[i].ndim != value.rank)
      return makeError(quoted("input", value.name), ": expected rank ",
                       value.rank, ", but got ", inputs[i].ndim);
    if (value.rank > 0 && !inputs[i].shape)
      return makeError(quoted("input", value.name), ": its shape is null");
    same = same && std::equal(inputs[i].shape, inputs[i].shape + value.rank,
                              sizes.begin() + inputBegin[i]);
  }
  if (same)
    return Status::success();

  bound = false;
  std::fill(boundBy.begin(), boundBy.end(), -1);
  for (int32_t i = 0; i < entry.num_inputs; ++i) {
    const tenon_value &value = entry.inputs[i];
    int64_t elements = 1;
    for (int32_t axis = 0; axis < value.rank; ++axis) {
      int64_t size = inputs[i].shape[axis], expected = value.shape[axis];
      // This also applies to empty tensors: another tensor may have this size.
      if (size < 0 || size > maxBytes / std::max<int64_t>(elements, 1))
        return makeError(
            quoted("input", value.name), ": axis ", axis,
            ": expected a size of at least 0 that fits in memory, but got ",
            size);
      elements *= size;
      sizes[inputBegin[i] + axis] = size;
      if (expected >= 0 && size != expected)
        return makeError(quoted("input", value.name), ": axis ", axis,
                         ": expected size ", expected, ", but got ", size);
      if (expected >= 0 || expected == computedSize)
        continue;
      int64_t symbol = -1 - expected;
      if (boundBy[symbol] < 0) {
        boundBy[symbol] = i;
        values[symbol] = size;
      } else if (values[symbol] != size) {
        return makeError(quoted("input", value.name), ": axis ", axis,
                         ": expected size ", values[symbol], " (dimension '",
                         entry.symbol_names[symbol], "', as in input '",
                         entry.inputs[boundBy[symbol]].name, "'), but got ",
                         size);
      }
    }
  }
  for (int32_t symbol = 0; symbol < entry.num_symbols; ++symbol)
    if (boundBy[symbol] < 0)
      return makeError("dimension '", entry.symbol_names[symbol],
                       "' is not the size of any input's axis");

  if (entry.dims) {
    entry.dims(values.data(), sizes.data());
  } else {
    for (int32_t i = 0; i < entry.num_outputs; ++i)
      for (int32_t axis = 0; axis < entry.outputs[i].rank; ++axis) {
        int64_t size = entry.outputs[i].shape[axis];
        sizes[outputBegin[i] + axis] = size >= 0 ? size : values[-1 - size];
      }
  }
  for (int32_t i = 0; i < entry.num_inputs; ++i)
    for (int32_t axis = 0; axis < entry.inputs[i].rank; ++axis)
      if (sizes[inputBegin[i] + axis] != inputs[i].shape[axis])
        return makeError(quoted("input", entry.inputs[i].name), ": axis ", axis,
                         ": expected size ", sizes[inputBegin[i] + axis],
                         ", but got ", inputs[i].shape[axis]);
  for (int32_t i = 0; i < entry.num_outputs; ++i) {
    int64_t elements = 1;
    for (int32_t axis = 0; axis < entry.outputs[i].rank; ++axis) {
      int64_t size = sizes[outputBegin[i] + axis];
      if (size < 0 || (elements > 0 && size > maxBytes / elements))
        return makeError(quoted("output", entry.outputs[i].name), ": axis ",
                         axis, " would have the impossible size ", size,
                         " for inputs of this shape");
      elements *= size;
    }
  }
  if (Status status = checkConditions(); !status)
    return status;
  bound = true;
  return Status::success();
}

/// Tensors with gaps are copied before the first step and after the last, so
/// only outputs with a common element interfere.
bool Binding::mayShare(int32_t a, int32_t b,
                       const tenon_tensor *outputs) const {
  if (ranges[a].isDense && ranges[b].isDense)
    return false;
  int32_t numInputs = entry.num_inputs;
  return a < numInputs ||
         !haveCommonElements(outputs[a - numInputs], outputs[b - numInputs]);
}

Status Binding::checkOverlaps(const tenon_tensor *outputs) const {
  int32_t numInputs = entry.num_inputs;
  int32_t all = numInputs + entry.num_outputs;
  auto name = [&](int32_t i) {
    return i < numInputs ? quoted("input", entry.inputs[i].name)
                         : quoted("output", entry.outputs[i - numInputs].name);
  };
  for (int32_t o = numInputs; o < all; ++o)
    for (int32_t i = 0; i < o; ++i) {
      if (ranges[o].begin >= ranges[i].end || ranges[i].begin >= ranges[o].end)
        continue;
      if (mayShare(i, o, outputs))
        continue;
      bool donated = i < numInputs && entry.donations &&
                     entry.donations[i] == o - numInputs;
      if (donated && ranges[i].begin == ranges[o].begin &&
          ranges[i].end == ranges[o].end)
        continue;
      return makeError(name(o), donated ? " partly overlaps " : " overlaps ",
                       name(i),
                       donated ? ": expected the same memory or no overlap"
                               : ": expected separate memory");
    }
  return Status::success();
}

Status Binding::checkTensors(const tenon_tensor *inputs,
                             const tenon_tensor *outputs, size_t numOutputs) {
  if (numOutputs != static_cast<size_t>(entry.num_outputs))
    return makeError("expected ", entry.num_outputs, " outputs, but got ",
                     numOutputs);
  if (numOutputs > 0 && !outputs)
    return makeError("the list of outputs is null");
  for (int32_t i = 0; i < entry.num_inputs; ++i)
    if (Status status =
            checkTensor({entry.inputs[i], "input", inputSizes(i), cudaDevice,
                         /*isWritten=*/false},
                        inputs[i], ranges[i]);
        !status)
      return status;
  for (int32_t i = 0; i < entry.num_outputs; ++i)
    if (Status status =
            checkTensor({entry.outputs[i], "output", outputSizes(i), cudaDevice,
                         /*isWritten=*/true},
                        outputs[i], ranges[entry.num_inputs + i]);
        !status)
      return status;
  allDense = true;
  bool moved = false;
  for (size_t i = 0; i < ranges.size(); ++i) {
    allDense &= ranges[i].isDense;
    moved |= ranges[i].begin != checked[i].begin ||
             ranges[i].end != checked[i].end || !ranges[i].isDense;
  }
  // The check is quadratic, so it runs only if an address has changed.
  if (!moved)
    return Status::success();
  if (Status status = checkOverlaps(outputs); !status)
    return status;
  std::copy(ranges.begin(), ranges.end(), checked.begin());
  return Status::success();
}

} // namespace tenon::runtime
