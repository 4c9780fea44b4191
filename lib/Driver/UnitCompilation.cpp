//===- UnitCompilation.cpp - the passes of one program --------------------===//
//
// Part of the Tenon project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "UnitCompilation.h"
#include "Contracts.h"
#include "OptimizePhase.h"
#include "PlacementReport.h"
#include "tenon/Dialect/Graph/Transforms/Entries.h"
#include "tenon/Dialect/Program/IR/Program.h"
#include "tenon/Driver/DataFolders.h"
#include "tenon/Driver/Passes.h"
#include "tenon/Driver/PlacedScore.h"
#include "tenon/Driver/RuleJudge.h"
#include "tenon/Lower/Passes.h"

#include "mlir/IR/Verifier.h"
#include "mlir/Pass/PassInstrumentation.h"
#include "mlir/Pass/PassManager.h"
#include "llvm/ADT/StringSet.h"
#include "llvm/Support/FormatVariadic.h"
#include "llvm/Support/Path.h"

using namespace mlir;
using namespace tenon;

CompilePhase tenon::getLastPhase(const CompileOptions &options) {
  bool isGraph =
      options.emit == EmitKind::Mlir || options.emit == EmitKind::Onnx;
  return options.stopAfter == CompilePhase::Emit && isGraph
             ? CompilePhase::Optimize
             : options.stopAfter;
}

//===----------------------------------------------------------------------===//
// What is seen of the passes
//===----------------------------------------------------------------------===//

/// Times the phases, and describes the graph for a report.
class UnitCompilation::Observer : public PassInstrumentation {
public:
  explicit Observer(UnitCompilation &unit) : unit(unit) {}

  void runBeforePass(Pass *pass, Operation *op) override {
    if (op != unit.module || depth++ > 0)
      return;
    phase = getPhase(pass->getArgument());
    unit.times.enter(phase);
    start = PhaseTimes::Clock::now();
    StringRef name = pass->getArgument();
    if (name == "tenon-set-precision" && unit.page &&
        !std::exchange(isDescribed, true) && !unit.isOptimized)
      describeUnchanged(unit.module, unit.options, unit.place, unit.costs,
                        *unit.page);
    if (name == "tenon-lower-placed")
      unit.describePlaced();
  }
  void runAfterPass(Pass *, Operation *op) override { leave(op); }
  void runAfterPassFailed(Pass *, Operation *op) override { leave(op); }

private:
  /// The passes of functions have no name here.
  static Phase getPhase(StringRef pass) {
    if (pass == "tenon-assemble")
      return Phase::Assemble;
    if (pass == "tenon-lower-placed" || pass.starts_with("program-"))
      return Phase::Lower;
    if (pass.empty() || pass == "tenon-prepare" ||
        pass == "graph-add-index-checks")
      return Phase::Place;
    return Phase::Optimize;
  }
  void leave(Operation *op) {
    if (op != unit.module || --depth > 0)
      return;
    unit.times.add(
        phase, std::chrono::duration<double>(PhaseTimes::Clock::now() - start)
                   .count());
  }

  UnitCompilation &unit;
  Phase phase = Phase::Optimize;
  PhaseTimes::Clock::time_point start;
  /// Passes run others on the same module.
  unsigned depth = 0;
  bool isDescribed = false;
};

/// Behind placement: for the report, and for the user.
void UnitCompilation::describePlaced() {
  SmallVector<func::FuncOp> entries = graph::getEntries(module);
  if (page)
    page->placement =
        describePlacement(entries.front(), *costs.model, options.place.plan);
  if (!options.quietPlace && !target.isForGpu())
    for (func::FuncOp entry : entries)
      remarkMissing(entry, *costs.model);
}

void UnitCompilation::observe(const optimize::OptimizeRun &run) {
  double seconds = 0;
  for (const optimize::OptimizeResult &result : run.results)
    seconds += result.searchSeconds;
  times.addSearch(run.ruleSeconds, seconds);
  if (!options.log.empty())
    log = llvm::formatv("{0:2}\n",
                        optimize::getLog(run.results, run.search).toJSON())
              .str();
  if (page)
    describeOptimized(run, options, place, costs, *page);
  if (prover)
    replayOptimized(run, *prover);
}

static void countWork(program::TargetOp target, WorkCounts &counts) {
  llvm::StringSet<> kernels;
  target->walk([&](Operation *op) {
    if (auto launch = dyn_cast<program::LaunchOp>(op))
      kernels.insert(launch.getKernel().getLeafReference());
    counts.steps += isa<program::LaunchOp, program::CallOp, program::PluginOp,
                        program::CopyOp>(op);
    counts.buffers += op->getNumResults() == 1 &&
                      isa<program::BufferType>(op->getResult(0).getType());
  });
  counts.kernels += kernels.size();
}

//===----------------------------------------------------------------------===//
// The passes
//===----------------------------------------------------------------------===//

LogicalResult UnitCompilation::readCosts() {
  FailureOr<Costs> loaded =
      loadCosts(options, target, devices, *module->getContext());
  if (failed(loaded))
    return failure();
  costs = std::move(*loaded);
  place.place = options.place;
  place.place.profile = costs.profile;
  place.place.costs = costs.file;
  place.costs = costs.model;
  place.quiet = options.quietPlace;
  place.isPlaced = isPlaced(module);
  if (auto stored = module->getAttrOfType<StringAttr>("graph.precision"))
    place.hasPrecision =
        stored.getValue() == getName(target.getNumerics().precision);
  // The report is placed by the same costs as the search.
  place.subgraphs = place::createSubgraphCache();
  return success();
}

void UnitCompilation::addOptimize(OpPassManager &passes) {
  optimize::GraphOptimizeOptions search = options.search;
  search.profile = costs.profile;
  search.costs = costs.file;
  optimize::OptimizeServices services;
  services.judge = makeRuleJudge();
  services.makeScorer = [this](ModuleOp, const cost::CostModel &model) {
    return makePlacedScorer(model, place);
  };
  services.rulesFolder = findRulesFolder();
  services.rulesArchive = findRulesArchive();
  services.costs = costs.model;
  services.observe = [this](const optimize::OptimizeRun &run) { observe(run); };
  services.observesBefore = page || prover;
  buildOptimizePipeline(passes, search, std::move(services));
}

void UnitCompilation::buildPasses(OpPassManager &passes, CompilePhase last) {
  if (options.trains)
    passes.addPass(differentiate::createGraphTrain(options.training));
  if (last == CompilePhase::Import)
    return;
  if (!isLowered(module)) {
    if (isOptimized)
      addOptimize(passes);
    else
      buildKeepPipeline(passes);
    if (last >= CompilePhase::Place) {
      PlacePipelineOptions final = place;
      final.place.sharesPins =
          options.trains || graph::getEntries(module).size() > 1;
      final.place.explain = page || last == CompilePhase::Place;
      final.subgraphs = nullptr;
      buildPlacePipeline(passes, final);
    }
    if (last >= CompilePhase::Lower)
      buildLowerPipeline(passes, llvm::sys::path::stem(options.input));
  } else {
    // The kernels may be loops, as --tenon-lower-placed makes them.
    passes.addPass(lower::createProgramLowerKernels());
  }
  if (last < CompilePhase::Emit || target.getGpus().empty())
    return;
  TenonAssembleOptions assemble;
  assemble.dump = options.dumpKernels;
  passes.addPass(createTenonAssemble(assemble));
}

LogicalResult UnitCompilation::run() {
  const CompilePhase last = getLastPhase(options);
  const bool wasLowered = isLowered(module);
  if (options.trains && (wasLowered || isPlaced(module)))
    return module.emitError()
           << "--train: expected a model that is not placed or lowered yet";
  if (wasLowered ? failed(checkLowered(module))
                 : failed(checkGraph(module)) || failed(readCosts()))
    return failure();
  // A placed graph must not change any more.
  isOptimized = options.optimizes && last >= CompilePhase::Optimize &&
                !wasLowered && !place.isPlaced;
  if (!options.report.empty() && !wasLowered)
    page.emplace();
  if (isOptimized && options.search.rules.empty() &&
      findRulesFolder().empty()) {
    auto loc = UnknownLoc::get(module.getContext());
    if (options.given.count("--optimize"))
      return emitError(loc)
             << "Tenon's rules were not found beside the program: give "
                "--rules=DIR, or --optimize=off";
    emitRemark(loc)
        << "the graph is not optimized: Tenon's rules were not found beside "
           "the program (--rules=DIR names them)";
    isOptimized = false;
  }
  PassManager passes(module->getName());
  passes.enableVerifier(options.verifyEach);
  if (prover)
    proveRewrites(passes, *prover);
  if (options.configurePasses && failed(options.configurePasses(passes)))
    return failure();
  passes.addInstrumentation(std::make_unique<Observer>(*this));
  buildPasses(passes, last);
  if (failed(passes.run(module)) || failed(verify(module)))
    return failure();
  if (last == CompilePhase::Place && !wasLowered)
    describePlaced();
  if (last == CompilePhase::Emit)
    for (auto program : module.getOps<program::TargetOp>())
      // Programs for several CPUs do the same.
      if (!program.getHost())
        countWork(program, times.counts);
  return success();
}
