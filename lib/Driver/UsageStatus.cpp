//===- UsageStatus.cpp - exit status of wrong usage -----------------------===//
//
// Part of the Tenon project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "tenon/Driver/UsageStatus.h"

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

UsageStatus::UsageStatus() {
  isReadingUsage = true;
  on_exit(replaceStatus, nullptr);
}

UsageStatus::~UsageStatus() { isReadingUsage = false; }
