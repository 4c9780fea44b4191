//===- InstanceLock.h - one call at a time per instance -------------------===//
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

/// Allows one call at a time, and only in the process that loaded the instance.
/// It never waits: a second call is refused.
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

  /// Ends a call. Returns false if `retire` was called meanwhile; the caller
  /// must then free the instance.
  bool leave() {
    int expected = Busy;
    return state.compare_exchange_strong(
        expected, Free, std::memory_order_release, std::memory_order_acquire);
  }

  /// Refuses all later calls. Returns true if no call is in progress; the
  /// caller must then free the instance. Otherwise the current call frees it
  /// when it ends.
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
