//===- DedicatedThread.cpp - calls on an instance's own thread ------------===//
//
// Part of the Tenon project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "DedicatedThread.h"

#include <utility>

namespace tenon::runtime {

DedicatedThread::~DedicatedThread() {
  if (!thread.joinable())
    return;
  {
    std::lock_guard<std::mutex> lock(mutex);
    ends = true;
  }
  changed.notify_all();
  thread.join();
}

void DedicatedThread::serve() {
  std::unique_lock<std::mutex> lock(mutex);
  for (;;) {
    changed.wait(lock, [&] { return work || ends; });
    if (!work)
      return;
    // The mutex stays locked: only the caller uses it, and it waits.
    try {
      (*work)();
    } catch (...) {
      failure = std::current_exception();
    }
    work = nullptr;
    changed.notify_all();
  }
}

void DedicatedThread::run(const std::function<void()> &function) {
  std::unique_lock<std::mutex> lock(mutex);
  if (!thread.joinable())
    thread = std::thread([this] { serve(); });
  work = &function;
  changed.notify_all();
  changed.wait(lock, [&] { return !work; });
  if (failure)
    std::rethrow_exception(std::exchange(failure, nullptr));
}

} // namespace tenon::runtime
