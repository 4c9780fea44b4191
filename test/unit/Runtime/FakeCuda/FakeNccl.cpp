//===- FakeNccl.cpp - communicators of NCCL for tests ---------------------===//
//
// Part of the Tenon project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "FakeNccl.h"

#include <climits>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <sys/stat.h>

using namespace fake_nccl;

std::map<Comm *, CommPtr> fake_nccl::comms;

/// No string: its destructor would keep the library loaded until the thread
/// ends.
static thread_local char lastError[512];

int fake_nccl::getSetting(const char *name, int otherwise) {
  const char *text =
      std::getenv((std::string("TENON_FAKE_NCCL_") + name).c_str());
  return text ? std::atoi(text) : otherwise;
}
int fake_nccl::getVersion() { return getSetting("VERSION", 22903); }

Result fake_nccl::fail(Result result, const std::string &text) {
  std::snprintf(lastError, sizeof lastError, "%s", text.c_str());
  return result;
}
Result Comm::fail(Result result, const std::string &text) {
  error = result;
  errorText = text;
  return result;
}

Result fake_nccl::poll(Comm &comm) {
  if (comm.settle) {
    Result result = comm.settle();
    if (result == InProgress)
      return InProgress;
    comm.settle = nullptr;
    if (result)
      comm.error = result;
  }
  return comm.error ? fail(comm.error, comm.errorText) : Success;
}

static Result find(Comm *handle, CommPtr &comm) {
  if (!handle)
    return fail(InvalidArgument, "the communicator is null");
  auto found = comms.find(handle);
  if (found == comms.end())
    return fail(InvalidArgument, "the communicator was destroyed or aborted");
  comm = found->second;
  return Success;
}

Result fake_nccl::findUsable(Comm *handle, CommPtr &comm) {
  if (Result result = find(handle, comm))
    return result;
  if (comm->settle)
    return fail(InvalidUsage, "the communicator is used before its last call "
                              "was settled (ncclCommGetAsyncError)");
  if (comm->isFinalized)
    return fail(InvalidUsage, "the communicator was finalized");
  if (comm->error)
    return fail(InvalidUsage, "the communicator failed: " + comm->errorText);
  return Success;
}

/// Waits for a call to be settled, where calls block.
static Result finish(Comm &comm) {
  if (!comm.isBlocking)
    return InProgress;
  Result result;
  std::function<bool()> isDone = [&] {
    return (result = poll(comm)) != InProgress;
  };
  getFakeDriver().waitUntil(&isDone);
  return result;
}

static Result readConfig(const Config *config, bool &isBlocking) {
  if (!config)
    return Success;
  if (config->size != sizeof(Config) || config->magic != 0xcafebeef)
    return fail(InvalidArgument, "the configuration was not initialized");
  if (config->blocking != INT_MIN && config->blocking != 0 &&
      config->blocking != 1)
    return fail(InvalidArgument, "the configuration's blocking is neither");
  if (config->blocking != INT_MIN)
    isBlocking = config->blocking == 1;
  return Success;
}

//===----------------------------------------------------------------------===//
// The library
//===----------------------------------------------------------------------===//

FAKE int ncclGetVersion(int *version) {
  *version = getVersion();
  return Success;
}
FAKE const char *ncclGetErrorString(int result) {
  switch (result) {
  case Success:
    return "no error";
  case UnhandledCudaError:
    return "unhandled cuda error (run with NCCL_DEBUG=INFO for details)";
  case SystemError:
    return "unhandled system error (run with NCCL_DEBUG=INFO for details)";
  case InternalError:
    return "internal error - please report this issue to the NCCL developers";
  case InvalidArgument:
    return "invalid argument (run with NCCL_DEBUG=WARN for details)";
  case InvalidUsage:
    return "invalid usage (run with NCCL_DEBUG=WARN for details)";
  case RemoteError:
    return "remote process exited or there was a network error";
  case InProgress:
    return "NCCL operation in progress";
  default:
    return "unknown result code";
  }
}
FAKE const char *ncclGetLastError(Comm *) { return lastError; }

FAKE int ncclGetUniqueId(UniqueId *id) {
  const char *parent = std::getenv("TMPDIR");
  std::string path =
      std::string(parent ? parent : "/tmp") + "/tenon-nccl-XXXXXX";
  if (path.size() >= sizeof id->internal || !::mkdtemp(path.data()))
    return fail(SystemError, "can't make the folder " + path);
  *id = UniqueId();
  std::memcpy(id->internal, path.c_str(), path.size());
  return Success;
}

//===----------------------------------------------------------------------===//
// Communicators
//===----------------------------------------------------------------------===//

FAKE int ncclCommInitRankConfig(Comm **result, int size, UniqueId id, int rank,
                                const Config *config) {
  FakeDriverLock lock;
  if (!result)
    return fail(InvalidArgument, "the communicator's address is null");
  *result = nullptr;
  bool isBlocking = true;
  if (Result error = readConfig(config, isBlocking))
    return error;
  if (isInGroup())
    return fail(InvalidUsage, "a communicator is made inside of a group");
  if (size < 1 || rank < 0 || rank >= size)
    return fail(InvalidArgument, "the rank is not below the number of ranks");
  int device = getFakeDriver().currentDevice();
  if (device < 0)
    return fail(InvalidUsage, "no CUDA context is current");
  auto comm = std::make_shared<Comm>();
  comm->root = std::string(id.internal, ::strnlen(id.internal, 127));
  if (!exists(comm->root))
    return fail(SystemError, "the id is of no folder: " + comm->root);
  comm->name = "world";
  comm->rank = rank;
  comm->size = size;
  comm->device = device;
  comm->isBlocking = isBlocking;
  postInit(*comm);
  comm->settle = [comm = comm.get()] { return settleInit(*comm); };
  comms[comm.get()] = comm;
  *result = comm.get();
  Result settled = finish(*comm);
  if (settled && settled != InProgress) {
    leave(*comm);
    comms.erase(*result);
    *result = nullptr;
  }
  return settled;
}

FAKE int ncclCommSplit(Comm *handle, int color, int key, Comm **result,
                       const Config *config) {
  FakeDriverLock lock;
  if (!result)
    return fail(InvalidArgument, "the communicator's address is null");
  *result = nullptr;
  if (isInGroup())
    return fail(InvalidUsage, "a communicator is split inside of a group");
  CommPtr comm;
  if (Result error = findUsable(handle, comm))
    return error;
  if (color < -1)
    return fail(InvalidArgument, "the color is negative");
  bool isBlocking = comm->isBlocking;
  if (Result error = readConfig(config, isBlocking))
    return error;
  long number = comm->numSplits++;
  postSplit(*comm, number, color, key);
  comm->settle = [=, comm = comm.get()] {
    return settleSplit(*comm, number, isBlocking, result);
  };
  return finish(*comm);
}

FAKE int ncclCommGetAsyncError(Comm *handle, int *state) {
  FakeDriverLock lock;
  CommPtr comm;
  if (Result error = find(handle, comm))
    return error;
  *state = poll(*comm);
  return Success;
}

FAKE int ncclCommFinalize(Comm *handle) {
  FakeDriverLock lock;
  CommPtr comm;
  if (Result error = findUsable(handle, comm))
    return error;
  if (comm->isBlocking && comm->inFlight)
    return fail(InvalidUsage, "the communicator has unfinished work, for which "
                              "this call would wait for ever");
  comm->isFinalized = true;
  comm->settle = [comm = comm.get()] { return settleFinalize(*comm); };
  return finish(*comm);
}

FAKE int ncclCommDestroy(Comm *handle) {
  FakeDriverLock lock;
  CommPtr comm;
  if (Result error = find(handle, comm))
    return error;
  if (comm->settle)
    return fail(InvalidUsage, "the communicator is destroyed before its last "
                              "call was settled (ncclCommGetAsyncError)");
  if (comm->inFlight)
    return fail(InvalidUsage, "the communicator has unfinished work");
  leave(*comm);
  comms.erase(handle);
  return Success;
}

FAKE int ncclCommAbort(Comm *handle) {
  FakeDriverLock lock;
  CommPtr comm;
  if (Result error = find(handle, comm))
    return error;
  // Work in streams sees it.
  comm->isAborted = true;
  comm->settle = nullptr;
  leave(*comm);
  comms.erase(handle);
  return Success;
}
