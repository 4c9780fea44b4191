//===- Driver.h - the functions of the CUDA driver ----------------------===//
//
// Part of the Tenon project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The library is opened at load, and the few types and constants that are used
// are repeated here: Tenon builds on machines without CUDA, and artifacts load
// on them. A test compares them with cuda.h if that is found.
//
//===----------------------------------------------------------------------===//

#ifndef TENON_LIB_RUNTIME_CUDA_DRIVER_H
#define TENON_LIB_RUNTIME_CUDA_DRIVER_H

#include "tenon/Artifact/Status.h"

#include <cstddef>
#include <cstdint>
#include <memory>
#include <string>

namespace tenon::runtime::cuda {

/// CUresult, and the results that are handled by name.
using Result = int;
enum : Result {
  Success = 0,
  OutOfMemory = 2,
  StubLibrary = 34,
  NoDevice = 100,
  InvalidImage = 200,
  NoBinaryForGpu = 209,
  EccUncorrectable = 214,
  InvalidPtx = 218,
  NvlinkUncorrectable = 220,
  JitCompilerNotFound = 221,
  UnsupportedPtxVersion = 222,
  Contained = 226,
  NotFound = 500,
  NotReady = 600,
  IllegalAddress = 700,
  LaunchTimeout = 702,
  ContextIsDestroyed = 709,
  Assert = 710,
  HardwareStackError = 714,
  LaunchFailed = 719,
  TensorMemoryLeak = 721,
  MpsClientTerminated = 810,
  ExternalDevice = 911,
  Unknown = 999
};

/// Returns whether the device's context cannot be used any more.
bool isFatal(Result result);

using DeviceAddress = uint64_t; // CUdeviceptr
using DeviceNumber = int;       // CUdevice
using Context = struct ContextTag *;
using Stream = struct StreamTag *;
using Module = struct ModuleTag *;
using Function = struct FunctionTag *;
using Event = struct EventTag *;
using Graph = struct GraphTag *;
using GraphExec = struct GraphExecTag *;

// CUdevice_attribute
enum : int {
  ComputeCapabilityMajor = 75,
  ComputeCapabilityMinor = 76,
  MaxSharedBytesPerBlock = 97
};
// CUfunction_attribute
enum : int {
  MaxThreadsPerBlock = 0,
  StaticSharedBytes = 1,
  MaxDynamicSharedBytes = 8
};
// CUjit_option
enum : int { JitErrorLog = 5, JitErrorLogBytes = 6 };
enum : unsigned {
  StreamNonBlocking = 1,
  EventWithoutTime = 2,
  RecordExternal = 1, // the node of a graph; only during a capture
};
enum : int { CaptureThreadLocal = 1 };

/// Name in Driver, name in the library, parameters.
#define TENON_CUDA_FUNCTIONS(F)                                                \
  F(init, cuInit, (unsigned))                                                  \
  F(driverGetVersion, cuDriverGetVersion, (int *))                             \
  F(getErrorName, cuGetErrorName, (Result, const char **))                     \
  F(getErrorString, cuGetErrorString, (Result, const char **))                 \
  F(deviceGetCount, cuDeviceGetCount, (int *))                                 \
  F(deviceGet, cuDeviceGet, (DeviceNumber *, int))                             \
  F(deviceGetName, cuDeviceGetName, (char *, int, DeviceNumber))               \
  F(deviceGetAttribute, cuDeviceGetAttribute, (int *, int, DeviceNumber))      \
  F(primaryCtxRetain, cuDevicePrimaryCtxRetain, (Context *, DeviceNumber))     \
  F(primaryCtxRelease, cuDevicePrimaryCtxRelease_v2, (DeviceNumber))           \
  F(ctxPush, cuCtxPushCurrent_v2, (Context))                                   \
  F(ctxPop, cuCtxPopCurrent_v2, (Context *))                                   \
  F(memGetInfo, cuMemGetInfo_v2, (size_t *, size_t *))                         \
  F(memAlloc, cuMemAlloc_v2, (DeviceAddress *, size_t))                        \
  F(memFree, cuMemFree_v2, (DeviceAddress))                                    \
  F(memAllocHost, cuMemAllocHost_v2, (void **, size_t))                        \
  F(memFreeHost, cuMemFreeHost, (void *))                                      \
  F(copyToDevice, cuMemcpyHtoDAsync_v2,                                        \
    (DeviceAddress, const void *, size_t, Stream))                             \
  F(copyToHost, cuMemcpyDtoHAsync_v2, (void *, DeviceAddress, size_t, Stream)) \
  F(copyOnDevice, cuMemcpyDtoDAsync_v2,                                        \
    (DeviceAddress, DeviceAddress, size_t, Stream))                            \
  F(memset, cuMemsetD8Async, (DeviceAddress, unsigned char, size_t, Stream))   \
  F(streamCreate, cuStreamCreate, (Stream *, unsigned))                        \
  F(streamDestroy, cuStreamDestroy_v2, (Stream))                               \
  F(streamSynchronize, cuStreamSynchronize, (Stream))                          \
  F(streamWaitEvent, cuStreamWaitEvent, (Stream, Event, unsigned))             \
  F(streamBeginCapture, cuStreamBeginCapture_v2, (Stream, int))                \
  F(streamEndCapture, cuStreamEndCapture, (Stream, Graph *))                   \
  F(graphInstantiate, cuGraphInstantiateWithFlags,                             \
    (GraphExec *, Graph, unsigned long long))                                  \
  F(graphLaunch, cuGraphLaunch, (GraphExec, Stream))                           \
  F(graphExecDestroy, cuGraphExecDestroy, (GraphExec))                         \
  F(graphDestroy, cuGraphDestroy, (Graph))                                     \
  F(moduleLoad, cuModuleLoadDataEx,                                            \
    (Module *, const void *, unsigned, int *, void **))                        \
  F(moduleUnload, cuModuleUnload, (Module))                                    \
  F(moduleGetFunction, cuModuleGetFunction,                                    \
    (Function *, Module, const char *))                                        \
  F(funcGetAttribute, cuFuncGetAttribute, (int *, int, Function))              \
  F(funcSetAttribute, cuFuncSetAttribute, (Function, int, int))                \
  F(launchKernel, cuLaunchKernel,                                              \
    (Function, unsigned, unsigned, unsigned, unsigned, unsigned, unsigned,     \
     unsigned, Stream, void **, void **))                                      \
  F(eventCreate, cuEventCreate, (Event *, unsigned))                           \
  F(eventDestroy, cuEventDestroy_v2, (Event))                                  \
  F(eventRecord, cuEventRecord, (Event, Stream))                               \
  F(eventRecordWithFlags, cuEventRecordWithFlags, (Event, Stream, unsigned))   \
  F(eventQuery, cuEventQuery, (Event))                                         \
  F(eventElapsed, cuEventElapsedTime, (float *, Event, Event))

/// An open driver. The library stays loaded until the process ends, because
/// drivers start threads.
struct Driver {
#define TENON_DECLARE(NAME, SYMBOL, PARAMETERS)                                \
  Result(*NAME) PARAMETERS = nullptr;
  TENON_CUDA_FUNCTIONS(TENON_DECLARE)
#undef TENON_DECLARE

  /// The CUDA version, as 1000 * major + 10 * minor.
  int version = 0;

  /// Opens and initializes the driver: libcuda.so.1, or the library that the
  /// environment variable TENON_CUDA_DRIVER names. `otherwise` (", or ...") is
  /// appended to messages that say that this machine can't run CUDA.
  static artifact::Expected<Driver> open(const std::string &otherwise);
  /// A driver of no device, to plan memory; see PlannedDriver.cpp.
  static Driver makePlanned();

  /// For example "CUDA_ERROR_NO_DEVICE (no CUDA-capable device is detected)".
  std::string describe(Result result) const;
  const char *errorName(Result result) const;
  std::string versionText() const; // such as "CUDA 12.4"
};

/// Returns the error that there is a driver, but no device.
artifact::Error noDevice(const std::string &otherwise);

} // namespace tenon::runtime::cuda

#endif // TENON_LIB_RUNTIME_CUDA_DRIVER_H
