//===- UsageStatus.cpp - exit status of wrong usage -----------------------===//
//
// Part of the Tenon project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "tenon/Driver/UsageStatus.h"

#include "llvm/Support/ErrorHandling.h"

#include <cstdio>
#include <cstdlib>
#include <unistd.h>

using namespace tenon;

static bool isReadingUsage = false;

static void replaceStatus(int status, void *) {
  if (!isReadingUsage || status != EXIT_FAILURE)
    return;
  std::fflush(nullptr);
  _exit(2);
}

/// LLVM ends the program where a stream of its own can't be written.
static void reportFatal(void *, const char *reason, bool) {
  isReadingUsage = false;
  std::fprintf(stderr, "error: %s\n", reason);
  std::exit(1);
}

UsageStatus::UsageStatus() {
  llvm::install_fatal_error_handler(reportFatal);
  isReadingUsage = true;
  on_exit(replaceStatus, nullptr);
}

UsageStatus::~UsageStatus() {
  isReadingUsage = false;
  llvm::remove_fatal_error_handler();
}
