//===- FakeState.h - what the driver for tests holds --------------------===//
//
// Part of the Tenon project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef TENON_TEST_UNIT_RUNTIME_FAKESTATE_H
#define TENON_TEST_UNIT_RUNTIME_FAKESTATE_H

#include "FakeCuda.h"

#include <array>
#include <cstdlib>
#include <deque>
#include <functional>
#include <map>
#include <memory>
#include <string>
#include <vector>

#define FAKE extern "C" __attribute__((visibility("default"))) int
#define FAKE_FOR_LIBRARIES extern "C" __attribute__((visibility("default")))

enum {
  Success = 0,
  InvalidValue = 1,
  OutOfMemory = 2,
  NoDevice = 100,
  InvalidDevice = 101,
  InvalidContext = 201,
  NoBinaryForGpu = 209,
  UnsupportedPtxVersion = 222,
  NotFound = 500,
  NotReady = 600,
  IllegalAddress = 700,
  LaunchFailed = 719,
  CaptureUnsupported = 900,
  CaptureInvalidated = 901,
  CaptureIsolation = 905,
  CapturedEvent = 907
};

/// Returns false if it can't be done yet and is to be tried again.
using Work = std::function<bool()>;

struct Graph {
  std::vector<Work> nodes;
  long capture = 0; // its number
};

/// What waits in a stream. Waits and events share it with the stream, which may
/// be destroyed before them.
struct Queue {
  std::deque<Work> work;
  /// Tickets: how much work was put and done since the start.
  uint64_t put = 0, done = 0;
  int device = 0;
};

struct Stream {
  std::shared_ptr<Queue> queue;
  Graph *capture = nullptr;
  bool isDisturbed = false; // its capture
  bool hasJoined = false;   // the capture of another stream
};

struct Event {
  int device = 0;
  /// Where, and after how much work, it was recorded; null: nowhere.
  std::shared_ptr<Queue> recorded;
  uint64_t ticket = 0;
  /// The number of the capture in which it was recorded last; 0: none.
  long capture = 0;
  std::shared_ptr<double> milliseconds = std::make_shared<double>(0);
};

struct Block {
  int64_t bytes;
  int device;
};
using Blocks = std::map<uint64_t, Block>; // by address

struct Launch {
  std::array<unsigned, 3> grid, block;
  unsigned sharedBytes;
};

struct Function {
  std::string name;
  int numArguments;
  /// Returns false if the kernel read or wrote where nothing is. Null if
  /// there is no such kernel.
  std::function<bool(const Launch &, const std::vector<uint64_t> &arguments)>
      run;
  int device = 0;
};

struct Module {
  std::map<std::string, Function> functions;
  bool refusesKernels = false;
};

/// What a device can do with the kernels that there are.
struct Limits {
  size_t memoryBytes;
  int sharedBytes, threads; // of a block
};
const Limits &getLimits();

struct State : FakeCuda {
  Blocks blocks, pinned;
  std::vector<Stream *> streams;
  int stickyError = 0;
  double clock = 0; // moves on with every kernel and copy
  /// The device of the stream whose work is done now; -1: none.
  int runningDevice = -1;

  State() {
    maxSharedBytes = getLimits().sharedBytes;
    read("DEVICES", devices);
    read("VERSION", version);
    read("CAPABILITY", capability);
    read("FAIL_ALLOCATION", failAllocation);
    read("FAIL_LAUNCH", failLaunch);
    read("LAUNCH_ERROR", launchError);
    int capture = 0;
    read("FAIL_CAPTURE", capture);
    failCapture = capture != 0;
  }
  static void read(const char *name, int &value) {
    if (const char *text =
            std::getenv((std::string("TENON_FAKE_CUDA_") + name).c_str()))
      value = std::atoi(text);
  }
};

extern State state;

//===----------------------------------------------------------------------===//
// Threads
//===----------------------------------------------------------------------===//

/// Every function of the driver holds the one mutex. A thread may hold it more
/// than once.
class Locked {
public:
  Locked();
  ~Locked();
  Locked(const Locked &) = delete;
  Locked &operator=(const Locked &) = delete;
};

/// Waits for other threads and processes: calls `isDone` until it returns true,
/// and lets other threads go on in between.
void waitUntil(const std::function<bool()> &isDone);

//===----------------------------------------------------------------------===//
// Work
//===----------------------------------------------------------------------===//

/// Does the work up to a ticket, as far as it is ready, and returns whether it
/// is done. Does the work of other streams that it waits for, and no more.
bool progress(Queue &queue, uint64_t ticket);
/// Does all work that is on the stream, and waits for what is not ready.
void flush(const std::shared_ptr<Queue> &queue);
/// Work that waits, or becomes part of a graph.
void put(Stream *stream, Work work);
void putReady(Stream *stream, std::function<void()> work);

//===----------------------------------------------------------------------===//
// Checks
//===----------------------------------------------------------------------===//

/// The device of the current context; -1: there is none.
int currentDevice();
/// The block that holds so many bytes from an address on, or null.
const Block *findBlock(const Blocks &blocks, uint64_t address, int64_t bytes);
/// Whether memory of the current context's device is there.
bool isOnCurrentDevice(uint64_t address, int64_t bytes);
/// What every function does first that works in a context.
int check();
/// The same, for a stream that must be of that context.
int check(const Stream *stream);
#define CHECK                                                                  \
  Locked locked;                                                               \
  if (int error = check())                                                     \
  return error
#define CHECK_STREAM(STREAM)                                                   \
  Locked locked;                                                               \
  if (int error = check(STREAM))                                               \
  return error

//===----------------------------------------------------------------------===//
// What kernels are: FakeKernels.cpp or EmulatedKernels.cpp
//===----------------------------------------------------------------------===//

/// Finds the kernels of an image. `log` takes what is wrong with it.
int loadImage(Module &module, const void *image,
              const std::function<void(const char *)> &log);
/// Memory of a device, 256 bytes aligned.
uint64_t allocateBlock(size_t bytes);
void freeBlock(uint64_t address);

#endif // TENON_TEST_UNIT_RUNTIME_FAKESTATE_H
