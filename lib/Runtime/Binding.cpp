//===- Binding.cpp - checking what a caller passes ----------------------===//
//
// Part of the Tenon project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Binding.h"

#include "tenon/Artifact/DType.h"

#include <algorithm>
#include <limits>

using namespace tenon::artifact;

namespace tenon::runtime {

/// A size that `dims` computes, in tenon_value.shape.
static constexpr int64_t computedSize = INT64_MIN;

/// No tensor is larger: products of sizes stay far from overflow.
static constexpr int64_t maxBytes = int64_t(1) << 48;

Binding::Binding(const tenon_program &program, int32_t cudaDevice)
    : program(program), cudaDevice(cudaDevice) {
  values.assign(program.num_symbols + 1, 0);
  boundBy.assign(program.num_symbols, -1);
  int32_t position = 0;
  for (int32_t i = 0; i < program.num_inputs; ++i) {
    inputBegin.push_back(position);
    position += program.inputs[i].rank;
  }
  for (int32_t i = 0; i < program.num_outputs; ++i) {
    outputBegin.push_back(position);
    position += program.outputs[i].rank;
  }
  sizes.assign(position, 0);
  conditionValues.assign(program.num_conditions, 0);
  ranges.assign(program.num_inputs + program.num_outputs, {0, 0});
  checked = ranges;
}

static std::string dtypeText(tenon_dtype dtype) {
  if (std::optional<DType> known = fromDLDType(dtype))
    return dtypeName(*known);
  return concat("code ", dtype.code, " with ", dtype.bits, " bits and ",
                dtype.lanes, " lanes");
}

static std::string quoted(const char *what, const char *name) {
  return concat(what, " '", name, "'");
}

Status Binding::checkConditions() {
  if (!program.condition_values)
    return Status::success();
  program.condition_values(values.data(), conditionValues.data());
  for (int32_t i = 0; i < program.num_conditions; ++i) {
    // The greatest number stands for one that can't be represented.
    if (conditionValues[i] >= 0 &&
        conditionValues[i] < std::numeric_limits<int64_t>::max())
      continue;
    std::string where;
    for (int32_t symbol = 0; symbol < program.num_symbols; ++symbol)
      where += concat(symbol ? ", " : "", program.symbol_names[symbol], " = ",
                      values[symbol]);
    return makeError("the inputs' sizes do not fit the model: ",
                     program.conditions[i], ", where ", where);
  }
  return Status::success();
}

Status Binding::bind(const tenon_tensor *inputs, size_t count) {
  if (count != static_cast<size_t>(program.num_inputs))
    return makeError("expected ", program.num_inputs, " inputs, but got ",
                     count);
  if (count > 0 && !inputs)
    return makeError("the list of inputs is null");
  bool same = bound;
  for (int32_t i = 0; i < program.num_inputs; ++i) {
    const tenon_value &value = program.inputs[i];
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
  for (int32_t i = 0; i < program.num_inputs; ++i) {
    const tenon_value &value = program.inputs[i];
    int64_t elements = 1;
    for (int32_t axis = 0; axis < value.rank; ++axis) {
      int64_t size = inputs[i].shape[axis], expected = value.shape[axis];
      // Of empty tensors, too: another tensor may have this size.
      if (size < 0 || size > maxBytes / std::max<int64_t>(elements, 1))
        return makeError(quoted("input", value.name), ": axis ", axis,
                         ": the size ", size, " is not possible");
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
                         program.symbol_names[symbol], "', as in input '",
                         program.inputs[boundBy[symbol]].name, "'), but got ",
                         size);
      }
    }
  }
  for (int32_t symbol = 0; symbol < program.num_symbols; ++symbol)
    if (boundBy[symbol] < 0)
      return makeError("dimension '", program.symbol_names[symbol],
                       "' is the size of no input's axis");

  if (program.dims) {
    program.dims(values.data(), sizes.data());
  } else {
    for (int32_t i = 0; i < program.num_outputs; ++i)
      for (int32_t axis = 0; axis < program.outputs[i].rank; ++axis) {
        int64_t size = program.outputs[i].shape[axis];
        sizes[outputBegin[i] + axis] = size >= 0 ? size : values[-1 - size];
      }
  }
  for (int32_t i = 0; i < program.num_inputs; ++i)
    for (int32_t axis = 0; axis < program.inputs[i].rank; ++axis)
      if (sizes[inputBegin[i] + axis] != inputs[i].shape[axis])
        return makeError(quoted("input", program.inputs[i].name), ": axis ",
                         axis, ": expected size ", sizes[inputBegin[i] + axis],
                         ", but got ", inputs[i].shape[axis]);
  for (int32_t i = 0; i < program.num_outputs; ++i) {
    int64_t elements = 1;
    for (int32_t axis = 0; axis < program.outputs[i].rank; ++axis) {
      int64_t size = sizes[outputBegin[i] + axis];
      if (size < 0 || (elements > 0 && size > maxBytes / elements))
        return makeError(quoted("output", program.outputs[i].name), ": axis ",
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

Status Binding::checkPlace(const tenon_value &value, const char *what,
                           const tenon_tensor &tensor) const {
  if (tensor.device_type == TENON_DEVICE_CPU)
    return Status::success();
  bool isCuda = tensor.device_type == TENON_DEVICE_CUDA;
  if (cudaDevice < 0 || !isCuda)
    return makeError(quoted(what, value.name),
                     ": expected data in host memory (device type 1)",
                     cudaDevice < 0 ? "" : " or of CUDA (2)",
                     ", but got device type ", tensor.device_type);
  if (tensor.device_id != cudaDevice)
    return makeError(quoted(what, value.name),
                     ": expected data on CUDA device ", cudaDevice,
                     ", where the model is, but got device ", tensor.device_id);
  return Status::success();
}

Status Binding::checkTensor(const tenon_value &value, const char *what,
                            const tenon_tensor &tensor, const int64_t *expected,
                            Range &range) const {
  if (Status status = checkPlace(value, what, tensor); !status)
    return status;
  if (tensor.dtype.code != value.dtype.code ||
      tensor.dtype.bits != value.dtype.bits || tensor.dtype.lanes != 1)
    return makeError(quoted(what, value.name), ": expected element type ",
                     dtypeText(value.dtype), ", but got ",
                     dtypeText(tensor.dtype));
  if (tensor.ndim != value.rank)
    return makeError(quoted(what, value.name), ": expected rank ", value.rank,
                     ", but got ", tensor.ndim);
  if (value.rank > 0 && !tensor.shape)
    return makeError(quoted(what, value.name), ": its shape is null");
  int64_t elements = 1;
  for (int32_t axis = 0; axis < value.rank; ++axis) {
    if (tensor.shape[axis] != expected[axis])
      return makeError(quoted(what, value.name), ": axis ", axis,
                       ": expected size ", expected[axis], ", but got ",
                       tensor.shape[axis]);
    elements *= expected[axis];
  }
  if (tensor.strides && elements > 0) {
    int64_t stride = 1;
    for (int32_t axis = value.rank; axis-- > 0;) {
      // The stride of an axis of size 1 is never used.
      if (expected[axis] != 1 && tensor.strides[axis] != stride)
        return makeError(quoted(what, value.name), ": axis ", axis,
                         ": expected stride ", stride,
                         " (dense, row-major), but got ", tensor.strides[axis]);
      stride *= expected[axis];
    }
  }
  range = {0, 0};
  if (elements == 0)
    return Status::success();
  if (!tensor.data)
    return makeError(quoted(what, value.name), ": its data is null");
  uintptr_t data = reinterpret_cast<uintptr_t>(tensor.data);
  int64_t elementBytes = value.dtype.bits / 8;
  uintptr_t begin = data + tensor.byte_offset;
  uintptr_t end = begin + static_cast<uintptr_t>(elements * elementBytes);
  if (begin < data || end < begin)
    return makeError(quoted(what, value.name), ": expected data that ends ",
                     "within memory, but got ", elements * elementBytes,
                     " bytes at offset ", tensor.byte_offset);
  if (begin % static_cast<uintptr_t>(elementBytes) != 0)
    return makeError(quoted(what, value.name),
                     ": expected data aligned to its elements of ",
                     elementBytes, " bytes");
  range = {begin, end};
  return Status::success();
}

Status Binding::checkOverlaps() const {
  int32_t numInputs = program.num_inputs;
  int32_t all = numInputs + program.num_outputs;
  auto name = [&](int32_t i) {
    return i < numInputs
               ? quoted("input", program.inputs[i].name)
               : quoted("output", program.outputs[i - numInputs].name);
  };
  for (int32_t o = numInputs; o < all; ++o)
    for (int32_t i = 0; i < o; ++i) {
      if (ranges[o].begin >= ranges[i].end || ranges[i].begin >= ranges[o].end)
        continue;
      bool donated = i < numInputs && program.donations &&
                     program.donations[i] == o - numInputs;
      if (donated && ranges[i].begin == ranges[o].begin &&
          ranges[i].end == ranges[o].end)
        continue;
      return makeError(name(o), " overlaps ", name(i),
                       donated ? " in part: expected the same memory or none"
                               : ": expected memory of its own");
    }
  return Status::success();
}

Status Binding::checkTensors(const tenon_tensor *inputs,
                             const tenon_tensor *outputs, size_t numOutputs) {
  if (numOutputs != static_cast<size_t>(program.num_outputs))
    return makeError("expected ", program.num_outputs, " outputs, but got ",
                     numOutputs);
  if (numOutputs > 0 && !outputs)
    return makeError("the list of outputs is null");
  for (int32_t i = 0; i < program.num_inputs; ++i)
    if (Status status = checkTensor(program.inputs[i], "input", inputs[i],
                                    sizes.data() + inputBegin[i], ranges[i]);
        !status)
      return status;
  for (int32_t i = 0; i < program.num_outputs; ++i)
    if (Status status =
            checkTensor(program.outputs[i], "output", outputs[i],
                        outputSizes(i), ranges[program.num_inputs + i]);
        !status)
      return status;
  // Quadratic: only when something moved since the last time.
  if (std::equal(ranges.begin(), ranges.end(), checked.begin(),
                 [](const Range &a, const Range &b) {
                   return a.begin == b.begin && a.end == b.end;
                 }))
    return Status::success();
  if (Status status = checkOverlaps(); !status)
    return status;
  std::copy(ranges.begin(), ranges.end(), checked.begin());
  return Status::success();
}

} // namespace tenon::runtime
