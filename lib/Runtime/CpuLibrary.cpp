//===- CpuLibrary.cpp - the built-in libraries of CPU programs -----------===//
//
// Part of the Tenon project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "CpuLibrary.h"

using namespace tenon::artifact;

namespace tenon::runtime {

static Expected<std::unique_ptr<CpuLibrary>> make(int32_t number,
                                                  CpuLibraries &all) {
  switch (number) {
#define TENON_MAKE_Cpu(Name, NAME)                                             \
  case TENON_LIBRARY_##NAME:                                                   \
    return open##Name(all);
#define TENON_MAKE_Cuda(Name, NAME)
#define TENON_LIBRARY(Name, NAME, number, name, device)                        \
  TENON_MAKE_##device(Name, NAME)
#include "tenon/Artifact/Libraries.def"
#undef TENON_MAKE_Cpu
#undef TENON_MAKE_Cuda
  default:
    return makeError("library number ", number, " is unknown to this runtime");
  }
}

Expected<CpuLibrary *> CpuLibraries::open(int32_t number) {
  auto found = libraries.find(number);
  if (found != libraries.end())
    return found->second.get();
  Expected<std::unique_ptr<CpuLibrary>> made = make(number, *this);
  if (!made)
    return made.takeError();
  return (libraries[number] = std::move(*made)).get();
}

} // namespace tenon::runtime
