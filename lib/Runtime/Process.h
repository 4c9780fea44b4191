//===- Process.h - the current process ------------------------------------===//
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

/// Remembers the process that created it. Checking needs no system call if the
/// kernel can clear a page in forked children.
class ProcessMark {
public:
  ProcessMark();

  /// Returns whether this process created it; otherwise the process was forked
  /// since.
  bool isOurs() const;

private:
  uint32_t process;
};

/// During its lifetime, this thread may hold locks of libraries (oneDNN's
/// primitive cache, the loader, functions of plug-ins). A child that is forked
/// meanwhile would wait for them forever; checkForkedLocks detects this.
class LibraryWork {
public:
  LibraryWork();
  ~LibraryWork();
  LibraryWork(const LibraryWork &) = delete;
  LibraryWork &operator=(const LibraryWork &) = delete;

private:
  ProcessMark mark;
};

/// Fails in a process that was forked during library work.
artifact::Status checkForkedLocks();

/// Returns whether this process was forked from another and has not called exec
/// since.
bool isForkedChild();

/// Returns whether the calling thread is the first thread of a forked child. It
/// inherits the thread-local state of a thread of the parent, including
/// libgomp's, which refers to a team of threads that do not exist.
bool isInheritedThread();

/// Fails in a statically linked program: a shared library that it opens brings
/// a second C library, whose state is not initialized. `what` names the
/// library, `instead` the remedy.
artifact::Status checkMayOpenLibraries(const std::string &what,
                                       const std::string &instead);
/// Returns whether the program is statically linked.
bool isStaticProgram();

} // namespace tenon::runtime

#endif // TENON_LIB_RUNTIME_PROCESS_H
