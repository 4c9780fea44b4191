//===- TemporaryFolder.h - folders that no exit leaves behind -------------===//
//
// Part of the Tenon project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// A folder `.tenon-tmp-HOST-PID-START-N` that holds what one process is still
// writing. It is removed with all its files when the object is destroyed, when
// the program exits, and when a signal ends it. A process that is killed
// (SIGKILL) leaves it behind; the next process that makes one in the same place
// removes it: the name tells the process and its start time.
//
//===----------------------------------------------------------------------===//

#ifndef TENON_ARTIFACT_TEMPORARYFOLDER_H
#define TENON_ARTIFACT_TEMPORARYFOLDER_H

#include "tenon/Artifact/Status.h"

#include <string>

namespace tenon::artifact {

class TemporaryFolder {
public:
  /// Makes a folder in `parent`, which exists; empty: the current folder. The
  /// first time, removes those there whose processes of this machine and user
  /// are gone. Errors tell the system's reason alone.
  static Expected<TemporaryFolder> create(const std::string &parent);
  /// In TMPDIR or /tmp.
  static Expected<TemporaryFolder> createForScratch();

  TemporaryFolder(TemporaryFolder &&other) noexcept;
  TemporaryFolder &operator=(TemporaryFolder &&) = delete;
  ~TemporaryFolder();

  const std::string &getPath() const { return path; }
  std::string getFile(const std::string &name) const {
    return path + "/" + name;
  }

private:
  TemporaryFolder(std::string path, int slot)
      : path(std::move(path)), slot(slot) {}

  std::string path; // empty: moved from
  int slot;
};

/// Whether a file lies in a folder that such an object made, in this process or
/// another.
bool isTemporary(const std::string &path);

/// While an object lives, a signal that ends the program waits for its end, so
/// that several files change their names together.
class SignalDelay {
public:
  SignalDelay();
  ~SignalDelay();
  SignalDelay(const SignalDelay &) = delete;
  SignalDelay &operator=(const SignalDelay &) = delete;
};

/// While an object lives, the program reads an input by recursion, and ends
/// with an error instead of a crash if the stack is used up.
class InputScope {
public:
  InputScope();
  ~InputScope();
  InputScope(const InputScope &) = delete;
  InputScope &operator=(const InputScope &) = delete;
};

/// Called first in a tool's main: a closed standard stream becomes one that
/// fails, so that no file takes its number, signals that the caller ignores
/// stay ignored, and new files are their owner's to read and write.
void prepareStreams();

/// Called in a tool's main after others have set up signals: a file that may
/// not grow is an error as on a full disk; a mapped file that is cut short
/// while it is read, or a stack that is used up in an InputScope, ends the
/// program with status 1 and a message that begins with `tool`.
void prepareSignals(const char *tool);

} // namespace tenon::artifact

#endif // TENON_ARTIFACT_TEMPORARYFOLDER_H
