//===- Targets.cpp - what one artifact is compiled for --------------------===//
//
// Part of the Tenon project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "tenon/Driver/Targets.h"
#include "tenon/Driver/GpuPipeline.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"

using namespace tenon;
using llvm::StringRef;

static llvm::Error addCudaTarget(TargetList &list, StringRef arch) {
  if (getPtxFeature(arch).empty())
    return llvm::createStringError(
        "target 'cuda:" + arch + "': expected one of " +
        llvm::join(llvm::map_range(
                       getGpuChips(),
                       [](StringRef chip) { return ("cuda:" + chip).str(); }),
                   ", "));
  if (llvm::is_contained(list.cudaArchs, arch))
    return llvm::createStringError("target 'cuda:" + arch +
                                   "' is given more than once");
  list.cudaArchs.push_back(arch.str());
  return llvm::Error::success();
}

llvm::Expected<TargetList> tenon::parseTargets(StringRef text) {
  TargetList list;
  list.forCpu = false;
  llvm::SmallVector<StringRef> parts;
  text.split(parts, ',');
  for (auto [number, part] : llvm::enumerate(parts)) {
    StringRef arch = part;
    if (arch.consume_front("cuda:")) {
      list.cudaFirst |= number == 0;
      if (llvm::Error error = addCudaTarget(list, arch))
        return std::move(error);
      continue;
    }
    llvm::Expected<emit::Target> target = emit::parseTarget(part);
    if (!target)
      return target.takeError();
    if (list.forCpu)
      return llvm::createStringError("expected one CPU, but got '" +
                                     list.host.name + "' and '" + part + "'");
    list.forCpu = true;
    list.host = std::move(*target);
  }
  return list;
}
