//===- ProfileFile.cpp - profiles as JSON ---------------------------------===//
//
// Part of the Tenon project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "ProfileFile.h"
#include "tenon/Support/File.h"
#include "tenon/Support/JsonFile.h"

#include "llvm/Support/Format.h"

using namespace llvm;
using namespace tenon;
using namespace tenon::cost;

namespace {
template <typename T> struct Member {
  StringLiteral name;
  double T::*value;
  /// Whether 0 is refused.
  bool isPositive = false;
};
} // namespace

static constexpr Member<DeviceProfile> kNumbers[] = {
    {"matrix_flops_32", &DeviceProfile::matrixFlops32, true},
    {"matrix_flops_16", &DeviceProfile::matrixFlops16, true},
    {"vector_flops", &DeviceProfile::vectorFlops, true},
    {"memory_bandwidth", &DeviceProfile::memoryBandwidth, true},
    {"cache_bandwidth", &DeviceProfile::cacheBandwidth, true},
    {"cache_bytes", &DeviceProfile::cacheBytes},
    {"weight_bandwidth", &DeviceProfile::weightBandwidth},
    {"weight_seconds", &DeviceProfile::weightSeconds},
    {"launch_seconds", &DeviceProfile::launchSeconds},
    {"half_peak_flops", &DeviceProfile::halfPeakFlops},
    {"own_matrix_flops", &DeviceProfile::generatedMatrixFlops},
    {"library_seconds", &DeviceProfile::librarySeconds},
};

/// No start and no unit of work takes longer.
static constexpr double kMostSeconds = 1;

static constexpr Member<ClassRates> kRates[] = {
    {"start", &ClassRates::start},
    {"row", &ClassRates::row},
    {"matrix_flop", &ClassRates::matrixFlop},
    {"vector_flop", &ClassRates::vectorFlop},
    {"remainder_flop", &ClassRates::remainderFlop},
    {"streamed_flop", &ClassRates::streamedFlop},
    {"byte", &ClassRates::byte},
    {"memory_byte", &ClassRates::memoryByte},
    {"weight_byte", &ClassRates::weightByte},
};

//===----------------------------------------------------------------------===//
// Reading
//===----------------------------------------------------------------------===//

static Error readClasses(StringRef path, const JsonMembers &file,
                         DeviceProfile &profile) {
  Expected<const json::Object *> classes = file.getObject("classes");
  if (!classes)
    return classes.takeError();
  for (const auto &[name, value] : **classes) {
    std::string where = ("classes: '" + StringRef(name) + "': ").str();
    const json::Object *object = value.getAsObject();
    if (!object)
      return createStringError("'" + path + "': " + where +
                               "expected an object");
    JsonMembers members(path, where, *object);
    if (Error error = members.checkNames(
            {"start", "row", "matrix_flop", "vector_flop", "remainder_flop",
             "streamed_flop", "byte", "memory_byte", "weight_byte", "deviation",
             "kernels"}))
      return error;
    ClassRates &rates = profile.classes[StringRef(name).str()];
    for (const auto &rate : kRates)
      if (Error error =
              members.get(rate.name, rates.*rate.value, rate.isPositive))
        return error;
      else if (rates.*rate.value > kMostSeconds)
        return members.fail("'" + rate.name + "': expected at most 1");
    if (Error error =
            members.get("deviation", rates.deviation, /*positive=*/false))
      return error;
    uint64_t kernels = 0;
    if (Error error = members.get("kernels", kernels, 1))
      return error;
    if (kernels > UINT32_MAX)
      return members.fail("'kernels' is too large");
    rates.kernels = kernels;
  }
  return Error::success();
}

Expected<DeviceProfile> tenon::cost::readProfile(StringRef path) {
  Expected<json::Object> object = readJsonFile(path);
  if (!object)
    return object.takeError();
  JsonMembers members(path, "", *object);
  DeviceProfile profile;
  if (object->get("semantics"))
    return members.fail("'semantics' was removed, because all profiles count "
                        "fused kernels: delete the member, or write the file "
                        "again (tenon-profile --calibrate)");
  if (Error error = members.checkNames(
          {"schema_version", "name", "source", "device", "matrix_flops_32",
           "matrix_flops_16", "vector_flops", "memory_bandwidth",
           "cache_bandwidth", "cache_bytes", "weight_bandwidth",
           "weight_seconds", "launch_seconds", "half_peak_flops",
           "own_matrix_flops", "library_seconds", "classes"}))
    return std::move(error);
  if (Error error = members.get("name", profile.name))
    return std::move(error);
  if (Error error = members.get("source", profile.source))
    return std::move(error);
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
  for (const auto &number : kNumbers)
    if (Error error =
            members.get(number.name, profile.*number.value, number.isPositive))
      return std::move(error);
  if (object->get("classes"))
    if (Error error = readClasses(path, members, profile))
      return std::move(error);
  return std::move(profile);
}

//===----------------------------------------------------------------------===//
// Writing
//===----------------------------------------------------------------------===//

/// One class per line, sorted by name, so that files can be compared.
static void print(const DeviceProfile &profile, raw_ostream &os) {
  os << "{\"schema_version\": 1,\n\"name\": " << json::Value(profile.name)
     << ",\n\"source\": " << json::Value(profile.source)
     << ",\n\"device\": " << json::Value(getName(profile.device));
  for (const auto &number : kNumbers)
    os << ",\n\"" << number.name << format("\": %.9g", profile.*number.value);
  os << ",\n\"classes\": {";
  StringRef separator = "\n";
  for (const auto &[name, rates] : profile.classes) {
    os << separator << json::Value(name) << ": {";
    for (const auto &rate : kRates)
      os << "\"" << rate.name << format("\": %.4g, ", rates.*rate.value);
    os << format("\"deviation\": %.4g, ", rates.deviation)
       << "\"kernels\": " << rates.kernels << "}";
    separator = ",\n";
  }
  os << "\n}}\n";
}

Error tenon::cost::writeProfile(const DeviceProfile &profile, StringRef path) {
  std::string text;
  raw_string_ostream os(text);
  print(profile, os);
  return writeOutputFile(path, text);
}
