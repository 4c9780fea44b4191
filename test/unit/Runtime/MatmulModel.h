//===- MatmulModel.h - a model with a library call and a loop -------------===//
//
// Part of the Tenon project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef TENON_TEST_UNIT_RUNTIME_MATMULMODEL_H
#define TENON_TEST_UNIT_RUNTIME_MATMULMODEL_H

#include "TestProgram.h"

#include <gtest/gtest.h>

#include <cmath>
#include <memory>
#include <string>
#include <vector>

namespace tenon::runtime {

inline artifact::Expected<std::unique_ptr<Model>>
load(const tenon_program &program, tenon_load_options options) {
  const tenon_program *programs[] = {&program, nullptr};
  LoadSettings settings;
  settings.options = options;
  return Model::load(programs, settings);
}

inline std::string loadError(const tenon_program &program,
                             tenon_load_options options) {
  auto model = load(program, options);
  return model ? "" : model.error();
}

/// y[m, n] = x[m, k] * w[k, n] + 1, where w is a parameter.
struct MatmulModel {
  TestProgram test;
  int64_t shapes[3][2] = {{64, 96}, {96, 128}, {64, 128}};
  tenon_call_operand operands[3];
  tenon_call call = {};

  MatmulModel() {
    for (int i = 0; i < 3; ++i)
      operands[i] = {{TENON_DL_FLOAT, 32, 1}, 2, shapes[i], nullptr};
    call.primitive = TENON_PRIMITIVE_MATMUL;
    call.num_operands = 3;
    call.operands = operands;
    call.constant_weight = 1;
    int32_t x = test.addInput("x", {64, 96}),
            y = test.addOutput("y", {64, 128});
    int32_t w = test.addParam("w", {96, 128});
    int32_t t = test.addArena(64 * 128 * 4, 0, 0, 1);
    test.addLibrary("matmul", {x, w, t}, call);
    test.addKernel("add", {t, y}, addOne, 64 * 128);
    test.entry.arena_bytes = 64 * 128 * 4;
  }

  static void addOne(const int64_t *, void *const *buffers, void *, int64_t lo,
                     int64_t hi) {
    const float *in = static_cast<const float *>(buffers[0]);
    float *out = static_cast<float *>(buffers[1]);
    for (int64_t i = lo; i < hi; ++i)
      out[i] = in[i] + 1;
  }
  tenon_load_options drawn() const {
    tenon_load_options options = {};
    options.options.random_params = 1;
    return options;
  }
};

inline std::vector<float> resultOf(Model &model) {
  TestTensor x({64, 96}), y({64, 128}, NAN);
  for (size_t i = 0; i < x.data.size(); ++i)
    x.data[i] = float(i % 13) - 6;
  artifact::Status status = run(model, {&x}, {&y});
  EXPECT_TRUE(status) << status.error();
  return y.data;
}

} // namespace tenon::runtime

#endif // TENON_TEST_UNIT_RUNTIME_MATMULMODEL_H
