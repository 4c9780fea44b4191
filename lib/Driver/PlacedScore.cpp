//===- PlacedScore.cpp - what a graph costs as placed kernels -------------===//
//
// Part of the Tenon project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "tenon/Driver/PlacedScore.h"
#include "tenon/Cost/MeasuredRatio.h"
#include "tenon/Dialect/Graph/Analysis/Views.h"
#include "tenon/Dialect/Kernel/Analysis/Prepared.h"
#include "tenon/Place/Passes.h"

#include "mlir/Pass/PassManager.h"

using namespace mlir;
using namespace tenon;

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
      last[graph::getStorage(operand)] = kernels.size();
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
    if (held.insert(graph::getStorage(result)).second)
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
    if (!options.subgraphs)
      options.subgraphs = place::createSubgraphCache();
    if (!costs.getDatabase())
      return;
    PlacePipelineOptions others = options;
    others.subgraphs = nullptr;
    roofline = std::make_unique<cost::CostModel>(costs.withoutDatabase());
    unmeasured = std::make_unique<PlacedScorer>(*roofline, std::move(others));
  }

  std::vector<std::optional<optimize::Score>>
  score(ArrayRef<func::FuncOp> functions);

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
    OwningOpRef<func::FuncOp> prepared;
    /// None: it can't be placed.
    std::optional<std::vector<Kernel>> kernels;
  };

  void buildPasses(MLIRContext *context);
  std::vector<OwningOpRef<func::FuncOp>> run(PassManager &passes,
                                             ArrayRef<func::FuncOp> functions);
  std::optional<size_t> find(func::FuncOp prepared) const;
  std::vector<std::optional<size_t>> place(ArrayRef<func::FuncOp> functions);
  std::optional<optimize::Score> sum(const Placed &placed);

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

/// What passes make of copies of `functions`, side by side; null if they fail.
std::vector<OwningOpRef<func::FuncOp>>
PlacedScorer::run(PassManager &passes, ArrayRef<func::FuncOp> functions) {
  std::vector<OwningOpRef<func::FuncOp>> results(functions.size());
  if (functions.empty())
    return results;
  MLIRContext *context = passes.getContext();
  OwningOpRef<ModuleOp> module = ModuleOp::create(UnknownLoc::get(context));
  kernel::setTarget(*module, options.target);
  std::vector<func::FuncOp> copies;
  for (func::FuncOp function : functions) {
    copies.push_back(function.clone());
    // Their common name is not looked up.
    module->push_back(copies.back());
  }
  if (failed(passes.run(*module))) {
    // Which of them, one at a time tells.
    if (functions.size() > 1)
      for (auto [function, result] : llvm::zip(functions, results))
        result = std::move(run(passes, function).front());
    return results;
  }
  for (auto [copy, result] : llvm::zip(copies, results)) {
    copy->remove();
    result = copy;
  }
  return results;
}

/// The number of one that is equal in all that placement looks at.
std::optional<size_t> PlacedScorer::find(func::FuncOp prepared) const {
  // Pins are found by locations.
  if (!options.place.pins.empty())
    return std::nullopt;
  for (size_t number = 0; number < known.size(); ++number)
    if (OperationEquivalence::isRegionEquivalentTo(
            &prepared.getBody(),
            &func::FuncOp(known[number].prepared.get()).getBody(),
            OperationEquivalence::IgnoreLocations))
      return number;
  return std::nullopt;
}

/// The numbers of what `functions` are as placed graphs.
std::vector<std::optional<size_t>>
PlacedScorer::place(ArrayRef<func::FuncOp> functions) {
  std::vector<std::optional<size_t>> numbers;
  const size_t first = known.size();
  for (OwningOpRef<func::FuncOp> &function : run(*prepare, functions)) {
    if (!function) {
      numbers.push_back(std::nullopt);
      continue;
    }
    numbers.push_back(find(*function));
    if (numbers.back())
      continue;
    numbers.back() = known.size();
    known.push_back({std::move(function), std::nullopt});
  }
  std::vector<func::FuncOp> fresh;
  for (size_t number = first; number < known.size(); ++number)
    fresh.push_back(*known[number].prepared);
  size_t number = first;
  for (OwningOpRef<func::FuncOp> &function : run(*give, fresh)) {
    Placed &placed = known[number++];
    if (!function)
      continue;
    placed.kernels.emplace();
    for (PlacedKernel &kernel : listKernels(*function, costs))
      placed.kernels->push_back({kernel.call.getBackend().str(), kernel.cost,
                                 kernel.roofline, kernel.liveBytes});
  }
  return numbers;
}

std::optional<optimize::Score> PlacedScorer::sum(const Placed &placed) {
  if (!placed.kernels)
    return std::nullopt;
  for (const Kernel &kernel : *placed.kernels)
    if (kernel.cost.measured || kernel.cost.scaled)
      ratio.add(kernel.backend, kernel.cost, kernel.roofline);
  optimize::Score score;
  for (const Kernel &kernel : *placed.kernels) {
    score.seconds += ratio.correct(kernel.backend, kernel.cost);
    cost::Bounds bounds = ratio.getBounds(kernel.backend, kernel.cost);
    score.low += bounds.low;
    score.high += bounds.high;
    score.peakBytes = std::max(score.peakBytes, kernel.liveBytes);
    score.notMeasured += !kernel.cost.measured;
    ++score.kernels;
  }
  return score;
}

std::vector<std::optional<optimize::Score>>
PlacedScorer::score(ArrayRef<func::FuncOp> functions) {
  std::vector<std::optional<optimize::Score>> scores, others;
  if (functions.empty())
    return scores;
  func::FuncOp first = functions.front();
  if (!prepare)
    buildPasses(first.getContext());
  {
    // A candidate that can't be placed is no error of the model.
    ScopedDiagnosticHandler quiet(first.getContext(),
                                  [](Diagnostic &) { return success(); });
    for (std::optional<size_t> number : place(functions))
      scores.push_back(number ? sum(known[*number]) : std::nullopt);
  }
  if (unmeasured)
    others = unmeasured->score(functions);
  for (auto [number, score] : llvm::enumerate(scores)) {
    if (!score)
      continue;
    if (!unmeasured)
      score->low = score->high = score->unmeasuredSeconds = score->seconds;
    else
      score->unmeasuredSeconds =
          others[number] ? others[number]->seconds : score->seconds;
  }
  return scores;
}

optimize::Scorer tenon::makePlacedScorer(const cost::CostModel &costs,
                                         PlacePipelineOptions options) {
  auto scorer = std::make_shared<PlacedScorer>(costs, std::move(options));
  return [scorer](ArrayRef<func::FuncOp> functions) {
    return scorer->score(functions);
  };
}
