//===- FakeWork.cpp - work of streams, and threads that wait for it -------===//
//
// Part of the Tenon project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "FakeState.h"

#include <algorithm>
#include <mutex>
#include <unistd.h>
#include <utility>

//===----------------------------------------------------------------------===//
// Threads
//===----------------------------------------------------------------------===//

static std::mutex mutex;
/// How often this thread holds it.
static thread_local int depth = 0;

static void lock() {
  if (depth++ == 0)
    mutex.lock();
}
static void unlock() {
  if (--depth == 0)
    mutex.unlock();
}

Locked::Locked() { lock(); }
Locked::~Locked() { unlock(); }

void waitUntil(const std::function<bool()> &isDone) {
  for (unsigned pause = 50; !isDone(); pause = std::min(2 * pause, 500u)) {
    int held = std::exchange(depth, 0);
    mutex.unlock();
    ::usleep(pause);
    mutex.lock();
    depth = held;
  }
}

//===----------------------------------------------------------------------===//
// Work
//===----------------------------------------------------------------------===//

bool progress(Queue &queue, uint64_t ticket) {
  while (queue.done < ticket) {
    // After a fatal error, nothing is done any more.
    if (!state.stickyError) {
      int before = std::exchange(state.runningDevice, queue.device);
      bool isDone = queue.work.front()();
      state.runningDevice = before;
      if (!isDone && !state.stickyError)
        return false;
    }
    queue.work.pop_front();
    ++queue.done;
  }
  return true;
}

void flush(const std::shared_ptr<Queue> &queue) {
  // The stream may be destroyed by another thread meanwhile.
  auto held = queue;
  uint64_t ticket = held->put;
  waitUntil([&] { return progress(*held, ticket); });
}

void put(Stream *stream, Work work) {
  if (stream->capture) {
    stream->capture->nodes.push_back(std::move(work));
    return;
  }
  stream->queue->work.push_back(std::move(work));
  ++stream->queue->put;
}

void putReady(Stream *stream, std::function<void()> work) {
  put(stream, [work = std::move(work)] {
    work();
    return true;
  });
}

//===----------------------------------------------------------------------===//
// For the libraries of tests (FakeLibrary.h)
//===----------------------------------------------------------------------===//

FAKE_FOR_LIBRARIES void tenon_fake_put(Stream *stream,
                                       const std::function<void()> *work) {
  Locked locked;
  putReady(stream, *work);
}
FAKE_FOR_LIBRARIES void tenon_fake_put_waiting(Stream *stream,
                                               const Work *work) {
  Locked locked;
  put(stream, *work);
}
FAKE_FOR_LIBRARIES bool tenon_fake_holds(uint64_t address, int64_t bytes) {
  Locked locked;
  return isFakeMemory(address, bytes);
}
FAKE_FOR_LIBRARIES bool tenon_fake_is_capturing(Stream *stream) {
  Locked locked;
  return stream->capture != nullptr;
}
FAKE_FOR_LIBRARIES void tenon_fake_fault() {
  Locked locked;
  state.stickyError = IllegalAddress;
}
FAKE tenon_fake_current_device() { return currentDevice(); }
FAKE tenon_fake_device_of(uint64_t address) {
  Locked locked;
  const Block *block = findBlock(state.blocks, address, 0);
  return block ? block->device : -1;
}
FAKE tenon_fake_device_of_stream(Stream *stream) {
  Locked locked;
  auto found = std::find(state.streams.begin(), state.streams.end(), stream);
  return found == state.streams.end() ? -1 : stream->queue->device;
}
FAKE_FOR_LIBRARIES void tenon_fake_lock() { lock(); }
FAKE_FOR_LIBRARIES void tenon_fake_unlock() { unlock(); }
FAKE_FOR_LIBRARIES void
tenon_fake_wait_until(const std::function<bool()> *isDone) {
  Locked locked;
  waitUntil(*isDone);
}
