//===- FakeNccl.h - NCCL over files, for tests ----------------------------===//
//
// Part of the Tenon project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// A library with the functions of NCCL that Tenon calls. Ranks are threads of
// one process or processes of one machine; a communicator is a folder, and a
// message is a file in it. Work waits in the streams of the fake driver until a
// thread asks for it and the other ranks are there. Uses that NCCL does not
// allow are errors. The environment sets what goes wrong:
//   TENON_FAKE_NCCL_VERSION=22903
//   TENON_FAKE_NCCL_FAIL_INIT=RESULT  no communicator can be made
//   TENON_FAKE_NCCL_FAIL_GROUP=N      the process's group N (1, 2, ...) is lost
//   TENON_FAKE_NCCL_HANG=N            it never ends, and nothing says so
//   TENON_FAKE_NCCL_TRACE=FILE        gets a line for each group
//
//===----------------------------------------------------------------------===//

#ifndef TENON_TEST_UNIT_RUNTIME_FAKENCCL_H
#define TENON_TEST_UNIT_RUNTIME_FAKENCCL_H

#include "FakeLibrary.h"

#include <map>
#include <memory>
#include <optional>
#include <string>

#define FAKE extern "C" __attribute__((visibility("default")))

namespace fake_nccl {

enum Result {
  Success = 0,
  UnhandledCudaError = 1,
  SystemError = 2,
  InternalError = 3,
  InvalidArgument = 4,
  InvalidUsage = 5,
  RemoteError = 6,
  InProgress = 7
};
enum { Float32 = 7, Float64 = 8 };
enum { Sum = 0, Product = 1, Max = 2, Min = 3, Average = 4 };

struct UniqueId {
  char internal[128]; // the folder
};

struct Config {
  size_t size;
  unsigned magic, version;
  int blocking, cgaClusterSize, minCtas, maxCtas;
  const char *netName;
  int splitShare;
};

enum class OperationKind { Send, Receive, AllReduce };
struct Operation {
  OperationKind kind;
  uint64_t from, to; // where used
  int64_t count;
  int type;
  int reduction; // all-reduce: Sum, ...
  int peer;      // otherwise

  int64_t bytes() const;
};

struct Comm {
  /// Its folder is root/name.
  std::string root, name;
  int rank, size, device;
  bool isBlocking;

  /// Makes progress with the call that is not settled yet, and returns its
  /// result, or InProgress. Null: all calls are settled.
  std::function<Result()> settle;
  bool isFinalized = false; // or will be
  bool isAborted = false;
  Result error = Success;
  std::string errorText;

  long numSplits = 0, numGroups = 0;
  /// Numbers of messages by peer, and of all-reduces.
  std::map<int, long> sent, received;
  long reductionsBegun = 0, reductionsDone = 0;
  /// How much work is in streams or has begun.
  int inFlight = 0;

  std::string folder() const { return root + "/" + name; }
  std::string path(const std::string &file) const {
    return folder() + "/" + file;
  }
  Result fail(Result result, const std::string &text);
};
using CommPtr = std::shared_ptr<Comm>;

//===----------------------------------------------------------------------===//
// Communicators
//===----------------------------------------------------------------------===//

/// All of them, by the handles that callers have.
extern std::map<Comm *, CommPtr> comms;

int getVersion();
/// A number of the environment.
int getSetting(const char *name, int otherwise);
/// Sets what ncclGetLastError returns in this thread.
Result fail(Result result, const std::string &text);
/// Makes progress, and returns the state: Success, InProgress or an error.
Result poll(Comm &comm);
/// Finds a communicator that may be used, with nothing unsettled.
Result findUsable(Comm *handle, CommPtr &comm);
/// Removes the folder after the last rank.
void leave(const Comm &comm);

/// What settles a call: whether the other ranks are there.
Result settleInit(Comm &comm);
Result settleSplit(Comm &comm, long number, bool isBlocking, Comm **result);
Result settleFinalize(Comm &comm);
void postInit(const Comm &comm);
void postSplit(const Comm &comm, long number, int color, int key);

bool isInGroup();

//===----------------------------------------------------------------------===//
// Work
//===----------------------------------------------------------------------===//

/// The operations of a group on one communicator and stream.
struct GroupWork {
  CommPtr comm;
  std::vector<Operation> operations;
  bool isStuck = false; // until it is aborted
};
/// Puts it on a stream, or into the graph that the stream captures.
void put(void *stream, const GroupWork &work);

//===----------------------------------------------------------------------===//
// Files
//===----------------------------------------------------------------------===//

/// Writes a file that others see only as a whole.
void writeFile(const std::string &path, const std::string &content);
std::optional<std::string> readFile(const std::string &path);
bool exists(const std::string &path);

} // namespace fake_nccl

#endif // TENON_TEST_UNIT_RUNTIME_FAKENCCL_H
