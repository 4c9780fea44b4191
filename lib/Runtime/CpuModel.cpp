//===- CpuModel.cpp - planning and running on the CPU ---------------------===//
//
// Part of the Tenon project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "CpuModel.h"
#include "StridedCopy.h"

#include "tenon/Runtime/ArenaPlan.h"
#include "tenon/Runtime/Parallel.h"

#include <algorithm>
#include <cstring>
#include <optional>

using namespace tenon::artifact;

namespace tenon::runtime {

/// Copies of fewer bytes use one thread.
static constexpr int64_t copyGrain = 256 * 1024;

namespace {
struct KernelCall {
  tenon_kernel_fn kernel;
  const int64_t *symbols;
  void *const *buffers;
  char *scratch;
  int64_t scratchStride;
};

/// An index check and the kernel that reads at these indices, run alternately:
/// the kernel finds in the cache what a part of the check has loaded.
struct CheckedCall {
  KernelCall check, reader;
  int64_t parts, extent; // of the check; of the reader
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

/// Returns whether a step is a check that runs together with the next step,
/// which reads the same indices. The indices must not be overwritten before
/// they are checked. Not while tracing, because a trace records single steps.
bool CpuModel::joinsNext(const EntryState &entry, int32_t index) const {
  int32_t next = index + 1;
  if (entry.index == program.num_entries || index < entry.table.first_step ||
      next == entry.table.end_step || checkOfStep[index] < 0 ||
      checkOfStep[next] >= 0 || tracing || observer || extents[index] < 2 ||
      extents[next] < extents[index] ||
      program.steps[next].kind != TENON_STEP_KERNEL)
    return false;
  int32_t indices = program.steps[index].buffers[0];
  const tenon_buffer &buffer = program.buffers[indices];
  if (buffer.kind == TENON_BUFFER_INPUT && entry.table.donations &&
      entry.table.donations[buffer.index] >= 0)
    return false;
  // The reader may write the state in place.
  if (buffer.kind == TENON_BUFFER_STATE)
    return false;
  const tenon_step &reader = program.steps[next];
  return std::find(reader.buffers, reader.buffers + reader.num_buffers,
                   indices) != reader.buffers + reader.num_buffers;
}

Status CpuModel::runKernel(EntryState &entry, int32_t index) {
  if (joinsNext(entry, index))
    return Status::success();
  auto callOf = [&](int32_t step) {
    return KernelCall{program.steps[step].kernel, entry.symbols(),
                      pointers.data() + pointersBegin[step], scratch.data(),
                      planOf(entry).scratchStride};
  };
  const tenon_step &step = program.steps[index];
  KernelCall call = callOf(index);
  int32_t check = checkOfStep[index];
  if (joinsNext(entry, index - 1)) {
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

Status CpuModel::runStep(EntryState &entry, int32_t index) {
  const tenon_step &step = program.steps[index];
  void *const *buffers = pointers.data() + pointersBegin[index];
  switch (step.kind) {
  case TENON_STEP_KERNEL:
    return runKernel(entry, index);
  case TENON_STEP_LIBRARY:
    return runTask([&] { return calls[index]->run(buffers); });
  case TENON_STEP_PLUGIN:
    return runTask([&] { return plugins[index]->run(buffers); });
  default: {
    // An input that was donated to the output is already in place.
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

/// Other numbers were refused at load.
static const char *libraryName(int32_t library) {
  switch (library) {
#define TENON_LIBRARY(Name, NAME, number, name, device)                        \
  case TENON_LIBRARY_##NAME:                                                   \
    return name;
#include "tenon/Artifact/Libraries.def"
  default:
    return "library";
  }
}

static const char *categoryOf(const tenon_step &step, bool isCheck) {
  switch (step.kind) {
  case TENON_STEP_KERNEL:
    return isCheck ? "check" : "kernel";
  case TENON_STEP_LIBRARY:
    return libraryName(step.call->library);
  case TENON_STEP_PLUGIN:
    return step.plugin->backend;
  default:
    return "copy";
  }
}

Status CpuModel::run(EntryState &entry, const tenon_tensor *inputs,
                     size_t numInputs, tenon_tensor *outputs,
                     size_t numOutputs) {
  if (Status status = entry.call.check(inputs, numInputs, outputs, numOutputs);
      !status)
    return status;
  // Skipped if possible, because reading thread-local variables would slow down
  // short runs.
  std::optional<ExecutorScope> host;
  if (executor.get())
    host.emplace(executor.get());
  ThreadScope scope(libraryThreads());
  if (Status status = entry.call.commit([&] { return plan(entry); }); !status)
    return status;
  if (planOf(entry).arenaBase != arena.data()) {
    rebase(entry);
    refreshPointers(entry);
  }

  for (int32_t i = entry.table.first_buffer; i < entry.table.end_buffer; ++i) {
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
  bool isStaged = !entry.call.areDense();
  if (isStaged)
    if (Status status = stageTensors(entry, inputs); !status)
      return status;
  for (const CallerPointer &pointer : planOf(entry).callerPointers)
    pointers[pointer.position] = addresses[pointer.buffer];
  Status status = runSteps(entry);
  if (status && host)
    status = host->status();
  if (status && isStaged)
    unstageOutputs(entry, outputs);
  return status;
}

Status CpuModel::planFor(EntryState &entry, const tenon_tensor *inputs,
                         size_t numInputs) {
  if (Status status = entry.call.checkInputs(inputs, numInputs); !status)
    return status;
  ExecutorScope host(executor.get());
  ThreadScope scope(libraryThreads());
  if (Status status = entry.call.commit([&] { return plan(entry); }); !status)
    return status;
  touchMemory();
  return host.status();
}

Status CpuModel::reserveStaging(int64_t bytes) {
  if (staging.size() >= bytes)
    return Status::success();
  staging = Block(); // release first, so that both never exist together
  Expected<Block> grown =
      Block::allocate(memory, bytes, "dense copies of inputs and outputs");
  if (!grown)
    return grown.takeError();
  staging = std::move(*grown);
  return Status::success();
}

/// Reserves dense memory for this call for tensors with gaps.
Status CpuModel::stageTensors(EntryState &entry, const tenon_tensor *inputs) {
  const tenon_entry &table = entry.table;
  stagingOffsets.assign(
      static_cast<size_t>(table.num_inputs + table.num_outputs), -1);
  int64_t sum = 0;
  auto numberOf = [&](const tenon_buffer &buffer) {
    return buffer.kind == TENON_BUFFER_INPUT ? buffer.index
           : buffer.kind == TENON_BUFFER_OUTPUT
               ? table.num_inputs + buffer.index
               : -1;
  };
  for (int32_t i = table.first_buffer; i < table.end_buffer; ++i) {
    int32_t number = numberOf(program.buffers[i]);
    if (number < 0 || entry.call.isDense(static_cast<size_t>(number)) ||
        stagingOffsets[number] >= 0)
      continue;
    stagingOffsets[number] = sum;
    sum +=
        (byteSizes[i] + arenaAlignment - 1) / arenaAlignment * arenaAlignment;
  }
  if (Status status = reserveStaging(sum); !status)
    return status;
  for (int32_t i = table.first_buffer; i < table.end_buffer; ++i) {
    int32_t number = numberOf(program.buffers[i]);
    if (number >= 0 && stagingOffsets[number] >= 0)
      addresses[i] = staging.data() + stagingOffsets[number];
  }
  for (int32_t i = 0; i < table.num_inputs; ++i)
    if (stagingOffsets[i] >= 0)
      gather(inputs[i], staging.data() + stagingOffsets[i]);
  return Status::success();
}

void CpuModel::unstageOutputs(const EntryState &entry,
                              const tenon_tensor *outputs) const {
  for (int32_t i = 0; i < entry.table.num_outputs; ++i)
    if (int64_t offset = stagingOffsets[entry.table.num_inputs + i];
        offset >= 0)
      scatter(staging.data() + offset, outputs[i]);
}

Status CpuModel::runSteps(EntryState &entry) {
  int32_t first = entry.table.first_step;
  for (int32_t i = first; i < entry.table.end_step; ++i) {
    int64_t begin = tracing ? Trace::now() : 0;
    if (Status status = runStep(entry, i); !status)
      return status;
    const tenon_step &step = program.steps[i];
    if (tracing)
      trace.add(i - first, step.name, categoryOf(step, checkOfStep[i] >= 0),
                calls[i]     ? calls[i]->implementation()
                : plugins[i] ? plugins[i]->pattern()
                             : nullptr,
                begin, Trace::now());
    if (observer)
      if (Status status = report(entry, i); !status)
        return status;
  }
  return Status::success();
}

Expected<const void *> CpuModel::fetchBuffer(int32_t buffer) {
  return static_cast<const void *>(addresses[buffer]);
}

Status CpuModel::readState(int32_t state, void *data) {
  std::memcpy(data, stateData[state].data(),
              static_cast<size_t>(stateData[state].size()));
  return Status::success();
}

Status CpuModel::writeState(int32_t state, const void *data) {
  if (memory.isPlanned())
    return Status::success();
  std::memcpy(stateData[state].data(), data,
              static_cast<size_t>(stateData[state].size()));
  return Status::success();
}

Status CpuModel::clearState(int32_t state) {
  if (!memory.isPlanned())
    std::memset(stateData[state].data(), 0,
                static_cast<size_t>(stateData[state].size()));
  return Status::success();
}

uint64_t CpuModel::memoryBytes() const {
  int64_t sum = arena.size() + scratch.size() + staging.size() +
                workspace.size() + parameters.ownedBytes();
  for (const std::vector<Block> *blocks : {&prepared, &stateData})
    for (const Block &block : *blocks)
      sum += block.size();
  for (const SharedWeights::Piece &piece : sharedPrepared)
    sum += piece.size();
  if (libraries)
    for (const auto &[number, library] : *libraries)
      sum += library->memoryBytes();
  return static_cast<uint64_t>(sum);
}

} // namespace tenon::runtime
