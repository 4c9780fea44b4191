//===- Process.cpp - the process that this code runs in -------------------===//
//
// Part of the Tenon project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Process.h"

#include <atomic>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <elf.h>
#include <mutex>
#include <pthread.h>
#include <sys/auxv.h>
#include <sys/mman.h>
#include <sys/syscall.h>
#include <unistd.h>

using namespace tenon::artifact;

namespace tenon::runtime {

//===----------------------------------------------------------------------===//
// Marks
//===----------------------------------------------------------------------===//

static size_t pageBytes() {
  static const size_t bytes = static_cast<size_t>(::sysconf(_SC_PAGESIZE));
  return bytes;
}

ProcessMark::ProcessMark() : pid(::getpid()) {
#ifdef MADV_WIPEONFORK
  void *memory = ::mmap(nullptr, pageBytes(), PROT_READ | PROT_WRITE,
                        MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
  if (memory == MAP_FAILED)
    return;
  if (::madvise(memory, pageBytes(), MADV_WIPEONFORK) != 0) {
    ::munmap(memory, pageBytes());
    return;
  }
  page = static_cast<volatile char *>(memory);
  *page = 1;
#endif
}

ProcessMark::~ProcessMark() {
  if (page)
    ::munmap(const_cast<char *>(page), pageBytes());
}

bool ProcessMark::isOurs() const {
  return page ? *page == 1 : ::getpid() == pid;
}

//===----------------------------------------------------------------------===//
// Forks
//===----------------------------------------------------------------------===//

/// Forks wait for library work, and new work for forks. Of what a child
/// inherits, the state is known: its only thread is the one that forked, and
/// held the lock.
struct ForkGate {
  pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
  pthread_cond_t changed = PTHREAD_COND_INITIALIZER;
  LibraryWork *works = nullptr;
  /// Threads that fork, or wait until they may.
  int forks = 0;
  /// The thread that holds the lock for its fork, or 0.
  std::atomic<pthread_t> forker{0};
  /// The artifact is being unloaded: forks pass by.
  bool isClosing = false;
  /// Whether the thread that holds the lock for its fork could be cancelled.
  int cancelState = PTHREAD_CANCEL_ENABLE;

  bool hasOwnWork() const {
    for (const LibraryWork *work = works; work; work = work->next)
      if (work->isOwn())
        return true;
    return false;
  }
  /// Work of other threads; `goesOn`: of those that do not wait for a fork of
  /// their own.
  bool hasOtherWork(bool goesOn) const {
    for (const LibraryWork *work = works; work; work = work->next)
      if (!work->isOwn() && !(goesOn && work->forks))
        return true;
    return false;
  }
  void markOwn(bool forks) {
    for (LibraryWork *work = works; work; work = work->next)
      if (work->isOwn())
        work->forks = forks;
  }
  void add(LibraryWork &work) {
    work.next = works;
    works = &work;
  }
  void remove(LibraryWork &work) {
    LibraryWork **place = &works;
    while (*place != &work)
      place = &(*place)->next;
    *place = work.next;
  }
  /// In a child, what other threads had begun.
  void removeOthers() {
    for (LibraryWork **place = &works; *place;)
      if ((*place)->isOwn())
        place = &(*place)->next;
      else
        *place = (*place)->next;
  }
};

/// Longer work than this many seconds is not waited for.
static constexpr int longestWait = 5;
static ForkGate gate;
static std::atomic<bool> sawFork{false};
static std::atomic<bool> inheritedLocks{false};

static void beforeFork() {
  timespec until = {};
  ::clock_gettime(CLOCK_MONOTONIC, &until);
  until.tv_sec += longestWait;
  // A fork is no place where a thread may be cancelled; waiting is.
  int cancelState;
  ::pthread_setcancelstate(PTHREAD_CANCEL_DISABLE, &cancelState);
  ::pthread_mutex_lock(&gate.mutex);
  if (gate.isClosing) {
    ::pthread_mutex_unlock(&gate.mutex);
    ::pthread_setcancelstate(cancelState, nullptr);
    return;
  }
  ++gate.forks;
  // Work of this thread's own goes on afterwards; other forks need not wait for
  // it.
  gate.markOwn(/*forks=*/true);
  ::pthread_cond_broadcast(&gate.changed);
  while (gate.hasOtherWork(/*goesOn=*/true) &&
         ::pthread_cond_clockwait(&gate.changed, &gate.mutex, CLOCK_MONOTONIC,
                                  &until) == 0) {
  }
  gate.cancelState = cancelState;
  gate.forker = ::pthread_self();
}

static void afterForkInParent() {
  if (gate.forker != ::pthread_self())
    return;
  gate.forker = 0;
  --gate.forks;
  gate.markOwn(/*forks=*/false);
  int cancelState = gate.cancelState;
  ::pthread_cond_broadcast(&gate.changed);
  ::pthread_mutex_unlock(&gate.mutex);
  ::pthread_setcancelstate(cancelState, nullptr);
}

static void afterForkInChild() {
  sawFork = true;
  if (gate.forker != ::pthread_self())
    return;
  gate.forker = 0;
  if (gate.hasOtherWork(/*goesOn=*/false))
    inheritedLocks = true;
  gate.removeOthers();
  gate.markOwn(/*forks=*/false);
  gate.forks = 0;
  gate.mutex = PTHREAD_MUTEX_INITIALIZER;
  gate.changed = PTHREAD_COND_INITIALIZER;
  ::pthread_setcancelstate(gate.cancelState, nullptr);
}

/// The C library would unmap an artifact whose handlers another thread is in.
__attribute__((destructor)) static void closeGate() {
  int cancelState;
  ::pthread_setcancelstate(PTHREAD_CANCEL_DISABLE, &cancelState);
  ::pthread_mutex_lock(&gate.mutex);
  gate.isClosing = true;
  while (gate.forks > 0)
    ::pthread_cond_wait(&gate.changed, &gate.mutex);
  ::pthread_mutex_unlock(&gate.mutex);
  ::pthread_setcancelstate(cancelState, nullptr);
}

/// The C library drops the handlers when an artifact is unloaded. Where memory
/// was short, the next work tries again.
static void registerHandlers() {
  static std::mutex mutex;
  static std::atomic<bool> isRegistered{false};
  if (isRegistered)
    return;
  std::lock_guard<std::mutex> lock(mutex);
  if (!isRegistered)
    isRegistered =
        ::pthread_atfork(beforeFork, afterForkInParent, afterForkInChild) == 0;
}

/// Before any thread can be in the midst of it.
__attribute__((constructor)) static void registerEarly() { registerHandlers(); }

LibraryWork::LibraryWork() {
  registerHandlers();
  int cancelState;
  ::pthread_setcancelstate(PTHREAD_CANCEL_DISABLE, &cancelState);
  ::pthread_mutex_lock(&gate.mutex);
  // Work within work goes on: the fork waits for it.
  while (gate.forks > 0 && !gate.hasOwnWork())
    ::pthread_cond_wait(&gate.changed, &gate.mutex);
  gate.add(*this);
  ::pthread_mutex_unlock(&gate.mutex);
  ::pthread_setcancelstate(cancelState, nullptr);
}

LibraryWork::~LibraryWork() {
  ::pthread_mutex_lock(&gate.mutex);
  gate.remove(*this);
  if (gate.forks > 0)
    ::pthread_cond_broadcast(&gate.changed);
  ::pthread_mutex_unlock(&gate.mutex);
}

Status checkForkedLocks() {
  if (inheritedLocks)
    return makeError(
        "this process was forked while another thread of its parent loaded or "
        "planned a model, and may wait forever for locks of libraries: fork at "
        "another time, or call exec in the child");
  return Status::success();
}

/// PF_FORKNOEXEC among the flags of the process in /proc: another artifact, or
/// the program itself, may have used libgomp before the fork, when this code
/// was not loaded yet.
static bool readForkFlag() {
  constexpr unsigned long forkNoExec = 0x40;
  std::FILE *file = std::fopen("/proc/self/stat", "re");
  if (!file)
    return false;
  char text[1024];
  size_t length = std::fread(text, 1, sizeof text - 1, file);
  std::fclose(file);
  text[length] = '\0';
  // After "pid (name)": the state, and five numbers before the flags. The name
  // may hold anything.
  const char *rest = std::strrchr(text, ')');
  unsigned long flags = 0;
  return rest &&
         std::sscanf(rest + 1, " %*c %*d %*d %*d %*d %*d %lu", &flags) == 1 &&
         (flags & forkNoExec) != 0;
}

bool isForkedChild() { return sawFork || readForkFlag(); }

bool isInheritedThread() { return ::syscall(SYS_gettid) == ::getpid(); }

//===----------------------------------------------------------------------===//
// Static programs
//===----------------------------------------------------------------------===//

bool isStaticProgram() {
  // A program that has shared libraries names the loader that brings them.
  auto *header = reinterpret_cast<const Elf64_Phdr *>(::getauxval(AT_PHDR));
  unsigned long count = ::getauxval(AT_PHNUM);
  for (unsigned long i = 0; header && i < count; ++i)
    if (header[i].p_type == PT_INTERP)
      return false;
  return header != nullptr;
}

Status checkMayOpenLibraries(const std::string &what,
                             const std::string &instead) {
  if (isStaticProgram())
    return makeError("cannot open ", what,
                     ": this program is linked statically (-static), and "
                     "can't use shared libraries; link it dynamically, or ",
                     instead);
  return Status::success();
}

} // namespace tenon::runtime
