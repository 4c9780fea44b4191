//===- TemporaryFolder.h - temporary folders that are always removed ------===//
//
// Part of the Tenon project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// A folder `.tenon-tmp-HOST-PID-START-N` for files that a process is still
// writing. It is removed with all its files when the object is destroyed, when
// the program exits, and when a signal ends the program. A process that is
// killed (SIGKILL) leaves it behind; the next process that makes one in the
// same place recognizes the dead process by the PID and start time in the name,
// and removes it.
//
//===----------------------------------------------------------------------===//

#ifndef TENON_ARTIFACT_TEMPORARYFOLDER_H
#define TENON_ARTIFACT_TEMPORARYFOLDER_H

#include "tenon/Artifact/Status.h"

#include <string>

namespace tenon::artifact {

class TemporaryFolder {
public:
  /// Makes a folder in `parent`, which must exist; empty: the current folder.
  /// The first call for a parent removes the folders there that were left by
  /// processes of this machine and user which have ended. Errors contain only
  /// the system's reason.
  static Expected<TemporaryFolder> create(const std::string &parent);
  /// Makes a folder in TMPDIR or /tmp.
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

  std::string path; // empty after a move
  int slot;
};

/// Returns whether a file is in a folder that an object of this class made, in
/// this or another process.
bool isTemporary(const std::string &path);

/// Delays termination by signals during the lifetime of the object, so that
/// several files are renamed together.
class SignalDelay {
public:
  SignalDelay();
  ~SignalDelay();
  SignalDelay(const SignalDelay &) = delete;
  SignalDelay &operator=(const SignalDelay &) = delete;
};

/// Marks code that reads an input recursively: if it overflows the stack, the
/// program ends with an error instead of a crash.
class InputScope {
public:
  InputScope();
  ~InputScope();
  InputScope(const InputScope &) = delete;
  InputScope &operator=(const InputScope &) = delete;
};

/// Must be called first in a tool's main. Replaces a closed standard stream by
/// one that fails, so that no file takes its descriptor; keeps signals ignored
/// that the caller ignores; and makes new files readable and writable by their
/// owner.
void prepareStreams();

/// Must be called in a tool's main after other code has set up signals.
/// Exceeding the file size limit becomes an error like a full disk. If a mapped
/// file is truncated while it is read, or the stack overflows in an InputScope,
/// the program ends with status 1 and a message that begins with `tool`.
void prepareSignals(const char *tool);

} // namespace tenon::artifact

#endif // TENON_ARTIFACT_TEMPORARYFOLDER_H
