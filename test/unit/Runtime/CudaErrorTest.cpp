//===- CudaErrorTest.cpp - tests of what can go wrong on CUDA -----------===//
//
// Part of the Tenon project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "CudaTestSupport.h"

#if defined(__has_feature) && __has_feature(address_sanitizer)
#include <sanitizer/lsan_interface.h>
#endif

using namespace tenon;
using namespace tenon::runtime;
using artifact::Status;

using CudaError = CudaTest;

TEST_F(CudaError, OutOfMemory) {
  TestProgram test;
  makeDynamic(test);
  int failures = 0;
  for (int number = 1; number < 20; ++number) {
    *fake = FakeCuda();
    fake->failAllocation = number;
    auto model = load(test.get());
    ASSERT_TRUE(model);
    TestTensor x({8}, 1), y({8});
    Status status = run(*model, {&x}, {&y});
    if (status)
      break;
    ++failures;
    const char *what[] = {
        "the arena needs 64 bytes, but 1000000 of 1000000 are free",
        "the workspace of kernels needs 32 bytes, but 999936 of",
        "copies of inputs and outputs needs 512 bytes, but",
        ("inputs and outputs need 512 bytes of page-locked host memory: "
         "CUDA_ERROR_OUT_OF_MEMORY")};
    ASSERT_LE(failures, 4);
    EXPECT_NE(status.error().find(what[failures - 1]), std::string::npos)
        << status.error();
    // A model goes on when there is memory again.
    ASSERT_TRUE(run(*model, {&x}, {&y}));
    EXPECT_EQ(y.data[0], 4);
  }
  EXPECT_EQ(failures, 4);
}

TEST_F(CudaError, OutOfMemoryWhileLoading) {
  TestProgram whole;
  int32_t in = whole.addInput("x", {8}), out = whole.addOutput("y", {8});
  int32_t w = whole.addParam("w", {8}), prepared = whole.addPrepared(32);
  whole.addLaunch("prepare", {w, prepared}, "add_one", 1);
  whole.addLaunch("run", {in, prepared, out}, "add", 1);
  whole.numPrepareSteps = 1;
  whole.entry.arena_bytes = 64;
  whole.program.device = TENON_PROGRAM_CUDA;
  whole.addImage("sm_80", staticImage);
  tenon_options options = {};
  options.random_params = 1;
  int failures = 0;
  for (int number = 1;; ++number) {
    *fake = FakeCuda();
    fake->failAllocation = number;
    std::string error = loadError(whole.get(), options);
    EXPECT_EQ(fake->alive(), 0) << error;
    if (error.empty())
      break;
    EXPECT_NE(error.find("out of memory on CUDA device 0 (Fake A, sm_80): "),
              std::string::npos)
        << error;
    ++failures;
  }
  // What is kept, the arena, and the parameter that only prepare reads.
  EXPECT_EQ(failures, 3);
}

TEST_F(CudaError, LaunchThatFailsNamesItsStep) {
  ::setenv("TENON_CUDA_GRAPH", "0", 1);
  TestProgram test;
  makeStatic(test);
  auto model = load(test.get());
  fake->failLaunch = 2;
  fake->launchError = 1;
  TestTensor x({8}, 1), y({8});
  EXPECT_EQ(run(*model, {&x}, {&y}).error(),
            "CUDA device 0 (Fake A, sm_80): step 'second' can't be launched: "
            "CUDA_ERROR_OF_A_FAKE (as the fake driver says)");
  // The device lives on.
  ASSERT_TRUE(run(*model, {&x}, {&y}));
  EXPECT_EQ(y.data[0], 4);
}

TEST_F(CudaError, LostDeviceRefusesFurtherRuns) {
  std::string cause = "CUDA device 0 (Fake A, sm_80): a step of the run failed "
                      "(set TENON_CUDA_SYNC=1 to find out which): "
                      "CUDA_ERROR_LAUNCH_FAILED (as the fake "
                      "driver says)";
  for (const char *graph : {"0", "1"}) {
    *fake = FakeCuda();
    ::setenv("TENON_CUDA_GRAPH", graph, 1);
    TestProgram test;
    makeStatic(test);
    auto model = load(test.get());
    TestTensor x({8}, 1), y({8}, 5);
    ASSERT_TRUE(run(*model, {&x}, {&y}));
    y.data.assign(8, 5);
    fake->failLaunch = 2;
    EXPECT_EQ(run(*model, {&x}, {&y}).error(), cause);
    EXPECT_EQ(y.data[0], 5);
    EXPECT_EQ(run(*model, {&x}, {&y}).error(),
              "the model can't run any more: " + cause);
    model.reset();
    get<FakeCuda *()>("tenon_fake_cuda")();
  }
}

TEST_F(CudaError, WaitingTellsTheStep) {
  ::setenv("TENON_CUDA_SYNC", "1", 1);
  TestProgram test;
  makeStatic(test);
  auto model = load(test.get());
  TestTensor x({8}, 1), y({8});
  ASSERT_TRUE(run(*model, {&x}, {&y}));
  EXPECT_EQ(y.data[0], 4);
  fake->failLaunch = 1;
  fake->launchError = 700;
  EXPECT_EQ(run(*model, {&x}, {&y}).error(),
            "CUDA device 0 (Fake A, sm_80): step 'first' failed: "
            "CUDA_ERROR_ILLEGAL_ADDRESS (as the fake driver says)");
  model.reset();
  get<FakeCuda *()>("tenon_fake_cuda")();
}

TEST_F(CudaError, KernelOutsideOfMemory) {
  // The arena is smaller than what the kernel writes.
  TestProgram test;
  makeStatic(test);
  test.entry.scratch_bytes = 0;
  auto model = load(test.get());
  TestTensor x({8}, 1), y({8});
  EXPECT_NE(run(*model, {&x}, {&y}).error().find("CUDA_ERROR_ILLEGAL_ADDRESS"),
            std::string::npos);
  model.reset();
  get<FakeCuda *()>("tenon_fake_cuda")();
}

TEST_F(CudaError, TensorsInOtherPlaces) {
  TestProgram test;
  makeStatic(test);
  auto model = load(test.get());
  TestTensor x({8}), y({8});
  tenon_tensor in = x.get(), out = y.get();
  in.device_type = 3;
  EXPECT_EQ(model->run(&in, 1, &out, 1).error(),
            "input 'x': expected data in host memory (device type 1) or of "
            "CUDA (2), but got device type 3");
  in.device_type = TENON_DEVICE_CUDA;
  in.device_id = 1;
  EXPECT_EQ(model->run(&in, 1, &out, 1).error(),
            "input 'x': expected data on CUDA device 0, where the model is, "
            "but got device 1");
}

TEST_F(CudaError, GridsThatAreTooLarge) {
  TestProgram test;
  makeDynamic(test);
  test.entry.step_extents = [](const int64_t *, int64_t *out) {
    out[0] = 1;
    out[1] = int64_t(1) << 31;
  };
  auto model = load(test.get());
  TestTensor x({8}), y({8});
  EXPECT_EQ(run(*model, {&x}, {&y}).error(),
            "step 'second' would need 2147483648 blocks for inputs of this "
            "shape, of 2147483647 at most");
}

TEST_F(CudaError, ContextThatIsGone) {
#if defined(__has_feature) && __has_feature(address_sanitizer)
  // Resources of the context are lost with it, and are not freed.
  __lsan::ScopedDisabler leaks;
#endif
  TestProgram test;
  makeStatic(test);
  std::string start = "CUDA device 0 (Fake A, sm_80): its context can't be "
                      "used any more: CUDA_ERROR_INVALID_CONTEXT (as the fake "
                      "driver says)";
  fake->failPush = true;
  EXPECT_EQ(loadError(test.get()), start);
  fake->failPush = false;
  auto model = load(test.get());
  TestTensor x({8}, 1), y({8});
  ASSERT_TRUE(run(*model, {&x}, {&y}));
  long blocks = fake->liveBlocks;
  {
    // A context of the caller's own stays the current one.
    DeviceTensor callers(library, std::vector<float>(8));
    fake->failPush = true;
    EXPECT_EQ(run(*model, {&x}, {&y}).error(), start);
    EXPECT_EQ(run(*model, {&x}, {&y}).error(),
              "the model can't run any more: " + start);
    // What was in the other is gone with it, and not given back in this one.
    long alive = fake->alive();
    model.reset();
    EXPECT_EQ(fake->alive(), alive - 1);
  }
  EXPECT_EQ(fake->liveBlocks, blocks);
  *fake = FakeCuda();
}
