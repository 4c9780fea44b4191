//===- OwnThread.h - calls on a thread of an instance's own ---------------===//
//
// Part of the Tenon project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef TENON_LIB_RUNTIME_OWNTHREAD_H
#define TENON_LIB_RUNTIME_OWNTHREAD_H

#include <condition_variable>
#include <exception>
#include <functional>
#include <mutex>
#include <thread>

namespace tenon::runtime {

/// Runs functions on one thread that it starts for the first of them. libgomp
/// keeps a team of threads for every thread that needs one; in a forked child,
/// that of the first thread is the parent's and hangs, and this thread has a
/// new one.
class OwnThread {
public:
  OwnThread() = default;
  ~OwnThread();
  OwnThread(const OwnThread &) = delete;
  OwnThread &operator=(const OwnThread &) = delete;

  /// Waits until `function` has run; throws what it throws, or
  /// std::system_error if the thread can't be started. One call at a time.
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

#endif // TENON_LIB_RUNTIME_OWNTHREAD_H
