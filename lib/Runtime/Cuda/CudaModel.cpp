//===- CudaModel.cpp - running on a CUDA device ---------------------------===//
//
// Part of the Tenon project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "CudaModel.h"

#include "../StridedCopy.h"

#include <algorithm>
#include <cstring>

using namespace tenon::artifact;

namespace tenon::runtime::cuda {

/// The alignment of tensors that kernels rely on.
static constexpr DeviceAddress tensorAlignment = 16;

Status CudaModel::run(EntryState &entry, const tenon_tensor *inputs,
                      size_t numInputs, tenon_tensor *outputs,
                      size_t numOutputs) {
  if (!device->lost().empty())
    return makeError("the model can't run any more: ", device->lost());
  if (Status status = entry.call.check(inputs, numInputs, outputs, numOutputs);
      !status)
    return status;
  ContextScope scope(*device);
  if (Status status = scope.status(); !status)
    return status;
  if (Status status = settle(); !status)
    return status;
  current = &runs[entry.index];
  if (Status status = entry.call.commit([&] { return selectPlan(); }); !status)
    return status;
  if (Status status = placeTensors(inputs, outputs); !status)
    return status;

  // No work of this call may still run when the next one begins.
  StreamDrain drain(*device);
  size_t firstOutput = static_cast<size_t>(table().num_inputs);
  for (size_t i = 0; i < firstOutput; ++i)
    if (current->tensors[i].host)
      gather(inputs[i], pinned.data() + current->plan->stagingOffsets[i]);
  Status launched = copyOnDevice(/*toStaging=*/true);
  if (launched)
    launched = observer  ? launchObserved()
               : tracing ? launchTraced()
                         : launch();
  if (launched)
    launched = copyOnDevice(/*toStaging=*/false);
  if (!launched)
    return launched;
  if (Status status = device->wait(
          "a step of the run failed (set TENON_CUDA_SYNC=1 to find out which)");
      !status)
    return status;
  drain.done();
  for (size_t i = 0; i < static_cast<size_t>(table().num_outputs); ++i)
    if (current->tensors[firstOutput + i].host)
      scatter(pinned.data() + current->plan->stagingOffsets[firstOutput + i],
              outputs[i]);
  fetchChecks();
  return examineChecks();
}

int32_t CudaModel::findTensor(const EntryRun &run,
                              const tenon_buffer &buffer) const {
  const tenon_entry &table = run.state->table;
  switch (buffer.kind) {
  case TENON_BUFFER_INPUT:
    return buffer.index;
  case TENON_BUFFER_OUTPUT:
    return table.num_inputs + buffer.index;
  case TENON_BUFFER_CHECK:
    return table.num_inputs + table.num_outputs +
           static_cast<int32_t>(
               std::find(run.checks.begin(), run.checks.end(), buffer.index) -
               run.checks.begin());
  default:
    return -1;
  }
}

/// Copies the results that the checks of a finished run have written.
void CudaModel::fetchChecks() {
  size_t first = current->tensors.size() - current->checks.size();
  for (size_t i = first; i < current->tensors.size(); ++i)
    if (char *words = current->tensors[i].host)
      std::memcpy(words, pinned.data() + current->plan->stagingOffsets[i],
                  static_cast<size_t>(current->plan->tensorBytes[i]));
}

/// Reports the errors that the checks of a finished run have found.
Status CudaModel::examineChecks() const {
  size_t first = current->tensors.size() - current->checks.size();
  for (size_t i = 0; i < current->checks.size(); ++i)
    if (int32_t check = current->checks[i]; current->tensors[first + i].host)
      if (Status status =
              examineCheck(check, checkWords.data() + checkBegin[check]);
          !status)
        return status;
  return Status::success();
}

/// Finds the device address of every input and output.
Status CudaModel::placeTensors(const tenon_tensor *inputs,
                               const tenon_tensor *outputs) {
  for (size_t i = 0; i < current->tensors.size(); ++i) {
    size_t numInputs = static_cast<size_t>(table().num_inputs);
    size_t numTensors = numInputs + static_cast<size_t>(table().num_outputs);
    Tensor &tensor = current->tensors[i];
    tensor.caller = 0;
    tensor.host = nullptr;
    tensor.copied = 0;
    if (current->plan->tensorBytes[i] == 0)
      continue;
    if (i >= numTensors) {
      tensor.host = reinterpret_cast<char *>(
          checkWords.data() + checkBegin[current->checks[i - numTensors]]);
      continue;
    }
    const tenon_tensor &given =
        i < numInputs ? inputs[i] : outputs[i - numInputs];
    uintptr_t data =
        reinterpret_cast<uintptr_t>(given.data) + given.byte_offset;
    if (given.device_type == TENON_DEVICE_CUDA) {
      DeviceAddress address = data;
      bool isStraight =
          address % tensorAlignment == 0 && current->state->call.isDense(i);
      tensor.given = &given;
      (isStraight ? tensor.caller : tensor.copied) = address;
    } else {
      tensor.host = reinterpret_cast<char *>(data);
    }
  }
  if (shouldCopy()) {
    if (growStaging(/*fromHost=*/false))
      copyAll();
    else // There may be memory for it later.
      current->plan->inPlaceRuns = 0;
  }
  bool isStaged = false, isOnHost = false;
  for (const Tensor &tensor : current->tensors) {
    isStaged |= tensor.host || tensor.copied;
    isOnHost |= tensor.host != nullptr;
  }
  if (isStaged)
    if (Status status = growStaging(isOnHost); !status)
      return status;
  for (int32_t i = table().first_buffer; i < table().end_buffer; ++i) {
    int32_t number = findTensor(*current, program.buffers[i]);
    if (number < 0)
      continue;
    const Tensor &tensor = current->tensors[number];
    addresses[i] = tensor.host || tensor.copied
                       ? staging.data() + current->plan->stagingOffsets[number]
                       : tensor.caller;
  }
  return Status::success();
}

//===----------------------------------------------------------------------===//
// Steps
//===----------------------------------------------------------------------===//

Error CudaModel::failStep(Result result, int32_t step, const char *what) {
  return device->fail(result,
                      concat("step '", program.steps[step].name, "' ", what));
}

/// Runs outside of graphs, because the caller's addresses may not recur.
Status CudaModel::copyOnDevice(bool toStaging) {
  size_t numInputs = static_cast<size_t>(table().num_inputs);
  size_t end = toStaging ? numInputs : current->tensors.size();
  for (size_t i = toStaging ? 0 : numInputs; i < end; ++i) {
    if (!current->tensors[i].copied)
      continue;
    DeviceAddress own = staging.data() + current->plan->stagingOffsets[i];
    DeviceAddress given = current->tensors[i].copied;
    const tenon_tensor &tensor = *current->tensors[i].given;
    uint64_t bytes = tensor.dtype.bits / 8;
    Result code = Success;
    // One copy for each contiguous part.
    forEachRun(tensor, [&](int64_t place, int64_t position, int64_t length) {
      DeviceAddress there = given + static_cast<uint64_t>(place) * bytes;
      DeviceAddress here = own + static_cast<uint64_t>(position) * bytes;
      if (code == Success)
        code = device->driver().copyOnDevice(
            toStaging ? here : there, toStaging ? there : here,
            static_cast<size_t>(length) * bytes, device->stream());
    });
    if (code != Success)
      return device->fail(code, "a tensor of the caller can't be copied");
  }
  return Status::success();
}

/// Copies adjacent tensors together.
Status CudaModel::enqueueCopies(bool toDevice) {
  const Driver &cu = device->driver();
  size_t numInputs = static_cast<size_t>(table().num_inputs);
  size_t first = toDevice ? 0 : numInputs;
  size_t end = toDevice ? numInputs : current->tensors.size();
  for (size_t i = first; i < end; ++i) {
    if (!current->tensors[i].host)
      continue;
    int64_t begin = current->plan->stagingOffsets[i];
    while (i + 1 < end && current->tensors[i + 1].host)
      ++i;
    size_t bytes = static_cast<size_t>(current->plan->stagingOffsets[i] +
                                       current->plan->tensorBytes[i] - begin);
    Result code =
        toDevice
            ? cu.copyToDevice(staging.data() + begin, pinned.data() + begin,
                              bytes, device->stream())
            : cu.copyToHost(pinned.data() + begin, staging.data() + begin,
                            bytes, device->stream());
    if (code != Success)
      return device->fail(code, toDevice ? "inputs can't be copied to it"
                                         : "outputs can't be copied from it");
  }
  return Status::success();
}

Status CudaModel::enqueueRun(unsigned recordFlags) {
  if (Status status = enqueueCopies(/*toDevice=*/true); !status)
    return status;
  if (Status status = record(0, recordFlags); !status)
    return status;
  int32_t first = table().first_step;
  for (int32_t i = first; i < table().end_step; ++i) {
    if (Status status = enqueueStep(*current->state, i); !status)
      return status;
    if (Status status = record(i - first + 1, recordFlags); !status)
      return status;
  }
  current->plan->wasLaunched = true;
  return enqueueCopies(/*toDevice=*/false);
}

Status CudaModel::enqueueKernel(int32_t index, void **parameters) {
  if (extents[index] == 0)
    return Status::success();
  const tenon_gpu_launch &launch = *program.steps[index].launch;
  if (Result code = device->driver().launchKernel(
          kernels.get(index), static_cast<unsigned>(extents[index]), 1, 1,
          static_cast<unsigned>(launch.block_threads), 1, 1,
          static_cast<unsigned>(launch.shared_bytes), device->stream(),
          parameters, nullptr);
      code != Success)
    return failStep(code, index, "can't be launched");
  return Status::success();
}

Status CudaModel::enqueueStep(const EntryState &entry, int32_t index) {
  const tenon_step &step = program.steps[index];
  size_t begin = argumentsBegin[index];
  uint64_t *next = arguments.data() + begin;
  for (int32_t i = 0; i < step.num_buffers; ++i)
    *next++ = addresses[step.buffers[i]];
  *next++ = entry.table.scratch_bytes != 0 ? workspace.data() : 0;
  for (int32_t i = 0; i < entry.table.num_symbols; ++i)
    *next++ = static_cast<uint64_t>(entry.symbols()[i]);

  Status status;
  switch (step.kind) {
  case TENON_STEP_KERNEL:
    status = enqueueKernel(index, argumentPointers.data() + begin);
    break;
  case TENON_STEP_LIBRARY:
    status = calls[index]->run(device->stream(), arguments.data() + begin,
                               workspace.data());
    break;
  default: {
    // An input that was donated to the output is already in place.
    DeviceAddress from = arguments[begin], to = arguments[begin + 1];
    int64_t bytes = byteSizes[step.buffers[1]];
    if (from == to || bytes == 0)
      break;
    if (Result code = device->driver().copyOnDevice(
            to, from, static_cast<size_t>(bytes), device->stream());
        code != Success)
      status = failStep(code, index, "can't copy");
  }
  }
  if (status && waitsAfterStep)
    return device->wait(concat("step '", step.name, "' failed"));
  return status;
}

} // namespace tenon::runtime::cuda
