//===- CostDatabaseFile.cpp - reading and writing measured costs ----------===//
//
// Part of the Tenon project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "tenon/Cost/CostDatabase.h"
#include "tenon/Dialect/Kernel/IR/SharedFiles.h"
#include "tenon/Support/File.h"
#include "tenon/Support/JsonFile.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/Support/Format.h"
#include "llvm/Support/raw_ostream.h"

using namespace llvm;
using namespace tenon;
using namespace tenon::cost;

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
  if (Error error = members.checkNames(
          {"kernel", "median", "low", "high", "runs", "roofline"}))
    return error;
  if (object->get("roofline"))
    if (Error error = members.get("roofline", measurement.roofline, true))
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

static Error readRun(const JsonMembers &members, RunMeasurement &run) {
  uint64_t numKernels = 0;
  if (Error error = members.checkNames(
          {"graph", "plan", "kernels", "num_kernels", "sum", "measured"}))
    return error;
  if (Error error = members.get("graph", run.graph))
    return error;
  if (Error error = members.get("plan", run.plan))
    return error;
  if (Error error = members.get("kernels", run.kernels))
    return error;
  if (Error error = members.get("num_kernels", numKernels, 1))
    return error;
  if (numKernels > UINT32_MAX)
    return members.fail("'num_kernels' is too large");
  run.numKernels = numKernels;
  if (Error error = members.get("sum", run.sum, true))
    return error;
  return members.get("measured", run.measured, true);
}

static Error readAdmission(const JsonMembers &members, Admission &admission) {
  if (Error error = members.checkNames({"backend", "pattern", "failure"}))
    return error;
  if (Error error = members.get("backend", admission.backend))
    return error;
  if (Error error = members.get("pattern", admission.pattern))
    return error;
  return members.get("failure", admission.failure);
}

/// Reads a list of objects; the list is optional.
static size_t countEntries(const CostDatabase &database) {
  return database.getModelRuns().size() + database.getAdmissions().size();
}

template <typename Entry>
static Error readList(StringRef path, const json::Object &file, StringRef name,
                      Error (*read)(const JsonMembers &, Entry &),
                      CostDatabase &database) {
  if (!file.get(name))
    return Error::success();
  Expected<const json::Array *> list =
      JsonMembers(path, "", file).getArray(name);
  if (!list)
    return list.takeError();
  for (const auto &[number, value] : enumerate(**list)) {
    std::string where = (name + " " + Twine(number) + ": ").str();
    const json::Object *object = value.getAsObject();
    if (!object)
      return createStringError("'" + path + "': " + where +
                               "expected an object");
    Entry entry;
    if (Error error = read(JsonMembers(path, where, *object), entry))
      return error;
    size_t before = countEntries(database);
    database.add(std::move(entry));
    if (countEntries(database) == before)
      return createStringError("'" + path + "': " + where +
                               "an earlier entry is about the same");
  }
  return Error::success();
}

Expected<std::shared_ptr<const CostDatabase>>
CostDatabase::read(mlir::MLIRContext *context, StringRef path) {
  auto readOnce = [&]() -> Expected<std::shared_ptr<const CostDatabase>> {
    Expected<CostDatabase> costs = read(path);
    if (!costs)
      return costs.takeError();
    return std::make_shared<const CostDatabase>(std::move(*costs));
  };
  return kernel::SharedFiles::get(context).read<CostDatabase>(
      "costs", {path.str()}, readOnce);
}

Expected<CostDatabase> CostDatabase::read(StringRef path) {
  Expected<json::Object> object = readJsonFile(path);
  if (!object)
    return object.takeError();
  JsonMembers members(path, "", *object);
  if (Error error = members.checkNames(
          {"schema_version", "device", "entries", "plans", "admissions"}))
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
                               ": duplicate entry of the kernel '" + key + "'");
    database.add(key, measurement);
  }
  if (Error error = readList(path, *object, "plans", readRun, database))
    return std::move(error);
  if (Error error =
          readList(path, *object, "admissions", readAdmission, database))
    return std::move(error);
  return std::move(database);
}

//===----------------------------------------------------------------------===//
// Writing
//===----------------------------------------------------------------------===//

static json::Value toJson(const Device &device) {
  json::Object versions;
  for (const auto &[library, version] : device.versions)
    versions[library] = version;
  return json::Object{{"target", device.target},
                      {"processor", device.processor},
                      {"threads", device.threads},
                      {"versions", std::move(versions)}};
}

/// Writes one entry per line, sorted by key, so that files can be compared.
void CostDatabase::print(raw_ostream &os) const {
  os << "{\"schema_version\": 1,\n\"device\": " << toJson(device)
     << ",\n\"entries\": [";
  StringRef separator = "\n";
  for (const auto &[key, measurement] : entries) {
    // Clocks have a resolution of nanoseconds, so nine digits lose nothing.
    os << separator << "{\"kernel\": " << json::Value(key)
       << format(", \"median\": %.9g, \"low\": %.9g, \"high\": %.9g",
                 measurement.median, measurement.low, measurement.high)
       << ", \"runs\": " << measurement.runs;
    if (measurement.roofline > 0)
      os << format(", \"roofline\": %.9g", measurement.roofline);
    os << "}";
    separator = ",\n";
  }
  os << "\n],\n\"plans\": [";
  separator = "\n";
  for (const RunMeasurement &run : modelRuns) {
    os << separator << "{\"graph\": " << json::Value(run.graph)
       << ", \"plan\": " << json::Value(run.plan)
       << ", \"kernels\": " << json::Value(run.kernels)
       << ", \"num_kernels\": " << run.numKernels
       << format(", \"sum\": %.9g, \"measured\": %.9g}", run.sum, run.measured);
    separator = ",\n";
  }
  os << "\n],\n\"admissions\": [";
  separator = "\n";
  for (const Admission &admission : admissions) {
    os << separator << "{\"backend\": " << json::Value(admission.backend)
       << ", \"pattern\": " << json::Value(admission.pattern)
       << ", \"failure\": " << json::Value(admission.failure) << "}";
    separator = ",\n";
  }
  os << "\n]}\n";
}

Error CostDatabase::write(StringRef path) const {
  std::string text;
  raw_string_ostream os(text);
  print(os);
  return writeOutputFile(path, text);
}
