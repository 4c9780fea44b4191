//===- CudaStreamTest.cpp - tests of runs on callers' streams -------------===//
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

namespace {
class CudaStreams : public CudaTest {
protected:
  void SetUp() override {
    CudaTest::SetUp();
    auto retain = get<int(void **, int)>("cuDevicePrimaryCtxRetain");
    void *context = nullptr;
    EXPECT_EQ(retain(&context, 0), 0);
    EXPECT_EQ(get<int(void *)>("cuCtxPushCurrent_v2")(context), 0);
    EXPECT_EQ(get<int(void **, unsigned)>("cuStreamCreate")(&stream, 1), 0);
  }
  void TearDown() override {
    get<int(void *)>("cuStreamDestroy_v2")(stream);
    void *context;
    get<int(void **)>("cuCtxPopCurrent_v2")(&context);
    get<int(int)>("cuDevicePrimaryCtxRelease_v2")(0);
    CudaTest::TearDown();
  }

  void *stream = nullptr; // of the caller
};
} // namespace

TEST_F(CudaStreams, RunWithoutWaiting) {
  TestProgram test;
  makeStatic(test);
  auto model = load(test.get());
  DeviceTensor x(library, std::vector<float>(8, 1)),
      y(library, std::vector<float>(8, NAN));
  tenon_tensor in = x.get(), out = y.get();
  for (int i = 0; i < 4; ++i) {
    *x.data() = float(i);
    *y.data() = NAN;
    long before = fake->synchronizations;
    Status status = model->runOnStream(nullptr, &in, 1, &out, 1, stream);
    ASSERT_TRUE(status) << status.error();
    EXPECT_EQ(fake->synchronizations, before);
    EXPECT_TRUE(std::isnan(*y.data()));
    if (i % 2)
      ASSERT_TRUE(model->finish());
    else
      EXPECT_EQ(get<int(void *)>("cuStreamSynchronize")(stream), 0);
    EXPECT_EQ(*y.data(), 2 * (float(i) + 1));
  }
  // A call that waits comes behind it.
  ASSERT_TRUE(model->runOnStream(nullptr, &in, 1, &out, 1, stream));
  TestTensor a({8}, 2), b({8});
  ASSERT_TRUE(run(*model, {&a}, {&b}));
  EXPECT_EQ(b.data[7], 6);
  EXPECT_EQ(y.values()[7], 4);
  ASSERT_TRUE(model->finish());
  // It may be freed meanwhile.
  *y.data() = NAN;
  ASSERT_TRUE(model->runOnStream(nullptr, &in, 1, &out, 1, stream));
  model.reset();
  EXPECT_EQ(*y.data(), 8);
}

TEST_F(CudaStreams, Errors) {
  TestProgram test;
  makeStatic(test);
  auto model = load(test.get());
  DeviceTensor x(library, std::vector<float>(8, 1)),
      y(library, std::vector<float>(8));
  TestTensor host({8});
  tenon_tensor in = x.get(), out = y.get(), onHost = host.get();
  auto error = [&](tenon_tensor &input, tenon_tensor &output) {
    return model->runOnStream(nullptr, &input, 1, &output, 1, stream).error();
  };
  EXPECT_EQ(error(onHost, out), "run_on_stream: input 'x': expected data on "
                                "the device, but got data in host memory");
  EXPECT_EQ(error(in, onHost), "run_on_stream: output 'y': expected data on "
                               "the device, but got data in host memory");
  EXPECT_EQ(model->runOnStream(nullptr, &in, 0, &out, 1, stream).error(),
            "expected 1 inputs, but got 0");
  // A fault shows later.
  fake->failLaunch = 1;
  fake->launchError = 700;
  EXPECT_EQ(error(in, out), "");
  EXPECT_NE(model->finish().error(), "");
  EXPECT_NE(error(in, out).find("the model can't run any more"),
            std::string::npos);
}

TEST_F(CudaStreams, NeedNoTraceAndObserver) {
  TestProgram test;
  makeStatic(test);
  tenon_options options = {};
  options.trace = 1;
  auto model = load(test.get(), options);
  DeviceTensor x(library, std::vector<float>(8, 1)),
      y(library, std::vector<float>(8));
  tenon_tensor in = x.get(), out = y.get();
  EXPECT_EQ(
      model->runOnStream(nullptr, &in, 1, &out, 1, stream).error(),
      "run_on_stream: expected an instance without a trace and an observer");
}
