//===- Progress.h - progress messages on a terminal -----------------------===//
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
  /// The delay before the line appears, and the period of its updates.
  std::chrono::milliseconds delay{5000}, period{1000};
};

/// One line on a terminal with the phase and the seconds since the start, such
/// as "tenon-compile: optimize, 12 s". Its own thread rewrites it in place.
class Progress {
public:
  explicit Progress(llvm::StringRef program, ProgressOptions options = {});
  /// Removes the line.
  ~Progress();

  /// Sets the current phase.
  void enter(llvm::StringRef phase);
  /// Removes the line, so that a message can be written; the line reappears
  /// after a period.
  void makeRoom();

private:
  class Line;
  std::unique_ptr<Line> line; // null: no terminal
};

} // namespace tenon

#endif // TENON_SUPPORT_PROGRESS_H
