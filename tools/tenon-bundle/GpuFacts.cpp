//===- GpuFacts.cpp - which GPU this is -----------------------------------===//
//
// Part of the Tenon project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "GpuFacts.h"

#include <cstdlib>
#include <dlfcn.h>
#include <fstream>

namespace tenon::bundle {

/// The first of the files that can be opened, or the one that the environment
/// names; null: none. It stays open: that is where artifacts find it, too.
static void *openLibrary(const char *variable,
                         std::initializer_list<const char *> files) {
  if (const char *named = std::getenv(variable); named && *named)
    return ::dlopen(named, RTLD_LAZY | RTLD_LOCAL);
  for (const char *file : files)
    if (void *library = ::dlopen(file, RTLD_LAZY | RTLD_LOCAL))
      return library;
  return nullptr;
}

template <typename F> static F *find(void *library, const char *symbol) {
  return library ? reinterpret_cast<F *>(::dlsym(library, symbol)) : nullptr;
}

/// As cuBLASLt and cuDNN 9 number themselves: 91002 is 9.10.2.
static void addVersion(void *library, const char *symbol, const char *name,
                       GpuFacts &facts) {
  auto *get = find<size_t()>(library, symbol);
  if (!get)
    return;
  size_t version = get();
  facts.versions[name] = std::to_string(version / 10000) + "." +
                         std::to_string(version / 100 % 100) + "." +
                         std::to_string(version % 100);
}

/// The newest target whose machine code runs on the compute capability; else
/// the newest that is not newer, whose PTX runs. A target that ends with 'a' is
/// only for that capability.
static std::string chooseTarget(const std::vector<std::string> &targets,
                                int capability) {
  std::string best;
  int bestNumber = 0;
  for (const std::string &target : targets) {
    int number = std::atoi(target.c_str() + 3);
    bool alone = target.back() == 'a';
    if (number > capability || (alone && number != capability) ||
        number < bestNumber)
      continue;
    // sm_90a is preferred to sm_90.
    if (number == bestNumber && !alone)
      continue;
    best = target;
    bestNumber = number;
  }
  return best;
}

static std::string join(const std::vector<std::string> &targets) {
  std::string text = "cuda:";
  for (const std::string &target : targets)
    text += (text.back() == ':' ? "" : ",") + target;
  return text;
}

/// Returns the version of CUDA that the driver is for, as a number; 0: unknown.
static int askDriver(int device, const std::vector<std::string> &targets,
                     GpuFacts &facts) {
  constexpr int kMajor = 75, kMinor = 76;
  void *driver = openLibrary("TENON_CUDA_DRIVER", {"libcuda.so.1"});
  auto *init = find<int(unsigned)>(driver, "cuInit");
  auto *get = find<int(int *, int)>(driver, "cuDeviceGet");
  auto *getName = find<int(char *, int, int)>(driver, "cuDeviceGetName");
  auto *getAttribute =
      find<int(int *, int, int)>(driver, "cuDeviceGetAttribute");
  auto *getVersion = find<int(int *)>(driver, "cuDriverGetVersion");
  int number = 0, version = 0, major = 0, minor = 0;
  char name[256] = "";
  if (!init || !get || !getName || !getAttribute || !getVersion ||
      init(0) != 0 || get(&number, device) != 0)
    return 0;
  if (getName(name, sizeof name, number) == 0 && *name)
    facts.processor = name;
  if (getVersion(&version) == 0)
    facts.versions["cuda"] = std::to_string(version / 1000) + "." +
                             std::to_string(version % 1000 / 10);
  if (getAttribute(&major, kMajor, number) == 0 &&
      getAttribute(&minor, kMinor, number) == 0)
    if (std::string target = chooseTarget(targets, major * 10 + minor);
        !target.empty())
      facts.target = "cuda:" + target;
  return version;
}

GpuFacts getGpuFacts(int device, const std::vector<std::string> &targets) {
  GpuFacts facts;
  facts.target = join(targets);
  int version = askDriver(device, targets, facts);
  std::string own;
  if (std::ifstream("/sys/module/nvidia/version") >> own && version)
    facts.versions["nvidia"] = own;
  const char *older = "libcublasLt.so.12", *newer = "libcublasLt.so.13";
  if (version < 13000)
    std::swap(older, newer);
  addVersion(openLibrary("TENON_CUBLASLT", {newer, older}),
             "cublasLtGetVersion", "cublaslt", facts);
  addVersion(openLibrary("TENON_CUDNN", {"libcudnn.so.9"}), "cudnnGetVersion",
             "cudnn", facts);
  return facts;
}

} // namespace tenon::bundle
