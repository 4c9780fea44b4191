//===- FakeDevice.cpp - devices, contexts and errors --------------------===//
//
// Part of the Tenon project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "FakeState.h"

#include <cstdio>

State state;
thread_local int contextDepth = 0;

extern "C" __attribute__((visibility("default"))) FakeCuda *tenon_fake_cuda() {
  // After a fatal error, a test starts again.
  state.stickyError = 0;
  return &state;
}

int check() { return contextDepth == 0 ? InvalidContext : state.stickyError; }

FAKE cuInit(unsigned) {
  return state.initError != 0 ? state.initError
         : state.devices > 0  ? Success
                              : NoDevice;
}
FAKE cuDriverGetVersion(int *version) {
  *version = state.version;
  return Success;
}
FAKE cuGetErrorName(int error, const char **name) {
  switch (error) {
  case OutOfMemory:
    *name = "CUDA_ERROR_OUT_OF_MEMORY";
    return Success;
  case NoBinaryForGpu:
    *name = "CUDA_ERROR_NO_BINARY_FOR_GPU";
    return Success;
  case UnsupportedPtxVersion:
    *name = "CUDA_ERROR_UNSUPPORTED_PTX_VERSION";
    return Success;
  case NotFound:
    *name = "CUDA_ERROR_NOT_FOUND";
    return Success;
  case IllegalAddress:
    *name = "CUDA_ERROR_ILLEGAL_ADDRESS";
    return Success;
  case InvalidContext:
    *name = "CUDA_ERROR_INVALID_CONTEXT";
    return Success;
  case CaptureInvalidated:
    *name = "CUDA_ERROR_STREAM_CAPTURE_INVALIDATED";
    return Success;
  case LaunchFailed:
    *name = "CUDA_ERROR_LAUNCH_FAILED";
    return Success;
  default:
    *name = "CUDA_ERROR_OF_A_FAKE";
    return Success;
  }
}
FAKE cuGetErrorString(int, const char **text) {
  *text = "as the fake driver says";
  return Success;
}
FAKE cuDeviceGetCount(int *count) {
  *count = state.devices;
  return state.failQuery == -1 ? InvalidValue : Success;
}
FAKE cuDeviceGet(int *device, int ordinal) {
  *device = ordinal;
  return ordinal < state.devices ? Success : InvalidDevice;
}
FAKE cuDeviceGetName(char *name, int size, int device) {
  std::snprintf(name, static_cast<size_t>(size), "Fake %c",
                static_cast<char>('A' + device));
  return Success;
}
FAKE cuDeviceGetAttribute(int *value, int attribute, int) {
  *value = attribute == 75   ? state.capability / 10
           : attribute == 76 ? state.capability % 10
                             : state.maxSharedBytes;
  return state.failQuery == attribute ? InvalidValue : Success;
}
FAKE cuDevicePrimaryCtxRetain(void **context, int) {
  ++state.retained;
  *context = &state;
  return Success;
}
FAKE cuDevicePrimaryCtxRelease_v2(int) {
  --state.retained;
  return Success;
}
FAKE cuCtxPushCurrent_v2(void *) {
  if (state.failPush)
    return InvalidContext;
  ++contextDepth;
  return Success;
}
FAKE cuCtxPopCurrent_v2(void **) {
  if (contextDepth == 0)
    return InvalidContext;
  --contextDepth;
  return Success;
}
