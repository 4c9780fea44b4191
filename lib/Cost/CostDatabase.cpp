//===- CostDatabase.cpp - measured costs ----------------------------------===//
//
// Part of the Tenon project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "tenon/Cost/CostDatabase.h"
#include "JsonFile.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/Format.h"
#include "llvm/Support/raw_ostream.h"

using namespace llvm;
using namespace tenon::cost;

bool Device::operator==(const Device &other) const {
  return target == other.target && processor == other.processor &&
         threads == other.threads && versions == other.versions;
}

std::string Device::str() const {
  std::string text = target + " on " + processor + ", " +
                     std::to_string(threads) +
                     (threads == 1 ? " thread" : " threads");
  for (const auto &[library, version] : versions)
    text += ", " + library + " " + version;
  return text;
}

const Measurement *CostDatabase::lookup(StringRef kernelKey) const {
  auto it = entries.find(kernelKey);
  return it == entries.end() ? nullptr : &it->second;
}

void CostDatabase::add(StringRef kernelKey, const Measurement &measurement) {
  entries[kernelKey.str()] = measurement;
}

Error CostDatabase::merge(const CostDatabase &other) {
  if (device != other.device)
    return createStringError("costs of different devices can't be mixed: '" +
                             device.str() + "' and '" + other.device.str() +
                             "'");
  for (const auto &[key, measurement] : other.entries) {
    auto [it, inserted] = entries.try_emplace(key, measurement);
    if (!inserted && it->second.runs < measurement.runs)
      it->second = measurement;
  }
  return Error::success();
}

//===----------------------------------------------------------------------===//
// Reading
//===----------------------------------------------------------------------===//

static Expected<Device> readDevice(StringRef path, const JsonMembers &file) {
  Expected<const json::Object *> object = file.getObject("device");
  if (!object)
    return object.takeError();
  JsonMembers members(path, "device: ", **object);
  Device device;
  uint64_t threads;
  if (Error error =
          members.checkNames({"target", "processor", "threads", "versions"}))
    return std::move(error);
  if (Error error = members.get("target", device.target))
    return std::move(error);
  if (Error error = members.get("processor", device.processor))
    return std::move(error);
  if (Error error = members.get("threads", threads, 1))
    return std::move(error);
  if (threads > UINT32_MAX)
    return members.fail("'threads' is too large");
  device.threads = threads;
  Expected<const json::Object *> versions = members.getObject("versions");
  if (!versions)
    return versions.takeError();
  JsonMembers list(path, "device: versions: ", **versions);
  for (const auto &member : **versions)
    if (Error error = list.get(member.first,
                               device.versions[StringRef(member.first).str()]))
      return std::move(error);
  return std::move(device);
}

static Error readEntry(StringRef path, size_t number, const json::Value &value,
                       std::string &key, Measurement &measurement) {
  std::string where = "entry " + std::to_string(number) + ": ";
  const json::Object *object = value.getAsObject();
  if (!object)
    return createStringError("'" + path + "': " + where + "expected an object");
  JsonMembers members(path, where, *object);
  if (Error error =
          members.checkNames({"kernel", "median", "low", "high", "runs"}))
    return error;
  if (Error error = members.get("kernel", key))
    return error;
  if (Error error = members.get("median", measurement.median, false))
    return error;
  if (Error error = members.get("low", measurement.low, false))
    return error;
  if (Error error = members.get("high", measurement.high, false))
    return error;
  if (Error error = members.get("runs", measurement.runs, 1))
    return error;
  if (measurement.low > measurement.median ||
      measurement.median > measurement.high)
    return members.fail("expected 'low' <= 'median' <= 'high'");
  return Error::success();
}

Expected<CostDatabase> CostDatabase::read(StringRef path) {
  Expected<json::Object> object = readJsonFile(path);
  if (!object)
    return object.takeError();
  JsonMembers members(path, "", *object);
  if (Error error = members.checkNames({"schema_version", "device", "entries"}))
    return std::move(error);
  Expected<Device> device = readDevice(path, members);
  if (!device)
    return device.takeError();
  Expected<const json::Array *> list = members.getArray("entries");
  if (!list)
    return list.takeError();
  CostDatabase database(std::move(*device));
  for (const auto &[number, value] : enumerate(**list)) {
    std::string key;
    Measurement measurement;
    if (Error error = readEntry(path, number, value, key, measurement))
      return std::move(error);
    if (database.lookup(key))
      return createStringError("'" + path + "': entry " + Twine(number) +
                               ": a second entry of the kernel '" + key + "'");
    database.add(key, measurement);
  }
  return std::move(database);
}

//===----------------------------------------------------------------------===//
// Writing
//===----------------------------------------------------------------------===//

/// One entry a line, in the order of keys, so that files can be compared.
static void
print(raw_ostream &os, const Device &device,
      const std::map<std::string, Measurement, std::less<>> &entries) {
  json::Object versions;
  for (const auto &[library, version] : device.versions)
    versions[library] = version;
  json::Object object{{"target", device.target},
                      {"processor", device.processor},
                      {"threads", device.threads},
                      {"versions", std::move(versions)}};
  os << "{\"schema_version\": 1,\n\"device\": "
     << json::Value(std::move(object)) << ",\n\"entries\": [";
  StringRef separator = "\n";
  for (const auto &[key, measurement] : entries) {
    // Clocks tell nanoseconds: nine digits lose nothing.
    os << separator << "{\"kernel\": " << json::Value(key)
       << format(", \"median\": %.9g, \"low\": %.9g, \"high\": %.9g",
                 measurement.median, measurement.low, measurement.high)
       << ", \"runs\": " << measurement.runs << "}";
    separator = ",\n";
  }
  os << "\n]}\n";
}

Error CostDatabase::write(StringRef path) const {
  auto fail = [&](const Twine &reason) {
    return createStringError("can't write '" + path + "': " + reason);
  };
  Expected<sys::fs::TempFile> file =
      sys::fs::TempFile::create(path + ".tmp-%%%%%%%%");
  if (!file)
    return fail(toString(file.takeError()));
  raw_fd_ostream os(file->FD, /*shouldClose=*/false);
  print(os, device, entries);
  os.flush();
  if (std::error_code code = os.error()) {
    os.clear_error();
    consumeError(file->discard());
    return fail(code.message());
  }
  if (Error error = file->keep(path)) {
    std::string reason = toString(std::move(error));
    consumeError(file->discard());
    return fail(reason);
  }
  return Error::success();
}
