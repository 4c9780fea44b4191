//===- FakeCuda.h - a CUDA driver over host memory, for tests -----------===//
//
// Part of the Tenon project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// A library with the functions of the CUDA driver that Tenon calls, for several
// devices and threads. Work waits in the stream until the test synchronizes or
// asks for an event, so that data that is read or overwritten too early is
// detected. An image is a text with a kernel a line: its name, and how many
// arguments it takes. The kernels themselves are in FakeKernels.cpp, where some
// names make the driver refuse the image. EmulatedKernels.cpp runs kernels of
// Tenon in their place.
//
//===----------------------------------------------------------------------===//

#ifndef TENON_TEST_UNIT_RUNTIME_FAKECUDA_H
#define TENON_TEST_UNIT_RUNTIME_FAKECUDA_H

#include <cstdint>

/// The settings and the results of tests. The initial values of the first part
/// are from the environment: TENON_FAKE_CUDA_DEVICES, _VERSION, _CAPABILITY
/// (80: sm_80), _FAIL_ALLOCATION, _FAIL_LAUNCH, _LAUNCH_ERROR, _FAIL_CAPTURE.
struct FakeCuda {
  int devices = 1;
  int version = 12040;
  int capability = 80;
  /// Which allocation, launch from now on fails, counted from 1; 0: none.
  int failAllocation = 0, failLaunch = 0;
  /// The error of the launch. Errors of running kernels (700 and above) are
  /// reported by the next synchronization, and by every call after that.
  int launchError = 719;
  bool failCapture = false;
  /// Which copy from now on can't be put on its stream, counted from 1.
  int failCopy = 0;
  int maxSharedBytes = 100000;
  /// What cuInit returns; 0: what follows from `devices`.
  int initError = 0;
  /// The attribute of a device that can't be asked, by number; -1: how many
  /// devices there are; 0: none.
  int failQuery = 0;
  /// Whether the context can't be made the current one any more.
  bool failPush = false;
  /// So many captures from now on are disturbed by another thread.
  int invalidateCaptures = 0;

  // Since the start, or what is alive now.
  long allocations = 0; // of device and pinned memory
  long launches = 0;    // of kernels, not captured, not within a graph
  long kernels = 0;     // kernels that ran
  long graphLaunches = 0, captures = 0; // captures: also disturbed ones
  long synchronizations = 0;
  long copiesToDevice = 0, copiesToHost = 0, copiesOnDevice = 0; // that ran
  long memsets = 0;                                              // that ran
  long liveBlocks = 0, liveBytes = 0, livePinned = 0;
  long liveModules = 0, liveStreams = 0, liveEvents = 0, liveGraphs = 0;
  long retained = 0; // primary contexts
  /// The most dynamic shared memory that a function was allowed.
  int allowedShared = 0;

  long alive() const {
    return liveBlocks + livePinned + liveModules + liveStreams + liveEvents +
           liveGraphs + retained;
  }
};

/// Exported under this name.
extern "C" FakeCuda *tenon_fake_cuda();

/// A kernel runs all of its blocks; false: it read or wrote where nothing is.
/// `numArguments`: what its image says.
using FakeKernel = bool (*)(const uint64_t *arguments, int numArguments,
                            int64_t threads);
FakeKernel findFakeKernel(const char *name);
/// Whether memory of the device is there, whose work is done now.
bool isFakeMemory(uint64_t address, int64_t bytes);

#endif // TENON_TEST_UNIT_RUNTIME_FAKECUDA_H
