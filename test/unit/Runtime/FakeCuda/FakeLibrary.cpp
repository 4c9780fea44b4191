//===- FakeLibrary.cpp - what libraries for tests share -------------------===//
//
// Part of the Tenon project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "FakeLibrary.h"

#include <cstdlib>
#include <cstring>
#include <dlfcn.h>

FakeDriver getFakeDriver() {
  static FakeDriver driver = [] {
    void *library =
        ::dlopen(std::getenv("TENON_CUDA_DRIVER"), RTLD_NOW | RTLD_LOCAL);
    FakeDriver found = {};
    auto get = [&](const char *name, auto &function) {
      function = reinterpret_cast<std::decay_t<decltype(function)>>(
          ::dlsym(library, name));
      if (!function)
        std::abort();
    };
    get("tenon_fake_put", found.put);
    get("tenon_fake_holds", found.holds);
    get("tenon_fake_is_capturing", found.isCapturing);
    get("tenon_fake_fault", found.fault);
    get("tenon_fake_put_waiting", found.putWaiting);
    get("tenon_fake_current_device", found.currentDevice);
    get("tenon_fake_device_of", found.deviceOf);
    get("tenon_fake_device_of_stream", found.deviceOfStream);
    get("tenon_fake_lock", found.lock);
    get("tenon_fake_unlock", found.unlock);
    get("tenon_fake_wait_until", found.waitUntil);
    return found;
  }();
  return driver;
}

int64_t fakeSize(int kind) { return kind == 0 ? 4 : 2; }

double fakeLoad(uint64_t address, int64_t index, int kind) {
  if (kind == 0)
    return reinterpret_cast<const float *>(address)[index];
  if (kind == 2)
    return static_cast<double>(
        reinterpret_cast<const _Float16 *>(address)[index]);
  uint32_t bits = reinterpret_cast<const uint16_t *>(address)[index];
  bits <<= 16;
  float value;
  std::memcpy(&value, &bits, 4);
  return value;
}

void fakeStore(uint64_t address, int64_t index, int kind, double value) {
  float single = static_cast<float>(value);
  if (kind == 0) {
    reinterpret_cast<float *>(address)[index] = single;
  } else if (kind == 2) {
    reinterpret_cast<_Float16 *>(address)[index] =
        static_cast<_Float16>(single);
  } else {
    uint32_t bits;
    std::memcpy(&bits, &single, 4);
    bits += 0x7fff + (bits >> 16 & 1);
    reinterpret_cast<uint16_t *>(address)[index] =
        static_cast<uint16_t>(bits >> 16);
  }
}

double fakeTf32(double value) {
  float single = static_cast<float>(value);
  uint32_t bits;
  std::memcpy(&bits, &single, 4);
  bits = (bits + 0x1000) & ~0x1fffu;
  std::memcpy(&single, &bits, 4);
  return single;
}
