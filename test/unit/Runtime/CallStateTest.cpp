//===- CallStateTest.cpp - tests of calls that are refused or fail --------===//
//
// Part of the Tenon project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "TestProgram.h"

#include <gtest/gtest.h>

#include <atomic>
#include <cmath>
#include <functional>
#include <thread>

using namespace tenon;
using namespace tenon::runtime;
using artifact::Status;

static std::unique_ptr<Model> load(const tenon_program &program,
                                   tenon_options options = {}) {
  auto model = Model::load(program, options, "");
  EXPECT_TRUE(model) << model.error();
  return model ? std::move(*model) : nullptr;
}

static std::string loadError(const tenon_program &program,
                             tenon_options options) {
  auto model = Model::load(program, options, "");
  return model ? "" : model.error();
}

/// out[i] = in[i] + 1.
static void addOne(const int64_t *, void *const *buffers, void *, int64_t lo,
                   int64_t hi) {
  for (int64_t i = lo; i < hi; ++i)
    static_cast<float *>(buffers[1])[i] =
        static_cast<const float *>(buffers[0])[i] + 1;
}

/// y[n] = (x[n] + 1) + 1 through a dynamic arena.
static void makeDynamic(TestProgram &test) {
  test.addSymbol("n");
  int32_t x = test.addInput("x", {-1}), y = test.addOutput("y", {-1});
  int32_t t = test.addArena(-1, -1, 0, 1);
  test.addKernel("first", {x, t}, addOne, -1);
  test.addKernel("second", {t, y}, addOne, -1);
  test.entry.arena_bytes = -1;
  test.entry.buffer_bytes = [](const int64_t *n, int64_t *out) {
    out[0] = out[1] = out[2] = 4 * n[0];
  };
  test.entry.step_extents = [](const int64_t *n, int64_t *out) {
    out[0] = out[1] = n[0];
  };
}

static void expectRuns(Model &model, int64_t n) {
  TestTensor x({n}, 3), y({n}, NAN);
  Status status = run(model, {&x}, {&y});
  ASSERT_TRUE(status) << status.error();
  EXPECT_EQ(y.data, std::vector<float>(static_cast<size_t>(n), 5)) << n;
}

TEST(CallState, RefusedCallLeavesThePlan) {
  using List = std::vector<tenon_tensor>;
  int64_t other[] = {7, 7}, strides[] = {-1};
  const std::function<void(List &, List &)> changes[] = {
      [](List &in, List &) { in.clear(); },
      [](List &, List &out) { out.clear(); },
      [](List &, List &out) { out.push_back(out[0]); },
      [](List &in, List &) { in[0].ndim = 2; },
      [](List &, List &out) { out[0].ndim = 0; },
      [](List &in, List &) { in[0].shape = nullptr; },
      [&](List &, List &out) { out[0].shape = other; },
      [](List &in, List &) { in[0].dtype.bits = 64; },
      [](List &, List &out) { out[0].dtype.lanes = 4; },
      [](List &in, List &) { in[0].device_type = TENON_DEVICE_CUDA; },
      [](List &, List &out) { out[0].device_type = 0; },
      [](List &in, List &) { in[0].data = nullptr; },
      [](List &, List &out) { out[0].data = nullptr; },
      [&](List &in, List &) { in[0].strides = strides; },
      [](List &, List &out) { out[0].byte_offset = 2; },
      [](List &, List &out) { out[0].byte_offset = UINT64_MAX; },
      [](List &in, List &out) { out[0].data = in[0].data; },
  };
  TestProgram test;
  makeDynamic(test);
  auto model = load(test.get());
  for (const auto &change : changes) {
    expectRuns(*model, 1);
    TestTensor x({800}), y({800});
    List in = list({&x}), out = list({&y});
    change(in, out);
    ASSERT_FALSE(model->run(in.data(), in.size(), out.data(), out.size()));
    expectRuns(*model, 800);
    ASSERT_FALSE(model->run(in.data(), in.size(), out.data(), out.size()));
    expectRuns(*model, 800);
  }
}

TEST(CallState, AskingForSizesLeavesThePlan) {
  TestProgram test;
  makeDynamic(test);
  auto model = load(test.get());
  expectRuns(*model, 1);
  TestTensor x({800});
  tenon_tensor in = x.get(), out = {};
  int64_t shape[1] = {-7};
  EXPECT_EQ(model->inferShapes(&in, 1, &out, 1).error(),
            "output 'y': its shape is null");
  EXPECT_EQ(out.dtype.bits, 0) << "written, although the call is refused";
  out.shape = shape;
  ASSERT_TRUE(model->inferShapes(&in, 1, &out, 1));
  EXPECT_EQ(shape[0], 800);
  uint64_t bytes = model->memoryBytes();
  expectRuns(*model, 1);
  EXPECT_EQ(model->memoryBytes(), bytes);
  expectRuns(*model, 800);
  EXPECT_GT(model->memoryBytes(), bytes);
}

TEST(CallState, FailedPlanningIsMadeUpFor) {
  TestProgram test;
  makeDynamic(test);
  // Three times as much as there are addresses.
  test.entry.buffer_bytes = [](const int64_t *n, int64_t *out) {
    out[0] = out[1] = 4 * n[0];
    out[2] = n[0] == 800 ? int64_t(1) << 48 : 4 * n[0];
  };
  auto model = load(test.get());
  for (int64_t n : {1, 70, 900}) {
    expectRuns(*model, n);
    TestTensor x({800}), y({800});
    EXPECT_EQ(run(*model, {&x}, {&y}).error(),
              "out of memory: the arena needs 281474976710656 bytes");
    EXPECT_EQ(run(*model, {&x}, {&y}).error(),
              "out of memory: the arena needs 281474976710656 bytes");
    expectRuns(*model, n);
  }
}

TEST(CallState, RefusesSizesOfEmptyTensors) {
  TestProgram test;
  test.addSymbol("n");
  test.addSymbol("m");
  int32_t x = test.addInput("x", {-1, -2}), y = test.addOutput("y", {-1});
  test.addKernel("first", {x, y}, addOne, -1);
  test.entry.buffer_bytes = [](const int64_t *n, int64_t *out) {
    out[0] = 4 * n[0] * n[1];
    out[1] = 4 * n[0];
  };
  test.entry.step_extents = [](const int64_t *n, int64_t *out) {
    out[0] = n[1];
  };
  auto model = load(test.get());
  TestTensor in({0, 1}), out({0});
  in.shape[1] = int64_t(1) << 62;
  EXPECT_EQ(run(*model, {&in}, {&out}).error(),
            "input 'x': axis 1: expected a size of at least 0 that fits in "
            "memory, but got 4611686018427387904");
  test.entry.step_extents = [](const int64_t *n, int64_t *out) {
    out[0] = -n[1];
  };
  model = load(test.get());
  in.shape[1] = 3;
  EXPECT_EQ(run(*model, {&in}, {&out}).error(),
            "step 'first' would need -3 iterations for inputs of this shape");
}

//===----------------------------------------------------------------------===//
// Threads
//===----------------------------------------------------------------------===//

static std::atomic<int> arrived{0}, mayGoOn{0};

/// Waits for the test, and then does what addOne does.
static void addOneLater(const int64_t *symbols, void *const *buffers,
                        void *scratch, int64_t lo, int64_t hi) {
  ++arrived;
  while (mayGoOn == 0)
    std::this_thread::yield();
  addOne(symbols, buffers, scratch, lo, hi);
}

namespace {
/// A model whose calls last until the test lets them go on.
class SlowModel : public ::testing::Test {
protected:
  TestProgram test;
  tenon_options options = {};

  void SetUp() override {
    int32_t x = test.addInput("x", {4}), y = test.addOutput("y", {4});
    test.addKernel("slow", {x, y}, addOneLater, 4);
    options.threads = options.trace = 1;
    arrived = mayGoOn = 0;
  }

  /// A thread that is inside of a call of `model` when this returns.
  std::thread startCall(Model &model, TestTensor &x, TestTensor &y,
                        Status &status) {
    std::thread caller([&] { status = run(model, {&x}, {&y}); });
    while (arrived == 0)
      std::this_thread::yield();
    return caller;
  }
};
} // namespace

TEST_F(SlowModel, SecondCallerIsRefused) {
  const std::string reason =
      "the instance is in use by another thread: load an instance for each "
      "thread, or make one call at a time";
  auto model = load(test.get(), options);
  TestTensor x({4}, 1), y({4});
  Status status = artifact::makeError("not yet");
  std::thread caller = startCall(*model, x, y, status);
  TestTensor otherX({4}, 7), otherY({4}, 7);
  EXPECT_EQ(run(*model, {&otherX}, {&otherY}).error(), reason);
  std::vector<tenon_tensor> in = list({&otherX}), out = list({&otherY});
  EXPECT_EQ(model->inferShapes(in.data(), 1, out.data(), 1).error(), reason);
  auto json = model->traceJson();
  ASSERT_FALSE(json);
  EXPECT_EQ(json.error(), reason);
  EXPECT_EQ(model->memoryBytes(), 0u);
  mayGoOn = 1;
  caller.join();
  EXPECT_TRUE(status) << status.error();
  EXPECT_EQ(y.data, std::vector<float>(4, 2));
  EXPECT_EQ(otherY.data, std::vector<float>(4, 7));
  EXPECT_TRUE(run(*model, {&otherX}, {&otherY}));
  EXPECT_TRUE(model->traceJson());
}

TEST_F(SlowModel, UnloadedDuringACall) {
  auto model = load(test.get(), options);
  Model &called = *model;
  TestTensor x({4}, 1), y({4});
  Status status = artifact::makeError("not yet");
  std::thread caller = startCall(called, x, y, status);
  Model::unload(std::move(model));
  mayGoOn = 1;
  caller.join();
  EXPECT_TRUE(status) << status.error();
  EXPECT_EQ(y.data, std::vector<float>(4, 2));
  Model::unload(nullptr);
  Model::unload(load(test.get(), options));
}

TEST(CallState, ManyThreadsShareAnInstance) {
  TestProgram test;
  makeDynamic(test);
  tenon_options options = {};
  options.threads = 1;
  auto model = load(test.get(), options);
  std::atomic<int> done{0}, refused{0};
  std::vector<std::thread> callers;
  for (int64_t caller = 1; caller < 5; ++caller)
    callers.emplace_back([&, caller] {
      for (int round = 0; round < 500; ++round) {
        int64_t n = caller * (1 + round % 3);
        TestTensor x({n}, 3), y({n}, NAN);
        if (Status status = run(*model, {&x}, {&y}); !status) {
          ASSERT_EQ(status.error().rfind("the instance is in use", 0), 0u);
          ++refused;
          continue;
        }
        ASSERT_EQ(y.data, std::vector<float>(static_cast<size_t>(n), 5));
        ++done;
      }
    });
  for (std::thread &caller : callers)
    caller.join();
  EXPECT_GT(done, 0);
  EXPECT_EQ(done + refused, 2000);
  expectRuns(*model, 9);
}

//===----------------------------------------------------------------------===//
// Options
//===----------------------------------------------------------------------===//

TEST(CallState, ChecksOptions) {
  TestProgram test;
  makeDynamic(test);
  tenon_program &program = test.get();
  for (int32_t threads : {-5, -1, 4097, INT32_MAX, INT32_MIN}) {
    tenon_options options = {};
    options.threads = threads;
    EXPECT_EQ(loadError(program, options),
              "threads: expected 1 to 4096, or 0 for the default, but got " +
                  std::to_string(threads));
  }
  tenon_options options = {};
  options.device_id = -1;
  EXPECT_EQ(loadError(program, options),
            "device_id: expected a device, counted from 0, but got -1");
  options = {};
  options.device = 7;
  EXPECT_EQ(loadError(program, options),
            "expected device 0 (the first), 1 (cpu) or 2 (cuda), but got 7");
  options = {};
  options.params_path = "";
  EXPECT_EQ(loadError(program, options),
            "params_path: expected a file, but got an empty name");
  options.random_params = 1;
  EXPECT_EQ(loadError(program, options), "");
}
