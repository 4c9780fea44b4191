//===- OptimizePhase.cpp - the optimizer inside a compilation -------------===//
//
// Part of the Tenon project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "OptimizePhase.h"
#include "OptimizeReport.h"
#include "tenon/Dialect/Graph/Transforms/Entries.h"
#include "tenon/Driver/DataFolders.h"
#include "tenon/Driver/PlacedScore.h"
#include "tenon/Driver/RuleJudge.h"
#include "tenon/Optimize/RuleArchive.h"
#include "tenon/Place/Passes.h"

#include "mlir/Pass/PassManager.h"
#include "llvm/Support/FormatVariadic.h"
#include "llvm/Support/Path.h"

#include <chrono>

using namespace mlir;
using namespace tenon;
using optimize::OptimizeResult;

namespace {
/// One run of the optimizer.
class OptimizePhase {
public:
  OptimizePhase(ModuleOp module, const CompileOptions &options,
                const PlacePipelineOptions &place, const Costs &known,
                report::OptimizeReport *page, prove::RewriteProver *prover)
      : module(module), options(options), place(place), known(known),
        page(page), prover(prover) {
    // The report is placed by the same costs as the search.
    if (!this->place.subgraphs)
      this->place.subgraphs = place::createSubgraphCache();
  }

  FailureOr<OptimizeOutcome> run();

private:
  InFlightDiagnostic error() {
    return emitError(UnknownLoc::get(module.getContext()));
  }
  LogicalResult canonicalize();
  LogicalResult loadRules();
  void describe(ArrayRef<OwningOpRef<func::FuncOp>> before,
                ArrayRef<OptimizeResult> results);
  void replay(ArrayRef<OwningOpRef<func::FuncOp>> before,
              ArrayRef<OptimizeResult> results);

  ModuleOp module;
  const CompileOptions &options;
  /// With what the search learns of subgraphs, for the report, too.
  PlacePipelineOptions place;
  const Costs &known;
  report::OptimizeReport *page;
  prove::RewriteProver *prover;
  const cost::CostModel *costs = known.model.get();
  std::optional<optimize::RuleSet> rules;
};
} // namespace

LogicalResult OptimizePhase::canonicalize() {
  PassManager passes(module->getName());
  passes.enableVerifier(options.verifyEach);
  buildCanonicalPipeline(passes, place.target.getNumerics().fp);
  if (prover)
    proveRewrites(passes, *prover);
  return passes.run(module);
}

LogicalResult OptimizePhase::loadRules() {
  std::string folder = options.optimize.rules;
  if (folder.empty())
    folder = findRulesFolder();
  if (folder.empty())
    return error() << "Tenon's rules were not found beside the program: give "
                      "--rules=DIR, or --optimize=off";
  if (std::string archive = findRulesArchive();
      options.optimize.rules.empty() && !archive.empty()) {
    optimize::RuleQuery query;
    query.floatClass = optimize::getAllowedClass(place.target.getNumerics().fp);
    module.walk(
        [&](Operation *op) { query.ops.insert(op->getName().getStringRef()); });
    llvm::Expected<optimize::RuleSet> read = optimize::readRuleArchive(
        module.getContext(), archive, folder, query, makeRuleJudge());
    if (read) {
      rules = std::move(*read);
      return success();
    }
    emitWarning(UnknownLoc::get(module.getContext()))
        << "'" << archive << "' is not used ("
        << llvm::toString(read.takeError()) << "), but the rules in '" << folder
        << "', which takes longer; 'tenon-rules archive' makes it anew";
  }
  FailureOr<optimize::RuleSet> loaded = optimize::RuleSet::load(
      module.getContext(), {folder}, {}, makeRuleJudge());
  if (failed(loaded))
    return failure();
  rules = std::move(*loaded);
  return success();
}

/// What the page says of the model itself.
static void describeModel(const CompileOptions &options, const Costs &known,
                          report::OptimizeReport &page) {
  page.model = llvm::sys::path::filename(options.input).str();
  page.costs = known.description;
}

void OptimizePhase::describe(ArrayRef<OwningOpRef<func::FuncOp>> before,
                             ArrayRef<OptimizeResult> results) {
  describeModel(options, known, *page);
  // The first entry; others would be pages of their own.
  func::FuncOp first = graph::getEntries(module).front();
  unsigned number = 0;
  for (auto function : module.getOps<func::FuncOp>()) {
    const OptimizeResult &result = results[number];
    if (function == first) {
      page->before = describeSide(before[number].get(), *costs, place, nullptr);
      page->after = describeSide(function, *costs, place, &result.log);
      page->facts.clear();
      page->notes.clear();
      page->rules.clear();
      describeResult(result, *rules, *page);
    }
    ++number;
  }
}

/// Derives the results again, step by step, from what was optimized.
void OptimizePhase::replay(ArrayRef<OwningOpRef<func::FuncOp>> before,
                           ArrayRef<OptimizeResult> results) {
  for (auto [number, function] :
       llvm::enumerate(module.getOps<func::FuncOp>())) {
    prove::PassReport &row = prover->getReport().getPass("rules");
    const optimize::FunctionLog &log = results[number].log;
    ++row.runs;
    if (!results[number].changed)
      continue;
    ++row.changed;
    std::string reason;
    ScopedDiagnosticHandler handler(module.getContext(),
                                    [&](Diagnostic &diagnostic) {
                                      reason = diagnostic.str();
                                      return success();
                                    });
    if (failed(optimize::replay(before[number].get(), log,
                                place.target.getNumerics().fp, *rules)) ||
        optimize::hashFunction(before[number].get()) !=
            optimize::hashFunction(function))
      row.open.push_back({function.getName().str(), "func.func",
                          function.getLoc(),
                          "the log is no derivation of the result: " + reason,
                          /*isRefuted=*/false});
    else
      row.byRule += log.firings.size();
  }
}

FailureOr<OptimizeOutcome> OptimizePhase::run() {
  if (!options.optimize.required && options.optimize.rules.empty() &&
      findRulesFolder().empty()) {
    emitRemark(UnknownLoc::get(module.getContext()))
        << "the graph is not optimized: Tenon's rules were not found beside "
           "the program (--rules=DIR names them)";
    if (page)
      describeUnchanged(module, options, place, known, *page);
    return OptimizeOutcome();
  }
  if (failed(canonicalize()))
    return failure();
  OptimizeOutcome outcome;
  auto start = std::chrono::steady_clock::now();
  if (failed(loadRules()))
    return failure();
  outcome.ruleSeconds =
      std::chrono::duration<double>(std::chrono::steady_clock::now() - start)
          .count();
  optimize::OptimizeOptions search;
  search.extractor = options.optimize.exact ? optimize::Extractor::Ilp
                                            : optimize::Extractor::Greedy;
  search.fp = place.target.getNumerics().fp;
  search.newNodes = options.optimize.budget;
  if (options.optimize.leastGain)
    search.leastGain = *options.optimize.leastGain;
  search.memoryLimit = options.optimize.memoryLimit;
  std::vector<OwningOpRef<func::FuncOp>> before;
  if (page || prover)
    for (auto function : module.getOps<func::FuncOp>())
      before.emplace_back(function.clone());
  FailureOr<std::vector<OptimizeResult>> results = optimize::optimizeModule(
      module, *rules, *costs, search, makePlacedScorer(*costs, place));
  if (failed(results))
    return failure();
  if (!options.optimize.log.empty())
    outcome.log =
        llvm::formatv("{0:2}\n", optimize::getLog(*results, search).toJSON())
            .str();
  if (page)
    describe(before, *results);
  if (prover)
    replay(before, *results);
  for (const OptimizeResult &result : *results)
    outcome.searchSeconds += result.searchSeconds;
  return outcome;
}

FailureOr<OptimizeOutcome>
tenon::runOptimizePhase(ModuleOp module, const CompileOptions &options,
                        const PlacePipelineOptions &place, const Costs &costs,
                        report::OptimizeReport *page,
                        prove::RewriteProver *prover) {
  return OptimizePhase(module, options, place, costs, page, prover).run();
}

void tenon::describeUnchanged(ModuleOp module, const CompileOptions &options,
                              const PlacePipelineOptions &place,
                              const Costs &costs,
                              report::OptimizeReport &page) {
  describeModel(options, costs, page);
  page.notes = {"the graph was not optimized"};
  page.before = describeSide(graph::getEntries(module).front(), *costs.model,
                             place, nullptr);
  page.after = page.before;
}
