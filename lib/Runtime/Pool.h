//===- Pool.h - an executor with threads of its own -----------------------===//
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

/// Threads that any number of callers share. A caller does tasks of its own
/// loop until none is left, and sleeps until those that workers took are done.
/// Workers take tasks of the waiting loops in turns.
class Pool {
public:
  using Task = void (*)(void *data, int32_t index);

  /// With as many threads as `threads` less one. Fails if the system does not
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
    Loop *previous = nullptr, *following = nullptr; // of a ring
    std::condition_variable finished;
  };

  explicit Pool(int32_t threads);
  ~Pool();
  void serve();
  void insert(Loop &loop);
  void remove(Loop &loop);
  /// Does one task of a loop in which there is one; the lock is held.
  void doTask(Loop &loop, std::unique_lock<std::mutex> &lock);

  tenon_executor executor = {};
  std::atomic<int64_t> users{1};
  ProcessMark process;
  std::mutex mutex;
  std::condition_variable work;
  Loop *ring = nullptr; // whose turn it is, of loops that have tasks left
  bool ends = false;
  std::vector<std::thread> workers;
};

} // namespace tenon::runtime

#endif // TENON_LIB_RUNTIME_POOL_H
