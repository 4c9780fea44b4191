//===- CudaLibrarySupport.h - library calls on the driver for tests -------===//
//
// Part of the Tenon project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef TENON_TEST_UNIT_RUNTIME_CUDALIBRARYSUPPORT_H
#define TENON_TEST_UNIT_RUNTIME_CUDALIBRARYSUPPORT_H

#include "CallReference.h"
#include "CudaTestSupport.h"
#include "FakeCuda/FakeLibrary.h"

namespace tenon::runtime {

/// Of one of the two libraries: its name in files, its variable, its function.
class CudaLibraryTest : public CudaTest {
protected:
  CudaLibraryTest(const char *name, const char *variable, const char *function)
      : variable(variable) {
    std::string path =
        std::string(TENON_FIXTURES) + "/libtenon_fake_" + name + ".so";
    ::setenv(variable, path.c_str(), 1);
    calls = ::dlopen(path.c_str(), RTLD_NOW | RTLD_LOCAL);
    if (!calls) {
      ADD_FAILURE() << ::dlerror();
      std::abort();
    }
    called = reinterpret_cast<FakeLibrary *(*)()>(::dlsym(calls, function))();
    *called = FakeLibrary();
  }
  ~CudaLibraryTest() override {
    EXPECT_EQ(called->alive, 0) << "something was not given back";
    ::dlclose(calls);
    ::unsetenv(variable);
  }

  /// Runs a case step by step and as a graph, several times; empty: it agrees
  /// with the reference.
  std::string check(const Case &test) {
    for (const char *graph : {"0", "1"}) {
      ::setenv("TENON_CUDA_GRAPH", graph, 1);
      CallRun run(test);
      std::string error = run.check();
      for (int i = 0; i < 3 && error.empty(); ++i)
        error = run.compare();
      if (!error.empty())
        return error;
    }
    return "";
  }

  const char *variable;
  void *calls;
  FakeLibrary *called;
};

/// Floats as f16 or bf16 (bits), and back.
inline uint16_t toBFloat(float value) {
  uint32_t bits;
  std::memcpy(&bits, &value, 4);
  return static_cast<uint16_t>((bits + 0x7fff + (bits >> 16 & 1)) >> 16);
}
inline float fromBFloat(uint16_t value) {
  uint32_t bits = uint32_t(value) << 16;
  float result;
  std::memcpy(&result, &bits, 4);
  return result;
}
inline uint16_t toHalf(float value) {
  _Float16 half = static_cast<_Float16>(value);
  uint16_t bits;
  std::memcpy(&bits, &half, 2);
  return bits;
}
inline float fromHalf(uint16_t bits) {
  _Float16 half;
  std::memcpy(&half, &bits, 2);
  return static_cast<float>(half);
}

} // namespace tenon::runtime

#endif // TENON_TEST_UNIT_RUNTIME_CUDALIBRARYSUPPORT_H
