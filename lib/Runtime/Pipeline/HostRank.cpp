//===- HostRank.cpp - a rank whose messages are in host memory ------------===//
//
// Part of the Tenon project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "HostRank.h"
#include "../StridedCopy.h"
#include "../Trace.h"

#include "tenon/Artifact/TensorData.h"

#include <chrono>
#include <cstring>
#include <string_view>
#include <thread>

using namespace tenon::artifact;

namespace tenon::runtime {

/// Makes the sums, so that a lack of memory is reported at load.
Status HostRank::load(const LoadSettings &settings) {
  if (Status status = RankRunner::load(settings); !status)
    return status;
  sums.resize(pipeline.stages.size());
  for (const PipelineStep &step : pipeline.ranks[rank]) {
    if (step.kind != "reduce" || sums[step.stage])
      continue;
    // Behind the tags of links.
    int tag = static_cast<int>(2 * (pipeline.numLinks + step.stage));
    sums[step.stage] = std::make_unique<GradientSum>(
        *model, transport, memory, pipeline.stages[step.stage].ranks, tag,
        listSummedStates(step.stage));
    if (Status status = sums[step.stage]->allocate(); !status)
      return status;
  }
  return Status::success();
}

Expected<bool> HostRank::growArena(const RankPlan &plan) {
  if (arena.size() >= plan.arenaBytes)
    return false;
  arena = Block();
  Expected<Block> block =
      Block::allocate(memory, plan.arenaBytes, "the tensors between tasks");
  if (!block)
    return block.takeError();
  arena = std::move(*block);
  return true;
}

/// Parts of the caller's tensors are found by each run.
tenon_tensor HostRank::bind(PlanTensor &tensor) const {
  return makeTensor(tensor, TENON_DEVICE_CPU,
                    tensor.buffer >= 0 ? at(tensor.buffer) : nullptr);
}

Status HostRank::begin(PipelineMode mode, const tenon_tensor *givenInputs,
                       const tenon_tensor *givenOutputs) {
  if (Status status = RankRunner::begin(mode, givenInputs, givenOutputs);
      !status)
    return status;
  next = 0;
  tickets.assign(active->plan.numMessages, nullptr);
  running.clear();
  numSums = 0;
  return Status::success();
}

/// A backward task that is not split is both of its parts.
void HostRank::waitInstead(const PlanOperation &task) const {
  const std::vector<double> &seconds = pipeline.stages[task.stage].seconds;
  std::string_view kind = task.entry;
  kind.remove_prefix(kind.rfind('.') + 1);
  double sum = kind == "backward"          ? seconds[1] + seconds[2]
               : kind == "backward_input"  ? seconds[1]
               : kind == "backward_weight" ? seconds[2]
                                           : seconds[0];
  std::this_thread::sleep_for(std::chrono::duration<double>(sum * timedWaits));
}

Status HostRank::runTask(const PlanOperation &operation, Call &call) {
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
    return failTask(operation, status);
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

void HostRank::give(const PlanOperation &operation) const {
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

Status HostRank::beginSum(const PlanOperation &operation) {
  GradientSum &sum = *sums[operation.stage];
  running.push_back({&sum, &operation, isTraced ? Trace::now() : 0});
  return sum.begin();
}

Status HostRank::beginMessage(const PlanMessage &message) {
  char *data = at(message.buffer);
  Expected<Transport::Ticket> ticket =
      message.isSend
          ? transport.send(message.peer, message.tag, data, message.bytes)
          : transport.receive(message.peer, message.tag, data, message.bytes);
  if (!ticket)
    return ticket.takeError();
  tickets[message.number] = std::move(*ticket);
  return Status::success();
}

Status HostRank::wait(const Transport::Ticket &ticket) {
  if (!isTraced)
    return transport.wait(ticket);
  int64_t begin = Trace::now();
  Status status = transport.wait(ticket);
  overhead -= Trace::now() - begin;
  return status;
}

Expected<bool> HostRank::advanceSums(bool mayWait) {
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

Expected<bool> HostRank::advance(bool mayWait) {
  if (!isTraced)
    return runOperations(mayWait);
  int64_t begin = Trace::now();
  Expected<bool> result = runOperations(mayWait);
  overhead += Trace::now() - begin;
  return result;
}

Expected<bool> HostRank::runOperations(bool mayWait) {
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
    case PlanOperation::Kind::Reduce:
      status = beginSum(operation);
      break;
    default:
      for (const PlanMessage &message : operation.messages)
        if (status)
          status = beginMessage(message);
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

uint64_t HostRank::getProgress() const {
  // A sum has less than four phases.
  uint64_t progress = next + 4 * numSums;
  for (const Running &one : running)
    progress += one.sum->getPhase();
  return progress;
}

uint64_t HostRank::memoryBytes() const {
  uint64_t bytes = model->memoryBytes() + arena.size();
  for (const std::unique_ptr<GradientSum> &sum : sums)
    bytes += sum ? sum->getBytes() : 0;
  return bytes;
}

} // namespace tenon::runtime
