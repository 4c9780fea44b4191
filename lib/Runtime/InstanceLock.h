//===- InstanceLock.h - one call at a time into an instance ---------------===//
//
// Part of the Tenon project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef TENON_LIB_RUNTIME_INSTANCELOCK_H
#define TENON_LIB_RUNTIME_INSTANCELOCK_H

#include "Process.h"

#include <atomic>

namespace tenon::runtime {

/// Lets one call at a time into an instance, and only in the process that
/// loaded it. Nothing ever waits: a second call is refused.
class InstanceLock {
public:
  /// Fails if another thread is in a call, or in a forked child.
  artifact::Status enter() {
    if (!isOurs())
      return artifact::makeError(
          "the instance was created before fork, by the parent of this "
          "process: load the model again in the child");
    int expected = Free;
    if (!state.compare_exchange_strong(expected, Busy,
                                       std::memory_order_acquire,
                                       std::memory_order_relaxed))
      return artifact::makeError(
          "the instance is in use by another thread: load an instance for "
          "each thread, or make one call at a time");
    return artifact::Status::success();
  }

  /// Ends a call that was entered. False: `retire` was called meanwhile, and
  /// the caller frees the instance.
  bool leave() {
    int expected = Busy;
    return state.compare_exchange_strong(
        expected, Free, std::memory_order_release, std::memory_order_acquire);
  }

  /// No call is to come any more. True: none is under way, and the caller frees
  /// the instance; else the call that is under way does so when it ends.
  bool retire() {
    return state.exchange(Retired, std::memory_order_acq_rel) == Free;
  }

  bool isOurs() const { return process.isOurs(); }

private:
  enum { Free, Busy, Retired };
  std::atomic<int> state{Free};
  ProcessMark process;
};

} // namespace tenon::runtime

#endif // TENON_LIB_RUNTIME_INSTANCELOCK_H
