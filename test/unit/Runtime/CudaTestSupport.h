//===- CudaTestSupport.h - programs on the CUDA driver for tests --------===//
//
// Part of the Tenon project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef TENON_TEST_UNIT_RUNTIME_CUDATESTSUPPORT_H
#define TENON_TEST_UNIT_RUNTIME_CUDATESTSUPPORT_H

#include "FakeCuda/FakeCuda.h"
#include "TestProgram.h"

#include "tenon/Artifact/SafetensorsWriter.h"

#include <gtest/gtest.h>

#include <cmath>
#include <cstdlib>
#include <dlfcn.h>

namespace tenon::runtime {

/// Kernels of FakeKernels.cpp; a second number counts the symbol.
constexpr const char *staticImage = "add_one 3\nadd 4\n"
                                    "twice_through_workspace 3\n";
constexpr const char *dynamicImage = "add_one 4\nadd 5\n"
                                     "twice_through_workspace 4\n";

class CudaTest : public testing::Test {
protected:
  CudaTest() {
    std::string path = std::string(TENON_FIXTURES) + "/libtenon_fake_cuda.so";
    ::setenv("TENON_CUDA_DRIVER", path.c_str(), 1);
    ::unsetenv("TENON_CUDA_GRAPH");
    ::unsetenv("TENON_CUDA_SYNC");
    library = ::dlopen(path.c_str(), RTLD_NOW | RTLD_LOCAL);
    if (!library) {
      ADD_FAILURE() << ::dlerror();
      std::abort();
    }
    fake = get<FakeCuda *()>("tenon_fake_cuda")();
    *fake = FakeCuda();
  }
  ~CudaTest() override {
    EXPECT_EQ(fake->alive(), 0) << "something was not given back";
    EXPECT_EQ(fake->liveBytes, 0);
    ::dlclose(library);
    ::unsetenv("TENON_CUDA_DRIVER");
    ::unsetenv("TENON_CUDA_GRAPH");
    ::unsetenv("TENON_CUDA_SYNC");
  }

  template <typename F> F *get(const char *name) {
    return reinterpret_cast<F *>(::dlsym(library, name));
  }

  /// y[8] = (x[8] + 1) * 2, through an arena buffer and the workspace.
  void makeStatic(TestProgram &test) {
    int32_t x = test.addInput("x", {8}), y = test.addOutput("y", {8});
    int32_t t = test.addArena(32, 256, 0, 1);
    test.addLaunch("first", {x, t}, "add_one", 1);
    test.addLaunch("second", {t, y}, "twice_through_workspace", 2, 4);
    test.entry.arena_bytes = 512;
    test.entry.scratch_bytes = 32;
    test.program.device = TENON_PROGRAM_CUDA;
    test.addImage("sm_80", staticImage);
  }

  /// As above for x[n], with blocks of 8 threads.
  void makeDynamic(TestProgram &test) {
    test.addSymbol("n");
    int32_t x = test.addInput("x", {-1}), y = test.addOutput("y", {-1});
    int32_t t = test.addArena(-1, -1, 0, 1);
    test.addLaunch("first", {x, t}, "add_one", -1);
    test.addLaunch("second", {t, y}, "twice_through_workspace", -1);
    test.entry.arena_bytes = test.entry.scratch_bytes = -1;
    test.entry.buffer_bytes = [](const int64_t *symbols, int64_t *out) {
      out[0] = out[1] = out[2] = 4 * symbols[0];
    };
    test.entry.scratch_size = [](const int64_t *symbols, int64_t *out) {
      out[0] = 4 * symbols[0];
    };
    test.entry.step_extents = [](const int64_t *symbols, int64_t *out) {
      out[0] = out[1] = (symbols[0] + 7) / 8;
    };
    test.program.device = TENON_PROGRAM_CUDA;
    test.addImage("sm_80", dynamicImage);
  }

  std::unique_ptr<Model> load(const tenon_program &program,
                              tenon_options options = {},
                              const std::string &params = "") {
    auto model = Model::load(program, options, params);
    EXPECT_TRUE(model) << model.error();
    return model ? std::move(*model) : nullptr;
  }
  std::string loadError(const tenon_program &program,
                        tenon_options options = {}) {
    auto model = Model::load(program, options, "");
    return model ? "" : model.error();
  }

  void *library;
  FakeCuda *fake;
};

/// Runs a model of makeDynamic.
inline void expectRuns(Model &model, int64_t n) {
  TestTensor x({n}), y({n}, NAN);
  for (int64_t i = 0; i < n; ++i)
    x.data[i] = float(i);
  artifact::Status status = run(model, {&x}, {&y});
  ASSERT_TRUE(status) << status.error();
  for (int64_t i = 0; i < n; ++i)
    ASSERT_EQ(y.data[i], 2 * float(i + 1)) << "of " << n;
}

/// Memory on the device, as a caller has it.
class DeviceTensor {
public:
  DeviceTensor(void *library, std::vector<float> values)
      : library(library), size(static_cast<int64_t>(values.size())) {
    call<int(void *)>("cuCtxPushCurrent_v2")(nullptr);
    call<int(uint64_t *, size_t)>("cuMemAlloc_v2")(&address, 4 * values.size());
    std::copy(values.begin(), values.end(), data());
  }
  ~DeviceTensor() {
    call<int(uint64_t)>("cuMemFree_v2")(address);
    call<int(void *)>("cuCtxPopCurrent_v2")(nullptr);
  }

  float *data() { return reinterpret_cast<float *>(address); }
  std::vector<float> values() { return {data(), data() + size}; }
  tenon_tensor get() {
    return {data(), TENON_DEVICE_CUDA, 0, 1, {TENON_DL_FLOAT, 32, 1},
            &size,  nullptr,           0};
  }

private:
  template <typename F> F *call(const char *name) {
    return reinterpret_cast<F *>(::dlsym(library, name));
  }

  void *library;
  uint64_t address = 0;
  int64_t size;
};

} // namespace tenon::runtime

#endif // TENON_TEST_UNIT_RUNTIME_CUDATESTSUPPORT_H
