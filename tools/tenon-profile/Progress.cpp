//===- Progress.cpp - how far measuring has come --------------------------===//
//
// Part of the Tenon project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Progress.h"

#include "llvm/Support/Format.h"
#include "llvm/Support/raw_ostream.h"

#include <unistd.h>

Progress::Progress(unsigned models)
    : models(models), enabled(::isatty(STDERR_FILENO) != 0) {}

void Progress::show(unsigned model, llvm::StringRef doing, llvm::StringRef path,
                    double rest) {
  if (!enabled)
    return;
  clear();
  shown = true;
  llvm::errs() << "model " << model + 1 << " of " << models << ": " << doing
               << " " << path;
  // Models differ; the mean of those that are done is the best guess.
  double left = rest;
  if (model > 0)
    left += std::chrono::duration<double>(Clock::now() - start).count() /
            model * (models - model - 1);
  if (left >= 1)
    llvm::errs() << llvm::format(", about %.0f s left", left);
  llvm::errs().flush();
}

void Progress::clear() {
  if (shown)
    llvm::errs() << "\r\033[K";
  shown = false;
}
