//===- IndexCheckTest.cpp - tests of runs that meet wrong indices -------===//
//
// Part of the Tenon project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "CudaTestSupport.h"

#include "tenon/Artifact/IndexCheck.h"

using namespace tenon;
using namespace tenon::runtime;
using artifact::IndexLimits;
using artifact::Status;

TEST(IndexLimits, SaysWhatWasExpected) {
  IndexLimits limits{{2, 3}, {{0, -5, 5}}, std::nullopt};
  EXPECT_TRUE(limits.admits(0, -5));
  EXPECT_TRUE(limits.admits(5, 4));
  EXPECT_FALSE(limits.admits(0, -6));
  EXPECT_FALSE(limits.admits(0, 5));
  EXPECT_EQ(describe(limits, {4, 5}),
            "expected indices from -5 to 4 for axis 0, but got 5 at [1, 1]");
  limits.ignored = -100;
  EXPECT_TRUE(limits.admits(0, -100));
  EXPECT_EQ(describe(limits, {0, 7}),
            "expected indices from -5 to 4 for axis 0 (or -100, which is "
            "ignored), but got 7 at [0, 0]");
  // Tuples: entry i of the last axis has range i.
  IndexLimits tuples{{4, 2}, {{1, 0, 3}, {2, 0, 9}}, std::nullopt};
  EXPECT_TRUE(tuples.admits(3, 8));
  EXPECT_FALSE(tuples.admits(2, 8));
  EXPECT_EQ(describe(tuples, {2, 8}),
            "expected indices from 0 to 2 for axis 1, but got 8 at [1, 0]");
  IndexLimits none{{}, {{0, 0, 0}}, std::nullopt};
  EXPECT_EQ(describe(none, {0, 0}),
            "expected no index for axis 0, which has no elements, but got 0");
}

TEST(IndexLimits, FindsTheFirstPartWithAWrongIndex) {
  int64_t words[] = {INT64_MAX, 0, 17, -3, 40, 9};
  auto wrong = artifact::findWrongIndex(words, 3);
  ASSERT_TRUE(wrong);
  EXPECT_EQ(wrong->position, 17);
  EXPECT_EQ(wrong->value, -3);
  EXPECT_FALSE(artifact::findWrongIndex(words, 1));
}

static void findOutside(const int64_t *, void *const *buffers, void *, int64_t,
                        int64_t) {
  const float *in = static_cast<const float *>(buffers[0]);
  int64_t *words = static_cast<int64_t *>(buffers[1]);
  words[0] = INT64_MAX;
  for (int64_t i = 16; i-- > 0;)
    if (in[i] < 0 || in[i] > 7) {
      words[0] = i;
      words[1] = static_cast<int64_t>(in[i]);
    }
}

static void addOne(const int64_t *, void *const *buffers, void *, int64_t lo,
                   int64_t hi) {
  for (int64_t i = lo; i < hi; ++i)
    static_cast<float *>(buffers[1])[i] =
        static_cast<const float *>(buffers[0])[i] + 1;
}

/// y = x + 1, where x must be from 0 to 7.
static void makeOnCpu(TestProgram &test) {
  int32_t x = test.addInput("x", {4, 4}), y = test.addOutput("y", {4, 4});
  int32_t words = test.addCheckWords();
  test.addKernel("check", {x, words}, findOutside, 1);
  test.addCheck(words, "'emb' (gather)", "x");
  test.addKernel("add", {x, y}, addOne, 16);
}

static void makeOnCuda(TestProgram &test) {
  int32_t x = test.addInput("x", {4, 4}), y = test.addOutput("y", {4, 4});
  int32_t words = test.addCheckWords();
  test.addLaunch("check", {x, words}, "find_outside", 2);
  test.addCheck(words, "'emb' (gather)", nullptr);
  test.addLaunch("add", {x, y}, "add_one", 2);
  test.program.device = TENON_PROGRAM_CUDA;
  test.addImage("sm_80", "add_one 3\nfind_outside 3\n");
}

/// Right and wrong calls take turns.
static void expectFailsWhereWrong(Model &model, const std::string &suffix) {
  for (int round = 0; round < 3; ++round) {
    TestTensor x({4, 4}, 3), y({4, 4}, NAN);
    Status status = run(model, {&x}, {&y});
    ASSERT_TRUE(status) << status.error();
    EXPECT_EQ(y.data, std::vector<float>(16, 4));
    x.data[6] = 8;
    x.data[9] = -1;
    EXPECT_EQ(run(model, {&x}, {&y}).error(),
              "'emb' (gather): expected indices from 0 to 7 for axis 0, but "
              "got 8 at [1, 2]" +
                  suffix);
  }
}

TEST(IndexCheck, FailsARunOnTheCpu) {
  for (int32_t trace : {0, 1}) {
    TestProgram test;
    makeOnCpu(test);
    tenon_options options = {};
    options.trace = trace;
    auto model = Model::load(test.get(), options, "");
    ASSERT_TRUE(model) << model.error();
    expectFailsWhereWrong(**model, " of input 'x'");
  }
}

TEST(IndexCheck, FailsALoadIfTheIndicesAreWeights) {
  float indices[16] = {};
  indices[3] = 9;
  TestProgram test;
  int32_t x = test.addConstant(indices, sizeof(indices));
  int32_t words = test.addPrepared(16);
  test.addKernel("check", {x, words}, findOutside, 1);
  test.addCheck(words, "'emb' (gather)", nullptr);
  test.numPrepareSteps = 1;
  EXPECT_EQ(Model::load(test.get(), {}, "").error(),
            "'emb' (gather): expected indices from 0 to 7 for axis 0, but got "
            "9 at [0, 3]");
  indices[3] = 7;
  EXPECT_TRUE(Model::load(test.get(), {}, ""));
}

TEST(IndexCheck, DamagedTables) {
  TestProgram test;
  makeOnCpu(test);
  tenon_program &program = test.get();
  tenon_check check = program.checks[0];
  program.checks = &check;
  check.step = 2;
  EXPECT_EQ(Model::load(program, {}, "").error(),
            "the artifact is damaged: check 0 is incomplete");
  check.step = 0;
  check.parts = 2; // more words than the buffer has
  EXPECT_EQ(Model::load(program, {}, "").error(),
            "the artifact is damaged: check 0 is incomplete");
  check.parts = 1;
  program.prepare.end_step = 1;
  EXPECT_NE(Model::load(program, {}, "").error(), "");
}

using IndexCheckOnCuda = CudaTest;

TEST_F(IndexCheckOnCuda, FailsARun) {
  for (const char *graph : {"1", "0"})
    for (int32_t trace : {0, 1}) {
      ::setenv("TENON_CUDA_GRAPH", graph, 1);
      TestProgram test;
      makeOnCuda(test);
      tenon_options options = {};
      options.trace = trace;
      auto model = load(test.get(), options);
      ASSERT_TRUE(model);
      expectFailsWhereWrong(*model, "");
    }
}

TEST_F(IndexCheckOnCuda, FailsARunOnTheCallersMemory) {
  TestProgram test;
  makeOnCuda(test);
  auto model = load(test.get());
  ASSERT_TRUE(model);
  DeviceTensor x(library, std::vector<float>(16, 3));
  DeviceTensor y(library, std::vector<float>(16, NAN));
  int64_t shape[] = {4, 4};
  tenon_tensor in = x.get(), out = y.get();
  in.ndim = out.ndim = 2;
  in.shape = out.shape = shape;
  for (int round = 0; round < 20; ++round) {
    x.data()[5] = round % 2 ? -2 : 3;
    Status status = model->run(&in, 1, &out, 1);
    if (round % 2)
      EXPECT_EQ(status.error(), "'emb' (gather): expected indices from 0 to 7 "
                                "for axis 0, but got -2 at [1, 1]");
    else
      EXPECT_TRUE(status) << status.error();
  }
  EXPECT_EQ(y.values()[0], 4);
}

TEST_F(IndexCheckOnCuda, FailsTheCallAfterARunOnAStream) {
  TestProgram test;
  makeOnCuda(test);
  auto model = load(test.get());
  ASSERT_TRUE(model);
  DeviceTensor x(library, std::vector<float>(16, 3));
  DeviceTensor y(library, std::vector<float>(16, NAN));
  int64_t shape[] = {4, 4};
  tenon_tensor in = x.get(), out = y.get();
  in.ndim = out.ndim = 2;
  in.shape = out.shape = shape;
  auto start = [&](float index) {
    x.data()[5] = index;
    return model->runOnStream(nullptr, &in, 1, &out, 1, nullptr).error();
  };
  const char *wrong = "'emb' (gather): expected indices from 0 to 7 for axis "
                      "0, but got -2 at [1, 1]";
  EXPECT_EQ(start(3), "");
  EXPECT_TRUE(model->finish());
  EXPECT_EQ(start(-2), "");
  EXPECT_EQ(model->finish().error(), wrong);
  EXPECT_TRUE(model->finish());
  EXPECT_EQ(start(-2), "");
  // The next call says so, and does nothing else.
  EXPECT_EQ(start(-2), wrong);
  EXPECT_TRUE(model->finish());
  EXPECT_EQ(start(-2), "");
  EXPECT_EQ(model->run(&in, 1, &out, 1).error(), wrong);
  EXPECT_EQ(start(3), "");
  EXPECT_EQ(start(3), "");
  EXPECT_TRUE(model->finish());
  EXPECT_EQ(y.values()[0], 4);
}

TEST_F(IndexCheckOnCuda, FailsALoadIfTheIndicesAreWeights) {
  float indices[16] = {};
  indices[3] = 9;
  TestProgram test;
  int32_t x = test.addConstant(indices, sizeof(indices));
  int32_t words = test.addPrepared(16);
  test.addLaunch("check", {x, words}, "find_outside", 2);
  test.addCheck(words, "'emb' (gather)", nullptr);
  test.numPrepareSteps = 1;
  test.program.device = TENON_PROGRAM_CUDA;
  test.addImage("sm_80", "find_outside 3\n");
  EXPECT_EQ(loadError(test.get()),
            "'emb' (gather): expected indices from 0 to 7 for axis 0, but got "
            "9 at [0, 3]");
  indices[3] = 7;
  EXPECT_EQ(loadError(test.get()), "");
}
