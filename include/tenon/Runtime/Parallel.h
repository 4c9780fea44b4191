//===- Parallel.h - loops over threads ----------------------------------===//
//
// Part of the Tenon project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Over libgomp, whose threads oneDNN uses too: a second pool beside it would
// fight for the same cores. Its entry points are called by name, because
// Clang emits calls to another library (libomp) for OpenMP pragmas.
//
//===----------------------------------------------------------------------===//

#ifndef TENON_RUNTIME_PARALLEL_H
#define TENON_RUNTIME_PARALLEL_H

#include "tenon/Artifact/ABI.h"
#include "tenon/Artifact/Status.h"

#include <cstdint>

namespace tenon::runtime {

/// The threads that OMP_NUM_THREADS or the machine allows.
int defaultThreads();

/// More than any machine has use for; tenon_options.threads may be as many.
constexpr int mostThreads = 4096;

/// Fails if the system does not let this process start so many threads now:
/// libgomp would end the process when it needs them.
artifact::Status checkThreads(int threads);

/// Whether the calling thread can have a team of so many threads: not in a
/// parallel region of the host.
bool mayStartTeam(int threads);

/// Starts the calling thread's team, at best `threads`, and returns how many
/// they are: OMP_THREAD_LIMIT and OMP_MAX_ACTIVE_LEVELS may leave fewer. What
/// oneDNN plans for more threads than its team has leaves results unwritten.
int startTeam(int threads);

/// While an object lives, loops of this thread run on the host's executor, and
/// `defaultThreads` counts its threads; null: on libgomp's threads. Nothing of
/// libgomp is started for an executor.
class ExecutorScope {
public:
  explicit ExecutorScope(const tenon_executor *executor);
  ~ExecutorScope();
  ExecutorScope(const ExecutorScope &) = delete;
  ExecutorScope &operator=(const ExecutorScope &) = delete;

  /// Fails if an executor did not call all tasks of a loop since the scope
  /// began.
  artifact::Status status() const;

private:
  const tenon_executor *const before;
  const bool failedBefore;
};

/// Whether loops of this thread run on an executor.
bool isOnExecutor();

/// Calls `function` as the one task of a loop of the executor, or, if there is
/// none, here. Within it, loops and libraries have one thread.
void runAsTask(void (*function)(void *data), void *data);

/// Body of a loop: does [lo, hi) as thread `thread` of less than `threads`.
using LoopBody = void (*)(void *data, int thread, int64_t lo, int64_t hi);

/// Splits [0, extent) evenly over `threads` threads, or runs it on the calling
/// thread when it has no two pieces of `grain` iterations. Allocates nothing
/// once the threads exist.
void parallelFor(int64_t extent, int64_t grain, int threads, LoopBody body,
                 void *data);

/// Whether a thread of the calling thread's team of `threads` raised one of
/// these floating-point exceptions (FE_INVALID: the maximum of NaN and a number
/// does, on x86) since this was asked last. Clears them.
bool takeExceptions(int threads, int exceptions);

/// Sets the calling thread's number of OpenMP threads, which oneDNN reads,
/// for its lifetime, and that teams have as many as asked for.
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
