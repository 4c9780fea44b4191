//===- HostExecutor.h - an instance's use of an executor ------------------===//
//
// Part of the Tenon project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef TENON_LIB_RUNTIME_HOSTEXECUTOR_H
#define TENON_LIB_RUNTIME_HOSTEXECUTOR_H

#include "tenon/Runtime/Parallel.h"

#include <exception>
#include <optional>

namespace tenon::runtime {

/// A copy of the executor that an instance was loaded with, or none. It is
/// retained during the instance's lifetime.
class HostExecutor {
public:
  HostExecutor() = default;
  HostExecutor(const HostExecutor &) = delete;
  HostExecutor &operator=(const HostExecutor &) = delete;
  ~HostExecutor() {
    if (given && given->release)
      given->release(given->context);
  }

  /// Must be called only once. Null: no executor.
  artifact::Status adopt(const tenon_executor *executor) {
    if (!executor)
      return artifact::Status::success();
    if (!executor->parallel_for)
      return artifact::makeError("executor: its parallel_for is null");
    if (executor->threads < 1 || executor->threads > mostThreads)
      return artifact::makeError("executor: threads: expected 1 to ",
                                 mostThreads, ", but got ", executor->threads);
    if (executor->retain && executor->retain(executor->context) != 0)
      return artifact::makeError("executor: retain failed; a pool can only be "
                                 "used in the process that created it");
    given = *executor;
    return artifact::Status::success();
  }

  const tenon_executor *get() const { return given ? &*given : nullptr; }

private:
  std::optional<tenon_executor> given;
};

/// Calls `function`, which returns a Status, through runAsTask.
template <typename Function> artifact::Status runTask(Function function) {
  if (!isOnExecutor())
    return function();
  struct Call {
    Function &function;
    artifact::Status status = {};
    std::exception_ptr failure = nullptr;
    bool wasCalled = false;
  } call{function};
  runAsTask(
      [](void *data) {
        Call &call = *static_cast<Call *>(data);
        call.wasCalled = true;
        // Exceptions must not pass through the host's code.
        try {
          call.status = call.function();
        } catch (...) {
          call.failure = std::current_exception();
        }
      },
      &call);
  if (call.failure)
    std::rethrow_exception(call.failure);
  if (!call.wasCalled)
    return artifact::makeError("the host's executor did not call a task");
  return call.status;
}

} // namespace tenon::runtime

#endif // TENON_LIB_RUNTIME_HOSTEXECUTOR_H
