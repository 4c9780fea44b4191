//===- ProfileFile.cpp - reading profiles from JSON -----------------------===//
//
// Part of the Tenon project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "ProfileFile.h"
#include "tenon/Support/JsonFile.h"

using namespace llvm;
using namespace tenon;
using namespace tenon::cost;

Expected<DeviceProfile> tenon::cost::readProfile(StringRef path) {
  Expected<json::Object> object = readJsonFile(path);
  if (!object)
    return object.takeError();
  JsonMembers members(path, "", *object);
  DeviceProfile profile;
  std::string semantics;
  struct Number {
    StringRef name;
    double &value;
    bool positive;
  };
  Number numbers[] = {
      {"matrix_flops_32", profile.matrixFlops32, true},
      {"matrix_flops_16", profile.matrixFlops16, true},
      {"vector_flops", profile.vectorFlops, true},
      {"memory_bandwidth", profile.memoryBandwidth, true},
      {"cache_bandwidth", profile.cacheBandwidth, true},
      {"cache_bytes", profile.cacheBytes, false},
      {"weight_bandwidth", profile.weightBandwidth, false},
      {"weight_seconds", profile.weightSeconds, false},
      {"launch_seconds", profile.launchSeconds, false},
      {"half_peak_flops", profile.halfPeakFlops, false},
      {"own_matrix_flops", profile.generatedMatrixFlops, false},
      {"library_seconds", profile.librarySeconds, false},
  };
  if (Error error = members.checkNames(
          {"schema_version", "name", "source", "device", "semantics",
           "matrix_flops_32", "matrix_flops_16", "vector_flops",
           "memory_bandwidth", "cache_bandwidth", "cache_bytes",
           "weight_bandwidth", "weight_seconds", "launch_seconds",
           "half_peak_flops", "own_matrix_flops", "library_seconds"}))
    return std::move(error);
  if (Error error = members.get("name", profile.name))
    return std::move(error);
  if (Error error = members.get("source", profile.source))
    return std::move(error);
  if (Error error = members.get("semantics", semantics))
    return std::move(error);
  if (semantics != "isolated" && semantics != "fused")
    return members.fail("'semantics': expected \"isolated\" or \"fused\", but "
                        "got \"" +
                        semantics + "\"");
  profile.semantics =
      semantics == "isolated" ? Semantics::Isolated : Semantics::Fused;
  if (object->get("device")) {
    std::string device;
    if (Error error = members.get("device", device))
      return std::move(error);
    std::optional<tenon::Device> parsed = parseDevice(device);
    if (!parsed)
      return members.fail("'device': expected \"cpu\" or \"cuda\", but got \"" +
                          device + "\"");
    profile.device = *parsed;
  }
  for (Number &number : numbers)
    if (Error error = members.get(number.name, number.value, number.positive))
      return std::move(error);
  return std::move(profile);
}
