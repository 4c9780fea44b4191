//===- Progress.h - what goes on, for who waits at a terminal -------------===//
//
// Part of the Tenon project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef TENON_SUPPORT_PROGRESS_H
#define TENON_SUPPORT_PROGRESS_H

#include "llvm/ADT/StringRef.h"

#include <chrono>
#include <memory>

namespace tenon {

struct ProgressOptions {
  /// A file descriptor; nothing is written unless it is a terminal.
  int file = 2;
  /// When the line first appears, and how often it is written again.
  std::chrono::milliseconds delay{5000}, period{1000};
};

/// One line on a terminal, rewritten in place by a thread of its own, with the
/// phase and the seconds since the start: "tenon-compile: optimize, 12 s".
class Progress {
public:
  explicit Progress(llvm::StringRef program, ProgressOptions options = {});
  /// Removes the line.
  ~Progress();

  /// Says what goes on from now on.
  void enter(llvm::StringRef phase);
  /// Removes the line, so that a message can be written; the line comes back
  /// after a period.
  void makeRoom();

private:
  class Line;
  std::unique_ptr<Line> line; // null: no terminal
};

} // namespace tenon

#endif // TENON_SUPPORT_PROGRESS_H
