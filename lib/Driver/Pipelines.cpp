//===- Pipelines.cpp - the named pipelines -------------------------------===//
//
// Part of the Tenon project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "tenon/Driver/Pipelines.h"
#include "tenon/Dialect/Graph/Transforms/Passes.h"
#include "tenon/Dialect/Kernel/IR/Kernel.h"
#include "tenon/Lower/Lower.h"
#include "tenon/Place/Passes.h"

#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Pass/PassManager.h"
#include "mlir/Transforms/Passes.h"

using namespace mlir;
using namespace tenon;

void tenon::buildPrecisionPipeline(OpPassManager &passes,
                                   const PlacePipelineOptions &options) {
  OpPassManager &function = passes.nest<func::FuncOp>();
  function.addPass(createCanonicalizerPass());
  function.addPass(createCSEPass());
  if (options.reassociate)
    function.addPass(graph::createGraphFoldBatchNorm());
  if (options.precision.empty())
    return;
  graph::GraphSetPrecisionOptions set;
  set.precision = options.precision;
  function.addPass(graph::createGraphSetPrecision(set));
  function.addPass(createCanonicalizerPass());
  function.addPass(createCSEPass());
}

/// Returns only the options that determine which composites are lowered without
/// their decomposition.
static lower::LowerOptions
getLowerOptions(const PlacePipelineOptions &options) {
  lower::LowerOptions lowering;
  lowering.forGpu = true;
  lowering.reassociate = options.reassociate;
  return lowering;
}

void tenon::buildPreparePipeline(OpPassManager &passes,
                                 const PlacePipelineOptions &options) {
  buildPrecisionPipeline(passes, options);
  OpPassManager &function = passes.nest<func::FuncOp>();
  graph::GraphChannelsLastOptions channelsLast;
  channelsLast.reassociate = options.reassociate;
  function.addPass(graph::createGraphChannelsLast(channelsLast));
  if (options.forGpu)
    function.addPass(graph::createGraphDecompose(
        [lowering = getLowerOptions(options)](Operation *op) {
          return lower::hasGpuKernel(op, lowering);
        }));
  else
    function.addPass(graph::createGraphDecompose());
  function.addPass(graph::createGraphExpandTopK());
  function.addPass(createCanonicalizerPass());
  function.addPass(createCSEPass());
}

void tenon::buildPlacePipeline(OpPassManager &passes,
                               const PlacePipelineOptions &options) {
  if (!options.isPlaced)
    buildPreparePipeline(passes, options);
  buildGivePipeline(passes, options);
}

void tenon::buildGivePipeline(OpPassManager &passes,
                              const PlacePipelineOptions &options) {
  place::GraphPlaceOptions place;
  place.without.assign(options.without.begin(), options.without.end());
  place.strict = !options.reassociate;
  place.plan = options.plan;
  if (options.forGpu) {
    place.device = kernel::kCudaBackend.str();
    // Where such an op is left, its lowering is known.
    place.whole.push_back("attention");
  }
  place.unadmitted = options.unadmitted;
  place.explain = options.explain;
  for (const auto &[op, backend] : options.pins)
    place.pins.push_back(op + "=" + backend);
  passes.addNestedPass<func::FuncOp>(
      place::createGraphPlace(place, {nullptr, options.costs, options.quiet,
                                      options.sharesPins, options.pieces}));
}
