//===- BundleFile.cpp - what a bundle holds -------------------------------===//
//
// Part of the Tenon project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "BundleFile.h"

#include "tenon/Artifact/File.h"
#include "tenon/Artifact/Json.h"

using namespace tenon::artifact;

namespace tenon::bundle {

/// The member of that kind; null if it is missing or of another kind.
static const JsonValue *get(const JsonValue &object, std::string_view name,
                            JsonValue::Kind kind) {
  const JsonValue *value = object.find(name);
  return value && value->kind == kind ? value : nullptr;
}

static Status readText(const JsonValue &object, const char *name,
                       std::string &out) {
  const JsonValue *value = get(object, name, JsonValue::Kind::String);
  if (!value)
    return makeError("expected '", name, "', a string");
  out = value->string;
  return Status::success();
}

/// Reads every element of a list with `read`.
template <typename T, typename Read>
static Status readList(const JsonValue &object, const char *name,
                       std::vector<T> &out, Read read) {
  const JsonValue *list = get(object, name, JsonValue::Kind::Array);
  if (!list)
    return makeError("expected '", name, "', a list");
  for (const JsonValue &value : list->array)
    if (Status status = read(value, out.emplace_back()); !status)
      return makeError(name, " ", out.size() - 1, ": ", status.error());
  return Status::success();
}

static Status readCall(const JsonValue &value, Call &call) {
  if (Status status = readText(value, "kernel", call.kernel); !status)
    return status;
  if (Status status = readText(value, "step", call.step); !status)
    return status;
  const JsonValue *roofline = value.find("roofline");
  if (!roofline || (roofline->kind != JsonValue::Kind::Number &&
                    roofline->kind != JsonValue::Kind::Integer))
    return makeError("expected 'roofline', a number");
  call.roofline = roofline->number;
  return Status::success();
}

static Status readArtifact(const JsonValue &value, Artifact &artifact) {
  if (Status status = readText(value, "file", artifact.file); !status)
    return status;
  if (Status status = readText(value, "model", artifact.model); !status)
    return status;
  if (Status status = readText(value, "plan", artifact.plan); !status)
    return status;
  // It is a name in the folder, and nothing beyond.
  if (artifact.file.empty() || artifact.file.find('/') != std::string::npos)
    return makeError("'file': expected the name of a file of the bundle");
  return readList(value, "calls", artifact.calls, readCall);
}

static Status readAll(const JsonValue &file, Bundle &bundle) {
  const JsonValue *schema = file.find("schema_version");
  if (!schema || !schema->isInteger() || schema->integer != 1)
    return makeError("expected 'schema_version' 1");
  if (Status status = readText(file, "tenon", bundle.version); !status)
    return status;
  auto readTarget = [](const JsonValue &value, std::string &target) -> Status {
    target = value.string;
    return value.isString() ? Status::success()
                            : makeError("expected a string");
  };
  if (Status status = readList(file, "targets", bundle.targets, readTarget);
      !status)
    return status;
  return readList(file, "artifacts", bundle.artifacts, readArtifact);
}

Expected<Bundle> readBundle(const std::string &path) {
  Expected<std::vector<uint8_t>> bytes = readFile(path);
  if (!bytes)
    return bytes.takeError();
  Expected<JsonValue> file =
      parseJson({reinterpret_cast<const char *>(bytes->data()), bytes->size()});
  if (!file)
    return makeError("'", path, "': ", file.error());
  Bundle bundle;
  if (Status status = readAll(*file, bundle); !status)
    return makeError("'", path, "': ", status.error());
  return bundle;
}

} // namespace tenon::bundle
