//===- Process.cpp - the current process ----------------------------------===//
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
#include <sys/auxv.h>
#include <sys/mman.h>
#include <sys/syscall.h>
#include <unistd.h>

using namespace tenon::artifact;

namespace tenon::runtime {

//===----------------------------------------------------------------------===//
// Process marks
//===----------------------------------------------------------------------===//

// Handlers of pthread_atfork could also detect a fork, but the C library may
// call handlers of an artifact that another thread is unloading (glibc 2.36
// releases its lock to call them), and may then skip the second handler of a
// pair.

/// A page that the kernel clears in forked children (since Linux 4.14).
struct alignas(4096) ClearedPage {
  /// The number of this process; 0 until it is first requested.
  std::atomic<uint32_t> process;
};
static ClearedPage page;
static bool isPageCleared = false;
/// The largest number given to this process or an ancestor.
static std::atomic<uint32_t> lastProcess{0};
static uint32_t loadedBy = 0;

/// Returns a number that differs from those of all processes that this one was
/// forked from.
static uint32_t currentProcess() {
  if (!isPageCleared)
    return static_cast<uint32_t>(::getpid());
  uint32_t process = page.process;
  if (process != 0)
    return process;
  uint32_t next = ++lastProcess;
  return page.process.compare_exchange_strong(process, next) ? next : process;
}

__attribute__((constructor)) static void markLoader() {
#ifdef MADV_WIPEONFORK
  isPageCleared = ::sysconf(_SC_PAGESIZE) == sizeof page &&
                  ::madvise(&page, sizeof page, MADV_WIPEONFORK) == 0;
#endif
  loadedBy = currentProcess();
}

ProcessMark::ProcessMark() : process(currentProcess()) {}

bool ProcessMark::isOurs() const { return currentProcess() == process; }

//===----------------------------------------------------------------------===//
// Library work
//===----------------------------------------------------------------------===//

namespace {
/// The library work in progress in a process. One word, so that a fork cannot
/// split it.
struct WorkState {
  uint32_t process;
  uint32_t count : 31;
  /// Work was in progress when the process, or an ancestor, was forked.
  uint32_t isInherited : 1;
};
} // namespace
static std::atomic<WorkState> works{WorkState{}};

/// Adds `change` to the count of the process; returns the previous state.
static WorkState addWork(uint32_t process, int change) {
  WorkState before = works.load(), mine, after;
  do {
    mine = before;
    if (mine.process != process)
      mine = {process, 0, mine.isInherited || mine.count > 0 ? 1u : 0u};
    after = mine;
    after.count = mine.count + static_cast<uint32_t>(change);
  } while (!works.compare_exchange_weak(before, after));
  return mine;
}

LibraryWork::LibraryWork() { addWork(currentProcess(), 1); }

LibraryWork::~LibraryWork() {
  // A child must not end work that the parent began.
  if (mark.isOurs())
    addWork(currentProcess(), -1);
}

Status checkForkedLocks() {
  if (addWork(currentProcess(), 0).isInherited)
    return makeError(
        "this process was forked while its parent loaded or planned a model, "
        "and may wait forever for locks of libraries: fork at another time, or "
        "call exec in the child");
  return Status::success();
}

/// Reads PF_FORKNOEXEC from the flags of the process in /proc. It is needed
/// because another artifact, or the program itself, may have used libgomp
/// before the fork, when this code was not loaded yet.
static bool readForkFlag() {
  constexpr unsigned long forkNoExec = 0x40;
  std::FILE *file = std::fopen("/proc/self/stat", "re");
  if (!file)
    return false;
  char text[1024];
  size_t length = std::fread(text, 1, sizeof text - 1, file);
  std::fclose(file);
  text[length] = '\0';
  // After "pid (name)" come the state and five numbers, then the flags. The
  // name may contain any character.
  const char *rest = std::strrchr(text, ')');
  unsigned long flags = 0;
  return rest &&
         std::sscanf(rest + 1, " %*c %*d %*d %*d %*d %*d %lu", &flags) == 1 &&
         (flags & forkNoExec) != 0;
}

bool isForkedChild() { return currentProcess() != loadedBy || readForkFlag(); }

bool isInheritedThread() { return ::syscall(SYS_gettid) == ::getpid(); }

//===----------------------------------------------------------------------===//
// Static programs
//===----------------------------------------------------------------------===//

bool isStaticProgram() {
  // A dynamically linked program names its loader in a PT_INTERP header.
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
