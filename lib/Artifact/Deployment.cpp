//===- Deployment.cpp - which artifacts run on which ranks ----------------===//
//
// Part of the Tenon project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "tenon/Artifact/Deployment.h"
#include "tenon/Artifact/Json.h"

#include <set>

using namespace tenon::artifact;

static std::string listJson(const std::vector<std::string> &texts) {
  std::string text = "[";
  for (size_t i = 0; i < texts.size(); ++i)
    text += (i ? ", " : "") + quoteJson(texts[i]);
  return text + "]";
}

std::string Deployment::toJson() const {
  std::string text =
      concat("{\n  \"schema_version\": 1,\n  \"name\": ", quoteJson(name),
             ",\n  \"ranks\": ", ranks, ",\n  \"inputs\": ", listJson(inputs),
             ",\n  \"outputs\": [");
  for (size_t i = 0; i < outputs.size(); ++i)
    text += concat(i ? ", " : "", "{\"name\": ", quoteJson(outputs[i].first),
                   ", \"value\": ", quoteJson(outputs[i].second), "}");
  text += "],\n  \"stages\": [";
  for (size_t i = 0; i < stages.size(); ++i)
    text += concat(i ? "," : "", "\n    {\"name\": ", quoteJson(stages[i].name),
                   ", \"rank\": ", stages[i].rank,
                   ", \"artifact\": ", quoteJson(stages[i].artifact),
                   ",\n     \"inputs\": ", listJson(stages[i].inputs),
                   ", \"outputs\": ", listJson(stages[i].outputs), "}");
  return text + "\n  ]\n}\n";
}

namespace {
/// Reads members; the first one that is missing or of another kind is the
/// error.
class Reader {
public:
  std::string string(const JsonValue &object, std::string_view name) {
    const JsonValue *value = object.find(name);
    if (value && value->isString())
      return value->string;
    fail(name, "a string");
    return "";
  }
  int64_t integer(const JsonValue &object, std::string_view name) {
    const JsonValue *value = object.find(name);
    if (value && value->isInteger())
      return value->integer;
    fail(name, "an integer");
    return 0;
  }
  std::vector<JsonValue> array(const JsonValue &object, std::string_view name) {
    const JsonValue *value = object.find(name);
    if (value && value->isArray())
      return value->array;
    fail(name, "a list");
    return {};
  }
  std::vector<std::string> strings(const JsonValue &object,
                                   std::string_view name) {
    std::vector<std::string> texts;
    for (const JsonValue &value : array(object, name)) {
      if (!value.isString())
        fail(name, "a list of strings");
      texts.push_back(value.string);
    }
    return texts;
  }
  void fail(std::string_view name, std::string_view wanted) {
    if (error.empty())
      error = concat("expected ", wanted, " '", name, "' in the plan");
  }

  std::string error;
};
} // namespace

/// Checks that values have sources, and that ranks and files are valid.
static Status check(const Deployment &deployment) {
  if (deployment.ranks < 1 || deployment.ranks > 1024)
    return makeError("expected 1 to 1024 ranks, but got ", deployment.ranks);
  std::set<std::string> known;
  for (const std::string &input : deployment.inputs)
    if (!known.insert(input).second)
      return makeError("input '", input, "' is named twice");
  std::set<std::string> names, produced;
  for (const DeploymentStage &stage : deployment.stages) {
    if (!names.insert(stage.name).second)
      return makeError("stage '", stage.name, "' is named twice");
    if (stage.rank < 0 || stage.rank >= deployment.ranks)
      return makeError("stage '", stage.name, "': expected a rank below ",
                       deployment.ranks, ", but got ", stage.rank);
    if (stage.artifact.empty() || stage.artifact.find('/') != std::string::npos)
      return makeError("stage '", stage.name,
                       "': expected the name of a file beside the plan, but "
                       "got '",
                       stage.artifact, "'");
    for (const std::string &input : stage.inputs)
      if (!known.count(input))
        return makeError("stage '", stage.name, "' needs '", input,
                         "', which no earlier stage produces");
    for (const std::string &output : stage.outputs)
      if (!known.insert(output).second)
        return makeError("value '", output, "' has two sources");
    produced.insert(stage.outputs.begin(), stage.outputs.end());
  }
  names.clear();
  for (const auto &[name, value] : deployment.outputs) {
    if (!names.insert(name).second)
      return makeError("output '", name, "' is named twice");
    if (!produced.count(value))
      return makeError("output '", name, "' is '", value,
                       "', which no stage produces");
  }
  return Status::success();
}

Expected<Deployment> tenon::artifact::parseDeployment(std::string_view text) {
  Expected<JsonValue> json = parseJson(text);
  if (!json)
    return json.takeError();
  if (!json->isObject())
    return makeError("expected an object as the plan");
  Reader reader;
  if (int64_t version = reader.integer(*json, "schema_version");
      reader.error.empty() && version != 1)
    return makeError("expected a plan of schema version 1, but got ", version);
  Deployment deployment;
  deployment.name = reader.string(*json, "name");
  deployment.ranks = reader.integer(*json, "ranks");
  deployment.inputs = reader.strings(*json, "inputs");
  for (const JsonValue &output : reader.array(*json, "outputs"))
    deployment.outputs.emplace_back(reader.string(output, "name"),
                                    reader.string(output, "value"));
  for (const JsonValue &value : reader.array(*json, "stages")) {
    DeploymentStage stage;
    stage.name = reader.string(value, "name");
    stage.rank = reader.integer(value, "rank");
    stage.artifact = reader.string(value, "artifact");
    stage.inputs = reader.strings(value, "inputs");
    stage.outputs = reader.strings(value, "outputs");
    deployment.stages.push_back(std::move(stage));
  }
  if (!reader.error.empty())
    return Error{reader.error};
  if (Status status = check(deployment); !status)
    return status.takeError();
  return deployment;
}
