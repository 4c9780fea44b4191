//===- DynamicCallTest.cpp - tests of oneDNN calls of any size ------------===//
//
// Part of the Tenon project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "TestProgram.h"

#include "tenon/Artifact/Philox.h"

#include <gtest/gtest.h>

#include <cmath>
#include <thread>

using namespace tenon;
using namespace tenon::runtime;
using artifact::Status;

/// y[n, 24] = x[n, 40] * p[40, 24] with p prepared from a parameter.
namespace {
class DynamicMatmul : public ::testing::Test {
protected:
  static constexpr int64_t in = 40, out = 24;
  TestProgram program;
  int64_t lhs[2] = {-1, in}, rhs[2] = {in, out}, result[2] = {-1, out};
  tenon_call_operand operands[3] = {
      {{TENON_DL_FLOAT, 32, 1}, 2, lhs, nullptr},
      {{TENON_DL_FLOAT, 32, 1}, 2, rhs, nullptr},
      {{TENON_DL_FLOAT, 32, 1}, 2, result, nullptr}};
  tenon_call call = {};

  void SetUp() override {
    program.addSymbol("n");
    int32_t x = program.addInput("x", {-1, in});
    int32_t y = program.addOutput("y", {-1, out});
    int32_t w = program.addParam("w", {in, out});
    int32_t p = program.addPrepared(in * out * 4);
    call.num_operands = 3;
    call.operands = operands;
    call.constant_weight = 1;
    program.addKernel(
        "prepare", {w, p},
        [](const int64_t *, void *const *buffers, void *, int64_t lo,
           int64_t hi) {
          for (int64_t i = lo; i < hi; ++i)
            static_cast<float *>(buffers[1])[i] =
                2 * static_cast<const float *>(buffers[0])[i];
        },
        in * out);
    program.addLibrary("matmul", {x, p, y}, call);
    program.numPrepareSteps = 1;
    program.entry.buffer_bytes = [](const int64_t *n, int64_t *bytes) {
      bytes[0] = n[0] * in * 4;
      bytes[1] = n[0] * out * 4;
      bytes[2] = bytes[3] = in * out * 4;
    };
    program.entry.dims = [](const int64_t *n, int64_t *sizes) {
      sizes[0] = sizes[2] = n[0];
      sizes[1] = in, sizes[3] = out;
    };
  }
};
} // namespace

TEST_F(DynamicMatmul, PacksOnceForAllSizes) {
  tenon_options options = {};
  options.random_params = 1;
  auto loaded = Model::load(program.get(), options, "");
  ASSERT_TRUE(loaded) << loaded.error();
  Model &model = **loaded;
  std::vector<float> w(in * out);
  artifact::fillRandom(
      w.data(), artifact::DType::F32, 0, in * out, artifact::streamKey(0, "w"),
      artifact::defaultParameterDistribution(artifact::DType::F32, {in, out}));
  // More sizes than plans are kept.
  for (int round = 0; round < 2; ++round)
    for (int64_t n = 0; n < 45; ++n) {
      TestTensor x({n, in}), y({n, out}, NAN);
      for (size_t i = 0; i < x.data.size(); ++i)
        x.data[i] = static_cast<float>(i % 11) - 5;
      Status status = run(model, {&x}, {&y});
      ASSERT_TRUE(status) << status.error();
      for (int64_t i = 0; i < n; ++i)
        for (int64_t j = 0; j < out; ++j) {
          double sum = 0;
          for (int64_t k = 0; k < in; ++k)
            sum += 2.0 * x.data[i * in + k] * w[k * out + j];
          ASSERT_NEAR(y.data[i * out + j], sum, 1e-4);
        }
    }
  // One packed copy serves all sizes, and the parameter and the prepared weight
  // are gone. (Columns are padded from 24 to 64, rows from 40 to 48.)
  EXPECT_LT(model.memoryBytes(), 48 * 64 * 4 + 4096);
}

TEST_F(DynamicMatmul, InstancesRunAtTheSameTime) {
  tenon_program &table = program.get();
  std::vector<std::thread> callers;
  std::vector<std::vector<float>> results(2);
  for (int caller = 0; caller < 2; ++caller)
    callers.emplace_back([&, caller] {
      tenon_options options = {};
      options.random_params = 1;
      auto loaded = Model::load(table, options, "");
      ASSERT_TRUE(loaded) << loaded.error();
      for (int64_t round = 0; round < 60; ++round) {
        int64_t n = 1 + (round * 5 + caller) % 37;
        TestTensor x({n, in}, 1), y({n, out}, NAN);
        Status status = run(**loaded, {&x}, {&y});
        ASSERT_TRUE(status) << status.error();
        std::vector<float> row(y.data.end() - out, y.data.end());
        if (round == 0)
          results[caller] = row;
        for (int64_t j = 0; j < out; ++j)
          ASSERT_NEAR(row[j], results[caller][j], 1e-4);
      }
    });
  for (std::thread &caller : callers)
    caller.join();
  for (int64_t j = 0; j < out; ++j)
    EXPECT_NEAR(results[0][j], results[1][j], 1e-4);
}

/// y[b, m, 24] = x[b, m, 40] * w[40, 24], where x lies as [m, b, 40]: batches
/// and rows are one axis of a product only when one of them is 1.
TEST(DynamicCall, OnePackedWeightBecomesAnother) {
  constexpr int64_t in = 40, out = 24;
  TestProgram program;
  program.addSymbol("b");
  program.addSymbol("m");
  int64_t lhs[] = {-1, -2, in}, rhs[] = {in, out}, result[] = {-1, -2, out};
  int32_t order[] = {1, 0, 2};
  tenon_dtype f32 = {TENON_DL_FLOAT, 32, 1};
  tenon_call_operand operands[] = {
      {f32, 3, lhs, order}, {f32, 2, rhs, nullptr}, {f32, 3, result, nullptr}};
  tenon_call call = {};
  call.num_operands = 3;
  call.operands = operands;
  call.constant_weight = 1;
  int32_t x = program.addInput("x", {-2, -1, in});
  int32_t y = program.addOutput("y", {-1, -2, out});
  int32_t w = program.addParam("w", {in, out});
  program.addLibrary("matmul", {x, w, y}, call);
  program.entry.buffer_bytes = [](const int64_t *n, int64_t *bytes) {
    bytes[0] = n[0] * n[1] * in * 4;
    bytes[1] = n[0] * n[1] * out * 4;
    bytes[2] = in * out * 4;
  };
  tenon_options options = {};
  options.random_params = 1; // freed once it is packed
  auto loaded = Model::load(program.get(), options, "");
  ASSERT_TRUE(loaded) << loaded.error();
  std::vector<float> weights(in * out);
  artifact::fillRandom(
      weights.data(), artifact::DType::F32, 0, in * out,
      artifact::streamKey(0, "w"),
      artifact::defaultParameterDistribution(artifact::DType::F32, {in, out}));
  for (auto [b, m] : {std::pair(1, 5), std::pair(3, 5), std::pair(4, 1)}) {
    TestTensor input({m, b, in}), actual({b, m, out}, NAN);
    for (size_t i = 0; i < input.data.size(); ++i)
      input.data[i] = static_cast<float>(i % 7) - 3;
    Status status = run(**loaded, {&input}, {&actual});
    ASSERT_TRUE(status) << status.error();
    for (int64_t i = 0; i < b * m; ++i)
      for (int64_t j = 0; j < out; ++j) {
        double sum = 0;
        for (int64_t k = 0; k < in; ++k)
          sum +=
              input.data[((i % m) * b + i / m) * in + k] * weights[k * out + j];
        ASSERT_NEAR(actual.data[i * out + j], sum, 1e-4) << b << " " << m;
      }
  }
}
