//===- CudaGraphTest.cpp - tests of runs as CUDA graphs -----------------===//
//
// Part of the Tenon project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "CudaTestSupport.h"

using namespace tenon;
using namespace tenon::runtime;
using artifact::Status;

using CudaGraphs = CudaTest;

TEST_F(CudaGraphs, SteadyStateOnlyLaunchesTheGraph) {
  TestProgram test;
  makeStatic(test);
  auto model = load(test.get());
  TestTensor x({8}, 1), y({8});
  ASSERT_TRUE(run(*model, {&x}, {&y}));
  FakeCuda before = *fake;
  for (int i = 0; i < 10; ++i) {
    // Other host memory needs no other graph.
    TestTensor other({8}, float(i)), result({8});
    ASSERT_TRUE(run(*model, {&other}, {&result}));
    EXPECT_EQ(result.data[7], 2 * (float(i) + 1));
  }
  EXPECT_EQ(fake->allocations, before.allocations);
  EXPECT_EQ(fake->captures, 1);
  EXPECT_EQ(fake->launches, 0);
  EXPECT_EQ(fake->graphLaunches, before.graphLaunches + 10);
  EXPECT_EQ(fake->synchronizations, before.synchronizations + 10);
  EXPECT_EQ(fake->copiesToDevice, before.copiesToDevice + 10);
  EXPECT_EQ(fake->copiesToHost, before.copiesToHost + 10);
}

TEST_F(CudaGraphs, TensorsOnTheDeviceAreUsedInPlace) {
  TestProgram test;
  makeStatic(test);
  auto model = load(test.get());
  DeviceTensor x(library, std::vector<float>(8, 4)),
      y(library, std::vector<float>(8, NAN));
  tenon_tensor in = x.get(), out = y.get();
  for (int i = 0; i < 4; ++i) {
    *x.data() = float(i);
    ASSERT_TRUE(model->run(&in, 1, &out, 1));
    EXPECT_EQ(y.values()[0], 2 * (float(i) + 1));
    EXPECT_EQ(y.values()[7], 10);
  }
  EXPECT_EQ(fake->copiesToDevice + fake->copiesToHost, 0);
  EXPECT_EQ(fake->livePinned, 0);
  // Addresses that come again are worth a graph.
  EXPECT_EQ(fake->launches, 2);
  EXPECT_EQ(fake->graphLaunches, 3);
  // One on each side.
  TestTensor host({8}, NAN);
  tenon_tensor onHost = host.get();
  for (int i = 0; i < 3; ++i) {
    host.data.assign(8, NAN);
    ASSERT_TRUE(model->run(&in, 1, &onHost, 1));
    EXPECT_EQ(host.data[7], 10);
    TestTensor source({8}, float(i));
    tenon_tensor fromHost = source.get();
    ASSERT_TRUE(model->run(&fromHost, 1, &out, 1));
    EXPECT_EQ(y.values()[7], 2 * (float(i) + 1));
  }
}

TEST_F(CudaGraphs, CrookedTensorsAreMadeStraight) {
  TestProgram test;
  makeStatic(test);
  auto model = load(test.get());
  DeviceTensor x(library, std::vector<float>(9, 4)),
      y(library, std::vector<float>(9, NAN));
  int64_t size = 8;
  tenon_tensor in = x.get(), out = y.get();
  in.shape = out.shape = &size;
  // Kernels rely on multiples of 16 bytes.
  in.byte_offset = out.byte_offset = 4;
  TestTensor host({8}, 1);
  for (int i = 0; i < 4; ++i) {
    x.data()[1] = float(i);
    ASSERT_TRUE(model->run(&in, 1, &out, 1));
    EXPECT_EQ(y.values()[1], 2 * (float(i) + 1));
    EXPECT_EQ(y.values()[8], 10);
    EXPECT_TRUE(std::isnan(y.values()[0]));
    // Its graph copies from the host, that one does not.
    tenon_tensor fromHost = host.get();
    ASSERT_TRUE(model->run(&fromHost, 1, &out, 1));
    EXPECT_EQ(y.values()[8], 4);
  }
}

namespace {
/// Tensors of a caller on the device, for a model of makeStatic.
struct CallersTensors {
  CallersTensors(void *library)
      : x(library, std::vector<float>(8, 1)),
        y(library, std::vector<float>(8)) {}
  void run(Model &model) {
    *x.data() += 1;
    *y.data() = NAN;
    tenon_tensor in = x.get(), out = y.get();
    Status status = model.run(&in, 1, &out, 1);
    ASSERT_TRUE(status) << status.error();
    ASSERT_EQ(*y.data(), 2 * (*x.data() + 1));
    ASSERT_EQ(y.values()[7], 4);
  }
  DeviceTensor x, y;
};
} // namespace

TEST_F(CudaGraphs, AddressesThatNeverComeAgain) {
  TestProgram test;
  makeStatic(test);
  auto model = load(test.get());
  std::vector<std::unique_ptr<CallersTensors>> callers;
  auto runNew = [&] {
    callers.push_back(std::make_unique<CallersTensors>(library));
    callers.back()->run(*model);
  };
  for (int i = 0; i < 8; ++i)
    runNew();
  EXPECT_EQ(fake->captures, 0);
  EXPECT_EQ(fake->copiesOnDevice, 0);
  EXPECT_EQ(fake->launches, 16);
  // Enough: from now on they are copied, for a graph.
  for (int i = 0; i < 30; ++i)
    runNew();
  EXPECT_EQ(fake->launches, 16);
  EXPECT_EQ(fake->captures, 1);
  EXPECT_EQ(fake->graphLaunches, 30);
  EXPECT_EQ(fake->copiesOnDevice, 60);
  EXPECT_EQ(fake->livePinned, 0);
  // One that comes again all the same is used in place.
  for (int i = 0; i < 3; ++i)
    callers.back()->run(*model);
  EXPECT_EQ(fake->captures, 2);
  EXPECT_EQ(fake->copiesOnDevice, 60);
  // From the host, through memory that is there in part.
  TestTensor x({8}, 1), y({8});
  for (int i = 0; i < 2; ++i) {
    ASSERT_TRUE(run(*model, {&x}, {&y}));
    EXPECT_EQ(y.data[7], 4);
    runNew();
  }
  EXPECT_EQ(fake->livePinned, 1);
  EXPECT_EQ(fake->launches, 16);
}

TEST_F(CudaGraphs, AddressesThatTakeTurns) {
  TestProgram test;
  makeStatic(test);
  for (int count : {5, 9, 30}) {
    *fake = FakeCuda();
    auto model = load(test.get());
    std::vector<std::unique_ptr<CallersTensors>> callers;
    for (int i = 0; i < count; ++i)
      callers.push_back(std::make_unique<CallersTensors>(library));
    auto runAll = [&] {
      for (auto &caller : callers)
        caller->run(*model);
    };
    for (int i = 0; i < 5; ++i)
      runAll();
    FakeCuda before = *fake;
    for (int i = 0; i < 20; ++i)
      runAll();
    EXPECT_EQ(fake->launches, before.launches) << count;
    EXPECT_EQ(fake->captures, before.captures) << count;
    EXPECT_EQ(fake->allocations, before.allocations) << count;
    EXPECT_EQ(fake->graphLaunches, before.graphLaunches + 20 * count);
    // 5 have a graph each, of 9 most have one.
    long copies = fake->copiesOnDevice - before.copiesOnDevice;
    EXPECT_EQ(copies, 2 * 20 * (count == 5 ? 0 : count == 9 ? 2 : 30)) << count;
    // Others that come to stay take over from these.
    for (int i = 0; i < 70; ++i)
      callers.back()->run(*model);
    before = *fake;
    callers.back()->run(*model);
    EXPECT_EQ(fake->copiesOnDevice, before.copiesOnDevice) << count;
  }
}

TEST_F(CudaGraphs, NoMemoryToCopyTensorsTo) {
  TestProgram test;
  makeStatic(test);
  auto model = load(test.get());
  std::vector<std::unique_ptr<CallersTensors>> callers;
  for (int i = 0; i < 20; ++i) {
    callers.push_back(std::make_unique<CallersTensors>(library));
    // It is allocated from time to time.
    fake->failAllocation = 1;
    callers.back()->run(*model);
    EXPECT_EQ(fake->failAllocation, i % 9 == 8 ? 0 : 1);
    fake->failAllocation = 0;
  }
  EXPECT_EQ(fake->launches, 40);
  EXPECT_EQ(fake->captures, 0);
}

TEST_F(CudaGraphs, RunsWithoutGraphsWhereNoneAreMade) {
  TestProgram test;
  makeStatic(test);
  fake->invalidateCaptures = 100;
  auto model = load(test.get());
  TestTensor x({8}, 1), y({8});
  for (int i = 0; i < 6; ++i) {
    y.data.assign(8, NAN);
    ASSERT_TRUE(run(*model, {&x}, {&y}));
    EXPECT_EQ(y.data[0], 4);
  }
  EXPECT_EQ(fake->launches, 12);
  EXPECT_EQ(fake->captures, 3);
}

TEST_F(CudaGraphs, CapturesThatAreDisturbedAreTriedAgain) {
  TestProgram test;
  makeDynamic(test);
  auto model = load(test.get());
  for (int64_t n : {10, 9, 8}) {
    fake->invalidateCaptures = 2;
    long graphs = fake->graphLaunches;
    for (int i = 0; i < 4; ++i)
      expectRuns(*model, n);
    EXPECT_EQ(fake->graphLaunches, graphs + 2);
  }
}
