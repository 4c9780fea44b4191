//===- FakeNcclGroup.cpp - groups of operations of NCCL for tests ---------===//
//
// Part of the Tenon project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "FakeNccl.h"

#include <cstdlib>
#include <fcntl.h>
#include <sstream>
#include <unistd.h>

using namespace fake_nccl;

namespace {
struct Entry {
  CommPtr comm;
  void *stream;
  Operation operation;
};
struct Group {
  int depth = 0;
  std::vector<Entry> entries;
  Result error = Success; // the first
};
} // namespace

/// The thread's, by pointer for the same reason as the last error.
static thread_local Group *group = nullptr;
/// How many groups this process ended.
static int numGroups = 0;

FAKE int tenon_fake_nccl_groups() { return numGroups; }

bool fake_nccl::isInGroup() { return group != nullptr; }

int64_t Operation::bytes() const {
  static const int sizes[] = {1, 1, 4, 4, 8, 8, 2, 4, 8, 2};
  return count * sizes[type];
}

//===----------------------------------------------------------------------===//
// Checks
//===----------------------------------------------------------------------===//

static Result checkMemory(const Comm &comm, uint64_t address, int64_t bytes) {
  FakeDriver driver = getFakeDriver();
  if (bytes > 0 && (driver.deviceOf(address) != comm.device ||
                    !driver.holds(address, bytes)))
    return fail(InvalidArgument,
                "an operand is not in memory of the communicator's device");
  return Success;
}

static Result check(const Operation &operation, Comm *handle, void *stream,
                    CommPtr &comm) {
  if (Result error = findUsable(handle, comm))
    return error;
  FakeDriver driver = getFakeDriver();
  if (driver.currentDevice() != comm->device)
    return fail(InvalidUsage,
                "the current CUDA context is not of the communicator's device");
  if (driver.deviceOfStream(stream) != comm->device)
    return fail(InvalidUsage, "the stream is not of the communicator's device");
  if (operation.type < 0 || operation.type > 9)
    return fail(InvalidArgument, "there is no such type");
  if (operation.count < 0)
    return fail(InvalidArgument, "the count is negative");
  if (operation.kind == OperationKind::AllReduce) {
    if (operation.type != Float32 && operation.type != Float64)
      return fail(InvalidArgument, "the fake library reduces floats only");
    if (operation.reduction < Sum || operation.reduction > Average)
      return fail(InvalidArgument, "there is no such reduction");
  } else if (operation.peer < 0 || operation.peer >= comm->size) {
    return fail(InvalidArgument, "the peer is no rank of the communicator");
  }
  if (operation.kind != OperationKind::Receive)
    if (Result error = checkMemory(*comm, operation.from, operation.bytes()))
      return error;
  if (operation.kind != OperationKind::Send)
    return checkMemory(*comm, operation.to, operation.bytes());
  return Success;
}

/// Messages of a rank to itself must be sent and received in one group.
static Result checkOwnMessages(const std::vector<Entry> &entries) {
  for (const Entry &first : entries) {
    std::vector<int64_t> sent, received;
    for (const auto &[comm, stream, operation] : entries) {
      if (comm != first.comm || operation.peer != comm->rank)
        continue;
      if (operation.kind == OperationKind::Send)
        sent.push_back(operation.bytes());
      if (operation.kind == OperationKind::Receive)
        received.push_back(operation.bytes());
    }
    if (sent != received)
      return fail(InvalidUsage, "a rank sends to itself what it does not "
                                "receive in the same group");
  }
  return Success;
}

//===----------------------------------------------------------------------===//
// Groups
//===----------------------------------------------------------------------===//

/// The groups' operations by communicator and stream, in the order of calls.
static std::vector<std::pair<void *, GroupWork>>
sort(const std::vector<Entry> &entries) {
  std::vector<std::pair<void *, GroupWork>> works;
  for (const Entry &entry : entries) {
    GroupWork *work = nullptr;
    for (auto &[stream, other] : works)
      if (stream == entry.stream && other.comm == entry.comm)
        work = &other;
    if (!work) {
      works.push_back({entry.stream, {entry.comm, {}, false}});
      work = &works.back().second;
    }
    work->operations.push_back(entry.operation);
  }
  return works;
}

static void trace(const std::vector<std::pair<void *, GroupWork>> &works) {
  const char *path = std::getenv("TENON_FAKE_NCCL_TRACE");
  if (!path)
    return;
  std::ostringstream line;
  for (const auto &[stream, work] : works) {
    line << (&work == &works.front().second ? "" : "; ") << "rank "
         << work.comm->rank << " " << work.comm->name << ":";
    for (const Operation &operation : work.operations) {
      line << (&operation == &work.operations.front() ? " " : ", ");
      if (operation.kind == OperationKind::AllReduce)
        line << "all-reduce op" << operation.reduction;
      else if (operation.kind == OperationKind::Send)
        line << "send to " << operation.peer;
      else
        line << "receive from " << operation.peer;
      line << " " << operation.count << " type" << operation.type;
    }
  }
  line << "\n";
  int file = ::open(path, O_WRONLY | O_APPEND | O_CREAT, 0600);
  std::string text = line.str();
  if (file < 0 || ::write(file, text.data(), text.size()) < 0)
    std::abort();
  ::close(file);
}

/// As NCCL's own thread does it: the work is on its stream when the call is
/// settled, and not before, which takes one or two polls.
static void putWhenSettled(Comm &comm,
                           std::vector<std::pair<void *, GroupWork>> works) {
  comm.settle = [works = std::move(works), polls = 1 + comm.numGroups % 2,
                 &comm]() mutable {
    if (polls-- > 0)
      return InProgress;
    for (const auto &[stream, work] : works) {
      if (getFakeDriver().deviceOfStream(stream) < 0)
        return comm.fail(InvalidUsage,
                         "a stream was destroyed before its group was settled");
      put(stream, work);
    }
    // What the works hold would keep the communicator for ever.
    works.clear();
    return Success;
  };
}

static Result finish(const std::vector<Entry> &entries) {
  if (entries.empty())
    return Success;
  if (Result error = checkOwnMessages(entries))
    return error;
  auto works = sort(entries);
  trace(works);
  ++numGroups;
  bool isLost = numGroups == getSetting("FAIL_GROUP", 0);
  std::map<Comm *, std::vector<std::pair<void *, GroupWork>>> byComm;
  for (auto &[stream, work] : works) {
    work.isStuck = isLost || numGroups == getSetting("HANG", 0);
    byComm[work.comm.get()].push_back({stream, work});
  }
  Result result = Success;
  for (auto &[comm, parts] : byComm) {
    ++comm->numGroups;
    if (comm->isBlocking) {
      for (const auto &[stream, work] : parts)
        put(stream, work);
    } else {
      putWhenSettled(*comm, std::move(parts));
      result = InProgress;
    }
    if (isLost)
      comm->fail(RemoteError, "a rank was lost, as the test says");
  }
  return result;
}

FAKE int ncclGroupStart() {
  if (!group)
    group = new Group();
  ++group->depth;
  return Success;
}

FAKE int ncclGroupEnd() {
  FakeDriverLock lock;
  if (!group)
    return fail(InvalidUsage, "ncclGroupEnd without ncclGroupStart");
  if (--group->depth > 0)
    return Success;
  std::unique_ptr<Group> ended(group);
  group = nullptr;
  return ended->error ? ended->error : finish(ended->entries);
}

/// An operation outside of a group is a group of its own.
static Result add(const Operation &operation, Comm *handle, void *stream) {
  FakeDriverLock lock;
  CommPtr comm;
  Result error = check(operation, handle, stream, comm);
  if (!group)
    return error ? error : finish({{comm, stream, operation}});
  if (!error)
    group->entries.push_back({comm, stream, operation});
  else if (!group->error)
    group->error = error;
  return error;
}

FAKE int ncclSend(uint64_t from, size_t count, int type, int peer, Comm *comm,
                  void *stream) {
  return add({OperationKind::Send, from, 0, static_cast<int64_t>(count), type,
              0, peer},
             comm, stream);
}
FAKE int ncclRecv(uint64_t to, size_t count, int type, int peer, Comm *comm,
                  void *stream) {
  return add({OperationKind::Receive, 0, to, static_cast<int64_t>(count), type,
              0, peer},
             comm, stream);
}
FAKE int ncclAllReduce(uint64_t from, uint64_t to, size_t count, int type,
                       int reduction, Comm *comm, void *stream) {
  return add({OperationKind::AllReduce, from, to, static_cast<int64_t>(count),
              type, reduction, -1},
             comm, stream);
}
