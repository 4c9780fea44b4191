//===- JsonFile.cpp - reading members of JSON files -----------------------===//
//
// Part of the Tenon project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "tenon/Support/JsonFile.h"
#include "tenon/Support/File.h"
#include "tenon/Support/Json.h"

#include "llvm/ADT/STLExtras.h"

#include <cmath>

using namespace llvm;
using namespace tenon;

Expected<json::Object> tenon::readJsonFile(StringRef path) {
  Expected<std::unique_ptr<MemoryBuffer>> buffer = readInputFile(path);
  if (!buffer)
    return buffer.takeError();
  Expected<json::Value> value = tenon::parseJson((*buffer)->getBuffer());
  if (!value)
    return createStringError("'" + path +
                             "' is not JSON: " + toString(value.takeError()));
  json::Object *object = value->getAsObject();
  if (!object)
    return createStringError("'" + path + "': expected a JSON object");
  const json::Value *version = object->get("schema_version");
  if (!version)
    return createStringError("'" + path + "': 'schema_version' is missing");
  if (version->getAsInteger() != 1)
    return createStringError(formatv(
        "'{0}': expected 'schema_version' 1, but got {1}", path, *version));
  return std::move(*object);
}

Error JsonMembers::fail(const Twine &what) const {
  return createStringError("'" + path + "': " + where + what);
}

Error JsonMembers::expected(StringRef name, const Twine &what) const {
  const json::Value *value = object.get(name);
  if (!value)
    return fail("'" + name + "' is missing");
  std::string found = formatv("{0}", *value).str();
  if (found.size() > 40)
    found = found.substr(0, 40) + "...";
  return fail("'" + name + "': expected " + what + ", but got " + found);
}

Error JsonMembers::checkNames(std::initializer_list<StringRef> names) const {
  std::string unknown;
  for (const auto &member : object)
    if (!is_contained(names, StringRef(member.first)) &&
        (unknown.empty() || StringRef(member.first) < unknown))
      unknown = StringRef(member.first).str();
  return unknown.empty() ? Error::success()
                         : fail("unknown member '" + unknown + "'");
}

Error JsonMembers::get(StringRef name, std::string &out) const {
  std::optional<StringRef> text = object.getString(name);
  if (!text)
    return expected(name, "a text");
  out = text->str();
  return Error::success();
}

Error JsonMembers::get(StringRef name, double &out, bool positive) const {
  std::optional<double> number = object.getNumber(name);
  if (!number || !std::isfinite(*number) || *number < 0 ||
      (positive && *number == 0))
    return expected(name,
                    positive ? "a number above 0" : "a number of at least 0");
  out = *number;
  return Error::success();
}

Error JsonMembers::get(StringRef name, uint64_t &out, uint64_t least) const {
  std::optional<int64_t> number = object.getInteger(name);
  if (!number || *number < 0 || static_cast<uint64_t>(*number) < least)
    return expected(name, "an integer of at least " + Twine(least));
  out = *number;
  return Error::success();
}

Expected<const json::Object *> JsonMembers::getObject(StringRef name) const {
  if (const json::Object *found = object.getObject(name))
    return found;
  return expected(name, "an object");
}

Expected<const json::Array *> JsonMembers::getArray(StringRef name) const {
  if (const json::Array *found = object.getArray(name))
    return found;
  return expected(name, "a list");
}
