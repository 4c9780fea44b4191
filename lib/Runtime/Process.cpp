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
  bool isForking = false;

  bool hasWork(bool isOwn) const {
    for (const LibraryWork *work = works; work; work = work->next)
      if (work->isOwn() == isOwn)
        return true;
    return false;
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
  ::clock_gettime(CLOCK_REALTIME, &until);
  until.tv_sec += longestWait;
  ::pthread_mutex_lock(&gate.mutex);
  gate.isForking = true;
  // Work of this thread's own goes on in the child.
  while (gate.hasWork(/*isOwn=*/false) &&
         ::pthread_cond_timedwait(&gate.changed, &gate.mutex, &until) == 0) {
  }
}

static void afterForkInParent() {
  gate.isForking = false;
  ::pthread_cond_broadcast(&gate.changed);
  ::pthread_mutex_unlock(&gate.mutex);
}

static void afterForkInChild() {
  sawFork = true;
  if (gate.hasWork(/*isOwn=*/false))
    inheritedLocks = true;
  gate.removeOthers();
  gate.mutex = PTHREAD_MUTEX_INITIALIZER;
  gate.changed = PTHREAD_COND_INITIALIZER;
  gate.isForking = false;
}

LibraryWork::LibraryWork() {
  // The C library drops the handlers when an artifact is unloaded. Where memory
  // was short, the next work tries again.
  static bool isRegistered = false;
  ::pthread_mutex_lock(&gate.mutex);
  isRegistered = isRegistered || ::pthread_atfork(beforeFork, afterForkInParent,
                                                  afterForkInChild) == 0;
  // Work within work goes on: the fork waits for it.
  while (gate.isForking && !gate.hasWork(/*isOwn=*/true))
    ::pthread_cond_wait(&gate.changed, &gate.mutex);
  gate.add(*this);
  ::pthread_mutex_unlock(&gate.mutex);
}

LibraryWork::~LibraryWork() {
  ::pthread_mutex_lock(&gate.mutex);
  gate.remove(*this);
  if (gate.isForking)
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
