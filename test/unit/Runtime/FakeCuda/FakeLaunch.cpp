//===- FakeLaunch.cpp - modules and launches of kernels -------------------===//
//
// Part of the Tenon project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "FakeState.h"

#include <algorithm>
#include <cstring>

FAKE cuModuleLoadDataEx(Module **module, const void *image, unsigned count,
                        int *options, void **values) {
  CHECK;
  auto loaded = std::make_unique<Module>();
  int error = loadImage(*loaded, image, [&](const char *text) {
    for (unsigned i = 0; i < count; ++i)
      if (options[i] == 5)
        std::strcpy(static_cast<char *>(values[i]), text);
  });
  if (error)
    return error;
  for (auto &[name, function] : loaded->functions)
    function.device = currentDevice();
  *module = loaded.release();
  ++state.liveModules;
  return Success;
}
FAKE cuModuleUnload(Module *module) {
  Locked locked;
  if (currentDevice() < 0)
    return InvalidContext;
  delete module;
  --state.liveModules;
  return Success;
}
FAKE cuModuleGetFunction(Function **function, Module *module,
                         const char *name) {
  CHECK;
  if (module->refusesKernels)
    return NoBinaryForGpu;
  auto found = module->functions.find(name);
  if (found == module->functions.end() || !found->second.run)
    return NotFound;
  *function = &found->second;
  return Success;
}
FAKE cuFuncGetAttribute(int *value, int attribute, Function *) {
  Locked locked;
  // Threads of a block; shared memory that the kernel declares.
  *value = attribute == 0 ? getLimits().threads : 1024;
  return check();
}
FAKE cuFuncSetAttribute(Function *, int, int value) {
  CHECK;
  if (value > state.maxSharedBytes)
    return InvalidValue;
  state.allowedShared = std::max(state.allowedShared, value);
  return Success;
}
FAKE cuLaunchKernel(Function *function, unsigned gridX, unsigned gridY,
                    unsigned gridZ, unsigned blockX, unsigned blockY,
                    unsigned blockZ, unsigned shared, Stream *stream,
                    void **arguments, void **) {
  CHECK_STREAM(stream);
  if (function->device != currentDevice())
    return InvalidContext;
  if (stream->isDisturbed)
    return CaptureInvalidated;
  Launch launch = {{gridX, gridY, gridZ}, {blockX, blockY, blockZ}, shared};
  for (int axis = 0; axis < 3; ++axis)
    if (launch.grid[axis] == 0 || launch.block[axis] == 0)
      return InvalidValue;
  if (static_cast<int>(shared) > std::max(48128, state.allowedShared))
    return InvalidValue;
  if (!stream->capture)
    ++state.launches;
  std::vector<uint64_t> values;
  for (int i = 0; i < function->numArguments; ++i)
    values.push_back(*static_cast<const uint64_t *>(arguments[i]));
  if (!stream->capture && state.failLaunch > 0 && state.launchError < 700 &&
      --state.failLaunch == 0)
    return state.launchError;
  // The module may be unloaded before a graph runs.
  putReady(stream, [=, run = function->run] {
    ++state.kernels;
    state.clock += 1;
    if (state.launchError >= 700 && state.failLaunch > 0 &&
        --state.failLaunch == 0)
      state.stickyError = state.launchError;
    else if (!run(launch, values))
      state.stickyError = IllegalAddress;
  });
  return Success;
}
