//===- Pipelines.cpp - the named pipelines -------------------------------===//
//
// Part of the Tenon project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "tenon/Driver/Pipelines.h"
#include "tenon/Dialect/Graph/Transforms/Passes.h"
#include "tenon/Dialect/Kernel/Transforms/Passes.h"
#include "tenon/Driver/Passes.h"
#include "tenon/Lower/Lower.h"
#include "tenon/Lower/Passes.h"
#include "tenon/Place/Passes.h"

#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Pass/PassManager.h"
#include "mlir/Transforms/Passes.h"

using namespace mlir;
using namespace tenon;

static void addRecognition(OpPassManager &function, bool mayReassociate) {
  graph::GraphRecognizeActivationsOptions options;
  options.reassociate = mayReassociate;
  function.addPass(graph::createGraphRecognizeActivations(options));
}

void tenon::buildCanonicalPipeline(OpPassManager &passes, FpMode fp) {
  passes.addPass(graph::createGraphFunctionalizeState());
  OpPassManager &function = passes.nest<func::FuncOp>();
  function.addPass(createCanonicalizerPass());
  function.addPass(createCSEPass());
  addRecognition(function, fp != FpMode::Strict);
  function.addPass(graph::createGraphComposeMovement());
  function.addPass(createCSEPass());
}

void tenon::buildPrecisionPipeline(OpPassManager &passes,
                                   const PlacePipelineOptions &options) {
  const Numerics numerics = options.target.getNumerics();
  OpPassManager &function = passes.nest<func::FuncOp>();
  function.addPass(createCanonicalizerPass());
  function.addPass(createCSEPass());
  addRecognition(function, numerics.mayReassociate());
  if (numerics.mayReassociate())
    function.addPass(graph::createGraphFoldBatchNorm());
  if (options.hasPrecision || !numerics.storesHalf())
    return;
  graph::GraphSetPrecisionOptions set;
  set.precision = numerics.precision;
  function.addPass(graph::createGraphSetPrecision(set));
  function.addPass(createCanonicalizerPass());
  function.addPass(createCSEPass());
}

void tenon::buildPreparePipeline(OpPassManager &passes,
                                 const PlacePipelineOptions &options) {
  const Numerics numerics = options.target.getNumerics();
  buildPrecisionPipeline(passes, options);
  OpPassManager &function = passes.nest<func::FuncOp>();
  graph::GraphChannelsLastOptions channelsLast;
  channelsLast.reassociate = numerics.mayReassociate();
  // A GPU has too few channels for a thread each, and computes positions fast.
  channelsLast.others = !options.target.isForGpu();
  function.addPass(graph::createGraphChannelsLast(channelsLast));
  if (options.target.isForGpu()) {
    lower::LowerOptions lowering;
    lowering.numerics = numerics;
    lowering.device = Device::Cuda;
    function.addPass(graph::createGraphDecompose([lowering](Operation *op) {
      return lower::hasGpuKernel(op, lowering);
    }));
  } else {
    function.addPass(graph::createGraphDecompose());
  }
  function.addPass(graph::createGraphExpandTopK());
  function.addPass(createCanonicalizerPass());
  function.addPass(createCSEPass());
  function.addPass(graph::createGraphComposeMovement());
  function.addPass(createCSEPass());
}

void tenon::buildGivePipeline(OpPassManager &passes,
                              const PlacePipelineOptions &options) {
  passes.addNestedPass<func::FuncOp>(place::createGraphPlace(
      options.place,
      {nullptr, options.costs, options.quiet, options.subgraphs}));
  passes.addNestedPass<func::FuncOp>(kernel::createKernelOrderCalls());
}

//===----------------------------------------------------------------------===//
// Named pipelines
//===----------------------------------------------------------------------===//

/// States become arguments and results; what a run checks is kept as the model
/// has it.
static void addImported(OpPassManager &passes) {
  passes.addPass(graph::createGraphFunctionalizeState());
  passes.addPass(graph::createGraphExtractIndexChecks());
}

/// `search` is --graph-optimize.
static void addOptimize(OpPassManager &passes, std::unique_ptr<Pass> search) {
  addImported(passes);
  passes.addPass(createTenonCanonicalForm());
  passes.addPass(std::move(search));
  passes.addPass(createTenonSetPrecision());
}

void tenon::buildOptimizePipeline(OpPassManager &passes,
                                  const optimize::GraphOptimizeOptions &options,
                                  optimize::OptimizeServices services) {
  addOptimize(passes,
              optimize::createGraphOptimize(options, std::move(services)));
}

void tenon::buildKeepPipeline(OpPassManager &passes) {
  addImported(passes);
  passes.addPass(createTenonSetPrecision());
}

/// What comes before --graph-place.
static void addPrepare(OpPassManager &passes, ArrayRef<std::string> pins) {
  addImported(passes);
  passes.addPass(graph::createGraphAddIndexChecks());
  passes.addPass(createTenonSetPrecision());
  TenonPrepareOptions prepare;
  prepare.pins.assign(pins.begin(), pins.end());
  passes.addPass(createTenonPrepare(prepare));
}

void tenon::buildPlacePipeline(OpPassManager &passes,
                               const PlacePipelineOptions &options) {
  addPrepare(passes, options.place.pins);
  buildGivePipeline(passes, options);
}

static void addProgramPasses(OpPassManager &passes) {
  passes.addPass(lower::createProgramLowerKernels());
  passes.addPass(lower::createProgramExpandSplats());
  passes.addPass(lower::createProgramPlanArena());
}

void tenon::buildLowerPipeline(OpPassManager &passes, StringRef name) {
  TenonLowerOptions options;
  options.name = name.str();
  passes.addPass(createTenonLower(options));
  addProgramPasses(passes);
}

/// Registers a pipeline with the options of the pass that `create` makes.
template <typename Create, typename Build>
static void registerPipeline(StringRef name, StringRef summary, Create create,
                             Build build) {
  registerPassPipeline(
      name, summary,
      [create, build](OpPassManager &passes, StringRef options,
                      function_ref<LogicalResult(const Twine &)> error) {
        std::unique_ptr<Pass> pass = create();
        if (failed(pass->initializeOptions(options, error)))
          return failure();
        build(passes, std::move(pass));
        return success();
      },
      [](function_ref<void(const mlir::detail::PassOptions &)>) {});
}

void tenon::registerPipelines(optimize::OptimizeServices services) {
  registerPipeline(
      "tenon-optimize",
      "From an imported graph to the one that is placed; options: those of "
      "graph-optimize",
      [services] { return optimize::createGraphOptimize({}, services); },
      addOptimize);
  registerPipeline(
      "tenon-place",
      "From a graph to a placed module; options: those of graph-place",
      [] { return place::createGraphPlace({}, {}); },
      [](OpPassManager &passes, std::unique_ptr<Pass> pass) {
        addPrepare(passes, {});
        passes.addNestedPass<func::FuncOp>(std::move(pass));
        passes.addNestedPass<func::FuncOp>(kernel::createKernelOrderCalls());
      });
  registerPipeline(
      "tenon-lower",
      "From a placed module to its programs; options: those of "
      "tenon-lower-placed",
      [] { return createTenonLower(); },
      [](OpPassManager &passes, std::unique_ptr<Pass> pass) {
        passes.addPass(std::move(pass));
        addProgramPasses(passes);
      });
}
