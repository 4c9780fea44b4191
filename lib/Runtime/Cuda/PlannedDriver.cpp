//===- PlannedDriver.cpp - a driver for memory that is planned ------------===//
//
// Part of the Tenon project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// A load counts the memory that it allocates (HostMemory). To plan it, the same
// load runs on this driver, which has no device: all functions succeed, and do
// nothing. Blocks have addresses that are not to be used.
//
//===----------------------------------------------------------------------===//

#include "Driver.h"

#include <climits>

namespace tenon::runtime::cuda {

template <typename... Parameters> static Result succeed(Parameters...) {
  return Success;
}

/// A handle that is not null, and is not to be used.
template <typename T> static T makeHandle() {
  return reinterpret_cast<T>(uintptr_t(1));
}

template <typename T, typename... Parameters>
static Result give(T *handle, Parameters...) {
  *handle = makeHandle<T>();
  return Success;
}

static Result countAll(int *count) {
  *count = INT_MAX;
  return Success;
}

/// The attributes of a function: as many threads as any block may have.
static Result giveLimit(int *value, int attribute, Function) {
  *value = attribute == MaxThreadsPerBlock ? 1024 : 0;
  return Success;
}

static Result giveAddress(DeviceAddress *address, size_t) {
  *address = 256;
  return Success;
}

static Result nameError(Result, const char **name) {
  *name = "no error";
  return Success;
}

Driver Driver::makePlanned() {
  Driver driver;
#define TENON_SET(NAME, SYMBOL, PARAMETERS) driver.NAME = succeed;
  TENON_CUDA_FUNCTIONS(TENON_SET)
#undef TENON_SET
  driver.getErrorName = driver.getErrorString = nameError;
  driver.deviceGetCount = countAll;
  driver.primaryCtxRetain = give;
  driver.streamCreate = give;
  driver.eventCreate = give;
  driver.moduleLoad = give;
  driver.moduleGetFunction = give;
  driver.memAllocHost = give;
  driver.memAlloc = giveAddress;
  driver.funcGetAttribute = giveLimit;
  return driver;
}

} // namespace tenon::runtime::cuda
