//===- RankRunner.cpp - runs one rank of a pipeline -----------------------===//
//
// Part of the Tenon project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "RankRunner.h"

#include <algorithm>
#include <string_view>

using namespace tenon::artifact;

namespace tenon::runtime {

static bool startsWith(std::string_view text, std::string_view prefix) {
  return text.substr(0, prefix.size()) == prefix;
}

RankRunner::RankRunner(const Pipeline &pipeline, int64_t rank,
                       std::shared_ptr<const ProgramSlice> slice,
                       Transport &transport, MessageOrder order)
    : pipeline(pipeline), rank(rank), slice(std::move(slice)),
      transport(transport), order(order) {}

Status RankRunner::load(const LoadSettings &settings) {
  isTraced = settings.options.options.trace != 0;
  timedWaits = settings.options.timed_waits;
  if (Status status = memory.adopt(settings.options.allocator,
                                   settings.options.memory_limit);
      !status)
    return status;
  const tenon_program *programs[] = {&slice->get(), nullptr};
  Expected<std::unique_ptr<Model>> loaded = Model::load(programs, settings);
  if (!loaded)
    return loaded.takeError();
  model = std::move(*loaded);
  PipelineMode mode =
      pipeline.isTraining ? PipelineMode::Train : PipelineMode::Predict;
  return prepare(mode);
}

//===----------------------------------------------------------------------===//
// Before the first run of a mode
//===----------------------------------------------------------------------===//

tenon_tensor RankRunner::makeTensor(PlanTensor &tensor, int32_t device,
                                    void *data) {
  tenon_tensor made = {};
  made.data = data;
  made.device_type = device;
  made.ndim = static_cast<int32_t>(tensor.shape.size());
  made.dtype = toDLDType(tensor.dtype);
  made.shape = tensor.shape.data();
  return made;
}

Status RankRunner::prepare(PipelineMode mode) {
  std::optional<Prepared> &made = prepared[static_cast<size_t>(mode)];
  if (!made) {
    Expected<RankPlan> plan =
        planRank(pipeline, rank, slice->get(), mode, order);
    if (!plan)
      return plan.takeError();
    made.emplace();
    made->plan = std::move(*plan);
    made->calls.resize(made->plan.operations.size());
  }
  bool isOther = active != &*made;
  active = &*made;
  Expected<bool> hasMoved = growArena(made->plan);
  if (!hasMoved) {
    // Addresses may be those of memory that is gone.
    active = nullptr;
    return hasMoved.takeError();
  }
  if (!isOther && !*hasMoved)
    return Status::success();
  for (size_t i = 0; i < made->calls.size(); ++i) {
    Call &call = made->calls[i];
    PlanOperation &operation = made->plan.operations[i];
    call.inputs.clear();
    call.outputs.clear();
    for (PlanTensor &tensor : operation.inputs)
      call.inputs.push_back(bind(tensor));
    for (PlanTensor &tensor : operation.outputs)
      call.outputs.push_back(bind(tensor));
  }
  return Status::success();
}

/// The states that the ranks of a stage sum: the gradients, and the statistics
/// of batch norms, of which they take the mean. The latter are written by
/// forward tasks and have no gradients.
std::vector<SummedState> RankRunner::listSummedStates(int64_t stage) const {
  const tenon_program &program = slice->get();
  std::vector<bool> isOfStage(program.num_states);
  for (int32_t i = 0; i < program.num_entries; ++i) {
    const tenon_entry &entry = program.entries[i];
    if (getStageName(entry.name) != pipeline.stages[stage].name)
      continue;
    for (int32_t step = entry.first_step; step < entry.end_step; ++step)
      for (int32_t j = 0; j < program.steps[step].num_buffers; ++j) {
        const tenon_buffer &buffer =
            program.buffers[program.steps[step].buffers[j]];
        if (buffer.kind == TENON_BUFFER_STATE)
          isOfStage[buffer.index] = true;
      }
  }
  auto isState = [&](const std::string &name) {
    for (int32_t i = 0; i < program.num_states; ++i)
      if (program.states[i].value.name == name)
        return true;
    return false;
  };
  std::vector<SummedState> states;
  for (int32_t i = 0; i < program.num_states; ++i) {
    const tenon_value &value = program.states[i].value;
    std::string_view name = value.name;
    bool isGradient = isGradientState(name);
    bool isMean = !startsWith(name, "optimizer.") &&
                  !isState(std::string(gradientStatePrefix) + value.name);
    if (!isOfStage[i] || (!isGradient && !isMean))
      continue;
    SummedState &state = states.emplace_back();
    state.name = value.name;
    state.dtype = fromDLDType(value.dtype).value_or(DType::F32);
    state.shape.assign(value.shape, value.shape + value.rank);
    state.isMean = isMean;
  }
  return states;
}

//===----------------------------------------------------------------------===//
// Runs
//===----------------------------------------------------------------------===//

Status RankRunner::begin(PipelineMode mode, const tenon_tensor *givenInputs,
                         const tenon_tensor *givenOutputs) {
  if (Status status = prepare(mode); !status)
    return status;
  inputs = givenInputs;
  outputs = givenOutputs;
  losses.clear();
  events.clear();
  overhead = 0;
  return Status::success();
}

tenon_tensor getPart(const tenon_tensor &whole, const PlanTensor &part,
                     std::vector<int64_t> &strides) {
  tenon_tensor tensor = whole;
  strides.assign(whole.ndim, 1);
  if (whole.strides)
    std::copy(whole.strides, whole.strides + whole.ndim, strides.begin());
  else
    for (int32_t i = whole.ndim - 2; i >= 0; --i)
      strides[i] = strides[i + 1] * whole.shape[i + 1];
  tensor.strides = strides.data();
  tensor.shape = const_cast<int64_t *>(part.shape.data());
  if (part.axis >= 0)
    tensor.byte_offset += part.begin * strides[part.axis] *
                          static_cast<int64_t>(dtypeSize(part.dtype));
  return tensor;
}

Error RankRunner::failTask(const PlanOperation &task,
                           const Status &status) const {
  return makeError("task '", task.entry, "', samples ", task.begin, " to ",
                   task.end - 1, ": ", status.error());
}

Status RankRunner::update() {
  if (timedWaits > 0)
    return Status::success();
  const tenon_program &program = slice->get();
  auto run = [&](const std::string &name) {
    for (int32_t i = 0; i < program.num_entries; ++i)
      if (program.entries[i].name == name)
        return model->run(name.c_str(), nullptr, 0, nullptr, 0);
    return Status::success();
  };
  for (const PipelineStage &stage : pipeline.stages)
    if (Status status = run(stage.name + ".update"); !status)
      return status;
  return run("advance");
}

Status RankRunner::resetGradients() {
  const tenon_program &program = slice->get();
  for (int32_t i = 0; i < program.num_states; ++i) {
    const tenon_value &value = program.states[i].value;
    if (!isGradientState(value.name))
      continue;
    std::vector<int64_t> shape(value.shape, value.shape + value.rank);
    PlanTensor tensor;
    tensor.dtype = fromDLDType(value.dtype).value_or(DType::F32);
    tensor.shape = shape;
    std::vector<char> zeros(tensor.getBytes());
    tenon_tensor zero = {};
    zero.data = zeros.data();
    zero.device_type = TENON_DEVICE_CPU;
    zero.ndim = value.rank;
    zero.dtype = value.dtype;
    zero.shape = shape.data();
    if (Status status = model->setState(value.name, &zero); !status)
      return status;
  }
  return Status::success();
}

} // namespace tenon::runtime
