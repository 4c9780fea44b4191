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

static std::atomic<int> libraryWorks{0};
static std::atomic<bool> sawFork{false};
static std::atomic<bool> inheritedLocks{false};

/// In the child, whose only thread is the one that forked.
static void afterFork() {
  sawFork = true;
  if (libraryWorks.exchange(0) != 0)
    inheritedLocks = true;
}

LibraryWork::LibraryWork() {
  // The C library drops the handler when an artifact is unloaded.
  static const int registered = ::pthread_atfork(nullptr, nullptr, afterFork);
  static_cast<void>(registered);
  ++libraryWorks;
}

LibraryWork::~LibraryWork() { --libraryWorks; }

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
