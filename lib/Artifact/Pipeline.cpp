//===- Pipeline.cpp - what the ranks of a pipeline do ---------------------===//
//
// Part of the Tenon project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "tenon/Artifact/Pipeline.h"
#include "tenon/Artifact/Json.h"
#include "tenon/Artifact/TensorData.h"

using namespace tenon::artifact;

std::vector<int64_t> PipelineValue::getShape(int64_t numSamples) const {
  std::vector<int64_t> sizes = shape;
  if (samples.axis >= 0)
    sizes[samples.axis] = numSamples * samples.rows;
  return sizes;
}

//===----------------------------------------------------------------------===//
// Writing
//===----------------------------------------------------------------------===//

template <typename Values, typename Function>
static std::string list(const Values &values, Function write,
                        std::string_view separator = ", ") {
  std::string text = "[";
  for (const auto &value : values)
    text += concat(text.size() > 1 ? separator : "", write(value));
  return text + "]";
}

static std::string list(const std::vector<int64_t> &values) {
  return list(values, [](int64_t value) { return std::to_string(value); });
}

static std::string write(const PipelineSamples &samples) {
  return concat("\"axis\": ", samples.axis, ", \"rows\": ", samples.rows);
}

static std::string write(const PipelineValue &value) {
  return concat("\"name\": ", quoteJson(value.name), ", \"dtype\": \"",
                dtypeName(value.dtype), "\", \"shape\": ", list(value.shape),
                ", ", write(value.samples));
}

static std::string write(const PipelineStage &stage) {
  return concat(
      "{\"name\": ", quoteJson(stage.name), ", \"ranks\": ", list(stage.ranks),
      ", \"seconds\": ", list(stage.seconds, formatJsonNumber),
      ",\n   \"operands\": ",
      list(stage.operands,
           [](const PipelineOperand &operand) {
             const PipelineValue &value = operand;
             return concat("{", write(value), ", \"input\": ", operand.input,
                           ", \"stage\": ", operand.stage,
                           ", \"result\": ", operand.result,
                           ", \"link\": ", operand.link, "}");
           }),
      ",\n   \"results\": ",
      list(stage.results,
           [](const PipelineResult &result) {
             const PipelineValue &value = result;
             return concat("{", write(value),
                           ", \"outputs\": ", list(result.outputs), "}");
           }),
      "}");
}

/// [send, peer, link, gradient, begin, end]
static std::string write(const PipelineTransfer &transfer) {
  return list({transfer.isSend, transfer.peer, transfer.link,
               transfer.isGradient, transfer.begin, transfer.end});
}

static std::string write(const PipelineStep &step) {
  std::string text = concat("{\"kind\": ", quoteJson(step.kind));
  if (step.kind == "transfer")
    text += concat(", \"transfers\": ",
                   list(step.transfers, [](const PipelineTransfer &transfer) {
                     return write(transfer);
                   }));
  else
    text += concat(", \"stage\": ", step.stage, ", \"begin\": ", step.begin,
                   ", \"end\": ", step.end);
  return text + "}";
}

std::string Pipeline::toJson() const {
  return concat(
      "{\"mini_batch\": ", miniBatch, ", \"training\": ", int(isTraining),
      ", \"loss_stage\": ", lossStage, ", ", write(target),
      ", \"inputs\": ", numInputs, ", \"links\": ", numLinks,
      ",\n \"stages\": ",
      list(
          stages, [](const PipelineStage &stage) { return write(stage); },
          ",\n  "),
      ",\n \"ranks\": ",
      list(
          ranks,
          [](const std::vector<PipelineStep> &steps) {
            return list(
                steps, [](const PipelineStep &step) { return write(step); },
                ",\n   ");
          },
          ",\n  "),
      "}\n");
}

//===----------------------------------------------------------------------===//
// Reading
//===----------------------------------------------------------------------===//

namespace {
/// Reads members; the first one that is missing or wrong is the error.
class Reader {
public:
  void read(const JsonValue &json);

  Pipeline pipeline;
  std::string error;

private:
  const JsonValue *find(const JsonValue &object, std::string_view name) {
    const JsonValue *value = object.find(name);
    if (!value)
      fail(name);
    return value;
  }
  void fail(std::string_view name) {
    if (error.empty())
      error =
          concat("the description of the pipeline has no valid '", name, "'");
  }
  int64_t integer(const JsonValue *value, std::string_view name, int64_t least,
                  int64_t most) {
    if (value && value->isInteger() && value->integer >= least &&
        value->integer <= most)
      return value->integer;
    fail(name);
    return least;
  }
  int64_t integer(const JsonValue &object, std::string_view name, int64_t least,
                  int64_t most) {
    return integer(find(object, name), name, least, most);
  }
  std::string string(const JsonValue &object, std::string_view name) {
    const JsonValue *value = find(object, name);
    if (value && value->isString())
      return value->string;
    fail(name);
    return "";
  }
  const std::vector<JsonValue> &array(const JsonValue &object,
                                      std::string_view name) {
    static const std::vector<JsonValue> none;
    const JsonValue *value = find(object, name);
    if (value && value->isArray())
      return value->array;
    fail(name);
    return none;
  }
  PipelineSamples samples(const JsonValue &object) {
    return {integer(object, "axis", -1, 1 << 16),
            integer(object, "rows", 0, INT32_MAX)};
  }
  void read(const JsonValue &object, PipelineValue &value);
  PipelineOperand operand(const JsonValue &object);
  PipelineResult result(const JsonValue &object);
  PipelineStage stage(const JsonValue &object);
  PipelineStep step(const JsonValue &object);
  PipelineTransfer transfer(const JsonValue &value);
  void checkReferences();

  int64_t numRanks = 0;
};
} // namespace

void Reader::read(const JsonValue &object, PipelineValue &value) {
  value.name = string(object, "name");
  value.samples = samples(object);
  if (std::optional<DType> dtype = parseDType(string(object, "dtype")))
    value.dtype = *dtype;
  else
    fail("dtype");
  for (const JsonValue &size : array(object, "shape"))
    value.shape.push_back(integer(&size, "shape", 0, INT64_MAX));
  int64_t axis = value.samples.axis;
  if (axis >= static_cast<int64_t>(value.shape.size()) ||
      (axis >= 0 && value.shape[axis] != value.samples.rows))
    fail("axis");
  // If the whole mini-batch fits, no part overflows.
  else if (value.samples.rows > INT64_MAX / pipeline.miniBatch ||
           !countElements(value.getShape(pipeline.miniBatch),
                          dtypeSize(value.dtype)))
    fail("shape");
}

PipelineOperand Reader::operand(const JsonValue &object) {
  PipelineOperand operand;
  read(object, operand);
  operand.input = integer(object, "input", -1, pipeline.numInputs - 1);
  operand.stage = integer(object, "stage", -1, INT32_MAX);
  operand.result = integer(object, "result", -1, INT32_MAX);
  operand.link = integer(object, "link", -1, pipeline.numLinks - 1);
  return operand;
}

PipelineResult Reader::result(const JsonValue &object) {
  PipelineResult result;
  read(object, result);
  for (const JsonValue &output : array(object, "outputs"))
    result.outputs.push_back(integer(&output, "outputs", 0, INT32_MAX));
  return result;
}

PipelineStage Reader::stage(const JsonValue &object) {
  PipelineStage stage;
  stage.name = string(object, "name");
  for (const JsonValue &rank : array(object, "ranks"))
    stage.ranks.push_back(integer(&rank, "ranks", 0, numRanks - 1));
  if (stage.ranks.empty())
    fail("ranks");
  stage.seconds.clear();
  for (const JsonValue &value : array(object, "seconds"))
    stage.seconds.push_back(value.number);
  for (double value : stage.seconds)
    if (!(value >= 0 && value <= 1e9))
      fail("seconds");
  if (stage.seconds.size() != 3)
    fail("seconds");
  for (const JsonValue &value : array(object, "operands"))
    stage.operands.push_back(operand(value));
  for (const JsonValue &value : array(object, "results"))
    stage.results.push_back(result(value));
  return stage;
}

PipelineTransfer Reader::transfer(const JsonValue &value) {
  constexpr std::string_view name = "transfers";
  PipelineTransfer transfer;
  if (!value.isArray() || value.array.size() != 6) {
    fail(name);
    return transfer;
  }
  const std::vector<JsonValue> &list = value.array;
  transfer.isSend = integer(list.data(), name, 0, 1);
  transfer.peer = integer(&list[1], name, 0, numRanks - 1);
  transfer.link = integer(&list[2], name, 0, pipeline.numLinks - 1);
  transfer.isGradient = integer(&list[3], name, 0, 1);
  transfer.begin = integer(&list[4], name, 0, pipeline.miniBatch - 1);
  transfer.end =
      integer(&list[5], name, transfer.begin + 1, pipeline.miniBatch);
  return transfer;
}

PipelineStep Reader::step(const JsonValue &object) {
  PipelineStep step;
  step.kind = string(object, "kind");
  if (step.kind == "transfer") {
    for (const JsonValue &value : array(object, "transfers"))
      step.transfers.push_back(transfer(value));
    return step;
  }
  auto numStages = static_cast<int64_t>(pipeline.stages.size());
  step.stage = integer(object, "stage", 0, numStages - 1);
  if (step.kind == "reduce")
    return step;
  step.begin = integer(object, "begin", 0, pipeline.miniBatch - 1);
  step.end = integer(object, "end", step.begin + 1, pipeline.miniBatch);
  return step;
}

/// Operands refer to results of stages before them.
void Reader::checkReferences() {
  for (size_t number = 0; number < pipeline.stages.size(); ++number)
    for (const PipelineOperand &operand : pipeline.stages[number].operands) {
      if (operand.input >= 0)
        continue;
      if (operand.stage < 0 || operand.stage >= static_cast<int64_t>(number))
        return fail("stage");
      const PipelineStage &source = pipeline.stages[operand.stage];
      if (operand.result < 0 ||
          operand.result >= static_cast<int64_t>(source.results.size()))
        return fail("result");
    }
}

void Reader::read(const JsonValue &json) {
  pipeline.miniBatch = integer(json, "mini_batch", 1, INT64_MAX);
  pipeline.isTraining = integer(json, "training", 0, 1);
  pipeline.target = samples(json);
  pipeline.numInputs = integer(json, "inputs", 0, INT32_MAX);
  pipeline.numLinks = integer(json, "links", 0, INT32_MAX);
  const std::vector<JsonValue> &ranks = array(json, "ranks");
  numRanks = static_cast<int64_t>(ranks.size());
  for (const JsonValue &value : array(json, "stages"))
    pipeline.stages.push_back(stage(value));
  if (pipeline.stages.empty())
    fail("stages");
  pipeline.lossStage =
      integer(json, "loss_stage", pipeline.isTraining ? 0 : -1,
              static_cast<int64_t>(pipeline.stages.size()) - 1);
  for (const JsonValue &rank : ranks) {
    std::vector<PipelineStep> &steps = pipeline.ranks.emplace_back();
    if (!rank.isArray())
      return fail("ranks");
    for (const JsonValue &value : rank.array)
      steps.push_back(step(value));
  }
  checkReferences();
}

Expected<Pipeline> tenon::artifact::parsePipeline(std::string_view text) {
  Expected<JsonValue> json = parseJson(text);
  if (!json)
    return json.takeError();
  Reader reader;
  reader.read(*json);
  if (!reader.error.empty())
    return Error{reader.error};
  return std::move(reader.pipeline);
}
