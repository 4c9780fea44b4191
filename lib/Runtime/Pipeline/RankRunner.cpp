//===- RankRunner.cpp - runs one rank of a pipeline -----------------------===//
//
// Part of the Tenon project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "RankRunner.h"
#include "../StridedCopy.h"
#include "../Trace.h"

#include "tenon/Artifact/TensorData.h"

#include <algorithm>
#include <chrono>
#include <cstring>
#include <string_view>
#include <thread>

using namespace tenon::artifact;

namespace tenon::runtime {

static bool startsWith(std::string_view text, std::string_view prefix) {
  return text.substr(0, prefix.size()) == prefix;
}

RankRunner::RankRunner(const Pipeline &pipeline, int64_t rank,
                       std::shared_ptr<const ProgramSlice> slice,
                       Transport &transport)
    : pipeline(pipeline), rank(rank), slice(std::move(slice)),
      transport(transport) {}

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
  sums.resize(pipeline.stages.size());
  PipelineMode mode =
      pipeline.isTraining ? PipelineMode::Train : PipelineMode::Predict;
  return prepare(mode);
}

//===----------------------------------------------------------------------===//
// Before the first run of a mode
//===----------------------------------------------------------------------===//

tenon_tensor RankRunner::bind(PlanTensor &tensor) {
  tenon_tensor bound = {};
  bound.device_type = TENON_DEVICE_CPU;
  bound.ndim = static_cast<int32_t>(tensor.shape.size());
  bound.dtype = toDLDType(tensor.dtype);
  bound.shape = tensor.shape.data();
  if (tensor.buffer >= 0)
    bound.data = at(tensor.buffer);
  return bound;
}

Status RankRunner::prepare(PipelineMode mode) {
  std::optional<Prepared> &made = prepared[static_cast<size_t>(mode)];
  if (!made) {
    Expected<RankPlan> plan = planRank(pipeline, rank, slice->get(), mode);
    if (!plan)
      return plan.takeError();
    made.emplace();
    made->plan = std::move(*plan);
    made->calls.resize(made->plan.operations.size());
  }
  bool isOther = active != &*made;
  active = &*made;
  if (arena.size() < made->plan.arenaBytes) {
    arena = Block();
    Expected<Block> block = Block::allocate(memory, made->plan.arenaBytes,
                                            "the tensors between tasks");
    if (!block)
      return block.takeError();
    arena = std::move(*block);
  } else if (!isOther) {
    return Status::success();
  }
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
std::unique_ptr<GradientSum> RankRunner::makeSum(int64_t stage) {
  const tenon_program &program = slice->get();
  std::string prefix = pipeline.stages[stage].name + ".";
  std::vector<bool> isOfStage(program.num_states);
  for (int32_t i = 0; i < program.num_entries; ++i) {
    const tenon_entry &entry = program.entries[i];
    if (!startsWith(entry.name, prefix))
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
  // Behind the tags of links.
  int tag = static_cast<int>(2 * (pipeline.numLinks + stage));
  return std::make_unique<GradientSum>(
      *model, transport, pipeline.stages[stage].ranks, tag, std::move(states));
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
  next = 0;
  tickets.assign(active->plan.numMessages, nullptr);
  running.clear();
  numSums = 0;
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

/// A backward task that is not split is both of its parts.
void RankRunner::waitInstead(const PlanOperation &task) const {
  const std::vector<double> &seconds = pipeline.stages[task.stage].seconds;
  std::string_view kind = task.entry;
  kind.remove_prefix(kind.rfind('.') + 1);
  double sum = kind == "backward"          ? seconds[1] + seconds[2]
               : kind == "backward_input"  ? seconds[1]
               : kind == "backward_weight" ? seconds[2]
                                           : seconds[0];
  std::this_thread::sleep_for(std::chrono::duration<double>(sum * timedWaits));
}

Status RankRunner::runTask(const PlanOperation &operation, Call &call) {
  std::vector<std::vector<int64_t>> strides(call.inputs.size());
  for (size_t i = 0; i < call.inputs.size(); ++i)
    if (const PlanTensor &tensor = operation.inputs[i]; tensor.buffer < 0)
      call.inputs[i] = getPart(inputs[tensor.input], tensor, strides[i]);
  int64_t start = isTraced ? Trace::now() : 0;
  Status status;
  if (timedWaits > 0)
    waitInstead(operation);
  else
    status = model->run(operation.entry.c_str(), call.inputs.data(),
                        call.inputs.size(), call.outputs.data(),
                        call.outputs.size());
  if (!status)
    return makeError("task '", operation.entry, "', samples ", operation.begin,
                     " to ", operation.end - 1, ": ", status.error());
  if (isTraced) {
    events.push_back({&operation, start, Trace::now()});
    overhead -= events.back().end - start;
  }
  if (operation.loss >= 0) {
    const PlanTensor &loss = operation.outputs[operation.loss];
    losses.push_back({operation.begin, operation.end,
                      readElement(at(loss.buffer), loss.dtype, 0)});
  }
  return Status::success();
}

void RankRunner::give(const PlanOperation &operation) const {
  std::vector<int64_t> strides;
  tenon_tensor target =
      getPart(outputs[operation.output], operation.given, strides);
  if (operation.given.getBytes() > 0)
    scatter(at(operation.given.buffer), target);
}

static void copyRows(const PlanCopy &copy, const char *source, char *target) {
  size_t bytes = copy.count * copy.rowBytes;
  source += copy.from * copy.rowBytes;
  target += copy.to * copy.rowBytes;
  for (int64_t i = 0; i < copy.outer; ++i)
    std::memcpy(target + i * copy.targetRows * copy.rowBytes,
                source + i * copy.sourceRows * copy.rowBytes, bytes);
}

/// Begins a message or a sum.
Status RankRunner::begin(const PlanOperation &operation) {
  if (operation.kind == PlanOperation::Kind::Reduce) {
    std::unique_ptr<GradientSum> &sum = sums[operation.stage];
    if (!sum)
      sum = makeSum(operation.stage);
    running.push_back({sum.get(), &operation, isTraced ? Trace::now() : 0});
    return sum->begin();
  }
  char *data = at(operation.buffer);
  Expected<Transport::Ticket> ticket =
      operation.kind == PlanOperation::Kind::Send
          ? transport.send(operation.peer, operation.tag, data, operation.bytes)
          : transport.receive(operation.peer, operation.tag, data,
                              operation.bytes);
  if (!ticket)
    return ticket.takeError();
  tickets[operation.message] = std::move(*ticket);
  return Status::success();
}

Status RankRunner::wait(const Transport::Ticket &ticket) {
  if (!isTraced)
    return transport.wait(ticket);
  int64_t begin = Trace::now();
  Status status = transport.wait(ticket);
  overhead -= Trace::now() - begin;
  return status;
}

Expected<bool> RankRunner::advanceSums(bool mayWait) {
  while (!running.empty()) {
    const Running &first = running.front();
    Expected<bool> isDone = first.sum->advance(mayWait);
    if (!isDone || !*isDone)
      return isDone;
    if (isTraced)
      events.push_back({first.operation, first.begin, Trace::now()});
    running.erase(running.begin());
    ++numSums;
  }
  return true;
}

Expected<bool> RankRunner::advance(bool mayWait) {
  if (!isTraced)
    return runOperations(mayWait);
  int64_t begin = Trace::now();
  Expected<bool> result = runOperations(mayWait);
  overhead += Trace::now() - begin;
  return result;
}

Expected<bool> RankRunner::runOperations(bool mayWait) {
  const std::vector<PlanOperation> &operations = active->plan.operations;
  for (; next < operations.size(); ++next) {
    const PlanOperation &operation = operations[next];
    Status status;
    switch (operation.kind) {
    case PlanOperation::Kind::Run:
      if (Expected<bool> isDone = advanceSums(/*mayWait=*/false); !isDone)
        return isDone;
      status = runTask(operation, active->calls[next]);
      break;
    case PlanOperation::Kind::Copy:
      copyRows(operation.copy, at(operation.copy.source),
               at(operation.copy.target));
      break;
    case PlanOperation::Kind::Give:
      give(operation);
      break;
    case PlanOperation::Kind::Wait:
      if (mayWait) {
        status = wait(tickets[operation.message]);
      } else if (Expected<bool> isDone =
                     transport.test(tickets[operation.message]);
                 !isDone || !*isDone) {
        return isDone;
      }
      break;
    default:
      status = begin(operation);
    }
    if (!status)
      return status.takeError();
  }
  // Sums wait, too.
  int64_t begin = isTraced ? Trace::now() : 0;
  Expected<bool> isDone = advanceSums(mayWait);
  if (isTraced)
    overhead -= Trace::now() - begin;
  return isDone;
}

uint64_t RankRunner::getProgress() const {
  // A sum has less than four phases.
  uint64_t progress = next + 4 * numSums;
  for (const Running &one : running)
    progress += one.sum->getPhase();
  return progress;
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

uint64_t RankRunner::memoryBytes() const {
  uint64_t bytes = model->memoryBytes() + arena.size();
  for (const std::unique_ptr<GradientSum> &sum : sums)
    bytes += sum ? sum->getBytes() : 0;
  return bytes;
}

} // namespace tenon::runtime
