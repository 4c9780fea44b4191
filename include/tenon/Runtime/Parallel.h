//===- Parallel.h - parallel loops ----------------------------------------===//
//
// Part of the Tenon project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Loops run on libgomp, whose threads oneDNN also uses: a second thread pool
// would compete for the same cores. Its entry points are called by name,
// because Clang emits calls to another library (libomp) for OpenMP pragmas.
//
//===----------------------------------------------------------------------===//

#ifndef TENON_RUNTIME_PARALLEL_H
#define TENON_RUNTIME_PARALLEL_H

#include "tenon/Artifact/ABI.h"
#include "tenon/Artifact/Status.h"

#include <cstdint>

namespace tenon::runtime {

/// Returns the number of threads that OMP_NUM_THREADS or the machine allows.
int defaultThreads();

/// The limit of tenon_options.threads; larger than any machine needs.
constexpr int mostThreads = 4096;

/// Fails if the system does not let this process start `threads` threads now:
/// libgomp would end the process when it needs them.
artifact::Status checkThreads(int threads);

/// Returns whether the calling thread can start a team of `threads` threads,
/// which is not possible in a parallel region of the host.
bool mayStartTeam(int threads);

/// Starts the calling thread's team of at most `threads` threads, and returns
/// its size: OMP_THREAD_LIMIT and OMP_MAX_ACTIVE_LEVELS may reduce it. If
/// oneDNN plans for more threads than its team has, parts of the results stay
/// unwritten.
int startTeam(int threads);

/// During the lifetime of an object, loops of this thread run on the host's
/// executor, and `defaultThreads` returns its number of threads. Null: loops
/// run on libgomp's threads. With an executor, libgomp starts no threads.
class ExecutorScope {
public:
  explicit ExecutorScope(const tenon_executor *executor);
  ~ExecutorScope();
  ExecutorScope(const ExecutorScope &) = delete;
  ExecutorScope &operator=(const ExecutorScope &) = delete;

  /// Fails if an executor has not called all tasks of a loop since the scope
  /// began.
  artifact::Status status() const;

private:
  const tenon_executor *const before;
  const bool failedBefore;
};

/// Returns whether loops of this thread run on an executor.
bool isOnExecutor();

/// Calls `function` as a single task of the executor, or directly if there is
/// no executor. Within it, loops and libraries have one thread.
void runAsTask(void (*function)(void *data), void *data);

/// The body of a loop: computes [lo, hi) as thread `thread` out of `threads`.
using LoopBody = void (*)(void *data, int thread, int64_t lo, int64_t hi);

/// Splits [0, extent) evenly over `threads` threads, or runs it on the calling
/// thread if it is too small for two parts of `grain` iterations. Allocates
/// nothing once the threads exist.
void parallelFor(int64_t extent, int64_t grain, int threads, LoopBody body,
                 void *data);

/// Returns whether a thread of the calling thread's team of `threads` has
/// raised one of these floating-point exceptions since the last call, and
/// clears them. (On x86, the maximum of NaN and a number raises FE_INVALID.)
bool takeExceptions(int threads, int exceptions);

/// During its lifetime, sets the calling thread's number of OpenMP threads,
/// which oneDNN reads, and makes teams have exactly the requested size.
class ThreadScope {
public:
  explicit ThreadScope(int threads);
  ~ThreadScope();
  ThreadScope(const ThreadScope &) = delete;
  ThreadScope &operator=(const ThreadScope &) = delete;

private:
  int before;
  bool wasDynamic, changed;
};

} // namespace tenon::runtime

#endif // TENON_RUNTIME_PARALLEL_H
