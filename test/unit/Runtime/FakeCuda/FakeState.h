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

#include <cstdlib>
#include <functional>
#include <map>
#include <string>
#include <vector>

#define FAKE extern "C" __attribute__((visibility("default"))) int

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
  IllegalAddress = 700,
  LaunchFailed = 719,
  CaptureUnsupported = 900,
  CaptureInvalidated = 901
};

using Work = std::function<void()>;

struct Graph {
  std::vector<Work> nodes;
};

struct Stream {
  std::vector<Work> queue;
  Graph *capture = nullptr;
  bool isDisturbed = false; // its capture
};

struct Function {
  std::string name;
  int numArguments;
  FakeKernel kernel;
};

struct Module {
  std::map<std::string, Function> functions;
  bool refusesKernels = false;
};

struct Event {
  struct Stream *recorded = nullptr;
  double milliseconds = 0;
};

struct State : FakeCuda {
  std::map<uint64_t, int64_t> blocks; // address, bytes
  std::map<uint64_t, int64_t> pinned;
  std::vector<Stream *> streams;
  int stickyError = 0;
  double clock = 0; // moves on with every kernel and copy

  State() {
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
extern thread_local int contextDepth;

/// Does the work that waits.
void flush(Stream *stream);
/// Work that waits, or becomes part of a graph.
void put(Stream *stream, Work work);
/// Whether one of `blocks` holds so many bytes from an address on.
bool contains(const std::map<uint64_t, int64_t> &blocks, uint64_t address,
              int64_t bytes);
/// What every function does first that works in a context.
int check();
#define CHECK                                                                  \
  if (int error = check())                                                     \
  return error

#endif // TENON_TEST_UNIT_RUNTIME_FAKESTATE_H
