//===- NcclOperations.cpp - what a rank puts on its streams ---------------===//
//
// Part of the Tenon project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "../Trace.h"
#include "NcclRank.h"

#include <algorithm>
#include <set>

using namespace tenon::artifact;
using namespace tenon::runtime::cuda;

namespace tenon::runtime::nccl {

Status NcclRank::copyRows(const PlanCopy &copy) {
  auto bytes = static_cast<size_t>(copy.count * copy.rowBytes);
  DeviceAddress source = at(copy.source) + copy.from * copy.rowBytes;
  DeviceAddress target = at(copy.target) + copy.to * copy.rowBytes;
  for (int64_t i = 0; i < copy.outer && bytes > 0; ++i)
    if (Result code = device->driver().copyOnDevice(
            target + i * copy.targetRows * copy.rowBytes,
            source + i * copy.sourceRows * copy.rowBytes, bytes,
            device->stream());
        code != cuda::Success)
      return device->fail(code, "parts of a tensor can't be copied");
  return Status::success();
}

Status NcclRank::copyToHost(const PlanOperation &operation,
                            const PlanTensor &tensor) {
  if (tensor.getBytes() == 0)
    return Status::success();
  if (Result code = device->driver().copyToHost(
          pinned.data() + inputBytes + resultPlaces[&operation],
          at(tensor.buffer), static_cast<size_t>(tensor.getBytes()),
          device->stream());
      code != cuda::Success)
    return device->fail(code, "results can't be copied from it");
  return Status::success();
}

Status NcclRank::runTask(const PlanOperation &operation, Call &call) {
  // The model would wait for the checks of its last run, without a look at
  // other ranks.
  bool checks = slice->get().num_checks > 0;
  if (isTraced || checks)
    if (Status status = waitForTasks(); !status)
      return status;
  if (checks)
    if (Status status = finishTask(); !status)
      return status;
  int64_t start = isTraced ? Trace::now() : 0;
  if (Status status = model->runOnStream(
          operation.entry.c_str(), call.inputs.data(), call.inputs.size(),
          call.outputs.data(), call.outputs.size(), device->stream());
      !status)
    return failTask(operation, status);
  if (checks)
    lastTask = &operation;
  if (isTraced) {
    overhead -= Trace::now() - start;
    if (Status status = waitForTasks(); !status)
      return status;
    events.push_back({&operation, start, Trace::now()});
  }
  return operation.loss < 0
             ? Status::success()
             : copyToHost(operation, operation.outputs[operation.loss]);
}

static std::string listRanks(const std::set<int64_t> &ranks) {
  std::string text = ranks.size() > 1 ? "ranks" : "rank";
  const char *separator = " ";
  for (int64_t rank : ranks) {
    text += concat(separator, rank);
    separator = ", ";
  }
  return text;
}

/// Puts what `function` begins on the stream of messages.
template <typename Function>
Status NcclRank::putGroup(Comm comm, Group group, Function function) {
  if (Status status = waitOnStream(messages, group.ready); !status)
    return status;
  group.begin = isTraced ? Trace::now() : 0;
  groups.push_back(std::move(group));
  const Nccl &nccl = comms->nccl();
  if (Result code = nccl.groupStart(); code != nccl::Success)
    return comms->fail(code, "a group can't begin");
  Result begun = function(), ended = nccl.groupEnd();
  for (Result code : {begun, ended})
    if (code != nccl::Success && code != InProgress)
      return comms->fail(code, "messages can't begin");
  if (Status status = comms->settle(comm, [&] { return checkWait(); }); !status)
    return status;
  Expected<Event> done = record(messages);
  if (!done)
    return done.takeError();
  groups.back().done = *done;
  return Status::success();
}

Result NcclRank::put(const PlanMessage &message) const {
  void *data = reinterpret_cast<void *>(at(message.buffer));
  auto bytes = static_cast<size_t>(message.bytes);
  const Nccl &nccl = comms->nccl();
  if (bytes == 0)
    return nccl::Success;
  return message.isSend ? nccl.send(data, bytes, Int8, message.peer,
                                    comms->getWorld(), messages)
                        : nccl.receive(data, bytes, Int8, message.peer,
                                       comms->getWorld(), messages);
}

Status NcclRank::exchange(const PlanOperation &operation) {
  std::set<int64_t> peers;
  bool hasSends = false;
  for (const PlanMessage &message : operation.messages) {
    peers.insert(message.peer);
    hasSends |= message.isSend;
  }
  Group group = {};
  group.peers = listRanks(peers);
  // What is only received may be written while tasks before it still run.
  if (hasSends) {
    Expected<Event> ready = record(device->stream());
    if (!ready)
      return ready.takeError();
    group.ready = *ready;
  } else {
    group.ready = reservations[operation.messages.front().number];
  }
  Status status = putGroup(comms->getWorld(), std::move(group), [&] {
    Result result = nccl::Success;
    for (const PlanMessage &message : operation.messages)
      if (result == nccl::Success || result == InProgress)
        result = put(message);
    return result;
  });
  if (!status)
    return status;
  for (const PlanMessage &message : operation.messages)
    received[message.number] = groups.back().done;
  return Status::success();
}

Expected<const NcclRank::Sum *> NcclRank::findSum(int64_t stage) {
  auto [found, isNew] = sums.insert({stage, {}});
  Sum &sum = found->second;
  if (!isNew)
    return static_cast<const Sum *>(&sum);
  sum.states = listSummedStates(stage);
  for (const SummedState &state : sum.states) {
    Expected<void *> place = model->locateState(state.name.c_str());
    if (!place)
      return place.takeError();
    sum.places.push_back(*place);
  }
  return static_cast<const Sum *>(&sum);
}

/// Replaces states by their sums, where they are.
Status NcclRank::reduce(const PlanOperation &operation) {
  const std::vector<int64_t> &ranks = pipeline.stages[operation.stage].ranks;
  Expected<const Sum *> found = findSum(operation.stage);
  if (!found)
    return found.takeError();
  const Sum &sum = **found;
  auto set = std::find(rankSets.begin(), rankSets.end(), ranks);
  Comm comm = comms->getGroup(set - rankSets.begin());
  std::set<int64_t> peers(ranks.begin(), ranks.end());
  peers.erase(rank);
  Expected<Event> ready = record(device->stream());
  if (!ready)
    return ready.takeError();
  for (size_t first = 0; first < sum.states.size(); first += mostGrouped) {
    size_t end = std::min(sum.states.size(), first + mostGrouped);
    Group group = {};
    group.ready = *ready;
    group.peers = listRanks(peers);
    group.sum = end == sum.states.size() ? &operation : nullptr;
    Status status = putGroup(comm, std::move(group), [&] {
      Result result = nccl::Success;
      for (size_t i = first; i < end; ++i) {
        const SummedState &state = sum.states[i];
        size_t count = 1;
        for (int64_t size : state.shape)
          count *= static_cast<size_t>(size);
        if (count > 0 && (result == nccl::Success || result == InProgress))
          result = comms->nccl().allReduce(
              sum.places[i], sum.places[i], count,
              state.dtype == DType::F64 ? Float64 : Float32,
              state.isMean ? Average : nccl::Sum, comm, messages);
      }
      return result;
    });
    if (!status)
      return status;
  }
  return Status::success();
}

Status NcclRank::enqueue(const PlanOperation &operation, Call &call) {
  switch (operation.kind) {
  case PlanOperation::Kind::Run:
    return runTask(operation, call);
  case PlanOperation::Kind::Copy:
    return copyRows(operation.copy);
  case PlanOperation::Kind::Give:
    return copyToHost(operation, operation.given);
  case PlanOperation::Kind::Exchange:
    return exchange(operation);
  case PlanOperation::Kind::Reduce:
    return reduce(operation);
  case PlanOperation::Kind::Wait:
    return waitOnStream(device->stream(), received[operation.message]);
  case PlanOperation::Kind::Reserve: {
    Expected<Event> event = record(device->stream());
    if (!event)
      return event.takeError();
    for (const PlanMessage &message : operation.messages)
      reservations[message.number] = *event;
    return Status::success();
  }
  case PlanOperation::Kind::Send:
  case PlanOperation::Kind::Receive:
    break;
  }
  return makeError("messages of NCCL begin in the order of the plan");
}

} // namespace tenon::runtime::nccl
