//===- CudaModel.cpp - running on a CUDA device -------------------------===//
//
// Part of the Tenon project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "CudaModel.h"

#include <algorithm>
#include <cstring>

using namespace tenon::artifact;

namespace tenon::runtime::cuda {

/// Graphs of one set of sizes, for callers whose tensors lie on the device at
/// addresses that alternate.
static constexpr size_t maxGraphs = 4;

/// What addresses of tensors are multiples of, in kernels.
static constexpr DeviceAddress tensorAlignment = 16;

Status CudaModel::run(const tenon_tensor *inputs, size_t numInputs,
                      tenon_tensor *outputs, size_t numOutputs) {
  if (!device->lost().empty())
    return makeError("the model can't run any more: ", device->lost());
  bool changed;
  if (Status status = binding.bind(inputs, numInputs, changed); !status)
    return status;
  if (Status status = binding.checkTensors(inputs, outputs, numOutputs);
      !status)
    return status;
  ContextScope scope(*device);
  if (Status status = scope.status(); !status)
    return status;
  if (changed || !planned)
    if (Status status = selectPlan(); !status)
      return status;
  if (Status status = placeTensors(inputs, outputs); !status)
    return status;

  size_t firstOutput = static_cast<size_t>(program.num_inputs);
  for (size_t i = 0; i < firstOutput; ++i)
    if (tensors[i].host)
      std::memcpy(pinned.data() + plan->stagingOffsets[i], tensors[i].host,
                  static_cast<size_t>(plan->tensorBytes[i]));
  Status launched = copyCrooked(/*toStaging=*/true);
  if (launched)
    launched = tracing ? launchTraced() : launch();
  if (launched)
    launched = copyCrooked(/*toStaging=*/false);
  if (Status &status = launched; !status) {
    // The next call must find nothing of this one under way.
    device->driver().streamSynchronize(device->stream());
    return status;
  }
  if (Status status = device->wait(
          "a step of the run failed (TENON_CUDA_SYNC=1 tells which)");
      !status)
    return status;
  for (size_t i = firstOutput; i < tensors.size(); ++i)
    if (tensors[i].host)
      std::memcpy(tensors[i].host, pinned.data() + plan->stagingOffsets[i],
                  static_cast<size_t>(plan->tensorBytes[i]));
  return Status::success();
}

/// Finds the address of every input and output on the device.
Status CudaModel::placeTensors(const tenon_tensor *inputs,
                               const tenon_tensor *outputs) {
  bool isStaged = false;
  for (size_t i = 0; i < tensors.size(); ++i) {
    size_t numInputs = static_cast<size_t>(program.num_inputs);
    const tenon_tensor &given =
        i < numInputs ? inputs[i] : outputs[i - numInputs];
    Tensor &tensor = tensors[i];
    tensor.caller = 0;
    tensor.host = nullptr;
    tensor.crooked = 0;
    if (plan->tensorBytes[i] == 0)
      continue;
    char *data = static_cast<char *>(given.data) + given.byte_offset;
    if (given.device_type == TENON_DEVICE_CUDA) {
      auto address = reinterpret_cast<DeviceAddress>(data);
      bool isStraight = address % tensorAlignment == 0;
      (isStraight ? tensor.caller : tensor.crooked) = address;
      isStaged |= !isStraight;
    } else {
      tensor.host = data;
      isStaged = true;
    }
  }
  if (isStaged)
    if (Status status = growStaging(); !status)
      return status;
  for (int32_t i = 0; i < program.num_buffers; ++i) {
    const tenon_buffer &buffer = program.buffers[i];
    if (buffer.kind != TENON_BUFFER_INPUT && buffer.kind != TENON_BUFFER_OUTPUT)
      continue;
    size_t number = static_cast<size_t>(buffer.index);
    if (buffer.kind == TENON_BUFFER_OUTPUT)
      number += static_cast<size_t>(program.num_inputs);
    const Tensor &tensor = tensors[number];
    addresses[i] = tensor.host || tensor.crooked
                       ? staging.data() + plan->stagingOffsets[number]
                       : tensor.caller;
  }
  return Status::success();
}

//===----------------------------------------------------------------------===//
// Graphs
//===----------------------------------------------------------------------===//

Status CudaModel::launch() {
  if (!usesGraphs)
    return enqueueRun();
  bool isFixed = true;
  for (size_t i = 0; i < tensors.size(); ++i) {
    // A graph copies what came from the host; no tensor lies at 1.
    graphKey[i] = tensors[i].crooked ? 1 : tensors[i].caller;
    isFixed &= tensors[i].caller == 0;
  }
  CudaGraph *graph = nullptr;
  for (std::unique_ptr<CudaGraph> &known : plan->graphs)
    if (known->key == graphKey)
      graph = known.get();
  bool isKnown = graph != nullptr;
  if (!graph) {
    if (plan->graphs.size() >= maxGraphs)
      plan->graphs.erase(std::min_element(plan->graphs.begin(),
                                          plan->graphs.end(),
                                          [](const auto &a, const auto &b) {
                                            return a->lastUse < b->lastUse;
                                          }));
    plan->graphs.push_back(std::make_unique<CudaGraph>(*device));
    graph = plan->graphs.back().get();
    graph->key = graphKey;
  }
  graph->lastUse = ++clock;
  // Addresses of our own stay, those of callers may never come again: a graph
  // is worth its making when they do.
  if (!graph->graph && (isFixed || isKnown) && mayCapture())
    if (Status status = capture(*graph); !status)
      return status;
  if (!graph->graph)
    return enqueueRun();
  if (Result code =
          device->driver().graphLaunch(graph->graph, device->stream());
      code != Success)
    return device->fail(code, "the run can't be launched");
  return Status::success();
}

/// The first calls of libraries load code, and may allocate for it: neither
/// belongs into a graph.
bool CudaModel::mayCapture() const {
  return !callsLibraries || plan->wasLaunched;
}

/// Leaves the graph null where the driver captures nothing; then all runs are
/// launched step by step. Fails only where nothing can run any more.
Status CudaModel::capture(CudaGraph &graph) {
  const Driver &cu = device->driver();
  int64_t begin = Trace::now();
  Result code = cu.streamBeginCapture(device->stream(), CaptureThreadLocal);
  if (code == Success) {
    Status status = enqueueRun();
    Graph captured = nullptr;
    code = cu.streamEndCapture(device->stream(), &captured);
    if (!status && code == Success)
      code = Unknown;
    if (code == Success)
      code = cu.graphInstantiate(&graph.graph, captured, 0);
    if (captured)
      cu.graphDestroy(captured);
    if (!device->lost().empty())
      return makeError(device->lost());
  }
  if (code != Success) {
    graph.graph = nullptr;
    usesGraphs = false;
  }
  if (tracing)
    trace.add(-1, "capture of a CUDA graph", "graph",
              code == Success ? "captured" : cu.errorName(code), begin,
              Trace::now());
  return Status::success();
}

//===----------------------------------------------------------------------===//
// Steps
//===----------------------------------------------------------------------===//

Error CudaModel::failStep(Result result, int32_t step, const char *what) {
  return device->fail(result,
                      concat("step '", program.steps[step].name, "' ", what));
}

/// Outside of graphs: addresses of callers may not come again.
Status CudaModel::copyCrooked(bool toStaging) {
  size_t numInputs = static_cast<size_t>(program.num_inputs);
  size_t end = toStaging ? numInputs : tensors.size();
  for (size_t i = toStaging ? 0 : numInputs; i < end; ++i) {
    if (!tensors[i].crooked)
      continue;
    DeviceAddress own = staging.data() + plan->stagingOffsets[i];
    DeviceAddress given = tensors[i].crooked;
    Result code = device->driver().copyOnDevice(
        toStaging ? own : given, toStaging ? given : own,
        static_cast<size_t>(plan->tensorBytes[i]), device->stream());
    if (code != Success)
      return device->fail(code, "a tensor of the caller can't be copied");
  }
  return Status::success();
}

/// Tensors that lie side by side are copied at once.
Status CudaModel::enqueueCopies(bool toDevice) {
  const Driver &cu = device->driver();
  size_t numInputs = static_cast<size_t>(program.num_inputs);
  size_t first = toDevice ? 0 : numInputs;
  size_t end = toDevice ? numInputs : tensors.size();
  for (size_t i = first; i < end; ++i) {
    if (!tensors[i].host)
      continue;
    int64_t begin = plan->stagingOffsets[i];
    while (i + 1 < end && tensors[i + 1].host)
      ++i;
    size_t bytes = static_cast<size_t>(plan->stagingOffsets[i] +
                                       plan->tensorBytes[i] - begin);
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

Status CudaModel::enqueueRun() {
  if (Status status = enqueueCopies(/*toDevice=*/true); !status)
    return status;
  for (int32_t i = program.num_prepare_steps; i < program.num_steps; ++i)
    if (Status status = enqueueStep(i); !status)
      return status;
  plan->wasLaunched = true;
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

Status CudaModel::enqueueStep(int32_t index) {
  const tenon_step &step = program.steps[index];
  size_t begin = argumentsBegin[index];
  uint64_t *next = arguments.data() + begin;
  for (int32_t i = 0; i < step.num_buffers; ++i)
    *next++ = addresses[step.buffers[i]];
  *next++ = program.scratch_bytes != 0 ? workspace.data() : 0;
  for (int32_t i = 0; i < program.num_symbols; ++i)
    *next++ = static_cast<uint64_t>(binding.symbols()[i]);

  Status status;
  switch (step.kind) {
  case TENON_STEP_KERNEL:
    status = enqueueKernel(index, argumentPointers.data() + begin);
    break;
  case TENON_STEP_LIBRARY:
    status = sites[index]->run(device->stream(), arguments.data() + begin,
                               workspace.data());
    break;
  default: {
    // An input that was donated to the output is already in its place.
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

//===----------------------------------------------------------------------===//
// Traces
//===----------------------------------------------------------------------===//

static const char *categoryOf(const tenon_step &step, const LibrarySite *site) {
  if (site)
    return site->library();
  return step.kind == TENON_STEP_KERNEL ? "kernel" : "copy";
}

/// Launches step by step, with the device's clock read between them. Graphs
/// have no such places; whether one can be made is tried all the same, to say
/// so.
Status CudaModel::launchTraced() {
  const Driver &cu = device->driver();
  if (usesGraphs && plan->graphs.empty() && mayCapture()) {
    plan->graphs.push_back(std::make_unique<CudaGraph>(*device));
    plan->graphs.back()->key = graphKey;
    if (Status status = capture(*plan->graphs.back()); !status)
      return status;
  }
  int32_t first = program.num_prepare_steps, end = program.num_steps;
  auto record = [&](int32_t number) -> Status {
    if (Result code = cu.eventRecord(events[number], device->stream());
        code != Success)
      return device->fail(code, "the trace can't be recorded");
    return Status::success();
  };
  if (Status status = enqueueCopies(/*toDevice=*/true); !status)
    return status;
  if (Status status = device->wait("inputs can't be copied to it"); !status)
    return status;
  int64_t origin = Trace::now();
  if (Status status = record(0); !status)
    return status;
  for (int32_t i = first; i < end; ++i) {
    if (Status status = enqueueStep(i); !status)
      return status;
    if (Status status = record(i - first + 1); !status)
      return status;
  }
  plan->wasLaunched = true;
  if (Status status = enqueueCopies(/*toDevice=*/false); !status)
    return status;
  if (Status status = device->wait(
          "a step of the run failed (TENON_CUDA_SYNC=1 tells which)");
      !status)
    return status;
  int64_t begin = origin;
  for (int32_t i = first; i < end; ++i) {
    float milliseconds = 0;
    cu.eventElapsed(&milliseconds, events[0], events[i - first + 1]);
    int64_t stop = origin + static_cast<int64_t>(milliseconds * 1e6);
    const tenon_step &step = program.steps[i];
    trace.add(i - first, step.name, categoryOf(step, sites[i].get()),
              sites[i] ? sites[i]->implementation() : nullptr, begin, stop);
    begin = stop;
  }
  return Status::success();
}

} // namespace tenon::runtime::cuda
