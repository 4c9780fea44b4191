//===- SequenceModel.cpp - models for random sequences of calls -----------===//
//
// Part of the Tenon project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "SequenceModel.h"

#include "tenon/Artifact/Philox.h"

#include <gtest/gtest.h>

#include <cmath>

using namespace tenon::artifact;

namespace tenon::runtime {

Expected<std::unique_ptr<Model>> SequenceModel::load() {
  return Model::load(test.program, options, "");
}

std::vector<Sizes> SequenceModel::shapesFor(const Sizes &symbols) {
  const tenon_entry &entry = test.entry;
  std::vector<Sizes> shapes;
  auto add = [&](const tenon_value &value) {
    Sizes shape;
    for (int32_t axis = 0; axis < value.rank; ++axis) {
      int64_t size = value.shape[axis];
      shape.push_back(size >= 0 ? size
                                : symbols[static_cast<size_t>(-1 - size)]);
    }
    shapes.push_back(shape);
  };
  for (int32_t i = 0; i < entry.num_inputs; ++i)
    add(entry.inputs[i]);
  for (int32_t i = 0; i < entry.num_outputs; ++i)
    add(entry.outputs[i]);
  return shapes;
}

static size_t countOf(const Sizes &shape) {
  size_t count = 1;
  for (int64_t size : shape)
    count *= static_cast<size_t>(size);
  return count;
}

Values SequenceModel::inputsFor(const Sizes &symbols, Content content) {
  std::vector<Sizes> shapes = shapesFor(symbols);
  uint64_t key = 17;
  for (int64_t size : symbols)
    key = key * 31 + static_cast<uint64_t>(size);
  Values values;
  for (int32_t i = 0; i < test.entry.num_inputs; ++i) {
    std::vector<float> data(countOf(shapes[static_cast<size_t>(i)]));
    fillRandom(data.data(), DType::F32, 0, static_cast<int64_t>(data.size()),
               key + static_cast<uint64_t>(i), Distribution::uniform(-1, 1));
    if (content == Content::WithNan && !data.empty())
      data[data.size() / 2] = NAN;
    if (content == Content::FailsStep && !data.empty())
      data[0] = -1e9f;
    values.push_back(std::move(data));
  }
  return values;
}

const Values &SequenceModel::expected(const Sizes &symbols, Content content) {
  std::lock_guard<std::mutex> lock(mutex);
  auto [known, isNew] = results.try_emplace({symbols, content});
  Values &values = known->second;
  if (!isNew)
    return values;
  auto model = load();
  if (!model) {
    ADD_FAILURE() << name << ": " << model.error();
    return values;
  }
  Values inputs = inputsFor(symbols, content);
  std::vector<Sizes> shapes = shapesFor(symbols);
  std::vector<tenon_tensor> in, out;
  for (size_t i = 0; i < shapes.size(); ++i) {
    bool isInput = i < inputs.size();
    if (!isInput)
      values.emplace_back(countOf(shapes[i]), NAN);
    std::vector<float> &data = isInput ? inputs[i] : values.back();
    (isInput ? in : out)
        .push_back({data.data(),
                    1,
                    0,
                    static_cast<int32_t>(shapes[i].size()),
                    {TENON_DL_FLOAT, 32, 1},
                    shapes[i].data(),
                    nullptr,
                    0});
  }
  Status status = (*model)->run(in.data(), in.size(), out.data(), out.size());
  EXPECT_TRUE(status) << name << ": " << status.error();
  return values;
}

tenon_call_operand SequenceModel::operand(Sizes shape,
                                          std::vector<int32_t> order) {
  shapes.push_back(std::move(shape));
  bool isPlain = order.empty();
  orders.push_back(std::move(order));
  return {{TENON_DL_FLOAT, 32, 1},
          static_cast<int32_t>(shapes.back().size()),
          shapes.back().data(),
          isPlain ? nullptr : orders.back().data()};
}

tenon_call &SequenceModel::call(int32_t kind,
                                std::vector<tenon_call_operand> list) {
  operands.push_back(std::move(list));
  calls.push_back({});
  tenon_call &made = calls.back();
  made.primitive = kind;
  made.num_operands = static_cast<int32_t>(operands.back().size());
  made.operands = operands.back().data();
  static const int64_t zeros[8] = {}; // for fields of any primitive
  made.fields = zeros;
  return made;
}

int32_t SequenceModel::constant(int64_t count, uint64_t key) {
  constants.emplace_back(static_cast<size_t>(count));
  fillRandom(constants.back().data(), DType::F32, 0, count, key,
             Distribution::uniform(-1, 1));
  return test.addConstant(constants.back().data(), count * 4);
}

} // namespace tenon::runtime
