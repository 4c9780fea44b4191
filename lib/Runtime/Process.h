//===- Process.h - the process that this code runs in ---------------------===//
//
// Part of the Tenon project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef TENON_LIB_RUNTIME_PROCESS_H
#define TENON_LIB_RUNTIME_PROCESS_H

#include "tenon/Artifact/Status.h"

#include <pthread.h>
#include <sys/types.h>

namespace tenon::runtime {

/// Remembers the process that made it. Asking costs no system call where the
/// kernel can clear a page in forked children (Linux 4.14).
class ProcessMark {
public:
  ProcessMark();
  ~ProcessMark();
  ProcessMark(const ProcessMark &) = delete;
  ProcessMark &operator=(const ProcessMark &) = delete;

  /// Whether this process made it; else it was forked since then.
  bool isOurs() const;

private:
  volatile char *page = nullptr;
  pid_t pid;
};

/// While one lives, this thread may hold locks of libraries (oneDNN's cache of
/// primitives, the loader and the functions of plug-ins). A child that is
/// forked meanwhile by another thread would inherit them locked forever: forks
/// wait, for some seconds, until there is no such work.
class LibraryWork {
public:
  LibraryWork();
  ~LibraryWork();
  LibraryWork(const LibraryWork &) = delete;
  LibraryWork &operator=(const LibraryWork &) = delete;

  /// Whether it is the calling thread's.
  bool isOwn() const { return ::pthread_equal(thread, ::pthread_self()) != 0; }

private:
  // In a list rather than thread-local, for which the C library would take
  // memory, and end the process if there is none.
  friend struct ForkGate;
  const pthread_t thread = ::pthread_self();
  LibraryWork *next = nullptr;
  bool forks = false;
};

/// Fails in a process that was forked while another thread did library work
/// that took too long to wait for.
artifact::Status checkForkedLocks();

/// Whether this process was forked from another and did not call exec since.
bool isForkedChild();

/// Whether the calling thread is the one that a forked child began with. It has
/// the thread-local state of a thread of the parent, also that of libgomp,
/// which believes in a team of threads that are not there.
bool isInheritedThread();

/// Fails in a program that is linked statically: a shared library that it opens
/// brings a second C library, whose state is not set up. `what` names the
/// library, `instead` what to do about it.
artifact::Status checkMayOpenLibraries(const std::string &what,
                                       const std::string &instead);
/// The same as a question.
bool isStaticProgram();

} // namespace tenon::runtime

#endif // TENON_LIB_RUNTIME_PROCESS_H
