//===- RandomRun.cpp - random pipelines under random schedules ------------===//
//
// Part of the Tenon project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "RandomRun.h"

#include "tenon/Runtime/Model.h"

using namespace tenon;
using namespace tenon::parallelize;
using tenon::artifact::PipelineStep;
using tenon::runtime::TaskTables;

static constexpr int64_t miniBatch = 8, width = 3;

void RandomRun::makePipeline() {
  pipeline.miniBatch = miniBatch;
  unsigned numStages = 1 + below(5), numRanks = 0;
  for (unsigned stage = 0; stage < numStages; ++stage) {
    int64_t microBatch = int64_t(1) << below(4);
    double seconds = static_cast<double>(microBatch) * (1.0 + below(3));
    pipeline.stages.push_back({microBatch, seconds, seconds, seconds, stage});
    size_t ranks = microBatch > 1 ? size_t(1) << below(2) : 1;
    laneRanks.emplace_back();
    while (ranks-- > 0)
      laneRanks.back().push_back(numRanks++);
    for (unsigned from = 0; from < stage; ++from)
      if (below(2) == 0)
        pipeline.links.push_back({from, stage, static_cast<double>(below(3)),
                                  static_cast<double>(below(2))});
  }
  for (size_t link = 0; link < pipeline.links.size(); ++link)
    isTurned.push_back(below(3) == 0);
}

bool RandomRun::makeSchedule(std::string &reason) {
  std::vector<int64_t> ks;
  for (size_t stage = 0; stage < pipeline.stages.size(); ++stage)
    ks.push_back(1 + below(2));
  switch (below(4)) {
  case 0:
    schedule = makeGPipeSchedule(pipeline);
    break;
  case 1: {
    ListOptions options{std::vector<int64_t>(pipeline.stages.size(), miniBatch),
                        below(2) == 0};
    std::optional<Schedule> made = makeListSchedule(pipeline, options, reason);
    if (!made)
      return false;
    schedule = *made;
    break;
  }
  default:
    schedule = makeAlternatingSchedule(pipeline, ks, getInFlight(pipeline, ks));
  }
  std::optional<Simulation> simulation = simulate(pipeline, schedule, reason);
  if (!simulation)
    return false;
  programs = makeRankPrograms(pipeline, schedule, *simulation, laneRanks);
  return checkPrograms(pipeline, laneRanks, programs, reason);
}

/// Each link has a result of its own; a stage without links gives
/// nothing.
void RandomRun::describe() {
  description.miniBatch = miniBatch;
  description.isTraining = true;
  description.numInputs = 1;
  description.numLinks = static_cast<int64_t>(pipeline.links.size());
  description.lossStage = static_cast<int64_t>(pipeline.stages.size()) - 1;
  description.target = {0, 1};
  for (unsigned stage = 0; stage < pipeline.stages.size(); ++stage) {
    artifact::PipelineStage &made = description.stages.emplace_back();
    made.name = "s" + std::to_string(stage);
    for (unsigned rank : laneRanks[pipeline.stages[stage].lane])
      made.ranks.push_back(rank);
    artifact::PipelineOperand input;
    input.name = "x";
    input.shape = {1, width};
    input.samples = {0, 1};
    input.input = 0;
    made.operands.push_back(input);
  }
  for (unsigned link = 0; link < pipeline.links.size(); ++link) {
    unsigned from = pipeline.links[link].from, to = pipeline.links[link].to;
    artifact::PipelineResult result;
    result.name = "r" + std::to_string(link);
    result.shape = isTurned[link] ? TaskTables::Shape{width, 1}
                                  : TaskTables::Shape{1, width};
    result.samples = getSamples(link);
    artifact::PipelineOperand operand;
    static_cast<artifact::PipelineValue &>(operand) = result;
    operand.stage = from;
    operand.result =
        static_cast<int64_t>(description.stages[from].results.size());
    operand.link = link;
    description.stages[from].results.push_back(result);
    description.stages[to].operands.push_back(operand);
  }
  splits.resize(pipeline.stages.size());
  for (const std::vector<Step> &steps : programs)
    for (const Step &step : steps)
      if (step.task.kind == TaskKind::BackwardInput)
        splits[step.task.stage] = true;
  for (const std::vector<Step> &steps : programs) {
    std::vector<PipelineStep> &made = description.ranks.emplace_back();
    for (const Step &step : steps) {
      PipelineStep one;
      one.stage = step.task.stage;
      one.begin = step.begin;
      one.end = step.end;
      for (const Transfer &transfer : step.transfers)
        one.transfers.push_back({transfer.isSend, transfer.peer, transfer.link,
                                 transfer.isGradient, transfer.begin,
                                 transfer.end});
      auto add = [&](const std::string &kind) {
        one.kind = kind;
        made.push_back(one);
      };
      if (step.kind == Step::Kind::Group)
        add("transfer");
      else if (step.kind == Step::Kind::ReduceGradients)
        add("reduce");
      else if (step.task.kind == TaskKind::Backward && splits[step.task.stage])
        add("backward_input"), add("backward_weight");
      else
        add(getName(step.task.kind));
    }
  }
  text = description.toJson();
}

TaskTables::Shape RandomRun::getShape(unsigned stage, bool turned) const {
  int64_t part =
      pipeline.stages[stage].microBatch /
      static_cast<int64_t>(laneRanks[pipeline.stages[stage].lane].size());
  return turned ? TaskTables::Shape{width, part}
                : TaskTables::Shape{part, width};
}

void RandomRun::addBackward(unsigned stage, bool isInput, bool isWeight) {
  const artifact::PipelineStage &known = description.stages[stage];
  std::string name = isInput && isWeight ? ".backward"
                     : isInput           ? ".backward_input"
                                         : ".backward_weight";
  tables.startEntry(known.name + name);
  ++numTasks;
  int32_t saved = tables.addInput("saved.0", getShape(stage, false));
  std::vector<int32_t> given = {saved};
  if (isInput)
    for (const artifact::PipelineResult &result : known.results)
      given.push_back(
          tables.addInput("gradient." + result.name + ".0",
                          getShape(stage, result.samples.axis == 1)));
  else
    given.push_back(tables.addInput("kept.0", getShape(stage, false)));
  for (const artifact::PipelineOperand &operand : known.operands) {
    if (!isInput || operand.input >= 0)
      continue;
    int32_t output = tables.addOutput(
        "gradient." + operand.name, getShape(stage, operand.samples.axis == 1));
    tables.addSet(given.front(), output);
    for (int32_t one : given)
      tables.addAdd(one, output);
  }
  if (isInput && !isWeight) {
    int32_t kept = tables.addOutput("kept.0", getShape(stage, false));
    tables.addSet(saved, kept);
    for (int32_t one : given)
      tables.addAdd(one, kept);
  }
  if (isWeight)
    for (int32_t one : given)
      tables.addSum(one, gradients[stage]);
}

void RandomRun::addTasks() {
  for (const artifact::PipelineStage &stage : description.stages) {
    parameters.push_back(tables.addState("p." + stage.name, {2}));
    gradients.push_back(
        tables.addState("optimizer.gradient.p." + stage.name, {2}));
  }
  tables.startEntry("train_step");
  tables.addInput("x", {miniBatch, width});
  tables.addInput("target", {miniBatch, width});
  tables.addOutput("loss", {});
  for (unsigned stage = 0; stage < pipeline.stages.size(); ++stage) {
    const artifact::PipelineStage &known = description.stages[stage];
    tables.startEntry(known.name + ".forward");
    ++numTasks;
    std::vector<int32_t> given;
    for (const artifact::PipelineOperand &operand : known.operands)
      given.push_back(tables.addInput(
          operand.name, getShape(stage, operand.samples.axis == 1)));
    bool isLast = stage == description.lossStage;
    if (isLast)
      given.push_back(tables.addInput("target", getShape(stage, false)));
    auto addResult = [&](const std::string &name, bool isTurned) {
      int32_t output = tables.addOutput(name, getShape(stage, isTurned));
      tables.addSet(given.front(), output);
      for (int32_t one : given)
        tables.addAdd(one, output);
      tables.addAdd(output, output);
      return output;
    };
    for (const artifact::PipelineResult &result : known.results)
      addResult(result.name, result.samples.axis == 1);
    int32_t saved = addResult("saved.0", false);
    if (isLast) {
      int32_t loss = tables.addOutput("loss", {});
      tables.addZero(loss);
      tables.addSum(saved, loss);
    }
    if (splits[stage]) {
      addBackward(stage, true, false);
      addBackward(stage, false, true);
    } else {
      addBackward(stage, true, true);
    }
    tables.startEntry(known.name + ".update");
    ++numTasks;
    tables.addUpdate(parameters[stage], gradients[stage]);
  }
  program = &tables.get(text.c_str(), numTasks);
}

bool RandomRun::make(std::string &reason) {
  makePipeline();
  if (!makeSchedule(reason))
    return false;
  describe();
  addTasks();
  return true;
}

std::vector<float> RandomRun::run(int32_t ranks, std::string &error) {
  runtime::LoadSettings settings;
  settings.options.struct_size = sizeof settings.options;
  settings.options.ranks = ranks;
  settings.options.watchdog_seconds = 20;
  const tenon_program *list[] = {program, nullptr};
  auto model = runtime::Model::load(list, settings);
  if (!model) {
    error = model.error();
    return {};
  }
  std::vector<float> x(miniBatch * width), target(miniBatch * width);
  for (size_t i = 0; i < x.size(); ++i) {
    x[i] = 0.1F * static_cast<float>(i);
    target[i] = 1 / (1 + static_cast<float>(i));
  }
  int64_t shape[] = {miniBatch, width}, two = 2;
  auto makeTensor = [](float *data, int32_t rank, int64_t *sizes) {
    tenon_tensor tensor = {};
    tensor.data = data;
    tensor.device_type = TENON_DEVICE_CPU;
    tensor.ndim = rank;
    tensor.dtype = artifact::toDLDType(artifact::DType::F32);
    tensor.shape = sizes;
    return tensor;
  };
  std::vector<float> results(1);
  tenon_tensor inputs[] = {makeTensor(x.data(), 2, shape),
                           makeTensor(target.data(), 2, shape)};
  tenon_tensor output = makeTensor(results.data(), 0, nullptr);
  for (int iteration = 0; iteration < 2; ++iteration)
    if (auto status = (*model)->run("train_step", inputs, 2, &output, 1);
        !status) {
      error = status.error();
      return {};
    }
  for (const artifact::PipelineStage &stage : description.stages) {
    float value[2];
    tenon_tensor state = makeTensor(value, 1, &two);
    if (auto status = (*model)->getState(("p." + stage.name).c_str(), &state);
        !status) {
      error = status.error();
      return {};
    }
    results.insert(results.end(), value, value + 2);
  }
  return results;
}
