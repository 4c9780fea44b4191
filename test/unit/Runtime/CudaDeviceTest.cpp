//===- CudaDeviceTest.cpp - tests on a device, where there is one ---------===//
//
// Part of the Tenon project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "TestProgram.h"

#include <gtest/gtest.h>

#include <cmath>
#include <dlfcn.h>
#include <unistd.h>

using namespace tenon;
using namespace tenon::runtime;
using artifact::Status;

/// y[i] = x[i] + 1 of 8 floats.
static const char addOne[] = R"(
.version 7.0
.target sm_70
.address_size 64
.visible .entry add_one(.param .u64 x, .param .u64 y, .param .u64 w) {
  .reg .b32 %i;
  .reg .b64 %x, %y, %o;
  .reg .f32 %v;
  mov.u32 %i, %tid.x;
  mul.wide.u32 %o, %i, 4;
  ld.param.u64 %x, [x];
  ld.param.u64 %y, [y];
  cvta.to.global.u64 %x, %x;
  cvta.to.global.u64 %y, %y;
  add.s64 %x, %x, %o;
  add.s64 %y, %y, %o;
  ld.global.f32 %v, [%x];
  add.f32 %v, %v, 0f3F800000;
  st.global.f32 [%y], %v;
  ret;
}
)";

namespace {
/// Entry "a": y = x + 2; entry "b" counts a state up, and gives it.
class CudaDevice : public ::testing::Test {
protected:
  TestProgram test;
  std::unique_ptr<Model> model;
  void *driver = nullptr;

  void SetUp() override {
    ::unsetenv("TENON_CUDA_DRIVER");
    driver = ::dlopen("libcuda.so.1", RTLD_NOW);
    if (!driver)
      GTEST_SKIP() << "no CUDA driver";
    int32_t count = test.addState("count", {8});
    int32_t x = test.addInput("x", {8}), y = test.addOutput("y", {8});
    int32_t t = test.addArena(32, 0, 0, 1);
    test.setValue(t, "a/t", {8});
    test.addLaunch("first", {x, t}, "add_one", 1);
    test.addLaunch("second", {t, y}, "add_one", 1);
    test.entry.name = "a";
    test.entry.arena_bytes = 32;
    test.startEntry("b");
    int32_t z = test.addOutput("z", {8});
    test.addLaunch("count", {count, count}, "add_one", 1);
    test.addCopy("give", count, z);
    test.program.device = TENON_PROGRAM_CUDA;
    test.addImage("sm_70", addOne, TENON_IMAGE_PTX);
    auto loaded = Model::load(test.get(), {}, "");
    if (!loaded)
      GTEST_SKIP() << loaded.error();
    model = std::move(*loaded);
  }
  template <typename F> F *get(const char *name) {
    return reinterpret_cast<F *>(::dlsym(driver, name));
  }
  float countUp() {
    TestTensor z({8});
    std::vector<tenon_tensor> out = list({&z});
    Status status = model->run("b", nullptr, 0, out.data(), 1);
    EXPECT_TRUE(status) << status.error();
    return z.data[7];
  }
};
} // namespace

TEST_F(CudaDevice, RunsEntriesWithAState) {
  for (int i = 1; i <= 5; ++i) {
    TestTensor x({8}, float(i)), y({8}, NAN);
    Status status = run(*model, {&x}, {&y});
    ASSERT_TRUE(status) << status.error();
    EXPECT_EQ(y.data[7], float(i + 2));
    EXPECT_EQ(countUp(), float(i));
  }
  std::string path = ::testing::TempDir() + "tenon-" +
                     std::to_string(::getpid()) + "-cuda.safetensors";
  ASSERT_TRUE(model->saveStates(path.c_str()));
  ASSERT_TRUE(model->resetStates());
  EXPECT_EQ(countUp(), 1);
  ASSERT_TRUE(model->restoreStates(path.c_str()));
  EXPECT_EQ(countUp(), 6);
  std::remove(path.c_str());
}

TEST_F(CudaDevice, IsObserved) {
  std::string seen;
  ASSERT_TRUE(model->observe(
      [](void *context, const tenon_observed_step *step) {
        auto &seen = *static_cast<std::string *>(context);
        for (int32_t i = 0; i < step->num_values; ++i)
          seen += artifact::concat(
              step->values[i].origin, " ",
              int64_t(static_cast<float *>(step->values[i].tensor.data)[7]));
      },
      &seen));
  TestTensor x({8}, 5), y({8});
  ASSERT_TRUE(run(*model, {&x}, {&y}));
  EXPECT_EQ(seen, "a/t 6");
  EXPECT_EQ(y.data[7], 7);
}

TEST_F(CudaDevice, RunsOnAStream) {
  void *context = nullptr, *stream = nullptr;
  ASSERT_EQ(get<int(void **, int)>("cuDevicePrimaryCtxRetain")(&context, 0), 0);
  ASSERT_EQ(get<int(void *)>("cuCtxPushCurrent_v2")(context), 0);
  ASSERT_EQ(get<int(void **, unsigned)>("cuStreamCreate")(&stream, 1), 0);
  uint64_t memory = 0;
  ASSERT_EQ(get<int(uint64_t *, size_t)>("cuMemAlloc_v2")(&memory, 4096), 0);
  auto copyIn =
      get<int(uint64_t, const void *, size_t, void *)>("cuMemcpyHtoDAsync_v2");
  auto copyOut =
      get<int(void *, uint64_t, size_t, void *)>("cuMemcpyDtoHAsync_v2");
  int64_t size = 8, gap = 3;
  tenon_tensor in = {reinterpret_cast<void *>(memory),
                     TENON_DEVICE_CUDA,
                     0,
                     1,
                     {TENON_DL_FLOAT, 32, 1},
                     &size,
                     nullptr,
                     0};
  tenon_tensor out = in;
  out.byte_offset = 1024;
  // On the caller's stream, and on the default one; dense, and with gaps.
  for (void *on : {stream, static_cast<void *>(nullptr)})
    for (int64_t *strides : {static_cast<int64_t *>(nullptr), &gap})
      for (int i = 0; i < 20; ++i) {
        std::vector<float> x(24, float(i)), y(24, NAN);
        in.strides = out.strides = strides;
        ASSERT_EQ(copyIn(memory, x.data(), 96, on), 0);
        Status status = model->runOnStream("a", &in, 1, &out, 1, on);
        ASSERT_TRUE(status) << status.error();
        ASSERT_EQ(copyOut(y.data(), memory + 1024, 96, on), 0);
        ASSERT_EQ(get<int(void *)>("cuStreamSynchronize")(on), 0);
        EXPECT_EQ(y[strides ? 21 : 7], float(i + 2));
      }
  ASSERT_TRUE(model->finish());
  TestTensor host({8}, 1), result({8});
  ASSERT_TRUE(run(*model, {&host}, {&result}));
  EXPECT_EQ(result.data[0], 3);
  get<int(uint64_t)>("cuMemFree_v2")(memory);
  get<int(void *)>("cuStreamDestroy_v2")(stream);
  get<int(void **)>("cuCtxPopCurrent_v2")(&context);
  get<int(int)>("cuDevicePrimaryCtxRelease_v2")(0);
}
