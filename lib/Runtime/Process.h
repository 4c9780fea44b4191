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

#include <cstdint>
#include <string>

namespace tenon::runtime {

/// Remembers the process that made it. Asking costs no system call where the
/// kernel can clear a page in forked children.
class ProcessMark {
public:
  ProcessMark();

  /// Whether this process made it; else it was forked since then.
  bool isOurs() const;

private:
  uint32_t process;
};

/// While one lives, this thread may hold locks of libraries (oneDNN's cache of
/// primitives, the loader and the functions of plug-ins). A child that is
/// forked meanwhile would wait for them forever: checkForkedLocks tells it.
class LibraryWork {
public:
  LibraryWork();
  ~LibraryWork();
  LibraryWork(const LibraryWork &) = delete;
  LibraryWork &operator=(const LibraryWork &) = delete;

private:
  ProcessMark mark;
};

/// Fails in a process that was forked while there was library work.
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
