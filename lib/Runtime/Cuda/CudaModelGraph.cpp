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

/// For one set of sizes: how many runs may use the caller's device tensors in
/// place although there is no graph for their addresses. Later runs copy them
/// to addresses that have a graph.
static constexpr int maxInPlaceRuns = 8;

/// A failed capture may have been disturbed by another thread, for example one
/// that waited for the whole device.
static constexpr int maxCaptureFailures = 3;

/// The first calls of libraries load code, and may allocate memory for it; both
/// are not allowed in a graph.
bool CudaModel::mayCapture() const {
  return usesGraphs && (!callsLibraries || current->plan->wasLaunched);
}

void CudaModel::writeGraphKey() {
  // A graph copies tensors from the host; 1 marks them, because it is never a
  // tensor's address.
  graphKey.resize(current->tensors.size());
  for (size_t i = 0; i < current->tensors.size(); ++i)
    graphKey[i] = current->tensors[i].copied ? 1 : current->tensors[i].caller;
}

/// Returns whether tensors that kernels could use in place are copied into the
/// instance's memory anyway, so that the run can use an existing graph. With
/// addresses that never recur, all runs would otherwise be launched step by
/// step.
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
/// Ends a capture on every exit from the scope: a stream that is still
/// capturing cannot be waited for.
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

  /// Returns the captured graph; null if the capture failed.
  Graph end() {
    if (isOpen)
      code = device.driver().streamEndCapture(device.stream(), &captured);
    isOpen = false;
    return code == Success ? captured : nullptr;
  }

  Device &device;
  Result code; // result of the last step
  Graph captured = nullptr;

private:
  bool isOpen;
};
} // namespace

/// Leaves the graph null if none can be made; the run is then launched step by
/// step. Fails only if nothing can run any more.
Status CudaModel::capture(CudaGraph *&graph) {
  const Driver &cu = device->driver();
  int64_t begin = Trace::now();
  auto made = std::make_unique<CudaGraph>(*device, graphKey);
  Result code;
  {
    CaptureScope scope(*device);
    if (scope.code == Success) {
      Status status = enqueueRun(RecordExternal);
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
