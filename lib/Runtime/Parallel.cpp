//===- Parallel.cpp - parallel loops --------------------------------------===//
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
#include <cctype>
#include <cerrno>
#include <cfenv>
#include <condition_variable>
#include <cstdint>
#include <cstdlib>
#include <cstring>
#include <dlfcn.h>
#include <mutex>
#include <pthread.h>
#include <utility>
#include <vector>

// Entry points of libgomp. Its ABI is stable, because compiled programs call
// them.
extern "C" {
void GOMP_parallel(void (*body)(void *), void *data, unsigned threads,
                   unsigned flags);
int omp_get_dynamic(void);
int omp_get_max_active_levels(void);
int omp_get_max_threads(void);
int omp_get_num_threads(void);
int omp_get_thread_limit(void);
int omp_get_thread_num(void);
int omp_in_parallel(void);
void omp_set_dynamic(int);
void omp_set_num_threads(int);
}

using namespace tenon::artifact;

namespace tenon::runtime {

/// The executor of the call that this thread is in.
static thread_local const tenon_executor *hostExecutor = nullptr;
static thread_local bool executorFailed = false;

int defaultThreads() {
  return hostExecutor ? hostExecutor->threads : omp_get_max_threads();
}

bool isOnExecutor() { return hostExecutor != nullptr; }

ExecutorScope::ExecutorScope(const tenon_executor *executor)
    : before(hostExecutor), failedBefore(executorFailed) {
  hostExecutor = executor;
  executorFailed = false;
}

ExecutorScope::~ExecutorScope() {
  hostExecutor = before;
  executorFailed = failedBefore;
}

Status ExecutorScope::status() const {
  if (executorFailed)
    return makeError("the host's executor did not call every task of a loop "
                     "once");
  return Status::success();
}

namespace {
struct HostLoop {
  int64_t extent;
  int32_t count;
  LoopBody body;
  void *data;
  std::atomic<int32_t> called{0};
  std::atomic<bool> isWrong{false};
  std::atomic<uint64_t> seen[mostThreads / 64] = {}; // a bit per task
};
} // namespace

static void runHostTask(void *data, int32_t index) {
  HostLoop &loop = *static_cast<HostLoop *>(data);
  uint64_t bit = uint64_t(1) << (index & 63);
  if (index < 0 || index >= loop.count ||
      (loop.seen[index / 64].fetch_or(bit, std::memory_order_relaxed) & bit)) {
    loop.isWrong = true;
    return;
  }
  int64_t share = loop.extent / loop.count, rest = loop.extent % loop.count;
  int64_t lo = share * index + std::min<int64_t>(rest, index);
  int64_t hi = lo + share + (index < rest ? 1 : 0);
  if (lo < hi)
    loop.body(loop.data, index, lo, hi);
  loop.called.fetch_add(1, std::memory_order_release);
}

/// Tasks are numbered; the loop's body sees each number as one thread.
static void runOnHost(int64_t extent, int32_t count, LoopBody body,
                      void *data) {
  HostLoop loop{extent, count, body, data};
  // The host may run other instances on this thread while it waits.
  const tenon_executor *executor = std::exchange(hostExecutor, nullptr);
  executor->parallel_for(executor->context, count, runHostTask, &loop);
  hostExecutor = executor;
  executorFailed |=
      loop.isWrong || loop.called.load(std::memory_order_acquire) != count;
}

namespace {
struct HostTask {
  void (*function)(void *data);
  void *data;
};
} // namespace

static void runWholeTask(void *data, int, int64_t, int64_t) {
  HostTask &task = *static_cast<HostTask *>(data);
  // Whichever thread runs the task, it has one thread now.
  ExecutorScope none(nullptr);
  ThreadScope scope(1);
  task.function(task.data);
}

void runAsTask(void (*function)(void *data), void *data) {
  if (!hostExecutor)
    return function(data);
  HostTask task{function, data};
  runOnHost(1, 1, runWholeTask, &task);
}

/// libgomp's threads sleep in its code when a region ends. They outlive an
/// artifact that is unloaded, so the library must stay loaded even if only the
/// artifact used it. A static program contains its own copy.
static void keepLibgomp() {
  static std::atomic<bool> isKept{false};
  if (isKept)
    return;
  isKept = isStaticProgram() ||
           dlopen("libgomp.so.1", RTLD_NOW | RTLD_LOCAL | RTLD_NODELETE);
}

/// Returns the stack size of libgomp's threads in bytes, from the variables
/// that libgomp reads; 0: the system's default.
static size_t getStackBytes() {
  for (const char *name : {"OMP_STACKSIZE", "GOMP_STACKSIZE"}) {
    const char *text = std::getenv(name);
    if (!text || !*text)
      continue;
    char *end = nullptr;
    errno = 0;
    unsigned long long number = std::strtoull(text, &end, 10);
    while (end != text && std::isspace(static_cast<unsigned char>(*end)))
      ++end;
    static constexpr char units[] = "bkmg";
    const char *unit =
        *end
            ? std::strchr(units, std::tolower(static_cast<unsigned char>(*end)))
            : units + 1;
    const char *rest = *end ? end + 1 : end;
    while (std::isspace(static_cast<unsigned char>(*rest)))
      ++rest;
    // libgomp ignores values that it cannot parse.
    if (end == text || errno != 0 || !unit || *rest)
      continue;
    auto shift = static_cast<unsigned>(10 * (unit - units));
    return number > SIZE_MAX >> shift ? SIZE_MAX : number << shift;
  }
  return 0;
}

namespace {
/// Threads that only wait, with the stack size of libgomp's threads.
class WaitingThreads {
public:
  ~WaitingThreads() {
    {
      std::lock_guard<std::mutex> lock(mutex);
      mayEnd = true;
    }
    changed.notify_all();
    for (pthread_t thread : started)
      ::pthread_join(thread, nullptr);
  }

  /// Starts `count` threads, or as many as the system allows. Returns 0 or the
  /// error number.
  int start(size_t count) {
    pthread_attr_t attributes;
    if (int error = ::pthread_attr_init(&attributes))
      return error;
    int error = 0;
    if (size_t bytes = getStackBytes())
      // libgomp also ignores a stack size that the system refuses.
      static_cast<void>(::pthread_attr_setstacksize(&attributes, bytes));
    started.reserve(count);
    while (!error && started.size() < count) {
      pthread_t thread;
      error = ::pthread_create(&thread, &attributes, wait, this);
      if (!error)
        started.push_back(thread);
    }
    ::pthread_attr_destroy(&attributes);
    return error;
  }
  size_t size() const { return started.size(); }

private:
  static void *wait(void *data) {
    auto *self = static_cast<WaitingThreads *>(data);
    std::unique_lock<std::mutex> lock(self->mutex);
    self->changed.wait(lock, [&] { return self->mayEnd; });
    return nullptr;
  }

  std::mutex mutex;
  std::condition_variable changed;
  bool mayEnd = false;
  std::vector<pthread_t> started;
};
} // namespace

Status checkThreads(int threads) {
  // The largest number of simultaneous threads that was checked before.
  static std::atomic<int> known{1};
  if (threads <= known.load())
    return Status::success();
  WaitingThreads others;
  if (int error = others.start(static_cast<size_t>(threads - 1)))
    return makeError("threads: expected as many as the system can start, but "
                     "got ",
                     threads, ", of which it started ", others.size(), ": ",
                     std::strerror(error));
  known = std::max(threads, known.load());
  return Status::success();
}

bool mayStartTeam(int threads) {
  return !omp_in_parallel() && omp_get_max_active_levels() > 0 &&
         omp_get_thread_limit() >= threads;
}

static void countTeam(void *data) {
  if (omp_get_thread_num() == 0)
    *static_cast<int *>(data) = omp_get_num_threads();
}

int startTeam(int threads) {
  // This is needed for one thread, too: libgomp frees nothing when it is
  // unloaded.
  keepLibgomp();
  if (threads <= 1 || omp_in_parallel())
    return 1;
  ThreadScope scope(threads);
  int team = 1;
  GOMP_parallel(countTeam, &team, static_cast<unsigned>(threads), 0);
  return team;
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
  // The team may be smaller than requested because of a system limit.
  int64_t team = omp_get_num_threads();
  int64_t thread = omp_get_thread_num();
  int64_t lo = loop.extent / team * thread +
               (loop.extent % team < thread ? loop.extent % team : thread);
  int64_t hi = lo + loop.extent / team + (thread < loop.extent % team ? 1 : 0);
  if (lo < hi)
    loop.body(loop.data, static_cast<int>(thread), lo, hi);
}

void parallelFor(int64_t extent, int64_t grain, int threads, LoopBody body,
                 void *data) {
  if (extent <= 0)
    return;
  if (grain < 1)
    grain = 1;
  if (hostExecutor) {
    int64_t pieces =
        std::min<int64_t>({extent / grain, hostExecutor->threads, threads});
    if (pieces > 1)
      runOnHost(extent, static_cast<int32_t>(pieces), body, data);
    else
      body(data, 0, 0, extent);
    return;
  }
  if (threads <= 1 || extent / 2 < grain || omp_in_parallel()) {
    body(data, 0, 0, extent);
    return;
  }
  keepLibgomp();
  // Always use the whole team: libgomp ends and starts threads when the size of
  // the team changes between regions.
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
    : before(omp_get_max_threads()), wasDynamic(omp_get_dynamic() != 0),
      changed(before != threads) {
  if (wasDynamic)
    omp_set_dynamic(0);
  if (changed)
    omp_set_num_threads(threads);
}

ThreadScope::~ThreadScope() {
  if (changed)
    omp_set_num_threads(before);
  if (wasDynamic)
    omp_set_dynamic(1);
}

} // namespace tenon::runtime
