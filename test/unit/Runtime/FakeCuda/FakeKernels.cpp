//===- FakeKernels.cpp - kernels of the driver for tests ----------------===//
//
// Part of the Tenon project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Every kernel takes addresses of floats, the workspace, and perhaps a symbol:
// how many elements there are (else: one a thread).
//
//===----------------------------------------------------------------------===//

#include "FakeState.h"

#include <cstring>
#include <sstream>

static int64_t countOf(const uint64_t *arguments, int numArguments, int base,
                       int64_t threads) {
  int64_t count = threads;
  if (numArguments > base && static_cast<int64_t>(arguments[base]) < count)
    count = static_cast<int64_t>(arguments[base]);
  return count;
}

/// out = in + 1.
static bool addOne(const uint64_t *arguments, int numArguments,
                   int64_t threads) {
  int64_t count = countOf(arguments, numArguments, 3, threads);
  if (!isFakeMemory(arguments[0], 4 * count) ||
      !isFakeMemory(arguments[1], 4 * count))
    return false;
  const float *in = reinterpret_cast<const float *>(arguments[0]);
  float *out = reinterpret_cast<float *>(arguments[1]);
  for (int64_t i = 0; i < count; ++i)
    out[i] = in[i] + 1;
  return true;
}

/// out = a + b.
static bool add(const uint64_t *arguments, int numArguments, int64_t threads) {
  int64_t count = countOf(arguments, numArguments, 4, threads);
  for (int i = 0; i < 3; ++i)
    if (!isFakeMemory(arguments[i], 4 * count))
      return false;
  const float *a = reinterpret_cast<const float *>(arguments[0]);
  const float *b = reinterpret_cast<const float *>(arguments[1]);
  float *out = reinterpret_cast<float *>(arguments[2]);
  for (int64_t i = 0; i < count; ++i)
    out[i] = a[i] + b[i];
  return true;
}

/// out = 2 * in, by way of the workspace.
static bool twiceThroughWorkspace(const uint64_t *arguments, int numArguments,
                                  int64_t threads) {
  int64_t count = countOf(arguments, numArguments, 3, threads);
  for (int i = 0; i < 3; ++i)
    if (!isFakeMemory(arguments[i], 4 * count))
      return false;
  const float *in = reinterpret_cast<const float *>(arguments[0]);
  float *out = reinterpret_cast<float *>(arguments[1]);
  float *workspace = reinterpret_cast<float *>(arguments[2]);
  std::memcpy(workspace, in, static_cast<size_t>(4 * count));
  for (int64_t i = 0; i < count; ++i)
    out[i] = 2 * workspace[i];
  return true;
}

/// Words of a check of indices from 0 to 7 (given as floats) in one part.
static bool findOutside(const uint64_t *arguments, int numArguments,
                        int64_t threads) {
  int64_t count = countOf(arguments, numArguments, 3, threads);
  if (!isFakeMemory(arguments[0], 4 * count) || !isFakeMemory(arguments[1], 16))
    return false;
  const float *in = reinterpret_cast<const float *>(arguments[0]);
  int64_t *words = reinterpret_cast<int64_t *>(arguments[1]);
  words[0] = INT64_MAX;
  words[1] = 0;
  for (int64_t i = count; i-- > 0;)
    if (in[i] < 0 || in[i] > 7) {
      words[0] = i;
      words[1] = static_cast<int64_t>(in[i]);
    }
  return true;
}

FakeKernel findFakeKernel(const char *name) {
  static const struct {
    const char *name;
    FakeKernel kernel;
  } kernels[] = {{"add_one", addOne},
                 {"add", add},
                 {"find_outside", findOutside},
                 {"twice_through_workspace", twiceThroughWorkspace}};
  for (const auto &entry : kernels)
    if (std::strcmp(entry.name, name) == 0)
      return entry.kernel;
  return nullptr;
}

int loadImage(Module &module, const void *image,
              const std::function<void(const char *)> &log) {
  std::istringstream text(static_cast<const char *>(image));
  std::string name;
  int numArguments;
  while (text >> name >> numArguments) {
    if (name == "too-new-ptx") {
      log("unsupported .version\n");
      return UnsupportedPtxVersion;
    }
    if (name == "too-new-binary")
      return NoBinaryForGpu;
    if (name == "takes-all-memory")
      return OutOfMemory;
    if (name == "loses-device")
      return state.stickyError = LaunchFailed;
    // Found out late, by a driver that loads lazily.
    module.refusesKernels |= name == "too-new-kernels";
    Function function = {name, numArguments, nullptr};
    if (FakeKernel kernel = findFakeKernel(name.c_str()))
      function.run = [=](const Launch &launch,
                         const std::vector<uint64_t> &arguments) {
        return kernel(arguments.data(), numArguments,
                      int64_t(launch.grid[0]) * launch.block[0]);
      };
    module.functions[name] = function;
  }
  return Success;
}

uint64_t allocateBlock(size_t bytes) {
  return reinterpret_cast<uint64_t>(
      std::aligned_alloc(256, (bytes + 255) / 256 * 256));
}
void freeBlock(uint64_t address) {
  std::free(reinterpret_cast<void *>(address));
}
const Limits &getLimits() {
  static const Limits limits = {1000000, FakeCuda().maxSharedBytes, 512};
  return limits;
}
