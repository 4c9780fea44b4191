//===- Pool.h - an executor with its own threads --------------------------===//
//
// Part of the Tenon project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef TENON_LIB_RUNTIME_POOL_H
#define TENON_LIB_RUNTIME_POOL_H

#include "Process.h"

#include "tenon/Artifact/ABI.h"

#include <atomic>
#include <condition_variable>
#include <cstdint>
#include <mutex>
#include <thread>
#include <vector>

namespace tenon::runtime {

/// Threads that any number of callers share. A caller runs tasks of its own
/// loop until none is left, and sleeps until the tasks taken by workers have
/// finished. Workers take tasks of the waiting loops round-robin.
class Pool {
public:
  using Task = void (*)(void *data, int32_t index);

  /// Creates a pool with `threads` - 1 threads. Fails if the system does not
  /// start them.
  static artifact::Expected<Pool *> create(int32_t threads);

  tenon_executor *getExecutor() { return &executor; }

  void run(int32_t count, Task task, void *data);

  /// Fails in a forked child.
  bool retain();
  /// Deletes the pool after the last use.
  void release();

private:
  /// A loop, on its caller's stack.
  struct Loop {
    Task task = nullptr;
    void *data = nullptr;
    int32_t count = 0;
    int32_t next = 0, done = 0;
    Loop *previous = nullptr, *following = nullptr; // links of the ring
    std::condition_variable finished;
  };

  explicit Pool(int32_t threads);
  ~Pool();
  void serve();
  void insert(Loop &loop);
  void remove(Loop &loop);
  /// Runs one task of a loop that has one left; the lock must be held.
  void doTask(Loop &loop, std::unique_lock<std::mutex> &lock);

  tenon_executor executor = {};
  std::atomic<int64_t> users{1};
  ProcessMark process;
  std::mutex mutex;
  std::condition_variable work;
  Loop *ring = nullptr; // the loops with tasks left; workers take from this one
                        // next
  bool ends = false;
  std::vector<std::thread> workers;
};

} // namespace tenon::runtime

#endif // TENON_LIB_RUNTIME_POOL_H
