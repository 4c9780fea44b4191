//===- RankThreads.cpp - a thread for each rank ---------------------------===//
//
// Part of the Tenon project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "RankThreads.h"

#include <system_error>

using namespace tenon::artifact;

namespace tenon::runtime {

Status RankThreads::start(int count) {
  for (int rank = 0; rank < count; ++rank) {
    try {
      threads.emplace_back([this, rank] { serve(rank); });
    } catch (const std::system_error &error) {
      return makeError("can't start a thread for each of ", count,
                       " ranks: ", error.what());
    }
  }
  return Status::success();
}

void RankThreads::serve(int rank) {
  uint64_t seen = 0;
  std::unique_lock<std::mutex> lock(mutex);
  while (true) {
    begun.wait(lock, [&] { return ends || round != seen; });
    if (ends)
      return;
    seen = round;
    const std::function<void(int)> &function = *work;
    lock.unlock();
    function(rank);
    lock.lock();
    if (--numRunning == 0)
      ended.notify_one();
  }
}

void RankThreads::run(const std::function<void(int)> &function) {
  std::unique_lock<std::mutex> lock(mutex);
  work = &function;
  numRunning = static_cast<int>(threads.size());
  ++round;
  begun.notify_all();
  ended.wait(lock, [&] { return numRunning == 0; });
}

RankThreads::~RankThreads() {
  {
    std::lock_guard<std::mutex> lock(mutex);
    ends = true;
  }
  begun.notify_all();
  for (std::thread &thread : threads)
    thread.join();
}

} // namespace tenon::runtime
