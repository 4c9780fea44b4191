//===- Manifest.cpp - the description that an artifact carries ------------===//
//
// Part of the Tenon project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "tenon/Artifact/Manifest.h"

#include "tenon/Artifact/Json.h"

namespace tenon::artifact {

/// Incremented when a member changes its meaning.
static constexpr int64_t schemaVersion = 1;

std::vector<int64_t> ManifestValue::staticShape() const {
  std::vector<int64_t> sizes;
  for (const ManifestDim &dim : shape)
    sizes.push_back(dim.size);
  return sizes;
}

std::string ManifestValue::formatType() const {
  std::string text = concat(dtypeName(dtype), ' ');
  if (shape.empty())
    text += "scalar";
  for (size_t i = 0; i < shape.size(); ++i) {
    if (i)
      text += 'x';
    if (shape[i].size >= 0)
      text += std::to_string(shape[i].size);
    else
      text += shape[i].symbol.empty() ? "?" : shape[i].symbol;
  }
  return text;
}

const std::string &Manifest::targetOn(int32_t device) const {
  if (device != TENON_DEVICE_FIRST)
    for (const ManifestTarget &candidate : targets)
      if ((candidate.device == "cuda") == (device == TENON_DEVICE_CUDA))
        return candidate.name;
  return target;
}

Status Manifest::selectEntry(std::string_view entry) {
  std::string known;
  for (const ManifestEntry &candidate : entries) {
    if (candidate.name == entry) {
      symbols = candidate.symbols;
      inputs = candidate.inputs;
      outputs = candidate.outputs;
      return Status::success();
    }
    known += concat(known.empty() ? "'" : ", '", candidate.name, "'");
  }
  if (entries.empty())
    return makeError("the model has no entry '", entry,
                     "': the artifact lists no entries");
  return makeError("the model has no entry '", entry, "', only ", known);
}

static Status parseValues(const JsonValue &json, const char *member,
                          std::vector<ManifestValue> &values) {
  const JsonValue *list = json.find(member);
  if (!list || !list->isArray())
    return makeError("manifest: expected the list '", member, "'");
  for (const JsonValue &item : list->array) {
    const JsonValue *name = item.find("name");
    const JsonValue *dtype = item.find("dtype");
    const JsonValue *shape = item.find("shape");
    if (!name || !name->isString() || !dtype || !dtype->isString() || !shape ||
        !shape->isArray())
      return makeError("manifest: expected name, dtype and shape of each of '",
                       member, "'");
    ManifestValue value;
    value.name = name->string;
    std::optional<DType> parsed = parseDType(dtype->string);
    if (!parsed)
      return makeError("manifest: '", name->string, "': unknown element type '",
                       dtype->string, "'");
    value.dtype = *parsed;
    for (const JsonValue &dim : shape->array) {
      if (dim.isInteger() && dim.integer >= 0)
        value.shape.push_back({dim.integer, ""});
      else if (dim.isString())
        value.shape.push_back({-1, dim.string});
      else if (dim.kind == JsonValue::Kind::Null)
        value.shape.push_back({});
      else
        return makeError("manifest: '", name->string,
                         "': expected sizes, names or null in its shape");
    }
    if (const JsonValue *donated = item.find("donated_to");
        donated && donated->isInteger())
      value.donatedTo = static_cast<int32_t>(donated->integer);
    values.push_back(std::move(value));
  }
  return Status::success();
}

Expected<Manifest> parseManifest(std::string_view text) {
  Expected<JsonValue> json = parseJson(text);
  if (!json)
    return makeError("manifest: ", json.error());
  const JsonValue *version = json->find("schema_version");
  if (!version || !version->isInteger())
    return makeError("manifest: expected schema_version");
  if (version->integer != schemaVersion)
    return makeError("manifest: expected schema_version ", schemaVersion,
                     ", but got ", version->integer);
  Manifest manifest;
  auto readText = [&](const char *member, std::string &out) {
    if (const JsonValue *value = json->find(member); value && value->isString())
      out = value->string;
  };
  readText("name", manifest.name);
  readText("compiler", manifest.compiler);
  readText("target", manifest.target);
  readText("parameters_file", manifest.parametersFile);
  if (const JsonValue *targets = json->find("targets"))
    for (const JsonValue &target : targets->array) {
      const JsonValue *name = target.find("target");
      const JsonValue *device = target.find("device");
      if (!name || !name->isString() || !device || !device->isString())
        return makeError("manifest: expected target and device of each of "
                         "'targets'");
      manifest.targets.push_back({name->string, device->string});
    }
  auto readSymbols = [](const JsonValue &from, std::vector<std::string> &out) {
    if (const JsonValue *symbols = from.find("symbols"))
      for (const JsonValue &symbol : symbols->array)
        out.push_back(symbol.string);
  };
  readSymbols(*json, manifest.symbols);
  if (const JsonValue *entries = json->find("entries"))
    for (const JsonValue &item : entries->array) {
      const JsonValue *name = item.find("name");
      if (!name || !name->isString())
        return makeError("manifest: expected the name of each of 'entries'");
      ManifestEntry entry;
      entry.name = name->string;
      readSymbols(item, entry.symbols);
      for (auto [member, values] : {std::pair("inputs", &entry.inputs),
                                    std::pair("outputs", &entry.outputs)})
        if (Status status = parseValues(item, member, *values); !status)
          return status.takeError();
      manifest.entries.push_back(std::move(entry));
    }
  if (const JsonValue *pipeline = json->find("pipeline")) {
    if (const JsonValue *ranks = pipeline->find("ranks");
        ranks && ranks->isInteger())
      manifest.ranks = ranks->integer;
    for (auto [member, text] :
         {std::pair("certificate_file", &manifest.certificateFile),
          std::pair("certificate_sha256", &manifest.certificateDigest)})
      if (const JsonValue *value = pipeline->find(member);
          value && value->isString())
        *text = value->string;
    if (const JsonValue *plan = pipeline->find("plan"))
      manifest.plan = printJson(*plan);
  }
  if (json->find("states"))
    if (Status status = parseValues(*json, "states", manifest.states); !status)
      return status.takeError();
  for (auto [member, values] : {std::pair("inputs", &manifest.inputs),
                                std::pair("outputs", &manifest.outputs),
                                std::pair("parameters", &manifest.parameters)})
    if (Status status = parseValues(*json, member, *values); !status)
      return status.takeError();
  return manifest;
}

} // namespace tenon::artifact
