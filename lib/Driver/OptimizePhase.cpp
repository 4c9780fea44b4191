//===- OptimizePhase.cpp - what the optimizer did, for reports and proofs -===//
//
// Part of the Tenon project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "OptimizePhase.h"
#include "OptimizeReport.h"
#include "tenon/Dialect/Graph/Transforms/Entries.h"

#include "llvm/Support/Path.h"

using namespace mlir;
using namespace tenon;
using optimize::OptimizeResult;

/// What the page says of the model itself.
static void describeModel(const CompileOptions &options, const Costs &known,
                          report::OptimizeReport &page) {
  page.model = llvm::sys::path::filename(options.input).str();
  page.costs = known.description;
}

void tenon::describeOptimized(const optimize::OptimizeRun &run,
                              const CompileOptions &options,
                              const PlacePipelineOptions &place,
                              const Costs &costs,
                              report::OptimizeReport &page) {
  ModuleOp module = run.module;
  describeModel(options, costs, page);
  // The first entry; others would be pages of their own.
  func::FuncOp first = graph::getEntries(module).front();
  for (auto [number, function] :
       llvm::enumerate(module.getOps<func::FuncOp>())) {
    if (function != first)
      continue;
    const OptimizeResult &result = run.results[number];
    func::FuncOp before = run.before[number].get();
    page.before = describeSide(before, *costs.model, place, nullptr);
    page.after = describeSide(function, *costs.model, place, &result.log);
    describeResult(result, run.rules, page);
  }
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

void tenon::replayOptimized(const optimize::OptimizeRun &run,
                            prove::RewriteProver &prover) {
  ModuleOp module = run.module;
  for (auto [number, function] :
       llvm::enumerate(module.getOps<func::FuncOp>())) {
    prove::PassReport &row = prover.getReport().getPass("rules");
    const optimize::FunctionLog &log = run.results[number].log;
    ++row.runs;
    if (!run.results[number].changed)
      continue;
    ++row.changed;
    std::string reason;
    ScopedDiagnosticHandler handler(module.getContext(),
                                    [&](Diagnostic &diagnostic) {
                                      reason = diagnostic.str();
                                      return success();
                                    });
    func::FuncOp before = run.before[number].get();
    if (failed(optimize::replay(before, log, run.search.fp, run.rules)) ||
        optimize::hashFunction(before) != optimize::hashFunction(function))
      row.open.push_back({function.getName().str(), "func.func",
                          function.getLoc(),
                          "the log is no derivation of the result: " + reason,
                          /*isRefuted=*/false});
    else
      row.byRule += log.firings.size();
  }
}
