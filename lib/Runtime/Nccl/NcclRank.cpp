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

#include "tenon/Artifact/TensorData.h"

#include <algorithm>
#include <cstdlib>

using namespace tenon::artifact;
using namespace tenon::runtime::cuda;

namespace tenon::runtime::nccl {

/// Of every buffer, the same as that of the driver's allocations.
static int64_t roundUp(int64_t bytes) { return (bytes + 255) / 256 * 256; }

//===----------------------------------------------------------------------===//
// Loading
//===----------------------------------------------------------------------===//

Status NcclRank::openDevice(const LoadSettings &settings) {
  Expected<std::unique_ptr<Device>> opened =
      Device::open(settings.options.options.device_id, /*otherwise=*/"");
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
  Expected<Nccl> nccl = Nccl::open();
  if (!nccl)
    return nccl.takeError();
  comms = std::make_unique<NcclComms>(*nccl);
  watchdogSeconds = settings.options.watchdog_seconds;
  for (const PipelineStage &stage : pipeline.stages)
    if (stage.ranks.size() > 1 && std::find(rankSets.begin(), rankSets.end(),
                                            stage.ranks) == rankSets.end())
      rankSets.push_back(stage.ranks);
  // Times are taken here, for whole tasks.
  LoadSettings own = settings;
  own.options.options.trace = 0;
  if (Status status = RankRunner::load(own); !status)
    return status;
  isTraced = settings.options.options.trace != 0;
  return Status::success();
}

Status NcclRank::connect() {
  if (comms->areOpen())
    return Status::success();
  ContextScope scope(*device);
  if (Status status = scope.status(); !status)
    return status;
  waitsForAll();
  // Behind the tags of links and sums.
  int tag = static_cast<int>(2 * (pipeline.numLinks + pipeline.stages.size()));
  Status status =
      comms->open(transport, tag, rankSets, [&] { return checkWait(); });
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

Status NcclRank::begin(PipelineMode mode, const tenon_tensor *givenInputs,
                       const tenon_tensor *givenOutputs) {
  if (Status status = RankRunner::begin(mode, givenInputs, givenOutputs);
      !status)
    return status;
  ContextScope scope(*device);
  if (Status status = scope.status(); !status)
    return status;
  numEvents = 0;
  lastTask = nullptr;
  groups.clear();
  firstOpen = 0;
  openSince = std::chrono::steady_clock::now();
  received.assign(active->plan.numMessages, nullptr);
  reservations.assign(active->plan.numMessages, nullptr);
  return giveInputs();
}

Expected<bool> NcclRank::advance(bool) {
  ContextScope scope(*device);
  if (Status status = scope.status(); !status)
    return status.takeError();
  int64_t begin = isTraced ? Trace::now() : 0;
  Status status;
  std::vector<PlanOperation> &operations = active->plan.operations;
  for (size_t i = 0; i < operations.size() && status; ++i)
    status = enqueue(operations[i], active->calls[i]);
  if (status)
    status = end();
  if (isTraced)
    overhead += Trace::now() - begin;
  if (!status) {
    giveUp();
    return status.takeError();
  }
  readResults();
  return true;
}

//===----------------------------------------------------------------------===//
// Memory
//===----------------------------------------------------------------------===//

/// Equal parts of inputs have one place.
void NcclRank::layOut(const RankPlan &plan) {
  inputPlaces.clear();
  resultPlaces.clear();
  inputsBegin = roundUp(plan.arenaBytes);
  inputBytes = resultBytes = 0;
  std::map<std::tuple<int32_t, int64_t, int64_t, int64_t>, int64_t> places;
  auto addResult = [&](const PlanOperation &operation,
                       const PlanTensor &tensor) {
    resultPlaces[&operation] = resultBytes;
    resultBytes += roundUp(tensor.getBytes());
  };
  for (const PlanOperation &operation : plan.operations) {
    for (const PlanTensor &tensor : operation.inputs) {
      if (tensor.buffer >= 0)
        continue;
      auto [place, isNew] = places.insert(
          {{tensor.input, tensor.axis, tensor.begin, tensor.getBytes()},
           inputBytes});
      if (isNew)
        inputBytes += roundUp(tensor.getBytes());
      inputPlaces[&tensor] = place->second;
    }
    if (operation.loss >= 0)
      addResult(operation, operation.outputs[operation.loss]);
    else if (operation.kind == PlanOperation::Kind::Give)
      addResult(operation, operation.given);
  }
}

Expected<bool> NcclRank::growArena(const RankPlan &plan) {
  if (laidOut != &plan)
    layOut(plan);
  laidOut = &plan;
  ContextScope scope(*device);
  if (Status status = scope.status(); !status)
    return status.takeError();
  bool hasMoved = false;
  if (int64_t bytes = inputsBegin + inputBytes; arena.size() < bytes) {
    arena = DeviceBlock();
    Expected<DeviceBlock> block =
        DeviceBlock::allocate(*device, bytes, "the tensors between tasks");
    if (!block)
      return block.takeError();
    arena = std::move(*block);
    hasMoved = true;
  }
  if (int64_t bytes = inputBytes + resultBytes; pinned.size() < bytes) {
    pinned = PinnedBlock();
    Expected<PinnedBlock> block = PinnedBlock::allocate(*device, bytes);
    if (!block)
      return block.takeError();
    pinned = std::move(*block);
  }
  return hasMoved;
}

tenon_tensor NcclRank::bind(PlanTensor &tensor) const {
  DeviceAddress address =
      tensor.buffer >= 0
          ? at(tensor.buffer)
          : arena.data() + inputsBegin + inputPlaces.find(&tensor)->second;
  tenon_tensor bound =
      makeTensor(tensor, TENON_DEVICE_CUDA, reinterpret_cast<void *>(address));
  bound.device_id = device->number();
  return bound;
}

/// Copies the parts of the caller's inputs that tasks of this rank read.
Status NcclRank::giveInputs() {
  for (const auto &[tensor, place] : inputPlaces) {
    std::vector<int64_t> strides;
    tenon_tensor part = getPart(inputs[tensor->input], *tensor, strides);
    if (tensor->getBytes() > 0)
      gather(part, pinned.data() + place);
  }
  if (inputBytes == 0)
    return Status::success();
  if (Result code = device->driver().copyToDevice(
          arena.data() + inputsBegin, pinned.data(),
          static_cast<size_t>(inputBytes), device->stream());
      code != cuda::Success)
    return device->fail(code, "inputs can't be copied to it");
  return Status::success();
}

void NcclRank::readResults() {
  for (const PlanOperation &operation : active->plan.operations) {
    auto found = resultPlaces.find(&operation);
    if (found == resultPlaces.end())
      continue;
    const char *data = pinned.data() + inputBytes + found->second;
    if (operation.loss >= 0) {
      DType dtype = operation.outputs[operation.loss].dtype;
      losses.push_back(
          {operation.begin, operation.end, readElement(data, dtype, 0)});
      continue;
    }
    std::vector<int64_t> strides;
    tenon_tensor target =
        getPart(outputs[operation.output], operation.given, strides);
    if (operation.given.getBytes() > 0)
      scatter(data, target);
  }
}

static std::unique_ptr<RankRunner>
createRank(const Pipeline &pipeline, int64_t rank,
           std::shared_ptr<const ProgramSlice> slice, Transport &control) {
  return std::make_unique<NcclRank>(pipeline, rank, std::move(slice), control);
}

} // namespace tenon::runtime::nccl

const tenon::runtime::NcclRuntime tenon_runtime_nccl = {
    tenon::runtime::nccl::createRank};
