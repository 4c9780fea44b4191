//===- MeasuredRun.cpp - what a trace says of a run -----------------------===//
//
// Part of the Tenon project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "tenon/Parallelize/MeasuredRun.h"
#include "tenon/Support/Json.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/Support/FormatVariadic.h"
#include "llvm/Support/JSON.h"

#include <algorithm>
#include <cmath>
#include <map>

using namespace llvm;
using namespace tenon;
using namespace tenon::parallelize;

RunPlan tenon::parallelize::getRunPlan(const std::string &model,
                                       const TrainingOptions &options,
                                       const Plan &plan) {
  return {model, options.miniBatch, options.forwardOnly, plan};
}

std::optional<RunPlan> tenon::parallelize::getRunPlan(pipe::ProgramOp program) {
  if (!program.getModel() || !program.getMiniBatch())
    return std::nullopt;
  RunPlan plan;
  plan.model = program.getModel()->str();
  plan.miniBatch = static_cast<int64_t>(*program.getMiniBatch());
  plan.forwardOnly = !program.getTraining();
  for (auto stage : program.getBody().front().getOps<pipe::StageOp>()) {
    if (!stage.getOperators())
      return std::nullopt;
    PlannedStage planned;
    ArrayRef<int64_t> operators = *stage.getOperators();
    planned.operators.assign(operators.begin(), operators.end());
    for (int64_t rank : stage.getRanks())
      planned.devices.push_back(static_cast<unsigned>(program.getDevice(rank)));
    planned.microBatch =
        static_cast<int64_t>(stage.getMicroBatch().value_or(plan.miniBatch));
    planned.k = static_cast<int64_t>(stage.getK().value_or(1));
    planned.recompute = stage.getRecompute();
    planned.offload = stage.getOffload();
    planned.eager = stage.getEager();
    plan.stages.push_back(std::move(planned));
  }
  return plan;
}

std::string tenon::parallelize::printRunPlan(const RunPlan &plan) {
  std::string text;
  raw_string_ostream os(text);
  json::OStream out(os);
  auto addNumbers = [&](StringRef name, ArrayRef<unsigned> numbers) {
    out.attributeArray(name, [&] {
      for (unsigned number : numbers)
        out.value(number);
    });
  };
  out.object([&] {
    out.attribute("model", plan.model);
    out.attribute("mini_batch", plan.miniBatch);
    out.attribute("forward_only", plan.forwardOnly);
    out.attributeArray("stages", [&] {
      for (const PlannedStage &stage : plan.stages)
        out.object([&] {
          addNumbers("operators", stage.operators);
          addNumbers("devices", stage.devices);
          out.attribute("micro_batch", stage.microBatch);
          out.attribute("k", stage.k);
          out.attribute("recompute", stage.recompute);
          out.attribute("offload", stage.offload);
          out.attribute("eager", stage.eager);
        });
    });
  });
  return text;
}

/// Numbers of operators and devices are far below it.
static constexpr int64_t kMostNumber = 1 << 20;

static bool readNumbers(const json::Array *numbers,
                        std::vector<unsigned> &into) {
  if (!numbers || numbers->empty())
    return false;
  for (const json::Value &value : *numbers) {
    std::optional<int64_t> number = value.getAsInteger();
    if (!number || *number < 0 || *number > kMostNumber)
      return false;
    into.push_back(static_cast<unsigned>(*number));
  }
  return true;
}

static bool readFlag(const json::Object &object, StringRef name, bool &into) {
  std::optional<bool> flag = object.getBoolean(name);
  into = flag.value_or(false);
  return flag.has_value();
}

static bool readStage(const json::Object *object, int64_t miniBatch,
                      PlannedStage &stage) {
  std::optional<int64_t> microBatch = object ? object->getInteger("micro_batch")
                                             : std::nullopt,
                         k = object ? object->getInteger("k") : std::nullopt;
  if (!microBatch || *microBatch < 1 || *microBatch > miniBatch || !k ||
      *k < 1 || *k > miniBatch)
    return false;
  stage.microBatch = *microBatch;
  stage.k = *k;
  return readNumbers(object->getArray("operators"), stage.operators) &&
         readNumbers(object->getArray("devices"), stage.devices) &&
         readFlag(*object, "recompute", stage.recompute) &&
         readFlag(*object, "offload", stage.offload) &&
         readFlag(*object, "eager", stage.eager);
}

static bool readPlan(const json::Object *object, RunPlan &plan) {
  const json::Array *stages = object ? object->getArray("stages") : nullptr;
  std::optional<StringRef> model =
      object ? object->getString("model") : std::nullopt;
  std::optional<int64_t> miniBatch =
      object ? object->getInteger("mini_batch") : std::nullopt;
  if (!stages || !model || !miniBatch || *miniBatch < 1 ||
      !readFlag(*object, "forward_only", plan.forwardOnly))
    return false;
  plan.model = model->str();
  plan.miniBatch = *miniBatch;
  for (const json::Value &value : *stages)
    if (!readStage(value.getAsObject(), plan.miniBatch,
                   plan.stages.emplace_back()))
      return false;
  return true;
}

static double getMedian(std::vector<double> values) {
  auto middle = values.begin() + values.size() / 2;
  std::nth_element(values.begin(), middle, values.end());
  return *middle;
}

namespace {
struct Event {
  std::string kind;
  unsigned stage = 0;
  int64_t samples = 0;
  /// In microseconds.
  double begin = 0, length = 0;
};
} // namespace

/// No task takes weeks.
static constexpr double kMostMicroseconds = 1e12;

/// Nothing if it is no task of one of the stages, or its times are none.
static std::optional<Event> readEvent(const json::Object &fields,
                                      const Plan &stages) {
  const json::Object *args = fields.getObject("args");
  std::optional<double> begin = fields.getNumber("ts"),
                        length = fields.getNumber("dur");
  auto isTime = [](std::optional<double> time) {
    return time && *time >= 0 && *time <= kMostMicroseconds;
  };
  if (!args || !isTime(begin) || !isTime(length))
    return std::nullopt;
  std::optional<int64_t> stage = args->getInteger("stage"),
                         samples = args->getInteger("samples");
  std::optional<StringRef> kind = args->getString("kind");
  if (!stage || *stage < 0 || *stage >= int64_t(stages.size()) || !samples ||
      *samples < 0 || *samples > stages[*stage].microBatch || !kind ||
      !is_contained({"forward", "backward", "backward_input", "backward_weight",
                     "norm", "update", "sum", "task"},
                    *kind))
    return std::nullopt;
  return Event{kind->str(), static_cast<unsigned>(*stage), *samples, *begin,
               *length};
}

/// Backward tasks are in two where any stage has those of weights.
static void splitBackward(MeasuredRun &run) {
  bool isSplit = any_of(run.tasks, [](const RunTasks &tasks) {
    return tasks.kind == "backward_weight";
  });
  for (PlannedStage &stage : run.plan.stages)
    stage.splitBackward = isSplit;
}

/// How many forward and backward tasks the ranks of a stage have. In a plan
/// with backward tasks in two, those of weights are counted.
using TaskCounts =
    std::map<std::tuple<unsigned, bool, int64_t>, int64_t>; // stage, rank

static void countTask(const Event &event, int64_t rank, TaskCounts &counts) {
  bool isBackward = is_contained({"backward", "backward_weight"}, event.kind);
  if (event.samples > 0 && (isBackward || event.kind == "forward"))
    ++counts[{event.stage, isBackward, rank}];
}

/// A trace has one run, and all of it: each stage, or each of its ranks, has a
/// task for each micro-batch, unless its part of the last one is empty.
static Error checkCounts(const RunPlan &plan, const TaskCounts &counts) {
  for (auto [number, stage] : enumerate(plan.stages)) {
    int64_t expected = (plan.miniBatch - 1) / stage.microBatch + 1;
    for (bool isBackward : {false, true}) {
      if (isBackward && plan.forwardOnly)
        continue;
      size_t numRanks = 0;
      int64_t least = expected, most = 0;
      for (auto [key, count] : counts)
        if (std::get<0>(key) == number && std::get<1>(key) == isBackward) {
          ++numRanks;
          least = std::min(least, count);
          most = std::max(most, count);
        }
      int64_t last = plan.miniBatch - (expected - 1) * stage.microBatch;
      bool mayLack = last < static_cast<int64_t>(stage.devices.size());
      if (numRanks > stage.devices.size() || most != expected ||
          least < expected - mayLack)
        return createStringError(
            formatv("expected {0} {1} tasks of stage {2} on each of its "
                    "ranks, but got {3}",
                    expected, isBackward ? "backward" : "forward", number,
                    most != expected ? most : least));
    }
  }
  return Error::success();
}

Expected<MeasuredRun> tenon::parallelize::readMeasuredRun(StringRef trace) {
  Expected<json::Value> parsed = tenon::parseJson(trace);
  if (!parsed)
    return parsed.takeError();
  const json::Object *object = parsed->getAsObject();
  const json::Array *events =
      object ? object->getArray("traceEvents") : nullptr;
  if (!events)
    return createStringError("expected an object with 'traceEvents'");
  if (object->getInteger("schema_version") != 1)
    return createStringError("expected a 'schema_version' of 1");
  MeasuredRun run;
  if (!readPlan(object->getObject("plan"), run.plan))
    return createStringError("expected the 'plan' of what ran, as traces of "
                             "libraries have whose plan tenon-plan made");
  if (const json::Value *overhead = object->get("overhead_us_per_task"))
    run.overheadSeconds = 1e-6 * overhead->getAsNumber().value_or(-1);
  if (!(run.overheadSeconds >= 0) ||
      run.overheadSeconds > 1e-6 * kMostMicroseconds)
    return createStringError("expected 'overhead_us_per_task' of at least 0");
  std::map<std::tuple<unsigned, std::string, int64_t>, std::vector<double>>
      times;
  TaskCounts counts;
  double first = 0, last = 0;
  for (auto [number, value] : enumerate(*events)) {
    const json::Object *fields = value.getAsObject();
    if (!fields || fields->getString("cat") != StringRef("task"))
      continue;
    std::optional<Event> event = readEvent(*fields, run.plan.stages);
    if (!event)
      return createStringError(formatv(
          "event {0}: expected a task of one of {1} stages with 'ts', 'dur', "
          "and 'stage', 'kind' and 'samples' of a micro-batch among its "
          "'args'",
          number, run.plan.stages.size()));
    first = times.empty() ? event->begin : std::min(first, event->begin);
    last = std::max(times.empty() ? event->begin : last,
                    event->begin + event->length);
    countTask(*event, fields->getInteger("pid").value_or(0), counts);
    times[{event->stage, event->kind, event->samples}].push_back(1e-6 *
                                                                 event->length);
  }
  for (auto &[key, seconds] : times)
    run.tasks.push_back({std::get<0>(key), std::get<1>(key), std::get<2>(key),
                         seconds.size(), getMedian(seconds)});
  run.seconds = 1e-6 * (last - first);
  if (Error error = checkCounts(run.plan, counts))
    return std::move(error);
  splitBackward(run);
  return run;
}

Error tenon::parallelize::checkModel(const MeasuredRun &run,
                                     const ModelGraph &model,
                                     bool forwardOnly) {
  if (run.plan.model != model.digest)
    return createStringError("it is of another model, or of other operators "
                             "(--bind, --operators, --cluster)");
  if (run.plan.forwardOnly != forwardOnly)
    return createStringError(run.plan.forwardOnly ? "it is of inference"
                                                  : "it is of training");
  std::vector<bool> isThere(model.graph.size(), false);
  size_t count = 0;
  for (const PlannedStage &stage : run.plan.stages)
    for (unsigned op : stage.operators) {
      if (op >= isThere.size() || isThere[op])
        return createStringError(formatv("operator {0} is not one of {1}, or "
                                         "is there twice",
                                         op, isThere.size()));
      isThere[op] = true;
      ++count;
    }
  if (count != isThere.size())
    return createStringError(formatv("it has {0} of {1} operators of the model",
                                     count, isThere.size()));
  return Error::success();
}
