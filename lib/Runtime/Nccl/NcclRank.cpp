//===- NcclRank.cpp - a rank whose messages go over NCCL ------------------===//
//
// Part of the Tenon project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "NcclRank.h"
#include "../Pipeline/NcclRuntime.h"
#include "../StridedCopy.h"
#include "../Trace.h"

#include <algorithm>

using namespace tenon::artifact;
using namespace tenon::runtime::cuda;

namespace tenon::runtime::nccl {

//===----------------------------------------------------------------------===//
// Loading
//===----------------------------------------------------------------------===//

Status NcclRank::openDevice(const LoadSettings &settings) {
  Expected<std::unique_ptr<Device>> opened =
      Device::open(settings.options.options.device_id, /*otherwise=*/"",
                   settings.isPlanned());
  if (!opened)
    return opened.takeError();
  device = std::move(*opened);
  device->limitMemory(memory);
  ContextScope scope(*device);
  if (Status status = scope.status(); !status)
    return status;
  if (Result code = device->driver().streamCreate(&messages, StreamNonBlocking);
      code != cuda::Success)
    return device->fail(code, "no stream can be made");
  return Status::success();
}

Status NcclRank::load(const LoadSettings &settings) {
  if (Status status = openDevice(settings); !status)
    return status;
  if (!settings.isPlanned()) {
    Expected<Nccl> nccl = Nccl::open();
    if (!nccl)
      return nccl.takeError();
    comms = std::make_unique<NcclComms>(*nccl);
  }
  watchdogSeconds = settings.options.watchdog_seconds;
  rankSets = listRankSets(program);
  // Times are taken here, for whole tasks.
  LoadSettings own = settings;
  own.options.options.trace = 0;
  if (Status status = RankRunner::load(own); !status)
    return status;
  isTraced = settings.options.options.trace != 0;
  if (Status status = findSums(); !status)
    return status;
  return makeMemory();
}

Status NcclRank::findSums() {
  for (const Prepared &entry : prepared)
    for (int32_t i = 0; i < entry.table->num_steps; ++i) {
      const tenon_rank_step &step = entry.table->steps[i];
      // Entries may share tables.
      if (step.kind != TENON_RANK_ALL_REDUCE || sums.count(&step))
        continue;
      Sum &sum = sums[&step];
      sum.summands = listSummands(*entry.table, step);
      for (const Summand &one : sum.summands) {
        if (one.tensor >= 0) {
          sum.places.push_back(nullptr);
          continue;
        }
        Expected<void *> place = model->locateState(one.name.c_str());
        if (!place)
          return place.takeError();
        sum.places.push_back(*place);
      }
    }
  return Status::success();
}

Status NcclRank::connect() {
  if (comms->areOpen())
    return Status::success();
  ContextScope scope(*device);
  if (Status status = scope.status(); !status)
    return status;
  waitsForAll();
  Status status = comms->open(transport, findFreeTag(program), rankSets,
                              [&] { return checkWait(); });
  if (!status)
    comms->abort();
  return status;
}

/// From now on, the watchdog waits for all other ranks.
void NcclRank::waitsForAll() {
  groups = {{nullptr, nullptr, "the other ranks", nullptr, 0, false}};
  firstOpen = 0;
  openSince = std::chrono::steady_clock::now();
}

void NcclRank::disconnect(bool hasFailed) {
  if (!comms || !comms->areOpen())
    return;
  ContextScope scope(*device);
  if (hasFailed || !scope.status())
    return comms->abort();
  waitsForAll();
  comms->close([&] { return checkWait(); });
}

NcclRank::~NcclRank() {
  if (!device)
    return;
  ContextScope scope(*device);
  comms.reset();
  if (!device->isGone()) {
    const Driver &cu = device->driver();
    cu.streamSynchronize(device->stream());
    for (Event event : pool)
      cu.eventDestroy(event);
    if (messages)
      cu.streamDestroy(messages);
  }
  arena = DeviceBlock();
  pinned = PinnedBlock();
}

uint64_t NcclRank::memoryBytes() const {
  return model->memoryBytes() + arena.size() + pinned.size();
}

//===----------------------------------------------------------------------===//
// Runs
//===----------------------------------------------------------------------===//

Status NcclRank::begin(int32_t entry, const tenon_tensor *givenInputs,
                       const tenon_tensor *givenOutputs) {
  if (Status status = RankRunner::begin(entry, givenInputs, givenOutputs);
      !status)
    return status;
  ContextScope scope(*device);
  if (Status status = scope.status(); !status)
    return status;
  layout = &layouts[entry];
  nextGroups = layout->groups;
  numEvents = 0;
  lastTask = nullptr;
  groups.clear();
  firstOpen = 0;
  openSince = std::chrono::steady_clock::now();
  done.assign(active->table->num_steps, nullptr);
  return giveInputs();
}

Expected<RankState> NcclRank::advance(bool) {
  ContextScope scope(*device);
  if (Status status = scope.status(); !status)
    return status.takeError();
  int64_t begin = isTraced ? Trace::now() : 0;
  int32_t first = next, count = active->table->num_steps;
  auto isBarrier = [&] {
    return active->table->steps[next].kind == TENON_RANK_BARRIER;
  };
  Status status;
  for (; next < count && !isBarrier() && status; ++next)
    status = enqueue(next);
  if (status)
    status = end();
  if (isTraced)
    overhead += Trace::now() - begin;
  if (!status) {
    giveUp();
    return status.takeError();
  }
  readResults(first, next);
  if (next == count)
    return RankState::Ended;
  ++next;
  return RankState::AtBarrier;
}

//===----------------------------------------------------------------------===//
// Memory
//===----------------------------------------------------------------------===//

/// Runs do not overlap, so all entries use the same memory.
Status NcclRank::makeMemory() {
  int64_t deviceBytes = 0, pinnedBytes = 0;
  for (const Prepared &entry : prepared) {
    layouts.push_back(layOut(*entry.table));
    deviceBytes = std::max(deviceBytes, layouts.back().deviceBytes);
    pinnedBytes = std::max(pinnedBytes, layouts.back().pinnedBytes);
  }
  ContextScope scope(*device);
  if (Status status = scope.status(); !status)
    return status;
  Expected<DeviceBlock> block =
      DeviceBlock::allocate(*device, deviceBytes, "the tensors between tasks");
  if (!block)
    return block.takeError();
  arena = std::move(*block);
  Expected<PinnedBlock> onHost = PinnedBlock::allocate(*device, pinnedBytes);
  if (!onHost)
    return onHost.takeError();
  pinned = std::move(*onHost);
  for (size_t entry = 0; entry < prepared.size(); ++entry)
    for (int32_t i = 0; i < prepared[entry].table->num_tensors; ++i)
      prepared[entry].tensors[i] = bind(entry, i);
  return Status::success();
}

/// Where steps find a tensor on the device.
tenon_tensor NcclRank::bind(size_t entry, int32_t number) {
  const tenon_rank_tensor &tensor = prepared[entry].table->tensors[number];
  bool isOfArena = tensor.kind == TENON_BUFFER_ARENA;
  int64_t place = isOfArena ? tensor.offset : layouts[entry].onDevice[number];
  if (place < 0)
    return {};
  void *data = reinterpret_cast<void *>(arena.data() + place);
  tenon_tensor bound = isOfArena ? getArenaPart(tensor, TENON_DEVICE_CUDA, data,
                                                prepared[entry].strides[number])
                                 : getDense(tensor, TENON_DEVICE_CUDA, data);
  bound.device_id = device->number();
  return bound;
}

/// Copies the parts of the caller's inputs that steps of this rank read.
Status NcclRank::giveInputs() {
  for (int32_t number : layout->givenInputs) {
    const tenon_rank_tensor &tensor = active->table->tensors[number];
    std::vector<int64_t> strides;
    if (getBytes(tensor) > 0)
      gather(getPart(inputs[tensor.index], tensor, strides),
             pinned.data() + layout->pinned[number]);
  }
  if (layout->inputBytes == 0)
    return Status::success();
  if (Result code = device->driver().copyToDevice(
          arena.data() + layout->inputsBegin, pinned.data(),
          static_cast<size_t>(layout->inputBytes), device->stream());
      code != cuda::Success)
    return device->fail(code, "inputs can't be copied to it");
  return Status::success();
}

/// Reads what the steps [begin, end) have copied to pinned memory.
void NcclRank::readResults(int32_t begin, int32_t end) {
  const tenon_rank_program &table = *active->table;
  for (int32_t i = begin; i < end; ++i) {
    if (table.steps[i].kind == TENON_RANK_ADD)
      addTo(table.steps[i], pinned.data() + layout->addends[i]);
    forEachOutput(program, table, table.steps[i], [&](int32_t number) {
      const tenon_rank_tensor &tensor = table.tensors[number];
      std::vector<int64_t> strides;
      if (getBytes(tensor) > 0)
        scatter(pinned.data() + layout->pinned[number],
                getPart(outputs[tensor.index], tensor, strides));
    });
  }
}

static std::unique_ptr<RankRunner>
createRank(const tenon_program &program, int64_t rank,
           std::shared_ptr<const ProgramSlice> slice, Transport &control) {
  return std::make_unique<NcclRank>(program, rank, std::move(slice), control);
}

} // namespace tenon::runtime::nccl

const tenon::runtime::NcclRuntime tenon_runtime_nccl = {
    tenon::runtime::nccl::createRank};
