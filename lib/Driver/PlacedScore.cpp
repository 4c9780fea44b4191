//===- PlacedScore.cpp - what a graph costs as placed kernels -------------===//
//
// Part of the Tenon project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "tenon/Driver/PlacedScore.h"
#include "tenon/Cost/MeasuredRatio.h"
#include "tenon/Dialect/Kernel/Analysis/Prepared.h"

#include "mlir/Pass/PassManager.h"

using namespace mlir;
using namespace tenon;

/// The value whose bytes a value is.
static Value getStorage(Value value) {
  while (auto reshape = value.getDefiningOp<graph::ReshapeOp>())
    value = reshape.getX();
  return value;
}

std::vector<PlacedKernel> tenon::listKernels(func::FuncOp placed,
                                             const cost::CostModel &costs) {
  std::vector<PlacedKernel> kernels;
  // By storage: the last kernel that reads it.
  llvm::DenseMap<Value, size_t> last;
  Block &block = placed.getBody().front();
  kernel::PreparedScope prepared(block);
  for (Operation &op : block) {
    auto call = dyn_cast<kernel::CallOp>(op);
    if (!call || kernel::runsAtLoad(call))
      continue;
    for (Value operand : call.getInputs())
      last[getStorage(operand)] = kernels.size();
    for (Value output : call.getOutputs())
      last.try_emplace(output, kernels.size());
    kernels.push_back({call, costs.estimate(call), 0});
  }
  // What the caller holds lives throughout.
  uint64_t bytes = 0;
  llvm::SmallPtrSet<Value, 8> held;
  for (Value argument : block.getArguments()) {
    held.insert(argument);
    bytes += costs.getBytes(argument.getType());
  }
  for (Value result : block.getTerminator()->getOperands())
    if (held.insert(getStorage(result)).second)
      bytes += costs.getBytes(result.getType());
  std::vector<std::vector<Value>> ends(kernels.size());
  for (auto [number, kernel] : llvm::enumerate(kernels))
    for (Value output : kernel.call.getOutputs())
      if (!held.contains(output))
        ends[last.lookup(output)].push_back(output);
  for (auto [number, kernel] : llvm::enumerate(kernels)) {
    for (Value output : kernel.call.getOutputs())
      if (!held.contains(output))
        bytes += costs.getBytes(output.getType());
    kernel.liveBytes = bytes;
    for (Value output : ends[number])
      bytes -= costs.getBytes(output.getType());
  }
  return kernels;
}

optimize::Scorer tenon::makePlacedScorer(const cost::CostModel &costs,
                                         PlacePipelineOptions options) {
  // Placed by the costs by which it is scored.
  options.costs = std::shared_ptr<const cost::CostModel>(
      &costs, [](const cost::CostModel *) {});
  return [&costs, options = std::move(options),
          ratio = std::make_shared<cost::MeasuredRatio>()](
             func::FuncOp function) -> std::optional<optimize::Score> {
    OwningOpRef<ModuleOp> module = ModuleOp::create(function.getLoc());
    func::FuncOp copy = function.clone();
    module->push_back(copy);
    PassManager passes(module->getContext());
    passes.enableVerifier(false);
    buildPlacePipeline(passes, options);
    // A candidate that can't be placed is no error of the model.
    ScopedDiagnosticHandler quiet(module->getContext(),
                                  [](Diagnostic &) { return success(); });
    if (failed(passes.run(*module)))
      return std::nullopt;
    optimize::Score score;
    std::vector<PlacedKernel> kernels = listKernels(copy, costs);
    for (PlacedKernel &kernel : kernels)
      if (kernel.cost.measured || kernel.cost.scaled)
        ratio->add(kernel.call.getBackend(), kernel.cost.seconds,
                   costs.estimateRoofline(kernel.call).seconds);
    for (PlacedKernel &kernel : kernels) {
      score.seconds += ratio->correct(kernel.call.getBackend(), kernel.cost);
      score.peakBytes = std::max(score.peakBytes, kernel.liveBytes);
      score.notMeasured += !kernel.cost.measured;
      ++score.kernels;
    }
    return score;
  };
}
