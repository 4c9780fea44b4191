//===- ThisMachine.cpp - the machine that Tenon runs on -------------------===//
//
// Part of the Tenon project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "tenon/Driver/ThisMachine.h"
#include "tenon/Driver/DataFolders.h"

#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/MemoryBuffer.h"
#include "llvm/Support/Path.h"
#include "llvm/Support/xxhash.h"
#include "llvm/TargetParser/Host.h"

#include <cstdlib>

using namespace llvm;
using namespace tenon;

static std::string getProcessor() {
  std::string name;
  // A file of the kernel (/proc), whose size is unknown.
  ErrorOr<std::unique_ptr<MemoryBuffer>> info =
      MemoryBuffer::getFileAsStream("/proc/cpuinfo");
  if (info)
    for (StringRef rest = (*info)->getBuffer(); !rest.empty();) {
      auto [line, next] = rest.split('\n');
      auto [field, value] = line.split(':');
      if (name.empty() && field.trim() == "model name")
        name = value.trim().str();
      rest = next;
    }
  // Virtual machines often hide the model: LLVM tells the generation.
  std::string generation = sys::getHostCPUName().str();
  return name.empty() ? generation : name + " (" + generation + ")";
}

cost::Device
tenon::describeThisMachine(StringRef target, unsigned threads,
                           const backend::BackendRegistry &backends) {
  cost::Device device;
  device.target = target.str();
  device.processor = getProcessor();
  device.threads = threads;
  // Generated code changes with the compiler.
  device.versions["tenon"] = TENON_VERSION;
  for (const auto &backend : backends.getBackends())
    if (backend->getDevice() == Device::Cpu)
      if (std::string version = backend->getVersion(); !version.empty())
        device.versions[backend->getName().str()] = version;
  return device;
}

/// Lower-case letters and digits, joined by dashes.
static std::string getFileName(StringRef text) {
  std::string name;
  for (char c : text) {
    if (isAlnum(c))
      name += toLower(c);
    else if (!name.empty() && name.back() != '-')
      name += '-';
  }
  return StringRef(name).rtrim('-').str();
}

std::string
tenon::getCalibrationPath(const backend::BackendRegistry &backends) {
  if (const char *named = std::getenv("TENON_CALIBRATION"))
    return named;
  SmallString<128> path(findCacheFolder());
  if (path.empty())
    return "";
  cost::Device device = describeThisMachine("", 1, backends);
  std::string hash = utohexstr(xxh3_64bits(device.str()), /*LowerCase=*/true);
  sys::path::append(path, "profiles",
                    getFileName(device.processor) + "-" + hash + ".json");
  return path.str().str();
}

std::string tenon::findCalibration(const backend::BackendRegistry &backends) {
  std::string path = getCalibrationPath(backends);
  // What the user names has to be there.
  if (sys::fs::exists(path) || std::getenv("TENON_CALIBRATION"))
    return path;
  std::string folder = findProfilesFolder();
  if (folder.empty())
    return "";
  SmallString<128> shipped(folder);
  sys::path::append(shipped, sys::getHostCPUName() + ".json");
  return sys::fs::exists(shipped) ? shipped.str().str() : "";
}
