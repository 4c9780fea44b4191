//===- FakeNcclRun.cpp - work of NCCL for tests, over files ---------------===//
//
// Part of the Tenon project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Messages get their numbers when the work begins, so that a graph may run it
// many times.
//
//===----------------------------------------------------------------------===//

#include "FakeNccl.h"

#include <algorithm>
#include <cstdio>
#include <cstring>
#include <unistd.h>

using namespace fake_nccl;

namespace {
/// What comes before the elements in a file.
struct Header {
  int64_t count;
  int32_t type, reduction;

  bool operator==(const Header &other) const {
    return count == other.count && type == other.type &&
           reduction == other.reduction;
  }
};

/// Counts a communicator's work in flight while it is alive.
class Flight {
public:
  explicit Flight(CommPtr comm) : comm(std::move(comm)) {
    ++this->comm->inFlight;
  }
  ~Flight() { --comm->inFlight; }
  Flight(const Flight &) = delete;
  Flight &operator=(const Flight &) = delete;

private:
  CommPtr comm;
};

/// One time that the work of a group is done.
class Run {
public:
  explicit Run(const GroupWork &work);
  /// Returns whether all is done.
  bool progress();

private:
  enum class Stage { New, Posted, Done };
  struct Part {
    const Operation *operation;
    long number;
    Stage stage = Stage::New;
  };

  std::string messagePath(int from, int to, long number) const;
  std::string sharePath(int rank, long number) const;
  /// Each returns the stage that the part is in now.
  Stage send(Part &part);
  Stage receive(Part &part);
  Stage reduce(Part &part);
  Stage advance(Part &part);
  Stage fail(const std::string &text);
  bool post(const Operation &operation, const std::string &path);
  bool holds(uint64_t address, const Operation &operation);

  GroupWork work;
  Comm &comm;
  Flight flight;
  std::vector<Part> parts;
};
} // namespace

static Header headerOf(const Operation &operation) {
  return {operation.count, operation.type, operation.reduction};
}
static Header headerOf(const std::string &content) {
  Header header;
  std::memcpy(&header, content.data(), sizeof header);
  return header;
}

Run::Run(const GroupWork &work)
    : work(work), comm(*work.comm), flight(work.comm) {
  for (const Operation &operation : this->work.operations) {
    long number = operation.kind == OperationKind::AllReduce
                      ? comm.reductionsBegun++
                  : operation.kind == OperationKind::Send
                      ? comm.sent[operation.peer]++
                      : comm.received[operation.peer]++;
    parts.push_back({&operation, number});
  }
}

std::string Run::messagePath(int from, int to, long number) const {
  return comm.path("message." + std::to_string(from) + "." +
                   std::to_string(to) + "." + std::to_string(number));
}
std::string Run::sharePath(int rank, long number) const {
  return comm.path("share." + std::to_string(rank) + "." +
                   std::to_string(number));
}

Run::Stage Run::fail(const std::string &text) {
  std::fprintf(stderr, "fake NCCL: rank %d of %s: %s\n", comm.rank,
               comm.name.c_str(), text.c_str());
  comm.fail(InternalError, text);
  getFakeDriver().fault();
  return Stage::Done;
}

bool Run::holds(uint64_t address, const Operation &operation) {
  if (getFakeDriver().holds(address, operation.bytes()))
    return true;
  fail("an operand's memory is gone");
  return false;
}

bool Run::post(const Operation &operation, const std::string &path) {
  if (!holds(operation.from, operation))
    return false;
  Header header = headerOf(operation);
  std::string content(reinterpret_cast<const char *>(&header), sizeof header);
  content.append(reinterpret_cast<const char *>(operation.from),
                 static_cast<size_t>(operation.bytes()));
  writeFile(path, content);
  return true;
}

/// Sent is what the receiver took.
Run::Stage Run::send(Part &part) {
  const Operation &operation = *part.operation;
  std::string path = messagePath(comm.rank, operation.peer, part.number);
  if (part.stage == Stage::New)
    return post(operation, path) ? Stage::Posted : Stage::Done;
  return exists(path) ? Stage::Posted : Stage::Done;
}

Run::Stage Run::receive(Part &part) {
  const Operation &operation = *part.operation;
  std::string path = messagePath(operation.peer, comm.rank, part.number);
  auto content = readFile(path);
  if (!content)
    return Stage::New;
  if (!(headerOf(*content) == headerOf(operation)))
    return fail("receives " + std::to_string(operation.count) +
                " elements of type " + std::to_string(operation.type) +
                ", but rank " + std::to_string(operation.peer) + " sends " +
                std::to_string(headerOf(*content).count) + " of type " +
                std::to_string(headerOf(*content).type));
  if (!holds(operation.to, operation))
    return Stage::Done;
  std::memcpy(reinterpret_cast<void *>(operation.to),
              content->data() + sizeof(Header),
              static_cast<size_t>(operation.bytes()));
  ::unlink(path.c_str());
  return Stage::Done;
}

template <typename T>
static void combine(const Operation &operation,
                    const std::vector<std::string> &shares) {
  T *to = reinterpret_cast<T *>(operation.to);
  auto element = [&](size_t rank, int64_t i) {
    T value;
    std::memcpy(&value,
                shares[rank].data() + sizeof(Header) +
                    sizeof value * static_cast<size_t>(i),
                sizeof value);
    return value;
  };
  for (int64_t i = 0; i < operation.count; ++i) {
    T value = element(0, i);
    for (size_t rank = 1; rank < shares.size(); ++rank) {
      T next = element(rank, i);
      switch (operation.reduction) {
      case Product:
        value *= next;
        break;
      case Max:
        value = std::max(value, next);
        break;
      case Min:
        value = std::min(value, next);
        break;
      default:
        value += next;
      }
    }
    if (operation.reduction == Average)
      value /= static_cast<T>(shares.size());
    to[i] = value;
  }
}

/// All-reduces of a communicator come one after the other, as those of NCCL do:
/// when one is done, all ranks have read the shares of the one before.
Run::Stage Run::reduce(Part &part) {
  const Operation &operation = *part.operation;
  if (comm.reductionsDone != part.number)
    return Stage::New;
  if (part.stage == Stage::New &&
      !post(operation, sharePath(comm.rank, part.number)))
    return Stage::Done;
  for (int rank = 0; rank < comm.size; ++rank)
    if (!exists(sharePath(rank, part.number)))
      return Stage::Posted;
  std::vector<std::string> shares;
  for (int rank = 0; rank < comm.size; ++rank) {
    shares.push_back(*readFile(sharePath(rank, part.number)));
    if (!(headerOf(shares.back()) == headerOf(operation)))
      return fail("all-reduce of " + std::to_string(operation.count) +
                  " elements, but rank " + std::to_string(rank) +
                  " has another count, type or reduction");
  }
  if (!holds(operation.to, operation))
    return Stage::Done;
  if (operation.type == Float32)
    combine<float>(operation, shares);
  else
    combine<double>(operation, shares);
  ++comm.reductionsDone;
  ::unlink(sharePath(comm.rank, part.number - 1).c_str());
  return Stage::Done;
}

Run::Stage Run::advance(Part &part) {
  switch (part.operation->kind) {
  case OperationKind::Send:
    return send(part);
  case OperationKind::Receive:
    return receive(part);
  case OperationKind::AllReduce:
    return reduce(part);
  }
  return Stage::Done;
}

bool Run::progress() {
  bool isDone, hasAdvanced;
  do {
    isDone = true;
    hasAdvanced = false;
    for (Part &part : parts) {
      if (part.stage == Stage::Done)
        continue;
      Stage stage = advance(part);
      hasAdvanced |= stage != part.stage;
      part.stage = stage;
      isDone &= stage == Stage::Done;
    }
  } while (hasAdvanced && !isDone);
  return isDone;
}

void fake_nccl::put(void *stream, const GroupWork &work) {
  FakeDriver driver = getFakeDriver();
  // A graph holds its work even if it never runs.
  auto flight = driver.isCapturing(stream)
                    ? nullptr
                    : std::make_shared<Flight>(work.comm);
  std::function<bool()> step = [work, flight,
                                run = std::shared_ptr<Run>()]() mutable {
    if (work.comm->isAborted)
      return true;
    if (work.isStuck)
      return false;
    if (!run)
      run = std::make_shared<Run>(work);
    return run->progress();
  };
  driver.putWaiting(stream, &step);
}
