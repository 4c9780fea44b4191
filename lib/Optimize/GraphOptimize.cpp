//===- GraphOptimize.cpp - the pass for the search ------------------------===//
//
// Part of the Tenon project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "tenon/Optimize/Optimize.h"
#include "tenon/Optimize/Passes.h"
#include "tenon/Optimize/RuleArchive.h"
#include "tenon/Support/File.h"

#include "llvm/Support/DebugLog.h"
#include "llvm/Support/FormatVariadic.h"

#include <chrono>

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
  LogicalResult readFiles(Location here);
  FailureOr<std::shared_ptr<const cost::CostModel>>
  findCosts(kernel::DeviceTarget target);
  FailureOr<std::shared_ptr<const RuleSet>> findRules();
  LogicalResult writeLog(ArrayRef<OptimizeResult> results);

  OptimizeServices services;
  OptimizeOptions search;
  cost::Sizes costSizes;
  /// Files that the options name, which the context owns; null if they name
  /// none.
  std::shared_ptr<const RuleSet> namedRules;
  std::shared_ptr<const cost::DeviceProfile> namedProfile;
  std::shared_ptr<const cost::CostDatabase> database;
};
} // namespace

LogicalResult GraphOptimizePass::parseOptions(Location here) {
  search.extraction = extraction;
  search.newNodes = newNodes;
  search.iterations = iterations;
  search.candidates = candidates;
  search.leastGain = leastGain;
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

LogicalResult GraphOptimizePass::readFiles(Location here) {
  if (!profile.empty() && !services.costs) {
    auto found = cost::getProfile(here.getContext(), profile);
    if (!found)
      return emitError(here) << llvm::toString(found.takeError());
    namedProfile = std::move(*found);
  }
  if (!costs.empty() && !services.costs) {
    auto read = cost::CostDatabase::read(here.getContext(), costs);
    if (!read)
      return emitError(here) << llvm::toString(read.takeError());
    database = std::move(*read);
  }
  std::vector<std::string> paths(rules.begin(), rules.end());
  std::vector<std::string> wanted(names.begin(), names.end());
  if (paths.empty() && services.rulesFolder.empty())
    return emitError(here) << "no rules: Tenon's own were not found beside "
                              "the program; give rules=DIR";
  // Names are looked up in all rules.
  if (paths.empty() && wanted.empty())
    return success();
  if (paths.empty())
    paths.push_back(services.rulesFolder);
  auto loaded =
      RuleSet::share(here.getContext(), paths, wanted, services.judge);
  if (failed(loaded))
    return failure();
  namedRules = std::move(*loaded);
  return success();
}

LogicalResult GraphOptimizePass::initialize(MLIRContext *context) {
  Location here = UnknownLoc::get(context);
  return success(succeeded(parseOptions(here)) && succeeded(readFiles(here)));
}

FailureOr<std::shared_ptr<const cost::CostModel>>
GraphOptimizePass::findCosts(kernel::DeviceTarget target) {
  if (services.costs)
    return services.costs;
  if (namedProfile && namedProfile->device != target.getDevice())
    return getOperation().emitError()
           << "profile '" << profile << "' is of the device "
           << tenon::getName(namedProfile->device) << ", but the target is "
           << tenon::getName(target.getDevice());
  llvm::Expected<cost::DeviceProfile> known =
      namedProfile ? llvm::Expected<cost::DeviceProfile>(*namedProfile)
                   : cost::getProfileFor(target);
  if (!known)
    return getOperation().emitError() << llvm::toString(known.takeError());
  return std::make_shared<const cost::CostModel>(std::move(*known),
                                                 database.get(), costSizes);
}

/// Of Tenon's own rules, those that can match are read from their archive.
FailureOr<std::shared_ptr<const RuleSet>> GraphOptimizePass::findRules() {
  if (namedRules)
    return namedRules;
  ModuleOp module = getOperation();
  if (!services.rulesArchive.empty()) {
    RuleQuery query;
    query.floatClass = getAllowedClass(search.fp);
    module.walk(
        [&](Operation *op) { query.ops.insert(op->getName().getStringRef()); });
    auto read = shareRuleArchive(module.getContext(), services.rulesArchive,
                                 services.rulesFolder, query, services.judge);
    if (read)
      return std::move(*read);
    emitWarning(UnknownLoc::get(module.getContext()))
        << "'" << services.rulesArchive << "' is not used ("
        << llvm::toString(read.takeError()) << "), but the rules in '"
        << services.rulesFolder
        << "', which takes longer; 'tenon-rules archive' makes it anew";
  }
  return RuleSet::share(module.getContext(), {services.rulesFolder}, {},
                        services.judge);
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
  ModuleOp module = getOperation();
  kernel::TargetAttr target = kernel::getTarget(module);
  if (target.getUnits().size() > 1) {
    module.emitError("expected a module for CPUs or for GPUs, whose graphs are "
                     "optimized one at a time, but got both");
    return signalPassFailure();
  }
  search.fp = target.getNumerics().fp;
  auto model = findCosts(target.getDevices().front());
  if (failed(model))
    return signalPassFailure();
  auto start = std::chrono::steady_clock::now();
  FailureOr<std::shared_ptr<const RuleSet>> set = findRules();
  if (failed(set))
    return signalPassFailure();
  double ruleSeconds =
      std::chrono::duration<double>(std::chrono::steady_clock::now() - start)
          .count();
  Scorer scorer;
  if (services.makeScorer)
    scorer = services.makeScorer(module, **model);
  std::vector<OwningOpRef<func::FuncOp>> before;
  if (services.observesBefore)
    for (auto function : module.getOps<func::FuncOp>())
      before.emplace_back(function.clone());
  FailureOr<std::vector<OptimizeResult>> results =
      optimizeModule(module, **set, **model, search, scorer);
  if (failed(results) || failed(writeLog(*results)))
    return signalPassFailure();
  if (services.observe)
    services.observe({module, before, *results, **set, search, ruleSeconds});
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
