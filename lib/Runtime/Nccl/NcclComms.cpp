//===- NcclComms.cpp - the communicators of a rank ------------------------===//
//
// Part of the Tenon project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "NcclComms.h"

#include <algorithm>
#include <thread>

using namespace tenon::artifact;

namespace tenon::runtime::nccl {

void Pause::wait() {
  std::this_thread::sleep_for(std::chrono::microseconds(microseconds));
  microseconds = std::min<int64_t>(2 * microseconds, 200);
}

/// A call that does not block may say that it goes on.
static bool hasBegun(Result result) {
  return result == Success || result == InProgress;
}

Error NcclComms::fail(Result result, const char *what) const {
  return makeError("NCCL: ", what, ": ", functions.describe(result));
}

Status NcclComms::settle(Comm comm, const Check &check) const {
  Pause pause;
  while (true) {
    Result state = Success;
    Result result = functions.commGetAsyncError(comm, &state);
    if (result != Success || !hasBegun(state))
      return fail(result != Success ? result : state, "an operation failed");
    if (state == Success)
      return Status::success();
    if (Status status = check(); !status)
      return status;
    pause.wait();
  }
}

Status NcclComms::checkErrors() const {
  auto test = [&](Comm comm) -> Status {
    Result state = Success;
    if (!comm || functions.commGetAsyncError(comm, &state) != Success ||
        hasBegun(state))
      return Status::success();
    return fail(state, "an operation failed");
  };
  if (Status status = test(world); !status)
    return status;
  for (Comm part : parts)
    if (Status status = test(part); !status)
      return status;
  return Status::success();
}

/// The first rank makes it.
Status NcclComms::shareId(Transport &control, int tag) {
  if (control.getRank() > 0) {
    Expected<Transport::Ticket> ticket =
        control.receive(0, tag, &id, sizeof id);
    return ticket ? control.wait(*ticket) : ticket.takeError();
  }
  if (Result result = functions.getUniqueId(&id); result != Success)
    return fail(result, "the ranks can't be connected");
  for (int peer = 1; peer < control.getSize(); ++peer) {
    Expected<Transport::Ticket> ticket =
        control.send(peer, tag, &id, sizeof id);
    Status status = ticket ? control.wait(*ticket) : ticket.takeError();
    if (!status)
      return status;
  }
  return Status::success();
}

Status NcclComms::open(Transport &control, int tag,
                       const std::vector<std::vector<int64_t>> &groups,
                       const Check &check) {
  if (Status status = shareId(control, tag); !status)
    return status;
  Config config;
  if (Result result = functions.commInit(&world, control.getSize(), id,
                                         control.getRank(), &config);
      !hasBegun(result))
    return fail(result, "the ranks can't be connected");
  if (Status status = settle(world, check); !status)
    return status;
  parts.assign(groups.size(), nullptr);
  for (size_t i = 0; i < groups.size(); ++i) {
    auto place = std::find(groups[i].begin(), groups[i].end(),
                           static_cast<int64_t>(control.getRank()));
    bool isIn = place != groups[i].end();
    if (Result result = functions.commSplit(
            world, isIn ? 0 : noColor,
            static_cast<int>(place - groups[i].begin()), &parts[i], &config);
        !hasBegun(result))
      return fail(result, "the ranks of a stage can't be connected");
    // The part is there when the whole has settled.
    if (Status status = settle(world, check); !status)
      return status;
    if (parts[i])
      if (Status status = settle(parts[i], check); !status)
        return status;
  }
  return Status::success();
}

void NcclComms::close(const Check &check) {
  for (Comm *comm : listOpen()) {
    if (hasBegun(functions.commFinalize(*comm)) && settle(*comm, check) &&
        hasBegun(functions.commDestroy(*comm)))
      *comm = nullptr;
  }
  abort();
}

void NcclComms::abort() {
  for (Comm *comm : listOpen()) {
    (void)functions.commAbort(*comm);
    *comm = nullptr;
  }
  parts.clear();
}

/// The parts come before the whole.
std::vector<Comm *> NcclComms::listOpen() {
  std::vector<Comm *> comms;
  for (Comm &part : parts)
    if (part)
      comms.push_back(&part);
  if (world)
    comms.push_back(&world);
  return comms;
}

} // namespace tenon::runtime::nccl
