//===- Parallel.cpp - loops over threads --------------------------------===//
//
// Part of the Tenon project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "tenon/Runtime/Parallel.h"

#include "Process.h"

#include <algorithm>
#include <atomic>
#include <cfenv>
#include <condition_variable>
#include <dlfcn.h>
#include <mutex>
#include <system_error>
#include <thread>
#include <vector>

// Entry points of libgomp (its ABI is stable: compiled programs call them).
extern "C" {
void GOMP_parallel(void (*body)(void *), void *data, unsigned threads,
                   unsigned flags);
int omp_get_max_threads(void);
int omp_get_num_threads(void);
int omp_get_thread_num(void);
int omp_in_parallel(void);
void omp_set_num_threads(int);
}

using namespace tenon::artifact;

namespace tenon::runtime {

int defaultThreads() { return omp_get_max_threads(); }

Status checkThreads(int threads) {
  // As many as were there at once before.
  static std::atomic<int> known{0};
  int least = static_cast<int>(std::thread::hardware_concurrency());
  if (threads <= std::max(least, known.load()))
    return Status::success();
  std::mutex mutex;
  std::condition_variable changed;
  bool mayEnd = false;
  std::vector<std::thread> started;
  started.reserve(static_cast<size_t>(threads));
  std::string reason;
  try {
    while (static_cast<int>(started.size()) < threads - 1)
      started.emplace_back([&] {
        std::unique_lock<std::mutex> lock(mutex);
        changed.wait(lock, [&] { return mayEnd; });
      });
  } catch (const std::system_error &error) {
    reason = error.what();
  }
  {
    std::lock_guard<std::mutex> lock(mutex);
    mayEnd = true;
  }
  changed.notify_all();
  for (std::thread &thread : started)
    thread.join();
  if (!reason.empty())
    return makeError("threads: expected as many as the system can start, but "
                     "got ",
                     threads, ", of which it started ", started.size(), ": ",
                     reason);
  known = std::max(threads, known.load());
  return Status::success();
}

namespace {
struct Loop {
  int64_t extent;
  LoopBody body;
  void *data;
};
} // namespace

static void runPart(void *data) {
  const Loop &loop = *static_cast<const Loop *>(data);
  // The team may be smaller than asked for (a limit of the system).
  int64_t team = omp_get_num_threads();
  int64_t thread = omp_get_thread_num();
  int64_t lo = loop.extent / team * thread +
               (loop.extent % team < thread ? loop.extent % team : thread);
  int64_t hi = lo + loop.extent / team + (thread < loop.extent % team ? 1 : 0);
  if (lo < hi)
    loop.body(loop.data, static_cast<int>(thread), lo, hi);
}

/// The threads of libgomp sleep in its code when a region ends. They outlive an
/// artifact that is unloaded, so that their code must stay, even where the
/// artifact was all that needed it. A static program holds its own copy.
static void keepLibgomp() {
  static const bool isHeld = isStaticProgram();
  if (isHeld)
    return;
  static void *const kept =
      dlopen("libgomp.so.1", RTLD_NOW | RTLD_LOCAL | RTLD_NODELETE);
  static_cast<void>(kept);
}

void parallelFor(int64_t extent, int64_t grain, int threads, LoopBody body,
                 void *data) {
  if (extent <= 0)
    return;
  if (grain < 1)
    grain = 1;
  if (threads <= 1 || extent / 2 < grain || omp_in_parallel()) {
    body(data, 0, 0, extent);
    return;
  }
  keepLibgomp();
  // Always the whole team: libgomp ends and starts threads when the size of
  // the team changes from one region to the next.
  Loop loop{extent, body, data};
  GOMP_parallel(runPart, &loop, static_cast<unsigned>(threads), 0);
}

namespace {
struct Exceptions {
  int wanted;
  std::atomic<bool> found{false};
};
} // namespace

static void takeFlags(void *data, int, int64_t, int64_t) {
  Exceptions &exceptions = *static_cast<Exceptions *>(data);
  if (!std::fetestexcept(exceptions.wanted))
    return;
  std::feclearexcept(exceptions.wanted);
  exceptions.found.store(true);
}

bool takeExceptions(int threads, int exceptions) {
  Exceptions taken{exceptions};
  parallelFor(threads, 1, threads, takeFlags, &taken);
  return taken.found;
}

ThreadScope::ThreadScope(int threads)
    : before(omp_get_max_threads()), changed(before != threads) {
  if (changed)
    omp_set_num_threads(threads);
}

ThreadScope::~ThreadScope() {
  if (changed)
    omp_set_num_threads(before);
}

} // namespace tenon::runtime
