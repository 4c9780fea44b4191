//===- CudaModelPlan.cpp - memory and addresses for the sizes of a call ---===//
//
// Part of the Tenon project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "CudaModel.h"

#include <algorithm>
#include <climits>

using namespace tenon::artifact;

namespace tenon::runtime::cuda {

/// How many sets of sizes can alternate without being planned again.
static constexpr size_t maxPlans = 8;

/// Alignment of tensors in the staging memory.
static constexpr int64_t alignment = 256;

Status CudaModel::planFor(EntryState &entry, const tenon_tensor *inputs,
                          size_t numInputs) {
  if (!device->lost().empty())
    return makeError("the model can't run any more: ", device->lost());
  if (Status status = entry.call.checkInputs(inputs, numInputs); !status)
    return status;
  ContextScope scope(*device);
  if (Status status = scope.status(); !status)
    return status;
  if (Status status = settle(); !status)
    return status;
  current = &runs[entry.index];
  return entry.call.commit([&] { return selectPlan(); });
}

Status CudaModel::selectPlan() {
  LibraryWork work;
  EntryState &entry = *current->state;
  auto &plans = current->plans;
  CudaPlan *&plan = current->plan;
  const int64_t *symbols = entry.symbols();
  plan = nullptr;
  for (std::unique_ptr<CudaPlan> &known : plans)
    if (std::equal(known->symbols.begin(), known->symbols.end(), symbols))
      plan = known.get();
  if (!plan) {
    std::unique_ptr<CudaPlan> made = std::make_unique<CudaPlan>();
    if (Status status = makePlan(made); !status)
      return status;
    if (plans.size() >= maxPlans)
      plans.erase(std::min_element(plans.begin(), plans.end(),
                                   [](const auto &a, const auto &b) {
                                     return a->lastUse < b->lastUse;
                                   }));
    plans.push_back(std::move(made));
    plan = plans.back().get();
  } else {
    for (int32_t i = table().first_step; i < table().end_step; ++i)
      if (calls[i])
        if (Status status = calls[i]->select(symbols); !status)
          return status;
  }
  plan->lastUse = ++clock;
  adoptPlan();
  return Status::success();
}

/// Makes the plan's sizes current, and updates the entry's buffers and steps.
void CudaModel::adoptPlan() {
  const CudaPlan &plan = *current->plan;
  std::copy(plan.byteSizes.begin(), plan.byteSizes.end(),
            byteSizes.begin() + table().first_buffer);
  std::copy(plan.extents.begin(), plan.extents.end(),
            extents.begin() + table().first_step);
  std::copy(plan.addresses.begin(), plan.addresses.end(),
            addresses.begin() + table().first_buffer);
}

Status CudaModel::makePlan(std::unique_ptr<CudaPlan> &made) {
  EntryState &entry = *current->state;
  const int64_t *symbols = entry.symbols();
  if (Status status = evaluateSizes(entry); !status)
    return status;
  for (int32_t i = table().first_step; i < table().end_step; ++i) {
    const tenon_step &step = program.steps[i];
    if (step.kind == TENON_STEP_KERNEL &&
        (extents[i] < 0 || extents[i] > INT_MAX))
      return makeError("step '", step.name, "' would need ", extents[i],
                       " blocks for inputs of this shape, of ", INT_MAX,
                       " at most");
    if (calls[i])
      if (Status status = calls[i]->select(symbols); !status)
        return status;
  }
  if (Status status = growArena(entry); !status)
    return status;
  if (Status status = growWorkspace(entry); !status)
    return status;

  made->symbols.assign(symbols, symbols + table().num_symbols);
  for (int32_t i = table().first_buffer; i < table().end_buffer; ++i) {
    made->byteSizes.push_back(byteSizes[i]);
    made->addresses.push_back(arenaOffsets[i] >= 0
                                  ? arena.data() + arenaOffsets[i]
                                  : residentAddresses[i]);
  }
  made->extents.assign(extents.begin() + table().first_step,
                       extents.begin() + table().end_step);
  for (const Tensor &tensor : current->tensors) {
    int64_t bytes = tensor.buffer < 0 ? 0 : byteSizes[tensor.buffer];
    made->stagingOffsets.push_back(made->stagingBytes);
    made->tensorBytes.push_back(bytes);
    made->stagingBytes += (bytes + alignment - 1) / alignment * alignment;
  }
  return Status::success();
}

Status CudaModel::growArena(const EntryState &entry) {
  Expected<int64_t> bytes = placeArena(entry, arenaOffsets);
  if (!bytes)
    return bytes.takeError();
  return grow(arena, *bytes, "the arena");
}

Status CudaModel::growWorkspace(const EntryState &entry) {
  Expected<int64_t> bytes = evaluateScratch(entry);
  if (!bytes)
    return bytes.takeError();
  int64_t most = *bytes;
  for (int32_t i = entry.table.first_step; i < entry.table.end_step; ++i)
    if (calls[i])
      most = std::max(most, calls[i]->workspaceBytes());
  return grow(workspace, most, "the workspace of kernels");
}

/// Replaces a block of `present` bytes by one of `bytes`. If there is room, the
/// new block is half as large again as the old one, so that slowly growing
/// sizes do not reallocate in every call. A plan counts what is needed.
template <typename Block, typename Allocate>
static Status replaceBlock(Block &block, int64_t present, int64_t bytes,
                           bool isPlanned, Allocate allocate) {
  int64_t ample = isPlanned ? bytes : std::max(bytes, present + present / 2);
  Expected<Block> made = allocate(ample);
  if (!made && ample > bytes)
    made = allocate(bytes);
  if (!made)
    return made.takeError();
  block = std::move(*made);
  return Status::success();
}

/// Memory never shrinks, because graphs hold its addresses and sizes alternate.
Status CudaModel::grow(DeviceBlock &block, int64_t bytes, const char *what) {
  int64_t present = block.size();
  if (present >= bytes)
    return Status::success();
  if (Status status = device->wait("a step of the run failed"); !status)
    return status;
  dropPlans();
  block = DeviceBlock(); // release first, so that both never exist together
  return replaceBlock(
      block, present, bytes, memory.isPlanned(),
      [&](int64_t size) { return DeviceBlock::allocate(*device, size, what); });
}

/// No work runs between calls, so nothing uses the dropped plans.
void CudaModel::dropPlans() {
  for (EntryRun &run : runs) {
    run.plans.clear();
    run.plan = nullptr;
    run.state->call.invalidate();
  }
}

/// Allocates memory for the tensors of a call: on the device, and also on the
/// host if some of them are in host memory.
Status CudaModel::growStaging(bool fromHost) {
  int64_t bytes = current->plan->stagingBytes;
  int64_t onDevice = staging.size(), onHost = pinned.size();
  if (onDevice >= bytes && (!fromHost || onHost >= bytes))
    return Status::success();
  if (Status status = device->wait("a step of the run failed"); !status)
    return status;
  for (EntryRun &run : runs)
    for (std::unique_ptr<CudaPlan> &plan : run.plans)
      plan->graphs.clear();
  if (onDevice < bytes) {
    staging = DeviceBlock();
    auto allocate = [&](int64_t size) {
      return DeviceBlock::allocate(*device, size,
                                   "copies of inputs and outputs");
    };
    if (Status status = replaceBlock(staging, onDevice, bytes,
                                     memory.isPlanned(), allocate);
        !status)
      return status;
  }
  if (!fromHost || onHost >= bytes)
    return Status::success();
  pinned = PinnedBlock();
  return replaceBlock(
      pinned, onHost, bytes, memory.isPlanned(),
      [&](int64_t size) { return PinnedBlock::allocate(*device, size); });
}

} // namespace tenon::runtime::cuda
