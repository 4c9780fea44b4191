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
#include "tenon/Place/Passes.h"

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
  kernel::LoadAnalysis loads(block);
  for (Operation &op : block) {
    auto call = dyn_cast<kernel::CallOp>(op);
    if (!call || loads.runsAtLoad(call))
      continue;
    for (Value operand : call.getInputs())
      last[getStorage(operand)] = kernels.size();
    for (Value output : call.getOutputs())
      last.try_emplace(output, kernels.size());
    PlacedKernel kernel{call, costs.estimate(call, &loads)};
    if (kernel.cost.measured || kernel.cost.scaled)
      kernel.roofline = costs.estimateRoofline(call, &loads).seconds;
    kernels.push_back(std::move(kernel));
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

namespace {
/// The scorer of one search. Its graphs are equal in most of their ops, and
/// some of them in all once they are prepared: what placing one has shown is
/// kept for the others.
class PlacedScorer {
public:
  PlacedScorer(const cost::CostModel &costs, PlacePipelineOptions given)
      : costs(costs), options(std::move(given)) {
    // Placed by the costs by which it is scored.
    options.costs = std::shared_ptr<const cost::CostModel>(
        &costs, [](const cost::CostModel *) {});
    if (!options.pieces)
      options.pieces = place::createPieceCache();
    if (!costs.getDatabase())
      return;
    PlacePipelineOptions others = options;
    others.pieces = nullptr;
    roofline = std::make_unique<cost::CostModel>(costs.withoutDatabase());
    unmeasured = std::make_unique<PlacedScorer>(*roofline, std::move(others));
  }

  std::optional<optimize::Score> score(func::FuncOp function);

private:
  /// What a score needs of a kernel.
  struct Kernel {
    std::string backend;
    cost::Cost cost;
    /// By the roofline alone if the cost was measured or scaled.
    double roofline;
    uint64_t liveBytes;
  };
  /// A graph that was placed.
  struct Placed {
    OwningOpRef<ModuleOp> prepared;
    /// None: it can't be placed.
    std::optional<std::vector<Kernel>> kernels;
  };

  void buildPasses(MLIRContext *context);
  const Placed *find(func::FuncOp prepared) const;
  std::optional<std::vector<Kernel>> place(ModuleOp module,
                                           func::FuncOp function);

  const cost::CostModel &costs;
  PlacePipelineOptions options;
  std::unique_ptr<PassManager> prepare, give;
  std::vector<Placed> known;
  cost::MeasuredRatio ratio;
  /// Tells what would be chosen if nothing had been measured; null: nothing
  /// was.
  std::unique_ptr<cost::CostModel> roofline;
  std::unique_ptr<PlacedScorer> unmeasured;
};
} // namespace

/// Once for all graphs: patterns are collected when passes are made.
void PlacedScorer::buildPasses(MLIRContext *context) {
  prepare = std::make_unique<PassManager>(context);
  prepare->enableVerifier(false);
  if (!options.isPlaced)
    buildPreparePipeline(*prepare, options);
  give = std::make_unique<PassManager>(context);
  give->enableVerifier(false);
  buildGivePipeline(*give, options);
}

/// One that is equal in all that placement looks at.
const PlacedScorer::Placed *PlacedScorer::find(func::FuncOp prepared) const {
  // Pins are found by locations.
  if (!options.pins.empty())
    return nullptr;
  for (const Placed &placed : known) {
    auto other = cast<func::FuncOp>(placed.prepared.get().getBody()->front());
    if (OperationEquivalence::isRegionEquivalentTo(
            &prepared.getBody(), &other.getBody(),
            OperationEquivalence::IgnoreLocations))
      return &placed;
  }
  return nullptr;
}

std::optional<std::vector<PlacedScorer::Kernel>>
PlacedScorer::place(ModuleOp module, func::FuncOp function) {
  if (failed(give->run(module)))
    return std::nullopt;
  std::vector<Kernel> kernels;
  for (PlacedKernel &kernel : listKernels(function, costs))
    kernels.push_back({kernel.call.getBackend().str(), kernel.cost,
                       kernel.roofline, kernel.liveBytes});
  return kernels;
}

std::optional<optimize::Score> PlacedScorer::score(func::FuncOp function) {
  OwningOpRef<ModuleOp> module = ModuleOp::create(function.getLoc());
  func::FuncOp copy = function.clone();
  module->push_back(copy);
  if (!prepare)
    buildPasses(module->getContext());
  // A candidate that can't be placed is no error of the model.
  ScopedDiagnosticHandler quiet(module->getContext(),
                                [](Diagnostic &) { return success(); });
  if (failed(prepare->run(*module)))
    return std::nullopt;
  const Placed *placed = find(copy);
  if (!placed) {
    OwningOpRef<ModuleOp> prepared(
        cast<ModuleOp>(module->getOperation()->clone()));
    known.push_back({std::move(prepared), place(*module, copy)});
    placed = &known.back();
  }
  if (!placed->kernels)
    return std::nullopt;
  for (const Kernel &kernel : *placed->kernels)
    if (kernel.cost.measured || kernel.cost.scaled)
      ratio.add(kernel.backend, kernel.cost, kernel.roofline);
  optimize::Score score;
  for (const Kernel &kernel : *placed->kernels) {
    score.seconds += ratio.correct(kernel.backend, kernel.cost);
    cost::Bounds bounds = ratio.getBounds(kernel.backend, kernel.cost);
    score.low += bounds.low;
    score.high += bounds.high;
    score.peakBytes = std::max(score.peakBytes, kernel.liveBytes);
    score.notMeasured += !kernel.cost.measured;
    ++score.kernels;
  }
  if (!unmeasured) {
    score.low = score.high = score.unmeasuredSeconds = score.seconds;
    return score;
  }
  std::optional<optimize::Score> other = unmeasured->score(function);
  score.unmeasuredSeconds = other ? other->seconds : score.seconds;
  return score;
}

optimize::Scorer tenon::makePlacedScorer(const cost::CostModel &costs,
                                         PlacePipelineOptions options) {
  auto scorer = std::make_shared<PlacedScorer>(costs, std::move(options));
  return [scorer](func::FuncOp function) { return scorer->score(function); };
}
