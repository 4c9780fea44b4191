//===- NcclWaits.cpp - how a rank waits for its device --------------------===//
//
// Part of the Tenon project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "../Trace.h"
#include "NcclRank.h"

using namespace tenon::artifact;
using namespace tenon::runtime::cuda;

namespace tenon::runtime::nccl {

/// Returns an event that happens when what `stream` holds by now is done.
Expected<Event> NcclRank::record(Stream stream) {
  const Driver &cu = device->driver();
  if (numEvents == pool.size()) {
    Event event = nullptr;
    if (Result code = cu.eventCreate(&event, EventWithoutTime);
        code != cuda::Success)
      return device->fail(code, "no event can be made");
    pool.push_back(event);
  }
  Event event = pool[numEvents++];
  if (Result code = cu.eventRecord(event, stream); code != cuda::Success)
    return device->fail(code, "an event can't be put on a stream");
  return event;
}

Status NcclRank::waitOnStream(Stream stream, Event event) {
  if (!event)
    return makeError("the artifact is damaged: a rank waits for a message or a "
                     "sum whose group can't begin yet");
  if (Result code = device->driver().streamWaitEvent(stream, event, 0);
      code != cuda::Success)
    return device->fail(code, "a stream can't wait");
  return Status::success();
}

Expected<bool> NcclRank::isDone(Event event) {
  Result code = device->driver().eventQuery(event);
  if (code != cuda::Success && code != NotReady)
    return device->fail(code, "a task or a message failed");
  return code == cuda::Success;
}

/// Fails if the first group that is not done waits for other ranks too long.
Status NcclRank::watch() {
  if (watchdogSeconds == 0)
    return Status::success();
  auto now = std::chrono::steady_clock::now();
  for (; firstOpen < groups.size(); ++firstOpen, openSince = now) {
    if (!groups[firstOpen].done)
      break;
    Expected<bool> isOver = isDone(groups[firstOpen].done);
    if (!isOver)
      return isOver.takeError();
    if (!*isOver)
      break;
  }
  bool isWaiting = firstOpen < groups.size();
  if (isWaiting && groups[firstOpen].ready) {
    Expected<bool> isReady = isDone(groups[firstOpen].ready);
    if (!isReady)
      return isReady.takeError();
    isWaiting = *isReady;
  }
  if (!isWaiting)
    openSince = now;
  if (now - openSince <= std::chrono::seconds(watchdogSeconds))
    return Status::success();
  return makeError("waited for ", groups[firstOpen].peers, " for ",
                   watchdogSeconds, " s");
}

/// Whether to go on waiting.
Status NcclRank::checkWait() {
  if (Status status = transport.checkOthers(); !status)
    return status;
  if (Status status = comms->checkErrors(); !status)
    return status;
  return watch();
}

Status NcclRank::waitFor(Event event) {
  int64_t begin = isTraced ? Trace::now() : 0;
  Pause pause;
  while (true) {
    if (isTraced)
      if (Status status = noteSums(); !status)
        return status;
    Expected<bool> isOver = isDone(event);
    if (!isOver)
      return isOver.takeError();
    if (*isOver)
      break;
    if (Status status = checkWait(); !status)
      return status;
    pause.wait();
  }
  if (isTraced)
    overhead -= Trace::now() - begin;
  return Status::success();
}

Status NcclRank::waitForTasks() {
  Expected<Event> event = record(device->stream());
  return event ? waitFor(*event) : event.takeError();
}

/// Sums end when that is first seen.
Status NcclRank::noteSums() {
  for (Group &group : groups) {
    if (!group.sum || !group.done || group.isNoted)
      continue;
    Expected<bool> isOver = isDone(group.done);
    if (!isOver)
      return isOver.takeError();
    if (!*isOver)
      continue;
    group.isNoted = true;
    addEvent(*group.sum, group.begin, Trace::now());
  }
  return Status::success();
}

/// Waits for all that was put on the streams: at a barrier, or at the end.
Status NcclRank::end() {
  if (!groups.empty())
    if (Status status = waitFor(groups.back().done); !status)
      return status;
  if (Status status = waitForTasks(); !status)
    return status;
  if (isTraced)
    if (Status status = noteSums(); !status)
      return status;
  Status status = finishTask();
  lastTask = nullptr;
  return status;
}

/// Reports indices that are out of range, which the last task has found.
Status NcclRank::finishTask() {
  Status status = model->finish();
  return status || !lastTask ? status : failTask(*lastTask, status);
}

/// After a failure: what waits for other ranks ends, so that nothing uses
/// memory of this run any more.
void NcclRank::giveUp() {
  comms->abort();
  device->driver().streamSynchronize(messages);
  device->driver().streamSynchronize(device->stream());
  (void)model->finish();
}

} // namespace tenon::runtime::nccl
