//===- GraphOptimize.cpp - the pass for the search ------------------------===//
//
// Part of the Tenon project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "tenon/Optimize/Optimize.h"
#include "tenon/Optimize/Passes.h"
#include "tenon/Support/File.h"

#include "llvm/Support/DebugLog.h"
#include "llvm/Support/FormatVariadic.h"

#define DEBUG_TYPE "graph-optimize"

namespace tenon::optimize {
#define GEN_PASS_DEF_GRAPHOPTIMIZE
#include "tenon/Optimize/Passes.h.inc"
} // namespace tenon::optimize

using namespace mlir;
using namespace tenon;
using namespace tenon::optimize;

namespace {
struct GraphOptimizePass
    : optimize::impl::GraphOptimizeBase<GraphOptimizePass> {
  GraphOptimizePass(GraphOptimizeOptions options = {},
                    OptimizeServices services = {})
      : GraphOptimizeBase(std::move(options)), services(std::move(services)) {}

  LogicalResult initialize(MLIRContext *context) override;
  void runOnOperation() override;

private:
  LogicalResult parseOptions(Location here);
  LogicalResult readCosts(Location here);
  LogicalResult writeLog(ArrayRef<OptimizeResult> results);

  OptimizeServices services;
  OptimizeOptions search;
  cost::Sizes costSizes;
  /// Shared with copies of the pass; read-only.
  std::shared_ptr<const RuleSet> set;
  std::shared_ptr<const cost::DeviceProfile> device;
  std::shared_ptr<const cost::CostDatabase> database;
};
} // namespace

LogicalResult GraphOptimizePass::parseOptions(Location here) {
  search.extractor = extraction;
  search.fp = fp;
  if (newNodes >= 0)
    search.newNodes =
        std::min<int64_t>(newNodes, std::numeric_limits<unsigned>::max());
  search.iterations = iterations;
  search.candidates = candidates;
  search.leastGain = leastGain / 100;
  search.memoryLimit = memoryLimit;
  for (StringRef size : sizes) {
    auto [name, value] = size.split('=');
    int64_t number;
    if (name.empty() || value.getAsInteger(10, number) || number < 0)
      return emitError(here)
             << "expected SYMBOL=N in sizes, but got '" << size << "'";
    costSizes[name.str()] = number;
  }
  return success();
}

LogicalResult GraphOptimizePass::readCosts(Location here) {
  llvm::Expected<cost::DeviceProfile> found = cost::getProfile(profile);
  if (!found)
    return emitError(here) << llvm::toString(found.takeError());
  device = std::make_shared<const cost::DeviceProfile>(std::move(*found));
  if (costs.empty())
    return success();
  llvm::Expected<cost::CostDatabase> read = cost::CostDatabase::read(costs);
  if (!read)
    return emitError(here) << llvm::toString(read.takeError());
  database = std::make_shared<const cost::CostDatabase>(std::move(*read));
  return success();
}

LogicalResult GraphOptimizePass::initialize(MLIRContext *context) {
  Location here = UnknownLoc::get(context);
  if (failed(parseOptions(here)) || failed(readCosts(here)))
    return failure();
  std::vector<std::string> paths(rules.begin(), rules.end());
  std::vector<std::string> wanted(names.begin(), names.end());
  if (paths.empty()) {
    if (services.rulesFolder.empty())
      return emitError(here) << "no rules: Tenon's own were not found beside "
                                "the program; give rules=DIR";
    paths.push_back(services.rulesFolder);
  }
  FailureOr<RuleSet> loaded =
      RuleSet::load(context, paths, wanted, services.judge);
  if (failed(loaded))
    return failure();
  set = std::make_shared<const RuleSet>(std::move(*loaded));
  return success();
}

LogicalResult GraphOptimizePass::writeLog(ArrayRef<OptimizeResult> results) {
  if (log.empty())
    return success();
  std::string text =
      llvm::formatv("{0:2}\n", getLog(results, search).toJSON()).str();
  if (llvm::Error error = writeOutputFile(log, text))
    return getOperation().emitError() << llvm::toString(std::move(error));
  return success();
}

void GraphOptimizePass::runOnOperation() {
  cost::CostModel model(*device, database.get(), costSizes);
  Scorer scorer;
  if (services.makeScorer)
    scorer = services.makeScorer(getOperation(), model);
  FailureOr<std::vector<OptimizeResult>> results =
      optimizeModule(getOperation(), *set, model, search, scorer);
  if (failed(results) || failed(writeLog(*results)))
    return signalPassFailure();
  for (const OptimizeResult &result : *results) {
    for (const LoggedFiring &firing : result.log.firings)
      LDBG() << "rule '" << firing.rule << "'";
    numChanged += result.changed;
    numFired += result.log.firings.size();
  }
}

std::unique_ptr<Pass>
optimize::createGraphOptimize(GraphOptimizeOptions options,
                              OptimizeServices services) {
  return std::make_unique<GraphOptimizePass>(std::move(options),
                                             std::move(services));
}
