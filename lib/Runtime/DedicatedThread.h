//===- DedicatedThread.h - calls on an instance's own thread --------------===//
//
// Part of the Tenon project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef TENON_LIB_RUNTIME_DEDICATEDTHREAD_H
#define TENON_LIB_RUNTIME_DEDICATEDTHREAD_H

#include <condition_variable>
#include <exception>
#include <functional>
#include <mutex>
#include <thread>

namespace tenon::runtime {

/// Runs functions on one thread, which it starts for the first of them. libgomp
/// keeps a team of threads for every thread that needs one. In a forked child,
/// the team of the first thread belongs to the parent and would hang; this
/// thread gets a new one.
class DedicatedThread {
public:
  DedicatedThread() = default;
  ~DedicatedThread();
  DedicatedThread(const DedicatedThread &) = delete;
  DedicatedThread &operator=(const DedicatedThread &) = delete;

  /// Waits until `function` has run. Throws what `function` throws, or
  /// std::system_error if the thread can't be started. Must not be called
  /// concurrently.
  void run(const std::function<void()> &function);

private:
  void serve();

  std::mutex mutex;
  std::condition_variable changed;
  const std::function<void()> *work = nullptr;
  std::exception_ptr failure;
  bool ends = false;
  std::thread thread;
};

} // namespace tenon::runtime

#endif // TENON_LIB_RUNTIME_DEDICATEDTHREAD_H
