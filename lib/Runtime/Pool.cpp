//===- Pool.cpp - an executor with its own threads ------------------------===//
//
// Part of the Tenon project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Pool.h"

#include "tenon/Runtime/Parallel.h"

#include <system_error>

using namespace tenon::artifact;

namespace tenon::runtime {

Pool::Pool(int32_t threads) {
  executor.context = this;
  executor.threads = threads;
  executor.parallel_for = [](void *context, int32_t count, Task task,
                             void *data) {
    static_cast<Pool *>(context)->run(count, task, data);
  };
  executor.retain = [](void *context) {
    return static_cast<Pool *>(context)->retain() ? 0 : 1;
  };
  executor.release = [](void *context) {
    static_cast<Pool *>(context)->release();
  };
}

Expected<Pool *> Pool::create(int32_t threads) {
  if (threads < 1 || threads > mostThreads)
    return makeError("threads: expected 1 to ", mostThreads, ", but got ",
                     threads);
  Pool *pool = new Pool(threads);
  try {
    for (int32_t i = 1; i < threads; ++i)
      pool->workers.emplace_back([pool] { pool->serve(); });
  } catch (const std::system_error &error) {
    size_t started = pool->workers.size();
    delete pool;
    return makeError("threads: expected as many as the system can start, but "
                     "got ",
                     threads, ", of which it started ", started, ": ",
                     error.what());
  }
  return pool;
}

Pool::~Pool() {
  {
    std::lock_guard<std::mutex> lock(mutex);
    ends = true;
  }
  work.notify_all();
  for (std::thread &worker : workers)
    worker.join();
}

bool Pool::retain() {
  if (!process.isOurs())
    return false;
  users.fetch_add(1, std::memory_order_relaxed);
  return true;
}

void Pool::release() {
  // A forked child has none of the pool's threads.
  if (process.isOurs() && users.fetch_sub(1, std::memory_order_acq_rel) == 1)
    delete this;
}

void Pool::insert(Loop &loop) {
  if (!ring) {
    ring = loop.previous = loop.following = &loop;
    return;
  }
  // The new loop is put behind all others.
  loop.following = ring;
  loop.previous = ring->previous;
  ring->previous->following = &loop;
  ring->previous = &loop;
}

void Pool::remove(Loop &loop) {
  if (ring == &loop)
    ring = loop.following == &loop ? nullptr : loop.following;
  loop.previous->following = loop.following;
  loop.following->previous = loop.previous;
}

void Pool::doTask(Loop &loop, std::unique_lock<std::mutex> &lock) {
  int32_t index = loop.next++;
  if (loop.next == loop.count)
    remove(loop);
  lock.unlock();
  loop.task(loop.data, index);
  lock.lock();
  // Notify under the lock: the caller frees the loop as soon as it sees this.
  if (++loop.done == loop.count)
    loop.finished.notify_one();
}

void Pool::serve() {
  std::unique_lock<std::mutex> lock(mutex);
  for (;;) {
    work.wait(lock, [&] { return ring || ends; });
    if (!ring)
      return;
    Loop &loop = *ring;
    ring = loop.following;
    doTask(loop, lock);
  }
}

void Pool::run(int32_t count, Task task, void *data) {
  if (count <= 1 || workers.empty()) {
    for (int32_t i = 0; i < count; ++i)
      task(data, i);
    return;
  }
  Loop loop;
  loop.task = task;
  loop.data = data;
  loop.count = count;
  std::unique_lock<std::mutex> lock(mutex);
  insert(loop);
  for (int32_t i = 1; i < count && i <= static_cast<int32_t>(workers.size());
       ++i)
    work.notify_one();
  while (loop.next < loop.count)
    doTask(loop, lock);
  loop.finished.wait(lock, [&] { return loop.done == loop.count; });
}

} // namespace tenon::runtime
