//===- CudaModelStream.cpp - runs on the caller's stream ------------------===//
//
// Part of the Tenon project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// A run executes on the model's own stream, between two events of the caller's
// stream: libraries and graphs are bound to this stream, and runs of one
// instance stay in order even if their callers use different streams.
//
//===----------------------------------------------------------------------===//

#include "CudaModel.h"

#include "../TensorCheck.h"

using namespace tenon::artifact;

namespace tenon::runtime::cuda {

Status CudaModel::makeStreamEvents() {
  for (Event *event : {&beginEvent, &endEvent}) {
    if (*event)
      continue;
    if (Result code = device->driver().eventCreate(event, EventWithoutTime);
        code != Success) {
      *event = nullptr;
      return device->fail(code, "can't create an event for the stream");
    }
  }
  return Status::success();
}

/// Makes later work on `stream` wait for the current work on `other`.
Status CudaModel::putBehind(Stream stream, Stream other, Event event) {
  const Driver &cu = device->driver();
  Result code = cu.eventRecord(event, other);
  if (code == Success)
    code = cu.streamWaitEvent(stream, event, 0);
  if (code != Success)
    return device->fail(code, "the caller's stream can't be used");
  return Status::success();
}

/// Before another call, reports the result of a run that was not waited for. A
/// run without checks need not have finished, since all later work follows it
/// on the stream.
Status CudaModel::settle() {
  if (!pending || pending->checks.empty())
    return Status::success();
  return finish();
}

Status CudaModel::finish() {
  if (!pending)
    return Status::success();
  if (!device->lost().empty())
    return makeError("the model can't run any more: ", device->lost());
  ContextScope scope(*device);
  if (Status status = scope.status(); !status)
    return status;
  current = pending;
  pending = nullptr;
  if (Status status = device->wait("a step of the run failed"); !status)
    return status;
  fetchChecks();
  return examineChecks();
}

static Status checkOnDevice(const tenon_value &value, const char *what,
                            const tenon_tensor &tensor) {
  if (tensor.device_type == TENON_DEVICE_CUDA)
    return Status::success();
  return makeError("run_on_stream: ", quoted(what, value.name),
                   ": expected data on the device, but got data in host "
                   "memory");
}

Status CudaModel::runOnStream(EntryState &entry, const tenon_tensor *inputs,
                              size_t numInputs, tenon_tensor *outputs,
                              size_t numOutputs, void *given) {
  if (!device->lost().empty())
    return makeError("the model can't run any more: ", device->lost());
  if (Status status = entry.call.check(inputs, numInputs, outputs, numOutputs);
      !status)
    return status;
  for (size_t i = 0; i < numInputs; ++i)
    if (Status status =
            checkOnDevice(entry.table.inputs[i], "input", inputs[i]);
        !status)
      return status;
  for (size_t i = 0; i < numOutputs; ++i)
    if (Status status =
            checkOnDevice(entry.table.outputs[i], "output", outputs[i]);
        !status)
      return status;
  if (tracing || observer)
    return makeError("run_on_stream: expected an instance without a trace and "
                     "an observer");
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
  if (Status status = makeStreamEvents(); !status)
    return status;

  Stream stream = static_cast<Stream>(given);
  if (Status status = putBehind(device->stream(), stream, beginEvent); !status)
    return status;
  // If the run fails in the middle, no work may be left on the stream.
  StreamDrain drain(*device);
  if (Status status = copyOnDevice(/*toStaging=*/true); !status)
    return status;
  if (Status status = launch(); !status)
    return status;
  if (Status status = copyOnDevice(/*toStaging=*/false); !status)
    return status;
  if (Status status = putBehind(stream, device->stream(), endEvent); !status)
    return status;
  drain.done();
  pending = current;
  return Status::success();
}

} // namespace tenon::runtime::cuda
