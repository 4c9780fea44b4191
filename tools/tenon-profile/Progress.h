//===- Progress.h - how far measuring has come ----------------------------===//
//
// Part of the Tenon project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef TENON_TOOLS_TENON_PROFILE_PROGRESS_H
#define TENON_TOOLS_TENON_PROFILE_PROGRESS_H

#include "llvm/ADT/StringRef.h"

#include <chrono>
#include <string>

/// A line on standard error, if that is a terminal.
class Progress {
public:
  explicit Progress(unsigned models);
  ~Progress() { clear(); }

  /// `rest`: what is known to be left of this model, in seconds.
  void show(unsigned model, llvm::StringRef doing, llvm::StringRef path,
            double rest = 0);
  /// Takes the line away, before other output.
  void clear();

private:
  using Clock = std::chrono::steady_clock;

  unsigned models;
  bool enabled, shown = false;
  Clock::time_point start = Clock::now();
};

#endif // TENON_TOOLS_TENON_PROFILE_PROGRESS_H
