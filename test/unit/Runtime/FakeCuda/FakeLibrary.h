//===- FakeLibrary.h - libraries on the CUDA driver for tests -------------===//
//
// Part of the Tenon project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Libraries with the functions of cuBLASLt, cuDNN and NCCL that Tenon calls,
// which compute on the fake driver's memory when its streams get to it. Their
// numbers are written here a second time, not taken from lib/Runtime/Cuda.
//
//===----------------------------------------------------------------------===//

#ifndef TENON_TEST_UNIT_RUNTIME_FAKELIBRARY_H
#define TENON_TEST_UNIT_RUNTIME_FAKELIBRARY_H

#include <cstdint>
#include <functional>
#include <vector>

/// The settings and the results of tests.
struct FakeLibrary {
  /// What the next call that computes returns; 0: success.
  int failRun = 0;
  /// What looking for an algorithm returns; 0: success.
  int failSearch = 0;
  int failCreate = 0;
  bool findsNothing = false;
  /// cuBLASLt: what it says it is.
  size_t version = 130100;
  /// cuDNN: what fused calls, additions and activations return; 0: success.
  /// With 5000, the device is lost as well.
  int refuseFused = 0, failAdd = 0, failActivation = 0;
  /// cuDNN: the algorithms that are found, by number (none: some that must not
  /// be taken, and 1), and those that don't do any convolution.
  std::vector<int> algorithms, unable;

  // Since the start, or what is alive now.
  long searches = 0, runs = 0, fusedRuns = 0;
  long alive = 0; // handles and descriptors
  /// Runs that were captured.
  long captured = 0;
  /// The last search: bytes of workspace.
  int64_t workspaceLimit = 0;
  /// cuDNN: of the last convolution.
  int algorithm = -1;
};

/// Exported under these names.
extern "C" FakeLibrary *tenon_fake_cublaslt();
extern "C" FakeLibrary *tenon_fake_cudnn();

/// The functions that the fake driver gives to libraries.
struct FakeDriver {
  void (*put)(void *stream, const std::function<void()> *work);
  bool (*holds)(uint64_t address, int64_t bytes);
  bool (*isCapturing)(void *stream);
  /// Work that reads or writes where nothing is.
  void (*fault)();
  /// Work that returns false until it is done.
  void (*putWaiting)(void *stream, const std::function<bool()> *work);
  /// The device of the current context, of memory or of a stream; -1: none.
  int (*currentDevice)();
  int (*deviceOf)(uint64_t address);
  int (*deviceOfStream)(void *stream);
  /// The driver's mutex, which is also held while work is done. A thread may
  /// hold it more than once.
  void (*lock)();
  void (*unlock)();
  /// Lets other threads go on until a function returns true.
  void (*waitUntil)(const std::function<bool()> *isDone);
};

/// The functions of the library that TENON_CUDA_DRIVER names.
FakeDriver getFakeDriver();

/// Holds the driver's mutex.
class FakeDriverLock {
public:
  FakeDriverLock() { getFakeDriver().lock(); }
  ~FakeDriverLock() { getFakeDriver().unlock(); }
  FakeDriverLock(const FakeDriverLock &) = delete;
  FakeDriverLock &operator=(const FakeDriverLock &) = delete;
};

/// Floats, halves and bfloats as doubles. `kind`: 0, 2 or 14, as in
/// cudaDataType.
int64_t fakeSize(int kind);
double fakeLoad(uint64_t address, int64_t index, int kind);
void fakeStore(uint64_t address, int64_t index, int kind, double value);
/// Rounded to 10 bits of mantissa.
double fakeTf32(double value);

#endif // TENON_TEST_UNIT_RUNTIME_FAKELIBRARY_H
