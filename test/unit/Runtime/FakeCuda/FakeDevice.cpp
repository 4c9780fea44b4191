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

/// The contexts of devices, and those that a thread made current. No vector:
/// its destructor would keep the library loaded until the thread ends.
enum { MostDevices = 64, MostPushed = 1024 };
static char contexts[MostDevices];
static thread_local int pushed[MostPushed];
static thread_local int numPushed = 0;

int currentDevice() { return numPushed == 0 ? -1 : pushed[numPushed - 1]; }

extern "C" __attribute__((visibility("default"))) FakeCuda *tenon_fake_cuda() {
  Locked locked;
  // After a fatal error, a test starts again.
  state.stickyError = 0;
  return &state;
}

int check() { return numPushed == 0 ? InvalidContext : state.stickyError; }

FAKE cuInit(unsigned) {
  Locked locked;
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
  case NotReady:
    *name = "CUDA_ERROR_NOT_READY";
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
FAKE cuDevicePrimaryCtxRetain(void **context, int device) {
  Locked locked;
  if (device < 0 || device >= MostDevices || device >= state.devices)
    return InvalidDevice;
  ++state.retained;
  *context = &contexts[device];
  return Success;
}
FAKE cuDevicePrimaryCtxRelease_v2(int) {
  Locked locked;
  --state.retained;
  return Success;
}
/// Null stands for the first device, as tests have it.
FAKE cuCtxPushCurrent_v2(char *context) {
  Locked locked;
  if (state.failPush || numPushed == MostPushed)
    return InvalidContext;
  if (!context)
    context = contexts;
  if (context < contexts || context >= contexts + MostDevices)
    return InvalidContext;
  pushed[numPushed++] = static_cast<int>(context - contexts);
  return Success;
}
FAKE cuCtxPopCurrent_v2(void **context) {
  if (numPushed == 0)
    return InvalidContext;
  --numPushed;
  if (context)
    *context = &contexts[pushed[numPushed]];
  return Success;
}
