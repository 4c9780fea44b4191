//===- CudaModelGraph.cpp - runs as CUDA graphs -------------------------===//
//
// Part of the Tenon project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "CudaModel.h"

using namespace tenon::artifact;

namespace tenon::runtime::cuda {

/// Of one set of sizes, with tensors of callers on the device whose addresses
/// have no graph. Later ones are copied to where the model has a graph for.
static constexpr int maxInPlaceRuns = 8;

/// One that fails may have been disturbed by another thread, which waited for
/// the whole device, say.
static constexpr int maxCaptureFailures = 3;

/// The first calls of libraries load code, and may allocate for it: neither
/// belongs into a graph.
bool CudaModel::mayCapture() const {
  return usesGraphs && (!callsLibraries || current->plan->wasLaunched);
}

void CudaModel::writeGraphKey() {
  // A graph copies what came from the host; no tensor lies at 1.
  graphKey.resize(current->tensors.size());
  for (size_t i = 0; i < current->tensors.size(); ++i)
    graphKey[i] = current->tensors[i].copied ? 1 : current->tensors[i].caller;
}

/// Whether tensors that the kernels could use where they are go through own
/// memory all the same, so that the run is a graph that is there already:
/// addresses that never come again would have all runs launched step by step.
bool CudaModel::shouldCopy() {
  writeGraphKey();
  bool isFixed = true;
  for (const Tensor &tensor : current->tensors)
    isFixed &= tensor.caller == 0;
  isWorthGraph = isFixed || current->plan->graphs.find(graphKey) ||
                 current->plan->graphs.comesAgain(graphKey);
  return !isWorthGraph && mayCapture() && !tracing && !observer &&
         ++current->plan->inPlaceRuns > maxInPlaceRuns;
}

void CudaModel::copyAll() {
  for (Tensor &tensor : current->tensors)
    if (tensor.caller != 0)
      std::swap(tensor.caller, tensor.copied);
  writeGraphKey();
  isWorthGraph = true;
}

Status CudaModel::launch() {
  CudaGraph *graph = current->plan->graphs.find(graphKey);
  if (!graph && isWorthGraph && mayCapture())
    if (Status status = capture(graph); !status)
      return status;
  if (!graph)
    return enqueueRun();
  if (Result code = device->driver().graphLaunch(graph->exec, device->stream());
      code != Success)
    return device->fail(code, "the run can't be launched");
  return Status::success();
}

namespace {
/// Ends a capture however the scope is left: a stream that goes on capturing
/// can't be waited for.
class CaptureScope {
public:
  explicit CaptureScope(Device &device) : device(device) {
    code =
        device.driver().streamBeginCapture(device.stream(), CaptureThreadLocal);
    isOpen = code == Success;
  }
  ~CaptureScope() {
    end();
    if (captured)
      device.driver().graphDestroy(captured);
  }
  CaptureScope(const CaptureScope &) = delete;
  CaptureScope &operator=(const CaptureScope &) = delete;

  /// What was captured; null if that failed.
  Graph end() {
    if (isOpen)
      code = device.driver().streamEndCapture(device.stream(), &captured);
    isOpen = false;
    return code == Success ? captured : nullptr;
  }

  Device &device;
  Result code; // of the last step
  Graph captured = nullptr;

private:
  bool isOpen;
};
} // namespace

/// Leaves the graph null where none can be made; the run is launched step by
/// step then. Fails only where nothing can run any more.
Status CudaModel::capture(CudaGraph *&graph) {
  const Driver &cu = device->driver();
  int64_t begin = Trace::now();
  auto made = std::make_unique<CudaGraph>(*device, graphKey);
  Result code;
  {
    CaptureScope scope(*device);
    if (scope.code == Success) {
      Status status = enqueueRun();
      Graph captured = scope.end();
      if (!status && scope.code == Success)
        scope.code = Unknown;
      if (scope.code == Success)
        scope.code = cu.graphInstantiate(&made->exec, captured, 0);
      if (scope.code != Success)
        made->exec = nullptr;
      if (!device->lost().empty())
        return makeError(device->lost());
    }
    code = scope.code;
  }
  if (code == Success) {
    captureFailures = 0;
    graph = &current->plan->graphs.add(std::move(made));
  } else if (++captureFailures == maxCaptureFailures) {
    usesGraphs = false;
  }
  if (tracing)
    trace.add(-1, "capture of a CUDA graph", "graph",
              code == Success ? "captured" : cu.errorName(code), begin,
              Trace::now());
  return Status::success();
}

} // namespace tenon::runtime::cuda
