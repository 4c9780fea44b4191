//===- NcclOperations.cpp - what a rank puts on its streams ---------------===//
//
// Part of the Tenon project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "../StridedCopy.h"
#include "../Trace.h"
#include "NcclRank.h"

#include <algorithm>
#include <set>

using namespace tenon::artifact;
using namespace tenon::runtime::cuda;

namespace tenon::runtime::nccl {

static DeviceAddress addressOf(const tenon_tensor &tensor) {
  return reinterpret_cast<uintptr_t>(tensor.data) + tensor.byte_offset;
}

/// Copies contiguous parts.
Status NcclRank::copy(const tenon_rank_step &step) {
  int32_t source = step.tensors[0], target = step.tensors[1];
  if (getBytes(active->table->tensors[source]) == 0)
    return Status::success();
  const tenon_tensor &from = active->tensors[source];
  if (layout->pinned[target] >= 0)
    return copyToHost(from, layout->pinned[target]);
  const tenon_tensor &to = active->tensors[target];
  int64_t bytes = from.dtype.bits / 8;
  Result code = cuda::Success;
  forEachRun(from, to, [&](int64_t inFrom, int64_t inTo, int64_t length) {
    if (code == cuda::Success)
      code = device->driver().copyOnDevice(
          addressOf(to) + inTo * bytes, addressOf(from) + inFrom * bytes,
          static_cast<size_t>(length * bytes), device->stream());
  });
  if (code != cuda::Success)
    return device->fail(code, "parts of a tensor can't be copied");
  return Status::success();
}

/// Copies a tensor, which is not empty, to a place in pinned memory.
Status NcclRank::copyToHost(const tenon_tensor &from, int64_t place) {
  int64_t bytes = from.dtype.bits / 8;
  Result code = cuda::Success;
  forEachRun(from, [&](int64_t inFrom, int64_t inCopy, int64_t length) {
    if (code == cuda::Success)
      code = device->driver().copyToHost(pinned.data() + place + inCopy * bytes,
                                         addressOf(from) + inFrom * bytes,
                                         static_cast<size_t>(length * bytes),
                                         device->stream());
  });
  if (code != cuda::Success)
    return device->fail(code, "results can't be copied from it");
  return Status::success();
}

Status NcclRank::runTask(const tenon_rank_step &step) {
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
  listTensors(step);
  size_t numInputs = countInputs(step);
  if (Status status = model->runOnStream(
          getTaskName(step), given.data(), numInputs, given.data() + numInputs,
          given.size() - numInputs, device->stream());
      !status)
    return failTask(step, status);
  if (checks)
    lastTask = &step;
  if (isTraced) {
    overhead -= Trace::now() - start;
    if (Status status = waitForTasks(); !status)
      return status;
    addEvent(step, start, Trace::now());
  }
  Status status;
  forEachOutput(program, *active->table, step, [&](int32_t tensor) {
    if (status && getBytes(active->table->tensors[tensor]) > 0)
      status = copyToHost(active->tensors[tensor], layout->pinned[tensor]);
  });
  return status;
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

Result NcclRank::put(const tenon_rank_step &message) const {
  auto bytes =
      static_cast<size_t>(getBytes(active->table->tensors[message.tensors[0]]));
  void *data = active->tensors[message.tensors[0]].data;
  const Nccl &nccl = comms->nccl();
  if (bytes == 0)
    return nccl::Success;
  return message.kind == TENON_RANK_SEND
             ? nccl.send(data, bytes, Int8, message.ranks[0], comms->getWorld(),
                         messages)
             : nccl.receive(data, bytes, Int8, message.ranks[0],
                            comms->getWorld(), messages);
}

Status NcclRank::exchange(const NextGroup &next) {
  std::set<int64_t> peers;
  for (int32_t step : next.steps)
    peers.insert(active->table->steps[step].ranks[0]);
  Group group = {};
  group.ready = next.ready;
  group.peers = listRanks(peers);
  Status status = putGroup(comms->getWorld(), std::move(group), [&] {
    Result result = nccl::Success;
    for (int32_t step : next.steps)
      if (result == nccl::Success || result == InProgress)
        result = put(active->table->steps[step]);
    return result;
  });
  if (!status)
    return status;
  for (int32_t step : next.steps)
    done[step] = groups.back().done;
  return Status::success();
}

/// Replaces states and buffers by their sums, where they are.
Status NcclRank::reduce(const NextGroup &next) {
  int32_t number = next.steps.front();
  const tenon_rank_step &step = active->table->steps[number];
  const Sum &sum = sums[&step];
  std::vector<int64_t> ranks(step.ranks, step.ranks + step.num_ranks);
  auto set = std::find(rankSets.begin(), rankSets.end(), ranks);
  Comm comm = comms->getGroup(set - rankSets.begin());
  std::set<int64_t> peers(ranks.begin(), ranks.end());
  peers.erase(rank);
  for (size_t first = 0; first < sum.summands.size(); first += mostGrouped) {
    size_t end = std::min(sum.summands.size(), first + mostGrouped);
    Group group = {};
    group.ready = next.ready;
    group.peers = listRanks(peers);
    group.sum = end == sum.summands.size() ? &step : nullptr;
    Status status = putGroup(comm, std::move(group), [&] {
      Result result = nccl::Success;
      for (size_t i = first; i < end; ++i) {
        const Summand &one = sum.summands[i];
        void *place = one.tensor < 0 ? sum.places[i]
                                     : reinterpret_cast<void *>(addressOf(
                                           active->tensors[one.tensor]));
        size_t count = 1;
        for (int64_t size : one.shape)
          count *= static_cast<size_t>(size);
        if (count > 0 && (result == nccl::Success || result == InProgress))
          result = comms->nccl().allReduce(
              place, place, count, one.dtype == DType::F64 ? Float64 : Float32,
              one.isMean ? Average : nccl::Sum, comm, messages);
      }
      return result;
    });
    if (!status)
      return status;
  }
  done[number] = groups.back().done;
  return Status::success();
}

/// Begins the groups whose turn it is now that the host has come to a step.
Status NcclRank::reach(int32_t number) {
  NextGroup &group = nextGroups[active->table->steps[number].group];
  group.steps.push_back(number);
  if (--group.missing > 0)
    return Status::success();
  Expected<Event> ready = record(device->stream());
  if (!ready)
    return ready.takeError();
  group.ready = *ready;
  while (!nextGroups.empty() && nextGroups.begin()->second.missing == 0) {
    const NextGroup &first = nextGroups.begin()->second;
    const tenon_rank_step &step = active->table->steps[first.steps.front()];
    Status status =
        step.kind == TENON_RANK_ALL_REDUCE ? reduce(first) : exchange(first);
    if (!status)
      return status;
    nextGroups.erase(nextGroups.begin());
  }
  return Status::success();
}

Status NcclRank::enqueue(int32_t number) {
  const tenon_rank_step &step = active->table->steps[number];
  switch (step.kind) {
  case TENON_RANK_TASK:
    return runTask(step);
  case TENON_RANK_COPY:
    return copy(step);
  case TENON_RANK_ADD:
    return copyToHost(active->tensors[step.tensors[0]],
                      layout->addends[number]);
  case TENON_RANK_WAIT:
    for (int32_t i = 0; i < step.num_awaited; ++i)
      if (Status status = waitOnStream(device->stream(), done[step.awaited[i]]);
          !status)
        return status;
    return Status::success();
  default:
    return reach(number);
  }
}

} // namespace tenon::runtime::nccl
