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
#include "tenon/Runtime/ArenaPlan.h"

#include <algorithm>
#include <chrono>
#include <thread>

using namespace tenon::artifact;

namespace tenon::runtime {

//===----------------------------------------------------------------------===//
// Loading
//===----------------------------------------------------------------------===//

Status HostRank::load(const LoadSettings &settings) {
  if (Status status = RankRunner::load(settings); !status)
    return status;
  if (Status status = makeArena(); !status)
    return status;
  if (Status status = makeSums(); !status)
    return status;
  return reserveStaging();
}

/// Runs do not overlap, so all entries use one arena.
Status HostRank::makeArena() {
  int64_t bytes = 0;
  for (const Prepared &entry : prepared)
    bytes = std::max(bytes, entry.table->arena_bytes);
  Expected<Block> block =
      Block::allocate(memory, bytes, "the tensors between tasks");
  if (!block)
    return block.takeError();
  arena = std::move(*block);
  for (Prepared &entry : prepared)
    for (int32_t i = 0; i < entry.table->num_tensors; ++i)
      if (const tenon_rank_tensor &tensor = entry.table->tensors[i];
          tensor.kind == TENON_BUFFER_ARENA)
        entry.tensors[i] =
            getArenaPart(tensor, TENON_DEVICE_CPU, arena.data() + tensor.offset,
                         entry.strides[i]);
  return Status::success();
}

Status HostRank::makeSums() {
  for (const Prepared &entry : prepared)
    for (int32_t i = 0; i < entry.table->num_steps; ++i) {
      const tenon_rank_step &step = entry.table->steps[i];
      // Entries may share tables.
      if (step.kind != TENON_RANK_ALL_REDUCE || sums.count(&step))
        continue;
      std::vector<int64_t> ranks(step.ranks, step.ranks + step.num_ranks);
      std::unique_ptr<GradientSum> &sum = sums[&step];
      sum = std::make_unique<GradientSum>(*model, transport, memory,
                                          std::move(ranks), step.tag,
                                          listSummands(*entry.table, step));
      if (Status status = sum->allocate(); !status)
        return status;
    }
  return Status::success();
}

/// So that runs allocate nothing.
Status HostRank::reserveStaging() {
  int64_t most = 0;
  for (const Prepared &entry : prepared)
    for (int32_t i = 0; i < entry.table->num_steps; ++i) {
      const tenon_rank_step &step = entry.table->steps[i];
      int64_t bytes = 0;
      for (int32_t j = 0; step.kind == TENON_RANK_TASK && j < step.num_tensors;
           ++j)
        if (const tenon_rank_tensor &tensor =
                entry.table->tensors[step.tensors[j]];
            !isDense(tensor))
          bytes += (getBytes(tensor) + arenaAlignment - 1) / arenaAlignment *
                   arenaAlignment;
      most = std::max(most, bytes);
    }
  return model->reserveStaging(most);
}

Status HostRank::begin(int32_t entry, const tenon_tensor *givenInputs,
                       const tenon_tensor *givenOutputs) {
  if (Status status = RankRunner::begin(entry, givenInputs, givenOutputs);
      !status)
    return status;
  for (int32_t i = 0; i < active->table->num_tensors; ++i)
    if (const tenon_rank_tensor &tensor = active->table->tensors[i];
        tensor.kind != TENON_BUFFER_ARENA)
      active->tensors[i] = getPart(
          (tensor.kind == TENON_BUFFER_INPUT ? inputs : outputs)[tensor.index],
          tensor, active->strides[i]);
  tickets.assign(active->table->num_steps, nullptr);
  running.clear();
  numSums = 0;
  return Status::success();
}

//===----------------------------------------------------------------------===//
// Steps
//===----------------------------------------------------------------------===//

/// The model takes tensors with strides, also as outputs: it computes them in
/// dense memory, and copies them at the end.
Status HostRank::runTask(const tenon_rank_step &step) {
  int64_t start = isTraced ? Trace::now() : 0;
  Status status;
  if (timedWaits > 0) {
    std::this_thread::sleep_for(
        std::chrono::duration<double>(step.seconds * timedWaits));
  } else {
    listTensors(step);
    size_t numInputs = countInputs(step);
    status = model->run(getTaskName(step), given.data(), numInputs,
                        given.data() + numInputs, given.size() - numInputs);
  }
  if (!status)
    return failTask(step, status);
  if (isTraced) {
    int64_t end = Trace::now();
    addEvent(step, start, end);
    overhead -= end - start;
  }
  return Status::success();
}

static const void *addressOf(const tenon_tensor &tensor) {
  return static_cast<const char *>(tensor.data) + tensor.byte_offset;
}

void HostRank::copy(const tenon_rank_step &step) const {
  if (getBytes(active->table->tensors[step.tensors[0]]) > 0)
    copyStrided(active->tensors[step.tensors[0]],
                active->tensors[step.tensors[1]]);
}

Status HostRank::beginMessage(const tenon_rank_step &step) {
  void *data = active->tensors[step.tensors[0]].data;
  auto bytes =
      static_cast<size_t>(getBytes(active->table->tensors[step.tensors[0]]));
  Expected<Transport::Ticket> ticket =
      step.kind == TENON_RANK_SEND
          ? transport.send(step.ranks[0], step.tag, data, bytes)
          : transport.receive(step.ranks[0], step.tag, data, bytes);
  if (!ticket)
    return ticket.takeError();
  tickets[next] = std::move(*ticket);
  return Status::success();
}

Status HostRank::beginSum(const tenon_rank_step &step) {
  GradientSum &sum = *sums[&step];
  running.push_back({&sum, &step, isTraced ? Trace::now() : 0});
  return sum.begin(active->tensors);
}

//===----------------------------------------------------------------------===//
// Waiting
//===----------------------------------------------------------------------===//

bool HostRank::isRunning(const tenon_rank_step &sum) const {
  return std::any_of(running.begin(), running.end(),
                     [&](const Running &one) { return one.step == &sum; });
}

Expected<bool> HostRank::advanceSums(bool mayWait,
                                     const tenon_rank_step *last) {
  while (!running.empty() && (!last || isRunning(*last))) {
    const Running &first = running.front();
    Expected<bool> isDone = first.sum->advance(mayWait);
    if (!isDone || !*isDone)
      return isDone;
    if (isTraced)
      addEvent(*first.step, first.begin, Trace::now());
    running.pop_front();
    ++numSums;
  }
  return true;
}

/// Other ranks may need this one's part of a sum before they send, so the sums
/// continue meanwhile.
Status HostRank::waitBesideSums(const Transport::Ticket &ticket) {
  auto begin = std::chrono::steady_clock::now();
  std::chrono::seconds limit = transport.getWatchdog();
  while (!running.empty()) {
    Expected<bool> isDone = transport.test(ticket);
    if (!isDone || *isDone)
      return isDone ? Status::success() : isDone.takeError();
    if (Expected<bool> areDone = advanceSums(/*mayWait=*/false); !areDone)
      return areDone.takeError();
    if (limit.count() > 0 && std::chrono::steady_clock::now() - begin > limit)
      return makeError("waited for rank ", ticket->peer, " for ", limit.count(),
                       " s");
    std::this_thread::sleep_for(std::chrono::microseconds(100));
  }
  return transport.wait(ticket);
}

Expected<bool> HostRank::waitForMessage(const Transport::Ticket &ticket,
                                        bool mayWait) {
  if (!mayWait) {
    if (Expected<bool> areDone = advanceSums(/*mayWait=*/false); !areDone)
      return areDone;
    return transport.test(ticket);
  }
  Status status = waitBesideSums(ticket);
  return status ? Expected<bool>(true) : status.takeError();
}

/// Returns whether everything that the step awaits is done.
Expected<bool> HostRank::wait(const tenon_rank_step &step, bool mayWait) {
  int64_t begin = isTraced ? Trace::now() : 0;
  Expected<bool> isDone = true;
  for (int32_t i = 0; i < step.num_awaited && isDone && *isDone; ++i) {
    const tenon_rank_step &begun = active->table->steps[step.awaited[i]];
    isDone = begun.kind == TENON_RANK_ALL_REDUCE
                 ? advanceSums(mayWait, &begun)
                 : waitForMessage(tickets[step.awaited[i]], mayWait);
  }
  if (isTraced)
    overhead -= Trace::now() - begin;
  return isDone;
}

//===----------------------------------------------------------------------===//
// Runs
//===----------------------------------------------------------------------===//

Expected<RankState> HostRank::doSteps(bool mayWait) {
  for (; next < active->table->num_steps; ++next) {
    const tenon_rank_step &step = active->table->steps[next];
    Status status;
    switch (step.kind) {
    case TENON_RANK_TASK:
      if (Expected<bool> areDone = advanceSums(/*mayWait=*/false); !areDone)
        return areDone.takeError();
      status = runTask(step);
      break;
    case TENON_RANK_COPY:
      copy(step);
      break;
    case TENON_RANK_ADD:
      addTo(step, addressOf(active->tensors[step.tensors[0]]));
      break;
    case TENON_RANK_ALL_REDUCE:
      status = beginSum(step);
      break;
    case TENON_RANK_WAIT:
      if (Expected<bool> isDone = wait(step, mayWait); !isDone)
        return isDone.takeError();
      else if (!*isDone)
        return RankState::Waiting;
      break;
    case TENON_RANK_BARRIER:
      ++next;
      return RankState::AtBarrier;
    default:
      status = beginMessage(step);
    }
    if (!status)
      return status.takeError();
  }
  return RankState::Ended;
}

Expected<RankState> HostRank::advance(bool mayWait) {
  if (!isTraced)
    return doSteps(mayWait);
  int64_t begin = Trace::now();
  Expected<RankState> result = doSteps(mayWait);
  overhead += Trace::now() - begin;
  return result;
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
  for (const auto &[step, sum] : sums)
    bytes += sum->getBytes();
  return bytes;
}

} // namespace tenon::runtime
