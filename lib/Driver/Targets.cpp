//===- Targets.cpp - what one artifact is compiled for --------------------===//
//
// Part of the Tenon project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "tenon/Driver/Targets.h"
#include "tenon/Emit/GpuPipeline.h"
#include "tenon/Emit/Target.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"

using namespace tenon;
using llvm::StringRef;

static llvm::Error checkArch(StringRef arch) {
  if (!emit::getPtxFeature(arch).empty())
    return llvm::Error::success();
  return llvm::createStringError(
      "target 'cuda:" + arch + "': expected one of " +
      llvm::join(llvm::map_range(
                     emit::getGpuChips(),
                     [](StringRef chip) { return ("cuda:" + chip).str(); }),
                 ", "));
}

static llvm::Error addCudaTarget(Policy &policy, StringRef arch) {
  if (llvm::Error error = checkArch(arch))
    return error;
  if (llvm::is_contained(policy.archs, arch))
    return llvm::createStringError("target 'cuda:" + arch +
                                   "' is given more than once");
  policy.archs.push_back(arch.str());
  return llvm::Error::success();
}

llvm::Error tenon::parseTargets(StringRef text, Policy &policy, bool &forBoth) {
  std::vector<emit::Target> hosts;
  std::optional<Device> first;
  policy.archs.clear();
  llvm::SmallVector<StringRef> parts;
  text.split(parts, ',');
  for (StringRef part : parts) {
    StringRef arch = part;
    if (arch.consume_front("cuda:")) {
      if (llvm::Error error = addCudaTarget(policy, arch))
        return error;
      first = first.value_or(Device::Cuda);
      continue;
    }
    llvm::Expected<emit::Target> target = emit::parseTarget(part);
    if (!target)
      return target.takeError();
    if (llvm::any_of(hosts, [&](const emit::Target &host) {
          return host.name == target->name;
        }))
      return llvm::createStringError("target '" + part +
                                     "' is given more than once");
    hosts.push_back(std::move(*target));
    first = first.value_or(Device::Cpu);
  }
  policy.device = *first;
  forBoth = !hosts.empty() && !policy.archs.empty();
  llvm::stable_sort(hosts, [](const auto &a, const auto &b) {
    return a.cpuFeatures < b.cpuFeatures;
  });
  policy.host = hosts.empty() ? Policy().host : hosts.front().name;
  policy.levels.clear();
  for (const emit::Target &host : llvm::drop_begin(hosts, !hosts.empty()))
    policy.levels.push_back(host.name);
  return llvm::Error::success();
}

llvm::Error tenon::checkTargets(const Policy &policy, bool forCode) {
  for (StringRef arch : policy.archs)
    if (llvm::Error error = checkArch(arch))
      return error;
  if (forCode && policy.isForGpu() && policy.archs.empty())
    return llvm::createStringError(
        "expected archs for the device cuda, such as archs = [\"sm_80\"]");
  llvm::Expected<emit::Target> host = emit::parseTarget(policy.host);
  if (!host)
    return host.takeError();
  for (StringRef name : policy.levels) {
    llvm::Expected<emit::Target> level = emit::parseTarget(name);
    if (!level)
      return level.takeError();
    // What all programs share is code for the host.
    if ((host->cpuFeatures & ~level->cpuFeatures) != 0)
      return llvm::createStringError(
          "level '" + name + "': expected a CPU that has all of " + host->name);
  }
  return llvm::Error::success();
}

std::vector<Policy> tenon::listUnits(const Policy &policy, bool forBoth) {
  auto getUnit = [&](Device device) {
    Policy unit = policy;
    unit.device = device;
    if (device == Device::Cuda) {
      unit.levels.clear();
      return unit;
    }
    unit.archs.clear();
    // Only kernels for GPUs round factors.
    if (unit.precision == Precision::TF32)
      unit.precision = Precision::F32;
    return unit;
  };
  std::vector<Policy> units = {getUnit(policy.device)};
  if (forBoth)
    units.push_back(getUnit(policy.isForGpu() ? Device::Cpu : Device::Cuda));
  return units;
}
