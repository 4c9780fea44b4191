//===- Driver.cpp - opening the CUDA driver -----------------------------===//
//
// Part of the Tenon project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Driver.h"

#include "../Process.h"

#include <cstdlib>
#include <dlfcn.h>

using namespace tenon::artifact;

namespace tenon::runtime::cuda {

bool isFatal(Result result) {
  switch (result) {
  case EccUncorrectable:
  case NvlinkUncorrectable:
  case Contained:
  case IllegalAddress:
  case LaunchTimeout:
  case ContextIsDestroyed:
  case Assert:
  case TensorMemoryLeak:
  case MpsClientTerminated:
  case ExternalDevice:
  case Unknown:
    return true;
  default:
    // These are illegal instructions, misaligned addresses and similar errors.
    return result >= HardwareStackError && result <= LaunchFailed;
  }
}

Error noDevice(const std::string &otherwise) {
  return makeError("this artifact's program is for CUDA, but the driver finds "
                   "no device; run it on a machine with an NVIDIA GPU",
                   otherwise);
}

Expected<Driver> Driver::open(const std::string &otherwise) {
  const char *name = std::getenv("TENON_CUDA_DRIVER");
  if (!name || !*name)
    name = "libcuda.so.1";
  if (Status status = checkMayOpenLibraries("the CUDA driver",
                                            "compile the model for the cpu");
      !status)
    return status.takeError();
  void *library = ::dlopen(name, RTLD_NOW | RTLD_LOCAL);
  if (!library) {
    const char *reason = ::dlerror();
    return makeError("this artifact's program is for CUDA, but ", name,
                     " can't be opened: ", reason ? reason : "unknown reason",
                     "; run it on a machine with an NVIDIA driver", otherwise);
  }
  Driver driver;
  const char *missing = nullptr;
  auto get = [&](const char *symbol, auto &function) {
    function = reinterpret_cast<std::decay_t<decltype(function)>>(
        ::dlsym(library, symbol));
    if (!function && !missing)
      missing = symbol;
  };
#define TENON_GET(NAME, SYMBOL, PARAMETERS) get(#SYMBOL, driver.NAME);
  TENON_CUDA_FUNCTIONS(TENON_GET)
#undef TENON_GET
  if (missing)
    return makeError("the CUDA driver ", name, " is too old: it lacks ",
                     missing);
  Result result = driver.init(0);
  if (result == NoDevice)
    return noDevice(otherwise);
  // The stub library exists for linking on machines without a driver; all of
  // its functions return this error.
  if (result == StubLibrary)
    return makeError("this artifact's program is for CUDA, but ", name,
                     " is the toolkit's stub, not a driver; run it on a "
                     "machine with an NVIDIA driver",
                     otherwise);
  if (result == Success)
    result = driver.driverGetVersion(&driver.version);
  if (result != Success)
    return makeError("the CUDA driver ", name,
                     " does not start: ", driver.describe(result), otherwise);
  return driver;
}

const char *Driver::errorName(Result result) const {
  const char *name = nullptr;
  if (getErrorName(result, &name) != Success || !name)
    return "an unknown error of CUDA";
  return name;
}

std::string Driver::describe(Result result) const {
  const char *text = nullptr;
  if (getErrorString(result, &text) != Success || !text)
    return concat(errorName(result), " (error ", result, " of CUDA)");
  return concat(errorName(result), " (", text, ")");
}

std::string Driver::versionText() const {
  return concat("CUDA ", version / 1000, ".", version % 1000 / 10);
}

} // namespace tenon::runtime::cuda
