//===- RankPlan.cpp - the operations of a rank ----------------------------===//
//
// Part of the Tenon project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "RankPlanner.h"

#include "tenon/Runtime/ArenaPlan.h"

#include <algorithm>
#include <cstdlib>

using namespace tenon::artifact;

namespace tenon::runtime {

int64_t PlanTensor::getBytes() const {
  int64_t bytes = static_cast<int64_t>(dtypeSize(dtype));
  for (int64_t size : shape)
    bytes *= size;
  return bytes;
}

int64_t getBytes(const PipelineValue &value, int64_t numSamples) {
  PlanTensor tensor;
  tensor.dtype = value.dtype;
  tensor.shape = value.getShape(numSamples);
  return tensor.getBytes();
}

template <typename Values>
static int64_t findName(const Values &values, std::string_view name) {
  for (size_t i = 0; i < values.size(); ++i)
    if (values[i].name == name)
      return static_cast<int64_t>(i);
  return -1;
}

int32_t RankPlanner::addBuffer(int64_t bytes) {
  plan.buffers.emplace_back().bytes = bytes;
  return static_cast<int32_t>(plan.buffers.size()) - 1;
}

PlanOperation &RankPlanner::add(PlanOperation::Kind kind) {
  place += 2;
  operations.emplace_back(place, PlanOperation());
  operations.back().second.kind = kind;
  return operations.back().second;
}

//===----------------------------------------------------------------------===//
// Parts of values
//===----------------------------------------------------------------------===//

void RankPlanner::copy(const PipelineValue &value, const Piece &piece,
                       int64_t begin, int64_t end, int32_t target) {
  int64_t from = std::max(piece.begin, begin), to = std::min(piece.end, end);
  if (from >= to)
    return;
  waitForReceive(piece.buffer);
  PlanCopy made;
  made.source = piece.buffer;
  made.target = target;
  int64_t axis = value.samples.axis, rows = value.samples.rows;
  for (int64_t i = 0; i < axis; ++i)
    made.outer *= value.shape[i];
  made.rowBytes = static_cast<int64_t>(dtypeSize(value.dtype));
  for (size_t i = axis + 1; i < value.shape.size(); ++i)
    made.rowBytes *= value.shape[i];
  made.count = (to - from) * rows;
  made.from = (from - piece.begin) * rows;
  made.to = (from - begin) * rows;
  made.sourceRows = (piece.end - piece.begin) * rows;
  made.targetRows = (end - begin) * rows;
  add(PlanOperation::Kind::Copy).copy = made;
}

/// Returns a buffer with the samples [begin, end) of a stream.
int32_t RankPlanner::assemble(const Stream &stream, const PipelineValue &value,
                              int64_t begin, int64_t end) {
  const std::vector<Piece> &pieces = streams[stream];
  int64_t covered = 0;
  // The last one: of a value without samples, it is the newest.
  for (auto piece = pieces.rbegin(); piece != pieces.rend(); ++piece) {
    if ((piece->begin == begin && piece->end == end) ||
        value.samples.axis < 0) {
      waitForReceive(piece->buffer);
      return piece->buffer;
    }
    covered += std::max<int64_t>(0, std::min(piece->end, end) -
                                        std::max(piece->begin, begin));
  }
  if (covered != end - begin) {
    damaged("rank ", rank, " lacks samples ", begin, " to ", end - 1, " of '",
            value.name, "'");
    return addBuffer(getBytes(value, end - begin));
  }
  int32_t target = addBuffer(getBytes(value, end - begin));
  for (const Piece &piece : pieces)
    copy(value, piece, begin, end, target);
  streams[stream].push_back({begin, end, target});
  return target;
}

PlanTensor RankPlanner::getOperand(const PipelineStep &step, size_t number) {
  const PipelineOperand &operand = pipeline.stages[step.stage].operands[number];
  PlanTensor tensor;
  tensor.dtype = operand.dtype;
  tensor.shape = operand.getShape(step.end - step.begin);
  if (operand.input >= 0) {
    tensor.input = static_cast<int32_t>(operand.input);
    tensor.axis = operand.samples.axis;
    tensor.begin = step.begin * operand.samples.rows;
    return tensor;
  }
  // Without a link, a stage of this rank gives it.
  Stream stream = operand.link < 0
                      ? Stream{Stream::Value, operand.stage, operand.result}
                      : Stream{Stream::LinkValue, operand.link};
  tensor.buffer = assemble(stream, operand, step.begin, step.end);
  return tensor;
}

/// `gradient.RESULT.K`: what the reader K of a result gives.
std::optional<Stream> RankPlanner::findGradient(const PipelineStage &stage,
                                                int64_t number,
                                                std::string_view name,
                                                const PipelineValue *&value) {
  size_t dot = name.rfind('.');
  if (name.substr(0, 9) != "gradient." || dot == name.npos || dot < 9)
    return std::nullopt;
  int64_t result = findName(stage.results, name.substr(9, dot - 9));
  int64_t reader = std::strtoll(name.data() + dot + 1, nullptr, 10);
  for (size_t s = 0; result >= 0 && s < pipeline.stages.size(); ++s)
    for (size_t o = 0; o < pipeline.stages[s].operands.size(); ++o) {
      const PipelineOperand &operand = pipeline.stages[s].operands[o];
      if (operand.input >= 0 || operand.stage != number ||
          operand.result != result || reader-- > 0)
        continue;
      value = &stage.results[result];
      return Stream{Stream::LinkGradient, operand.link};
    }
  return std::nullopt;
}

//===----------------------------------------------------------------------===//
// Tasks
//===----------------------------------------------------------------------===//

PlanTensor RankPlanner::getInput(const PipelineStep &step,
                                 std::string_view name) {
  auto key = std::tuple(step.stage, step.begin, std::string(name));
  if (auto it = known.find(key); it != known.end()) {
    if (it->second.buffer >= 0)
      waitForReceive(it->second.buffer);
    return it->second;
  }
  const PipelineStage &stage = pipeline.stages[step.stage];
  PlanTensor tensor;
  const PipelineValue *value = nullptr;
  if (int64_t operand = findName(stage.operands, name); operand >= 0) {
    tensor = getOperand(step, operand);
  } else if (name == "target" && step.stage == pipeline.lossStage) {
    tensor.input = static_cast<int32_t>(pipeline.numInputs);
    tensor.axis = pipeline.target.axis;
    tensor.begin = step.begin * pipeline.target.rows;
    return tensor;
  } else if (auto stream = findGradient(stage, step.stage, name, value)) {
    tensor.dtype = value->dtype;
    tensor.shape = value->getShape(step.end - step.begin);
    tensor.buffer = assemble(*stream, *value, step.begin, step.end);
    return tensor;
  } else {
    damaged("no task has given '", name, "' to stage '", stage.name, "'");
    return tensor;
  }
  known[key] = tensor;
  return tensor;
}

void RankPlanner::addOutput(const PipelineStep &step, const tenon_value &value,
                            PlanOperation &run) {
  const PipelineStage &stage = pipeline.stages[step.stage];
  std::string_view name = value.name;
  PlanTensor &tensor = run.outputs.back();
  tensor.buffer = addBuffer(tensor.getBytes());
  if (int64_t result = findName(stage.results, name); result >= 0) {
    streams[{Stream::Value, step.stage, result}].push_back(
        {step.begin, step.end, tensor.buffer});
  } else if (name == "loss" && step.stage == pipeline.lossStage) {
    run.loss = static_cast<int32_t>(run.outputs.size()) - 1;
  } else if (name.substr(0, 9) == "gradient.") {
    int64_t operand = findName(stage.operands, name.substr(9));
    if (operand < 0)
      damaged("stage '", stage.name, "' gives '", name, "'");
    streams[{Stream::Gradient, step.stage, operand}].push_back(
        {step.begin, step.end, tensor.buffer});
    return;
  }
  known[{step.stage, step.begin, std::string(name)}] = tensor;
}

void RankPlanner::addTask(const PipelineStep &step, const std::string &kind) {
  const PipelineStage &stage = pipeline.stages[step.stage];
  std::string name = stage.name + "." + kind;
  const tenon_entry *entry = nullptr;
  for (int32_t i = 0; i < program.num_entries; ++i)
    if (program.entries[i].name == name)
      entry = &program.entries[i];
  if (!entry || entry->num_symbols != 0)
    return damaged("it has no task '", name, "' of constant sizes");
  if (kind.substr(0, 8) == "backward")
    waitForSends(step);
  PlanOperation run;
  run.kind = PlanOperation::Kind::Run;
  run.entry = name;
  run.stage = step.stage;
  run.begin = step.begin;
  run.end = step.end;
  auto describe = [](const tenon_value &value, PlanTensor &tensor) {
    tensor.dtype = fromDLDType(value.dtype).value_or(DType::U8);
    tensor.shape.assign(value.shape, value.shape + value.rank);
  };
  for (int32_t i = 0; i < entry->num_inputs; ++i) {
    PlanTensor tensor = getInput(step, entry->inputs[i].name), wanted;
    describe(entry->inputs[i], wanted);
    if (tensor.buffer >= 0 && tensor.getBytes() != wanted.getBytes())
      damaged("'", entry->inputs[i].name, "' of task '", name,
              "' has another size");
    describe(entry->inputs[i], tensor);
    run.inputs.push_back(std::move(tensor));
  }
  for (int32_t i = 0; i < entry->num_outputs; ++i) {
    describe(entry->outputs[i], run.outputs.emplace_back());
    addOutput(step, entry->outputs[i], run);
  }
  add(PlanOperation::Kind::Run) = run;
  runPlaces.push_back(place);
  if (mode != PipelineMode::Predict)
    return;
  for (size_t i = 0; i < run.outputs.size(); ++i) {
    int64_t result = findName(stage.results, entry->outputs[i].name);
    if (result < 0)
      continue;
    for (int64_t output : stage.results[result].outputs) {
      PlanOperation &give = add(PlanOperation::Kind::Give);
      give.output = static_cast<int32_t>(output);
      give.given = run.outputs[i];
      give.given.axis = stage.results[result].samples.axis;
      give.given.begin = step.begin * stage.results[result].samples.rows;
    }
  }
}

void RankPlanner::addStep(const PipelineStep &step) {
  if (step.kind == "transfer")
    return addTransfers(step);
  if (mode != PipelineMode::Train) {
    bool hasLoss =
        mode == PipelineMode::Evaluate && step.stage == pipeline.lossStage;
    if (step.isForward())
      addTask(step, hasLoss ? "evaluate" : "predict");
    return;
  }
  if (step.kind == "reduce")
    add(PlanOperation::Kind::Reduce).stage = step.stage;
  else
    addTask(step, step.kind);
}

//===----------------------------------------------------------------------===//
// Places
//===----------------------------------------------------------------------===//

/// Sorts the operations, and places the buffers.
void RankPlanner::finish() {
  waitForAll();
  std::vector<std::pair<int64_t, size_t>> order;
  for (const auto &operation : operations)
    order.emplace_back(operation.first, order.size());
  std::sort(order.begin(), order.end());
  std::vector<int32_t> buffersOf(plan.numMessages, -1);
  auto use = [&](int32_t buffer) {
    if (buffer < 0)
      return;
    PlanBuffer &used = plan.buffers[buffer];
    used.last = static_cast<int32_t>(plan.operations.size());
    if (used.first < 0)
      used.first = used.last;
  };
  for (const auto &[at, number] : order) {
    PlanOperation &operation = operations[number].second;
    for (const PlanMessage &message : operation.messages) {
      buffersOf[message.number] = message.buffer;
      use(message.buffer);
    }
    if (operation.kind == PlanOperation::Kind::Wait)
      use(buffersOf[operation.message]);
    use(operation.copy.source);
    use(operation.copy.target);
    use(operation.given.buffer);
    for (const PlanTensor &tensor : operation.inputs)
      use(tensor.buffer);
    for (const PlanTensor &tensor : operation.outputs)
      use(tensor.buffer);
    plan.operations.push_back(std::move(operation));
  }
  std::vector<ArenaItem> items;
  for (const PlanBuffer &buffer : plan.buffers)
    items.push_back({std::max<int64_t>(buffer.bytes, 1),
                     std::max(buffer.first, 0), std::max(buffer.last, 0)});
  std::vector<int64_t> offsets;
  plan.arenaBytes = planArena(items, offsets);
  for (size_t i = 0; i < offsets.size(); ++i)
    plan.buffers[i].offset = offsets[i];
}

Expected<RankPlan> RankPlanner::run() {
  for (size_t s = 0; s < pipeline.stages.size(); ++s)
    for (size_t o = 0; o < pipeline.stages[s].operands.size(); ++o)
      if (int64_t link = pipeline.stages[s].operands[o].link; link >= 0)
        links[link] = {static_cast<int64_t>(s), static_cast<int64_t>(o)};
  for (const PipelineStep &step : pipeline.ranks[rank])
    addStep(step);
  if (!error.empty())
    return Error{error};
  finish();
  return std::move(plan);
}

Expected<RankPlan> planRank(const Pipeline &pipeline, int64_t rank,
                            const tenon_program &program, PipelineMode mode,
                            MessageOrder order) {
  return RankPlanner(pipeline, rank, program, mode, order).run();
}

} // namespace tenon::runtime
