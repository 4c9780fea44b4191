//===- CpuModel.cpp - planning and running on the CPU -------------------===//
//
// Part of the Tenon project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "CpuModel.h"

#include "tenon/Runtime/ArenaPlan.h"
#include "tenon/Runtime/Parallel.h"

#include <algorithm>
#include <cstring>

using namespace tenon::artifact;

namespace tenon::runtime {

/// Below, memory is not worth the page faults of giving it back.
static constexpr int64_t largeArena = int64_t(64) << 20;

/// Copies of fewer bytes are left to one thread.
static constexpr int64_t copyGrain = 256 * 1024;

//===----------------------------------------------------------------------===//
// Planning
//===----------------------------------------------------------------------===//

Status CpuModel::plan() {
  LibraryWork work;
  if (Status status = evaluateSizes(); !status)
    return status;
  if (Status status = planArena(program.num_prepare_steps, program.num_steps);
      !status)
    return status;
  if (Status status = planScratch(); !status)
    return status;
  for (int32_t i = program.num_prepare_steps; i < program.num_steps; ++i)
    if (sites[i]) {
      if (Status status = selectSite(i); !status)
        return status;
    } else if (plugins[i]) {
      if (Status status = selectPlugin(i); !status)
        return status;
    }
  refreshPointers();
  return Status::success();
}

/// Places the arena buffers of the steps [firstStep, endStep).
Status CpuModel::planArena(int32_t firstStep, int32_t endStep) {
  Expected<int64_t> bytes = placeArena(firstStep, endStep, arenaOffsets);
  if (!bytes)
    return bytes.takeError();
  // Kept when it is large enough, so that sizes may alternate; a large one is
  // given back when a quarter is enough.
  if (arena.size() < *bytes ||
      (arena.size() > largeArena && arena.size() / 4 > *bytes)) {
    arena = Block(); // not both at once
    Expected<Block> block = Block::allocate(*bytes, "the arena");
    if (!block)
      return block.takeError();
    arena = std::move(*block);
  }
  for (int32_t i = 0; i < program.num_buffers; ++i)
    if (arenaOffsets[i] >= 0)
      addresses[i] = arena.data() + arenaOffsets[i];
  return Status::success();
}

Status CpuModel::planScratch() {
  Expected<int64_t> bytes = evaluateScratch();
  if (!bytes)
    return bytes.takeError();
  scratchStride =
      (*bytes + arenaAlignment - 1) / arenaAlignment * arenaAlignment;
  if (scratch.size() < scratchStride * threads) {
    scratch = Block();
    Expected<Block> block =
        Block::allocate(scratchStride * threads, "scratch memory");
    if (!block)
      return block.takeError();
    scratch = std::move(*block);
  }
  return Status::success();
}

/// Makes or finds the oneDNN plan of a step; raw weights that were packed and
/// that nothing else reads are given back.
Status CpuModel::selectSite(int32_t step) {
  LibrarySite &site = *sites[step];
  const tenon_step &table = program.steps[step];
  if (!table.site->constant_weight)
    return site.select(state.symbols(), nullptr);
  int32_t weight = table.buffers[1];
  if (Status status = site.select(state.symbols(), addresses[weight]); !status)
    return status;
  if (step < program.num_prepare_steps)
    return Status::success();
  if (site.needsRawWeight() != countedRaw[step]) {
    countedRaw[step] = site.needsRawWeight();
    rawReaders[weight] += countedRaw[step] ? 1 : -1;
    if (rawReaders[weight] == 0)
      releaseBuffer(weight);
  }
  return Status::success();
}

Status CpuModel::selectPlugin(int32_t step) {
  const tenon_step &table = program.steps[step];
  std::vector<void *> buffers;
  for (int32_t i = 0; i < table.num_buffers; ++i)
    buffers.push_back(addresses[table.buffers[i]]);
  return plugins[step]->select(state.symbols(), buffers.data());
}

/// Gives back the memory of a buffer that no step of a run reads as it is.
void CpuModel::releaseBuffer(int32_t buffer) {
  const tenon_buffer &table = program.buffers[buffer];
  if (table.kind == TENON_BUFFER_PREPARED) {
    prepared[buffer] = Block();
    addresses[buffer] = nullptr;
  } else if (table.kind == TENON_BUFFER_PARAM) {
    // Another buffer may be the same parameter: then only pages of the file go,
    // which come back when they are read again.
    for (int32_t i = 0; i < program.num_buffers; ++i)
      if (i != buffer && program.buffers[i].kind == TENON_BUFFER_PARAM &&
          program.buffers[i].index == table.index)
        return parameters.drop(table.index);
    parameters.release(table.index);
    addresses[buffer] = const_cast<void *>(parameters.data(table.index));
  }
}

void CpuModel::refreshPointers() {
  for (int32_t i = 0; i < program.num_steps; ++i)
    for (int32_t j = 0; j < program.steps[i].num_buffers; ++j)
      pointers[pointersBegin[i] + j] = addresses[program.steps[i].buffers[j]];
}

//===----------------------------------------------------------------------===//
// Running
//===----------------------------------------------------------------------===//

namespace {
struct KernelCall {
  tenon_kernel_fn kernel;
  const int64_t *symbols;
  void *const *buffers;
  char *scratch;
  int64_t scratchStride;
};

/// A check of indices and the kernel that reads at them, in turns: what a part
/// of the check has brought into the cache, the kernel finds there.
struct CheckedCall {
  KernelCall check, reader;
  int64_t parts, extent; // of the check, of the reader
};

struct CopyCall {
  char *to;
  const char *from;
};
} // namespace

static void runKernelPart(void *data, int thread, int64_t lo, int64_t hi) {
  const KernelCall &call = *static_cast<const KernelCall *>(data);
  call.kernel(call.symbols, call.buffers,
              call.scratch + thread * call.scratchStride, lo, hi);
}

static void runCheckedPart(void *data, int thread, int64_t lo, int64_t hi) {
  CheckedCall &call = *static_cast<CheckedCall *>(data);
  for (int64_t part = lo; part < hi; ++part) {
    runKernelPart(&call.check, thread, part, part + 1);
    runKernelPart(&call.reader, thread, call.extent * part / call.parts,
                  call.extent * (part + 1) / call.parts);
  }
}

static void runCopyPart(void *data, int, int64_t lo, int64_t hi) {
  const CopyCall &call = *static_cast<const CopyCall *>(data);
  std::memcpy(call.to + lo, call.from + lo, static_cast<size_t>(hi - lo));
}

/// Whether a step is a check that runs together with the next one, which reads
/// the same indices (else they could be overwritten before they are checked). A
/// trace tells of steps one by one.
bool CpuModel::joinsNext(int32_t index) const {
  int32_t next = index + 1;
  if (index < program.num_prepare_steps || next == program.num_steps ||
      checkOfStep[index] < 0 || checkOfStep[next] >= 0 || tracing ||
      extents[index] < 2 || extents[next] < extents[index] ||
      program.steps[next].kind != TENON_STEP_KERNEL)
    return false;
  int32_t indices = program.steps[index].buffers[0];
  const tenon_buffer &buffer = program.buffers[indices];
  if (buffer.kind == TENON_BUFFER_INPUT && program.donations &&
      program.donations[buffer.index] >= 0)
    return false;
  const tenon_step &reader = program.steps[next];
  return std::find(reader.buffers, reader.buffers + reader.num_buffers,
                   indices) != reader.buffers + reader.num_buffers;
}

Status CpuModel::runKernel(int32_t index) {
  if (joinsNext(index))
    return Status::success();
  auto callOf = [&](int32_t step) {
    return KernelCall{program.steps[step].kernel, state.symbols(),
                      pointers.data() + pointersBegin[step], scratch.data(),
                      scratchStride};
  };
  const tenon_step &step = program.steps[index];
  KernelCall call = callOf(index);
  int32_t check = checkOfStep[index];
  if (index > 0 && joinsNext(index - 1)) {
    check = checkOfStep[index - 1];
    CheckedCall both{callOf(index - 1), call, extents[index - 1],
                     extents[index]};
    int64_t grain = step.grain / (both.extent / both.parts);
    parallelFor(both.parts, std::max<int64_t>(grain, 1), threads,
                runCheckedPart, &both);
  } else {
    parallelFor(extents[index], step.grain, threads, runKernelPart, &call);
  }
  if (check < 0)
    return Status::success();
  return examineCheck(check, static_cast<const int64_t *>(
                                 addresses[program.checks[check].buffer]));
}

Status CpuModel::runStep(int32_t index) {
  const tenon_step &step = program.steps[index];
  void *const *buffers = pointers.data() + pointersBegin[index];
  switch (step.kind) {
  case TENON_STEP_KERNEL:
    return runKernel(index);
  case TENON_STEP_LIBRARY:
    return sites[index]->run(buffers);
  case TENON_STEP_PLUGIN:
    return plugins[index]->run(buffers);
  default: {
    // An input that was donated to the output is already in its place.
    if (buffers[0] == buffers[1])
      return Status::success();
    CopyCall call{static_cast<char *>(buffers[1]),
                  static_cast<const char *>(buffers[0])};
    parallelFor(byteSizes[step.buffers[1]], copyGrain, threads, runCopyPart,
                &call);
    return Status::success();
  }
  }
}

static const char *categoryOf(const tenon_step &step, bool isCheck) {
  switch (step.kind) {
  case TENON_STEP_KERNEL:
    return isCheck ? "check" : "kernel";
  case TENON_STEP_LIBRARY:
    return step.site->library == TENON_LIBRARY_WINOGRAD ? "winograd" : "onednn";
  case TENON_STEP_PLUGIN:
    return step.plugin->backend;
  default:
    return "copy";
  }
}

Status CpuModel::run(const tenon_tensor *inputs, size_t numInputs,
                     tenon_tensor *outputs, size_t numOutputs) {
  if (Status status = state.check(inputs, numInputs, outputs, numOutputs);
      !status)
    return status;
  ThreadScope scope(threads);
  if (Status status = state.commit([&] { return plan(); }); !status)
    return status;

  for (int32_t i = 0; i < program.num_buffers; ++i) {
    const tenon_buffer &buffer = program.buffers[i];
    if (buffer.kind == TENON_BUFFER_INPUT ||
        buffer.kind == TENON_BUFFER_OUTPUT) {
      const tenon_tensor &tensor = buffer.kind == TENON_BUFFER_INPUT
                                       ? inputs[buffer.index]
                                       : outputs[buffer.index];
      // Empty tensors may have no data.
      addresses[i] = reinterpret_cast<void *>(
          reinterpret_cast<uintptr_t>(tensor.data) + tensor.byte_offset);
    }
  }
  for (const CallerPointer &pointer : callerPointers)
    pointers[pointer.position] = addresses[pointer.buffer];

  for (int32_t i = program.num_prepare_steps; i < program.num_steps; ++i) {
    if (!tracing) {
      if (Status status = runStep(i); !status)
        return status;
      continue;
    }
    int64_t begin = Trace::now();
    if (Status status = runStep(i); !status)
      return status;
    const tenon_step &step = program.steps[i];
    trace.add(i - program.num_prepare_steps, step.name,
              categoryOf(step, checkOfStep[i] >= 0),
              sites[i]     ? sites[i]->implementation()
              : plugins[i] ? plugins[i]->pattern()
                           : nullptr,
              begin, Trace::now());
  }
  return Status::success();
}

uint64_t CpuModel::memoryBytes() const {
  int64_t sum = arena.size() + scratch.size() + workspace.size() +
                parameters.ownedBytes();
  for (const Block &block : prepared)
    sum += block.size();
  if (dnnl)
    sum += dnnl->memoryBytes();
  for (const std::unique_ptr<LibrarySite> &site : sites)
    if (site)
      sum += site->memoryBytes();
  return static_cast<uint64_t>(sum);
}

} // namespace tenon::runtime
