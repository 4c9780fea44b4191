//===- PluginCallTest.cpp - tests of calls of plug-ins --------------------===//
//
// Part of the Tenon project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "TestProgram.h"

#include "tenon/Artifact/Backend.h"

#include <gtest/gtest.h>

#include <cstdlib>
#include <dlfcn.h>

using namespace tenon;
using namespace tenon::runtime;
using artifact::Status;

/// y[b, n] = p[n] + 1 - x[b, n], item by item, by the plug-in counting.so: p is
/// a parameter. What the plug-in did is told by its function `counts`.
namespace {
struct Counts {
  int created, destroyed, ran, constants, threads;
  int64_t items, strides;
};

class PluginCall : public ::testing::Test {
protected:
  TestProgram program;
  tenon_plugin_operand operands[3] = {{{TENON_DL_FLOAT, 32, 1}, 1, 1, 0},
                                      {{TENON_DL_FLOAT, 32, 1}, 1, 0, 1},
                                      {{TENON_DL_FLOAT, 32, 1}, 1, 1, 0}};
  const char *names[1] = {"n"};
  tenon_plugin_call call = {};
  static constexpr int64_t n = 3;
  const float ones[n] = {1, 2, 3};

  void SetUp() override {
    ::setenv("TENON_BACKENDS", TENON_FIXTURES "/counting.so", 1);
    program.addSymbol("b");
    int32_t x = program.addInput("x", {-1, n});
    int32_t y = program.addOutput("y", {-1, n});
    int32_t p = program.addConstant(ones, sizeof ones);
    call.backend = "counting";
    call.file = "counting.so";
    call.pattern = "difference";
    call.patterns_hash = tenon_plugin_hash("difference");
    call.num_operands = 2;
    call.num_results = 1;
    call.operands = operands;
    call.num_symbols = 1;
    call.symbol_names = names;
    call.sizes = [](const int64_t *b, int64_t *sizes) {
      sizes[0] = b[0];
      for (int i = 1; i < 5; ++i)
        sizes[i] = n;
    };
    program.addPlugin("difference", {x, p, y}, call);
    program.entry.buffer_bytes = [](const int64_t *b, int64_t *bytes) {
      bytes[0] = bytes[1] = b[0] * n * 4;
      bytes[2] = n * 4;
    };
    program.entry.dims = [](const int64_t *b, int64_t *sizes) {
      sizes[0] = sizes[2] = b[0];
      sizes[1] = sizes[3] = n;
    };
  }
  void TearDown() override { ::unsetenv("TENON_BACKENDS"); }

  static Counts counts() {
    void *library = ::dlopen(TENON_FIXTURES "/counting.so", RTLD_NOW);
    return *reinterpret_cast<Counts *(*)()>(::dlsym(library, "counts"))();
  }
};
} // namespace

TEST_F(PluginCall, RunsEveryItemWithOneStatePerSize) {
  Counts before = counts();
  tenon_options options = {};
  options.threads = 2;
  auto loaded = Model::load(program.get(), options, "");
  ASSERT_TRUE(loaded) << loaded.error();
  for (int64_t b : {4, 1, 4, 0}) {
    TestTensor x({b, n}, 0), y({b, n}, -1);
    for (size_t i = 0; i < x.data.size(); ++i)
      x.data[i] = static_cast<float>(i * i);
    Status status = run(**loaded, {&x}, {&y});
    ASSERT_TRUE(status) << status.error();
    for (size_t i = 0; i < x.data.size(); ++i)
      EXPECT_EQ(y.data[i], ones[i % n] + 1 - x.data[i]) << i;
  }
  Counts after = counts();
  // For 4 items and for 1; without items, nothing is asked of the plug-in.
  EXPECT_EQ(after.created - before.created, 2);
  EXPECT_EQ(after.ran - before.ran, 9);
  EXPECT_EQ(after.constants - before.constants, 2);
  EXPECT_EQ(after.threads, 2);
  EXPECT_EQ(after.items, 4);
  EXPECT_EQ(after.strides, 1);
  *loaded = nullptr;
  EXPECT_EQ(counts().destroyed - before.destroyed, 2);
}

TEST_F(PluginCall, KeepsABoundedNumberOfStates) {
  Counts before = counts();
  auto loaded = Model::load(program.get(), {}, "");
  ASSERT_TRUE(loaded) << loaded.error();
  for (int64_t b = 1; b <= 40; ++b) {
    TestTensor x({b, n}, 0), y({b, n}, -1);
    ASSERT_TRUE(run(**loaded, {&x}, {&y}));
  }
  EXPECT_EQ(counts().created - before.created, 40);
  EXPECT_EQ(counts().destroyed - before.destroyed, 8);
}

TEST_F(PluginCall, ReportsWhatTheKernelSays) {
  auto loaded = Model::load(program.get(), {}, "");
  ASSERT_TRUE(loaded) << loaded.error();
  TestTensor x({2, n}, -1e9f), y({2, n}, 0);
  Status status = run(**loaded, {&x}, {&y});
  ASSERT_FALSE(status);
  EXPECT_EQ(status.error(), "step 'difference': the backend 'counting' failed: "
                            "too small");
}

TEST_F(PluginCall, RefusesTablesThatDoNotFit) {
  call.num_operands = 1;
  auto loaded = Model::load(program.get(), {}, "");
  ASSERT_FALSE(loaded);
  EXPECT_EQ(loaded.error(), "step 'difference': expected 2 buffers, but got 3");
}
