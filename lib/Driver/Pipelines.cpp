//===- Pipelines.cpp - the named pipelines -------------------------------===//
//
// Part of the Tenon project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "tenon/Driver/Pipelines.h"
#include "tenon/Dialect/Graph/Transforms/Passes.h"
#include "tenon/Lower/Lower.h"
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

void tenon::buildPlacePipeline(OpPassManager &passes,
                               const PlacePipelineOptions &options) {
  passes.addPass(graph::createGraphAddIndexChecks());
  if (!options.isPlaced)
    buildPreparePipeline(passes, options);
  buildGivePipeline(passes, options);
}

void tenon::buildGivePipeline(OpPassManager &passes,
                              const PlacePipelineOptions &options) {
  place::GraphPlaceOptions place;
  place.without.assign(options.without.begin(), options.without.end());
  place.plan = options.plan;
  // Where such an op is left, its lowering is known.
  if (options.target.isForGpu())
    place.whole.push_back("attention");
  place.unadmitted = options.unadmitted;
  place.explain = options.explain;
  for (const auto &[op, backend] : options.pins)
    place.pins.push_back(op + "=" + backend);
  passes.addNestedPass<func::FuncOp>(
      place::createGraphPlace(place, {nullptr, options.costs, options.quiet,
                                      options.sharesPins, options.subgraphs}));
}
