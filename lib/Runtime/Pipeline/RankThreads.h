//===- RankThreads.h - a thread for each rank -----------------------------===//
//
// Part of the Tenon project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef TENON_LIB_RUNTIME_PIPELINE_RANKTHREADS_H
#define TENON_LIB_RUNTIME_PIPELINE_RANKTHREADS_H

#include "tenon/Artifact/Status.h"

#include <condition_variable>
#include <functional>
#include <mutex>
#include <thread>
#include <vector>

namespace tenon::runtime {

/// Threads that sleep between runs.
class RankThreads {
public:
  RankThreads() = default;
  ~RankThreads();
  RankThreads(const RankThreads &) = delete;
  RankThreads &operator=(const RankThreads &) = delete;

  /// Starts `count` threads; fails if the system refuses.
  artifact::Status start(int count);
  /// Calls `function(rank)` on each thread, and waits until all have returned.
  void run(const std::function<void(int rank)> &function);

private:
  void serve(int rank);

  std::mutex mutex;
  std::condition_variable begun, ended;
  const std::function<void(int)> *work = nullptr;
  uint64_t round = 0;
  int numRunning = 0;
  bool ends = false;
  std::vector<std::thread> threads;
};

} // namespace tenon::runtime

#endif // TENON_LIB_RUNTIME_PIPELINE_RANKTHREADS_H
