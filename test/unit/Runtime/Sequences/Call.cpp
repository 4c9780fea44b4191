//===- Call.cpp - one call, right or wrong
//----------------------------------===//
//
// Part of the Tenon project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Call.h"

#include <algorithm>
#include <cstring>

using namespace tenon::artifact;

namespace tenon::runtime {

static constexpr size_t guard = 16;
static constexpr float guardValue = 1234567;
static constexpr float untouched = -7654321;

Call::Call(SequenceModel &model, Sizes symbols, Content content)
    : symbols(std::move(symbols)), model(model), content(content),
      numInputs(static_cast<size_t>(model.test.entry.num_inputs)),
      numOutputs(static_cast<size_t>(model.test.entry.num_outputs)) {
  Values inputs = model.inputsFor(this->symbols, content);
  for (Sizes &shape : model.shapesFor(this->symbols)) {
    Tensor &tensor = tensors.emplace_back();
    tensor.count = 1;
    for (int64_t size : shape)
      tensor.count *= static_cast<size_t>(size);
    size_t number = tensors.size() - 1;
    tensor.data.assign(tensor.count, untouched);
    if (number < numInputs)
      tensor.data = inputs[number];
    tensor.data.insert(tensor.data.end(), guard, guardValue);
    tensor.place = tensor.data.data();
    tensor.shape = std::move(shape);
    // A right call may state them.
    tensor.strides.assign(tensor.shape.size(), 1);
    for (size_t axis = tensor.shape.size(); axis-- > 1;)
      tensor.strides[axis - 1] = tensor.strides[axis] * tensor.shape[axis];
    tenon_tensor view = {tensor.data.data(),
                         TENON_DEVICE_CPU,
                         0,
                         static_cast<int32_t>(tensor.shape.size()),
                         {TENON_DL_FLOAT, 32, 1},
                         tensor.shape.data(),
                         number % 2 ? tensor.strides.data() : nullptr,
                         0};
    (number < numInputs ? in : out).push_back(view);
    if (number >= numInputs)
      given.push_back(tensor.data.data());
  }
}

size_t Call::roomFor(size_t number) const {
  return tensors[number].count + guard;
}

void Call::moveToDevice(size_t number, float *memory) {
  Tensor &tensor = tensors[number];
  std::copy(tensor.data.begin(), tensor.data.end(), memory);
  tensor.place = memory;
  bool isInput = number < numInputs;
  tenon_tensor &view = isInput ? in[number] : out[number - numInputs];
  view.data = memory;
  view.device_type = TENON_DEVICE_CUDA;
  if (!isInput)
    given[number - numInputs] = memory;
}

void Call::donate() {
  isDonated = true;
  for (size_t i = 0; i < numInputs; ++i)
    if (int32_t to = model.test.entry.donations[i]; to >= 0) {
      size_t output = static_cast<size_t>(to);
      out[output].data = in[i].data;
      out[output].device_type = in[i].device_type;
      given[output] = tensors[i].place;
    }
}

bool Call::spoil(Random &random, bool toRun) {
  switch (draw(random, 8)) {
  case 0:
    in.push_back(in[0]);
    return true;
  case 1:
    in.pop_back();
    return true;
  case 2:
    out.push_back(out[0]);
    return true;
  case 3:
    out.pop_back();
    return true;
  case 4:
    (draw(random, 2) ? hasNoInputs : hasNoOutputs) = true;
    return true;
  case 5:
    if (model.refused.empty())
      return false;
    for (size_t i = 0; i < tensors.size(); ++i) {
      // Data of other sizes: nothing may read it.
      Sizes shape = model.shapesFor(model.refused[0])[i];
      std::copy(shape.begin(), shape.end(), tensors[i].shape.begin());
    }
    for (tenon_tensor &tensor : in)
      tensor.strides = nullptr;
    return true;
  case 6:
    return spoilTensor(random, /*isInput=*/false, toRun);
  default:
    return spoilTensor(random, /*isInput=*/true, toRun);
  }
}

bool Call::spoilTensor(Random &random, bool isInput, bool toRun) {
  size_t index = draw(random, isInput ? numInputs : numOutputs);
  Tensor &tensor = tensors[isInput ? index : numInputs + index];
  tenon_tensor &view = isInput ? in[index] : out[index];
  size_t rank = tensor.shape.size();
  size_t axis = rank > 0 ? draw(random, rank) : 0;
  int64_t &size = view.shape[axis];
  size_t way = draw(random, toRun ? 16 : 6);
  // `inferShapes` does not read the fields that it writes.
  if (!isInput && !toRun && way != 1)
    return false;
  switch (way) {
  case 0:
    view.ndim += draw(random, 2) ? 1 : -1;
    return true;
  case 1:
    view.shape = nullptr;
    return true;
  case 2:
    size = -1 - static_cast<int64_t>(draw(random, 3));
    return true;
  case 3:
    size = int64_t(1) << (49 + draw(random, 14));
    return true;
  case 4: {
    // A size of the table, or one that another tensor has as well.
    const tenon_entry &entry = model.test.entry;
    const int64_t *table =
        isInput ? entry.inputs[index].shape : entry.outputs[index].shape;
    if (!toRun && table[axis] < 0)
      return false;
    size += 1;
    return true;
  }
  case 5:
    view.ndim = INT32_MAX;
    return true;
  case 6:
    view.dtype.bits = draw(random, 2) ? 64 : 8;
    return true;
  case 7:
    view.dtype.code = TENON_DL_INT;
    return true;
  case 8:
    view.dtype.lanes = static_cast<uint16_t>(draw(random, 2) * 4);
    return true;
  case 9:
    view.device_type = draw(random, 2) ? 0 : 7;
    return true;
  case 10:
    view.device_type = TENON_DEVICE_CUDA;
    view.device_id = 5;
    return true;
  default:
    break;
  }
  // Errors of the data count only if there is data.
  if (tensor.count == 0)
    return false;
  switch (way) {
  case 11:
    view.data = nullptr;
    return true;
  case 12:
    view.byte_offset = 1 + draw(random, 3);
    return true;
  case 13:
    view.byte_offset = UINT64_MAX - draw(random, 1000);
    return true;
  case 14:
    if (size == 1)
      return false;
    view.strides = tensor.strides.data();
    tensor.strides[axis] = -1;
    return true;
  default: {
    // Overlaps: in part, since as a whole some are allowed.
    if (isInput || in.empty() || tensors[0].count < 2)
      return false;
    view.data = tensors[0].data.data() + 1;
    return true;
  }
  }
}

Status Call::run(Model &instance) {
  return instance.run(hasNoInputs ? nullptr : in.data(), in.size(),
                      hasNoOutputs ? nullptr : out.data(), out.size());
}

Status Call::inferShapes(Model &instance) {
  for (tenon_tensor &tensor : out) {
    tensor.ndim = -1;
    tensor.dtype = {0, 0, 0};
  }
  for (size_t i = numInputs; i < tensors.size(); ++i)
    std::fill(tensors[i].shape.begin(), tensors[i].shape.end(), -1);
  return instance.inferShapes(hasNoInputs ? nullptr : in.data(), in.size(),
                              hasNoOutputs ? nullptr : out.data(), out.size());
}

/// Whether memory holds these bits; none is at no place.
static bool holds(const float *memory, const std::vector<float> &values) {
  return values.empty() ||
         std::memcmp(memory, values.data(), 4 * values.size()) == 0;
}

std::string Call::checkEnds() const {
  for (size_t i = 0; i < tensors.size(); ++i)
    for (size_t j = 0; j < guard; ++j)
      if (tensors[i].place[tensors[i].count + j] != guardValue)
        return concat(i < numInputs ? "input " : "output ",
                      i < numInputs ? i : i - numInputs,
                      " was written behind its end");
  return "";
}

std::string Call::compare() {
  const Values &expected = model.expected(symbols, content);
  for (size_t i = 0; i < numOutputs; ++i)
    if (!holds(given[i], expected[i]))
      return concat("output ", i, " differs from that of a new instance");
  if (!isDonated) {
    Values inputs = model.inputsFor(symbols, content);
    for (size_t i = 0; i < numInputs; ++i)
      if (!holds(tensors[i].place, inputs[i]))
        return concat("input ", i, " was written");
  }
  return checkEnds();
}

std::string Call::compareUntouched() const {
  for (size_t i = numInputs; i < tensors.size(); ++i)
    for (size_t j = 0; j < tensors[i].count; ++j)
      if (tensors[i].place[j] != untouched)
        return concat("output ", i - numInputs,
                      " was written by a call that was refused");
  return checkEnds();
}

std::string Call::compareShapes() {
  std::vector<Sizes> shapes = model.shapesFor(symbols);
  for (size_t i = 0; i < numOutputs; ++i)
    if (out[i].ndim != static_cast<int32_t>(shapes[numInputs + i].size()) ||
        out[i].dtype.bits != 32 ||
        tensors[numInputs + i].shape != shapes[numInputs + i])
      return concat("the sizes of output ", i, " are wrong");
  return "";
}

} // namespace tenon::runtime
