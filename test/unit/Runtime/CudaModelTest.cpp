//===- CudaModelTest.cpp - tests of running on a CUDA device ------------===//
//
// Part of the Tenon project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "CudaTestSupport.h"

#include "tenon/Artifact/Json.h"

using namespace tenon;
using namespace tenon::runtime;
using artifact::Status;

using CudaModel = CudaTest;

static void addOneOnCpu(const int64_t *, void *const *buffers, void *,
                        int64_t lo, int64_t hi) {
  for (int64_t i = lo; i < hi; ++i)
    static_cast<float *>(buffers[1])[i] =
        static_cast<const float *>(buffers[0])[i] + 1;
}

TEST_F(CudaModel, RunsStepsWithAndWithoutGraph) {
  for (const char *graph : {"1", "0"}) {
    ::setenv("TENON_CUDA_GRAPH", graph, 1);
    TestProgram test;
    makeStatic(test);
    *fake = FakeCuda();
    auto model = load(test.get());
    ASSERT_TRUE(model);
    for (float value : {5.0f, 7.0f, 9.0f}) {
      TestTensor x({8}, value), y({8}, NAN);
      Status status = run(*model, {&x}, {&y});
      ASSERT_TRUE(status) << status.error();
      EXPECT_EQ(y.data, std::vector<float>(8, 2 * (value + 1)));
    }
    EXPECT_EQ(fake->graphLaunches, graph[0] == '1' ? 3 : 0);
    EXPECT_EQ(fake->launches, graph[0] == '1' ? 0 : 6);
    EXPECT_EQ(fake->kernels, 6);
    // The arena, the workspace, and inputs and outputs on both sides.
    EXPECT_EQ(model->memoryBytes(), 512u + 32 + 2 * 512);
    EXPECT_EQ(*model->traceJson(), nullptr);
  }
}

TEST_F(CudaModel, ShapesAlternate) {
  TestProgram test;
  makeDynamic(test);
  auto model = load(test.get());
  for (int64_t n : {100, 3, 0, 1000, 17})
    expectRuns(*model, n);
  for (int64_t n : {100, 3, 0, 1000, 17})
    expectRuns(*model, n);
  FakeCuda before = *fake;
  for (int round = 0; round < 3; ++round)
    for (int64_t n : {17, 1000, 0, 3, 100})
      expectRuns(*model, n);
  EXPECT_EQ(fake->allocations, before.allocations);
  EXPECT_EQ(fake->captures, before.captures);
  EXPECT_EQ(fake->launches, 0);
  // More than are kept: made again, within the same memory.
  for (int64_t n = 1; n < 40; ++n)
    expectRuns(*model, n);
  expectRuns(*model, 1000);
  EXPECT_EQ(fake->allocations, before.allocations);
  // Growing makes all addresses anew.
  expectRuns(*model, 5000);
  expectRuns(*model, 1000);
}

TEST_F(CudaModel, InputsAndOutputsGrowAlone) {
  // Without an arena, which would drop all graphs when it grows.
  TestProgram test;
  test.addSymbol("n");
  int32_t x = test.addInput("x", {-1}), y = test.addOutput("y", {-1});
  test.addLaunch("only", {x, y}, "add_one", 1000);
  test.entry.buffer_bytes = [](const int64_t *symbols, int64_t *out) {
    out[0] = out[1] = 4 * symbols[0];
  };
  test.program.device = TENON_PROGRAM_CUDA;
  test.addImage("sm_80", dynamicImage);
  auto model = load(test.get());
  for (int64_t n : {10, 4000, 10}) {
    TestTensor in({n}, float(n)), out({n}, NAN);
    Status status = run(*model, {&in}, {&out});
    ASSERT_TRUE(status) << status.error();
    EXPECT_EQ(out.data[9], float(n) + 1);
  }
  EXPECT_EQ(fake->captures, 3);
}

TEST_F(CudaModel, MemoryGrowsByMoreThanIsNeeded) {
  TestProgram test;
  makeDynamic(test);
  auto model = load(test.get());
  // 4 KiB in the arena, in the workspace, and twice on both sides.
  expectRuns(*model, 1024);
  EXPECT_EQ(model->memoryBytes(), 6u * 4096);
  EXPECT_EQ(fake->liveBytes, 4 * 4096);
  expectRuns(*model, 1088);
  EXPECT_EQ(model->memoryBytes(), 6u * 6144);
  EXPECT_EQ(fake->liveBytes, 4 * 6144);
  FakeCuda before = *fake;
  for (int64_t n = 1100; n < 1536; n += 50)
    expectRuns(*model, n);
  EXPECT_EQ(fake->allocations, before.allocations);
  // Allocates only as much as is needed if there is no room for more.
  fake->failAllocation = 1;
  expectRuns(*model, 1600);
  EXPECT_EQ(model->memoryBytes(), 6400u + 5 * 9216);
  before = *fake;
  expectRuns(*model, 5000);
  EXPECT_EQ(model->memoryBytes(), 20032u + 20000 + 4 * 20224);
}

TEST_F(CudaModel, InfersShapesAndRunsOthers) {
  TestProgram test;
  makeDynamic(test);
  auto model = load(test.get());
  expectRuns(*model, 20);
  TestTensor x({6}), y({0});
  std::vector<tenon_tensor> in = list({&x}), out = list({&y});
  ASSERT_TRUE(model->inferShapes(in.data(), 1, out.data(), 1));
  EXPECT_EQ(y.shape[0], 6);
  expectRuns(*model, 20);
  expectRuns(*model, 6);
}

TEST_F(CudaModel, ParametersArePreparedOnce) {
  // y = x + (w + 1), where a run does not read w itself; and v, which is read
  // by both.
  TestProgram test;
  int32_t x = test.addInput("x", {8}), y = test.addOutput("y", {8});
  int32_t w = test.addParam("w", {8}), v = test.addParam("v", {8});
  static const float ones[8] = {1, 1, 1, 1, 1, 1, 1, 1};
  int32_t one = test.addConstant(ones, 32);
  int32_t prepared = test.addPrepared(32), between = test.addPrepared(32);
  int32_t t = test.addArena(32, 0, 2, 3);
  test.addLaunch("prepare w", {w, one, between}, "add", 1);
  test.addLaunch("prepare v", {between, v, prepared}, "add", 1);
  test.addLaunch("run", {x, prepared, t}, "add", 1);
  test.addLaunch("run v", {t, v, y}, "add", 1);
  test.numPrepareSteps = 2;
  test.entry.arena_bytes = 32;
  test.program.device = TENON_PROGRAM_CUDA;
  test.addImage("sm_80", staticImage);

  std::string path = testing::TempDir() + "cuda-model.safetensors";
  float wData[8], vData[8];
  for (int i = 0; i < 8; ++i) {
    wData[i] = 10 * float(i);
    vData[i] = 1000 * float(i);
  }
  auto writer = artifact::SafetensorsWriter::create(
      path,
      {{"v", artifact::DType::F32, {8}}, {"w", artifact::DType::F32, {8}}});
  ASSERT_TRUE(writer.ok());
  ASSERT_TRUE(writer->write("v", vData, 32).ok() &&
              writer->write("w", wData, 32).ok() && writer->finish().ok());
  auto model = load(test.get(), {}, path);
  ASSERT_TRUE(model);
  // v and what was prepared of both; the arena.
  EXPECT_EQ(model->memoryBytes(), 512u + 32);
  EXPECT_EQ(fake->liveBlocks, 2);
  for (int round = 0; round < 2; ++round) {
    TestTensor in({8}, 3), out({8}, NAN);
    ASSERT_TRUE(run(*model, {&in}, {&out}));
    for (int i = 0; i < 8; ++i)
      EXPECT_EQ(out.data[i], 3 + 1 + 10 * float(i) + 2000 * float(i));
  }
  EXPECT_EQ(fake->launches, 2);

  tenon_options drawn = {};
  drawn.random_params = 1;
  EXPECT_TRUE(load(test.get(), drawn));
}

TEST_F(CudaModel, DonatedInputStaysInPlace) {
  TestProgram test;
  int32_t x = test.addInput("x", {8}), y = test.addOutput("y", {8});
  test.addCopy("move", x, y);
  test.addLaunch("add", {y, y}, "add_one", 1);
  test.setDonations({0});
  test.entry.arena_bytes = 0;
  test.program.device = TENON_PROGRAM_CUDA;
  test.addImage("sm_80", staticImage);
  auto model = load(test.get());
  DeviceTensor tensor(library, std::vector<float>(8, 1));
  tenon_tensor shared = tensor.get();
  ASSERT_TRUE(model->run(&shared, 1, &shared, 1));
  EXPECT_EQ(tensor.values()[3], 2);
  EXPECT_EQ(fake->copiesOnDevice, 0);
  DeviceTensor other(library, std::vector<float>(8));
  tenon_tensor apart = other.get();
  ASSERT_TRUE(model->run(&shared, 1, &apart, 1));
  EXPECT_EQ(tensor.values()[3], 2);
  EXPECT_EQ(other.values()[3], 3);
  EXPECT_EQ(fake->copiesOnDevice, 1);
  TestTensor host({8}, 7);
  EXPECT_TRUE(run(*model, {&host}, {&host}));
  EXPECT_EQ(host.data[5], 8);
}

/// Names and categories of the events: "first kernel, ...".
static std::string eventsOf(Model &model) {
  auto json = artifact::parseJson(*model.traceJson());
  std::string text;
  for (const artifact::JsonValue &event : json->find("traceEvents")->array) {
    text += text.empty() ? "" : ", ";
    text += event.find("name")->string + " " + event.find("cat")->string;
    if (const auto *detail = event.find("args")->find("implementation"))
      text += " " + detail->string;
  }
  return text;
}

TEST_F(CudaModel, TracesSteps) {
  TestProgram test;
  makeStatic(test);
  tenon_options options = {};
  options.trace = 1;
  for (bool fails : {false, true}) {
    *fake = FakeCuda();
    fake->failCapture = fails;
    auto model = load(test.get(), options);
    TestTensor x({8}, 1), y({8});
    ASSERT_TRUE(run(*model, {&x}, {&y}));
    EXPECT_EQ(y.data[0], 4);
    EXPECT_EQ(eventsOf(*model),
              std::string("capture of a CUDA graph graph ") +
                  (fails ? "CUDA_ERROR_OF_A_FAKE" : "captured") +
                  ", first kernel, second kernel");
    auto json = artifact::parseJson(*model->traceJson());
    // A kernel takes a millisecond of the fake's clock.
    EXPECT_NEAR(json->find("traceEvents")->array[1].find("dur")->number, 1000,
                1);
    x.data[0] = 5;
    ASSERT_TRUE(run(*model, {&x}, {&y}));
    EXPECT_EQ(y.data[0], 12);
    // What is timed is the graph, as it is launched without a trace.
    EXPECT_EQ(fake->graphLaunches, fails ? 0 : 2);
    EXPECT_EQ(fake->launches, fails ? 4 : 0); // outside of graphs
    json = artifact::parseJson(*model->traceJson());
    const std::vector<artifact::JsonValue> &events =
        json->find("traceEvents")->array;
    ASSERT_GE(events.size(), 5u);
    for (size_t i : {1, 2})
      EXPECT_NEAR(events[events.size() - i].find("dur")->number, 1000, 1);
  }
}

TEST_F(CudaModel, LargeSharedMemoryIsAskedFor) {
  TestProgram test;
  makeStatic(test);
  test.entry.arena_bytes = 512;
  test.addLaunch("third", {1, 1}, "add_one", 1, 8, 60000);
  auto model = load(test.get());
  EXPECT_EQ(fake->allowedShared, 60000);
  TestProgram less;
  makeStatic(less);
  // With the 1024 bytes that the kernel declares, more than 48 KiB.
  less.addLaunch("third", {1, 1}, "add_one", 1, 8, 48200);
  fake->allowedShared = 0;
  EXPECT_TRUE(load(less.get()));
  EXPECT_EQ(fake->allowedShared, 48200);
  fake->allowedShared = 60000;
  TestTensor x({8}, 1), y({8});
  ASSERT_TRUE(run(*model, {&x}, {&y}));
  EXPECT_EQ(y.data[0], 5);
}

TEST_F(CudaModel, ProgramIsChosenByDevice) {
  TestProgram cpu, cuda, older;
  int32_t x = cpu.addInput("x", {8}), y = cpu.addOutput("y", {8});
  cpu.addKernel("one", {x, y}, addOneOnCpu, 8);
  makeStatic(cuda);
  makeStatic(older);
  tenon_program wrong = older.get();
  tenon_gpu_image image = {"sm_70", TENON_IMAGE_CUBIN, staticImage, 0};
  wrong.images = &image;
  const tenon_program *programs[] = {&cpu.get(), &wrong, &cuda.get(), nullptr};
  auto result = [&](const tenon_program *const *list,
                    int32_t device) -> std::string {
    tenon_options options = {};
    options.device = device;
    auto model = Model::load(list, options, "");
    if (!model)
      return model.error();
    TestTensor in({8}, 1), out({8});
    Status status = run(**model, {&in}, {&out});
    return status ? std::to_string(int(out.data[0])) : status.error();
  };
  EXPECT_EQ(result(programs, TENON_DEVICE_FIRST), "2");
  EXPECT_EQ(result(programs, TENON_DEVICE_CPU), "2");
  EXPECT_EQ(result(programs, TENON_DEVICE_CUDA), "4");
  EXPECT_EQ(result(programs + 2, TENON_DEVICE_FIRST), "4");
  EXPECT_EQ(result(programs + 2, TENON_DEVICE_CPU),
            "the artifact has no program for cpu, only for cuda");
  EXPECT_EQ(result(programs, 3),
            "expected device 0 (the first), 1 (cpu) or 2 (cuda), but got 3");
}
