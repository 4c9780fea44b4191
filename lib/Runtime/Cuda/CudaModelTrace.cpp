//===- CudaModelTrace.cpp - runs that are timed step by step --------------===//
//
// Part of the Tenon project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "CudaModel.h"

#include <algorithm>

using namespace tenon::artifact;

namespace tenon::runtime::cuda {

static const char *categoryOf(const tenon_program &program, int32_t number,
                              const LibraryCall *call) {
  if (call)
    return call->library();
  if (program.steps[number].kind != TENON_STEP_KERNEL)
    return "copy";
  const tenon_check *end = program.checks + program.num_checks;
  bool isCheck =
      std::any_of(program.checks, end, [&](const tenon_check &check) {
        return check.step == number;
      });
  return isCheck ? "check" : "kernel";
}

/// Reads the device's clock, for the trace.
Status CudaModel::record(int32_t event, unsigned flags) {
  if (!tracing)
    return Status::success();
  if (Result code = device->driver().eventRecordWithFlags(
          events[event], device->stream(), flags);
      code != Success)
    return device->fail(code, "the trace can't be recorded");
  return Status::success();
}

/// Adds the steps of a run that is done, and was launched at `origin`.
void CudaModel::addTrace(int64_t origin) {
  int32_t first = table().first_step, end = table().end_step;
  int64_t begin = origin;
  for (int32_t i = first; tracing && i < end; ++i) {
    float milliseconds = 0;
    device->driver().eventElapsed(&milliseconds, events[0],
                                  events[i - first + 1]);
    int64_t stop = origin + static_cast<int64_t>(milliseconds * 1e6);
    const tenon_step &step = program.steps[i];
    trace.add(i - first, step.name, categoryOf(program, i, calls[i].get()),
              calls[i] ? calls[i]->implementation() : nullptr, begin, stop);
    begin = stop;
  }
}

static constexpr const char stepFailed[] =
    "a step of the run failed (set TENON_CUDA_SYNC=1 to find out which)";

/// Launches the run as a graph, as runs without a trace are. By themselves,
/// steps would also take the time that the host needs to launch them: that of a
/// library's call is often longer than that of its kernels.
Status CudaModel::launchTraced() {
  CudaGraph *graph = current->plan->graphs.find(graphKey);
  if (!graph && mayCapture() &&
      (isWorthGraph || current->plan->graphs.isEmpty()))
    if (Status status = capture(graph); !status)
      return status;
  int64_t origin = Trace::now();
  if (graph) {
    if (Result code =
            device->driver().graphLaunch(graph->exec, device->stream());
        code != Success)
      return device->fail(code, "the run can't be launched");
  } else if (Status status = enqueueRun(); !status) {
    return status;
  }
  if (Status status = device->wait(stepFailed); !status)
    return status;
  addTrace(origin);
  return Status::success();
}

/// Launches step by step, and reports the results of each to the observer.
Status CudaModel::launchObserved() {
  int32_t first = table().first_step, end = table().end_step;
  if (Status status = enqueueCopies(/*toDevice=*/true); !status)
    return status;
  if (Status status = device->wait("inputs can't be copied to it"); !status)
    return status;
  int64_t origin = Trace::now();
  if (Status status = record(0, 0); !status)
    return status;
  for (int32_t i = first; i < end; ++i) {
    if (Status status = enqueueStep(*current->state, i); !status)
      return status;
    if (Status status = record(i - first + 1, 0); !status)
      return status;
    Status status = report(*current->state, i);
    fetched.clear();
    if (!status)
      return status;
  }
  current->plan->wasLaunched = true;
  if (Status status = enqueueCopies(/*toDevice=*/false); !status)
    return status;
  if (Status status = device->wait(stepFailed); !status)
    return status;
  addTrace(origin);
  return Status::success();
}

} // namespace tenon::runtime::cuda
