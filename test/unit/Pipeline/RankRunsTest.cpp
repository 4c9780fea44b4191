//===- RankRunsTest.cpp - barriers, failures and traces of ranks ----------===//
//
// Part of the Tenon project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "../Runtime/TestProgram.h"
#include "RankProgram.h"

#include "gtest/gtest.h"

#include <chrono>

using namespace tenon::runtime;

namespace {
/// Two ranks, of which each adds one element of x to a transient state, takes
/// the mean of these, looks whether the element is from 0 to 7, and behind the
/// barrier adds the mean to a parameter.
class RankRuns : public testing::TestWithParam<int32_t> {
protected:
  /// The kernels are those of FakeKernels.cpp.
  void SetUp() override {
    static const float zero = 0;
    bool isCuda = GetParam() == TENON_CHANNELS_NCCL;
    auto addKernel = [&](const char *name, std::vector<int32_t> buffers,
                         tenon_kernel_fn kernel) {
      if (isCuda)
        test.addLaunch(name, buffers, name, 1, /*threads=*/1);
      else
        test.addKernel(name, buffers, kernel, 1);
    };
    int32_t p = test.addState("p", {1});
    int32_t g = test.addState("g", {1}, nullptr, tenon::artifact::DType::F32,
                              -1, /*isTransient=*/true);
    int32_t zeros = test.addConstant(&zero, sizeof zero);
    test.entry.name = "step";
    test.entry.ranks = tables;
    test.addInput("x", {2});
    test.addOutput("sum", {});
    test.startEntry("forward");
    int32_t x = test.addInput("x", {1}), y = test.addOutput("y", {});
    addKernel("add", {x, g, g}, add);
    test.addCopy("give", g, y);
    test.startEntry("look");
    x = test.addInput("x", {1});
    int32_t words = test.addCheckWords();
    addKernel("find_outside", {x, words}, find);
    test.addCheck(words, "gather", "x");
    test.startEntry("update");
    addKernel("add", {p, g, p}, add);
    test.addCopy("reset", zeros, g);
    for (int32_t rank = 0; rank < 2; ++rank)
      plan(ranks[rank], rank);
    if (isCuda)
      test.addImage("sm_80", "add 4\nfind_outside 3\n");
    tenon_program &program = test.get();
    program.device = isCuda ? TENON_PROGRAM_CUDA : TENON_PROGRAM_CPU;
    program.num_ranks = 2;
    program.num_tasks = 3;
  }

  void plan(RankProgram &rank, int32_t number) {
    int32_t part =
        rank.addPart(rank.addCallers(TENON_BUFFER_INPUT, 0, {2}), 0, number, 1);
    int32_t y = rank.addBuffer({});
    rank.addTask(1, {part, y}, number, number + 1);
    rank.beginSum(0, 0, {1}, {0, 1}, /*isMean=*/true);
    tenon_rank_step sum = {};
    sum.kind = TENON_RANK_ADD;
    sum.factor = 2;
    rank.addStep(sum, {y, rank.addCallers(TENON_BUFFER_OUTPUT, 0, {})});
    rank.wait();
    rank.addTask(2, {part}, number, number + 1);
    rank.addBarrier();
    rank.addTask(3, {});
    tables[number] = rank.get();
  }

  void load(int32_t ranks = 0) {
    useFakeDevices();
    LoadSettings settings;
    settings.options = options;
    settings.options.struct_size = sizeof options;
    settings.options.ranks = ranks;
    settings.options.channels = GetParam();
    const tenon_program *programs[] = {&test.get(), nullptr};
    auto loaded = Model::load(programs, settings);
    ASSERT_TRUE(loaded) << loaded.error();
    model = std::move(*loaded);
  }
  /// Returns the sum, or the error.
  std::string step(float first, float second) {
    TestTensor x({2}), sum({});
    x.data = {first, second};
    auto status = run(*model, {&x}, {&sum});
    return status ? std::to_string(sum.data[0]) : status.error();
  }
  float getParameter() {
    TestTensor p({1});
    tenon_tensor tensor = p.get();
    EXPECT_TRUE(model->getState("p", &tensor));
    return p.data[0];
  }

  static void add(const int64_t *, void *const *buffers, void *, int64_t,
                  int64_t) {
    auto *const *values = reinterpret_cast<float *const *>(buffers);
    *values[2] = *values[0] + *values[1];
  }
  static void find(const int64_t *, void *const *buffers, void *, int64_t,
                   int64_t) {
    float value = *static_cast<const float *>(buffers[0]);
    auto *words = static_cast<int64_t *>(buffers[1]);
    words[0] = value >= 0 && value <= 7 ? INT64_MAX : 0;
    words[1] = static_cast<int64_t>(value);
  }

  tenon_load_options options = {};
  TestProgram test;
  RankProgram ranks[2];
  tenon_rank_program tables[2];
  std::unique_ptr<Model> model;
};
} // namespace

TEST_P(RankRuns, FailWithoutEffect) {
  for (int32_t numThreads : {0, 1})
    for (int32_t bad : {0, 1}) {
      if (GetParam() != TENON_CHANNELS_LOCAL && numThreads > 0)
        continue;
      load(numThreads);
      EXPECT_EQ(step(1, 3), "8.000000");
      EXPECT_EQ(getParameter(), 2);
      std::string error = bad == 0 ? step(9, 1) : step(1, 9);
      std::string rank = std::to_string(bad);
      std::string expected = "rank " + rank + ": task 'look', samples " + rank +
                             " to " + rank + ": ";
      EXPECT_EQ(error.substr(0, expected.size()), expected);
      EXPECT_EQ(getParameter(), 2);
      // What the failed run has added is gone.
      EXPECT_EQ(step(5, 1), "12.000000");
      EXPECT_EQ(getParameter(), 5);
    }
}

TEST_P(RankRuns, HideTransientStates) {
  load();
  TestTensor g({1});
  tenon_tensor tensor = g.get();
  EXPECT_EQ(model->getState("g", &tensor).error(),
            "the model has no state 'g', only 'p'");
}

TEST_P(RankRuns, TraceTheTasksOfStages) {
  // An update belongs to no stage here.
  for (tenon_rank_program &table : tables)
    for (int32_t i = 0; i < table.num_steps; ++i) {
      auto &step = const_cast<tenon_rank_step &>(table.steps[i]);
      step.stage = i < 2 ? 3 : -1;
    }
  options.options.trace = 1;
  load();
  ASSERT_EQ(step(1, 3), "8.000000");
  auto text = model->traceJson();
  ASSERT_TRUE(text);
  std::string trace = *text;
  auto count = [&](const std::string &part) {
    size_t found = 0;
    for (size_t at = trace.find(part); at != trace.npos;
         at = trace.find(part, at + 1))
      ++found;
    return found;
  };
  EXPECT_EQ(count("\"cat\": \"task\""), 4u);
  EXPECT_EQ(count("\"name\": \"work 0\""), 1u);
  EXPECT_EQ(count("\"name\": \"work 1\""), 1u);
  EXPECT_EQ(count("\"name\": \"sum 0\""), 2u);
  EXPECT_EQ(count("\"stage\": 3, \"kind\": \"work\""), 2u);
}

TEST_P(RankRuns, TimedTasksWait) {
  for (tenon_rank_program &table : tables)
    const_cast<tenon_rank_step &>(table.steps[0]).seconds = 5;
  options.timed_waits = 0.01;
  if (GetParam() == TENON_CHANNELS_NCCL)
    return;
  load(1);
  auto begin = std::chrono::steady_clock::now();
  // The tasks are not run, so no index is looked at.
  EXPECT_EQ(step(9, 9), "0.000000");
  EXPECT_GE(std::chrono::steady_clock::now() - begin,
            std::chrono::milliseconds(100));
}

INSTANTIATE_TEST_SUITE_P(OnHostAndDevices, RankRuns,
                         testing::Values(TENON_CHANNELS_LOCAL,
                                         TENON_CHANNELS_NCCL));
