//===- Pipelines.h - the named pipelines ---------------------------------===//
//
// Part of the Tenon project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef TENON_DRIVER_PIPELINES_H
#define TENON_DRIVER_PIPELINES_H

#include "tenon/Dialect/Kernel/IR/Kernel.h"
#include "tenon/Optimize/Passes.h"
#include "tenon/Place/Passes.h"

#include <memory>
#include <string>
#include <utility>
#include <vector>

namespace mlir {
class OpPassManager;
} // namespace mlir

namespace tenon {

struct PlacePipelineOptions {
  explicit PlacePipelineOptions(kernel::TargetAttr target) : target(target) {}

  /// The target of one unit, which the module has, too.
  kernel::TargetAttr target;
  /// As the pass takes them.
  place::GraphPlaceOptions place;
  /// Whether f32 tensors already have the types of the target's precision.
  bool hasPrecision = false;
  /// Whether to omit remarks about patterns that are not used.
  bool quiet = false;
  /// What subgraphs cost, in place of the files of `place`; null: these, or the
  /// profile of the device.
  std::shared_ptr<const cost::CostModel> costs;
  /// What placing by `costs` has learned of subgraphs, for graphs that are
  /// alike; null: nothing is shared.
  std::shared_ptr<place::SubgraphCache> subgraphs;
  /// Whether the module was placed before, at least in part: existing calls are
  /// not changed.
  bool isPlaced = false;
};

/// What comes before the optimizer, whose rules match ops and not how a model
/// spells them: states become arguments and results, constants are folded,
/// activations are one op, and data is moved once. Runs on a module.
void buildCanonicalPipeline(mlir::OpPassManager &passes, FpMode fp);

/// Batch norms are folded if sums may be regrouped, and the target's precision
/// is set, while ops still are those of the model. Runs on a module.
void buildPrecisionPipeline(mlir::OpPassManager &passes,
                            const PlacePipelineOptions &options);

/// What comes before placement: with buildPrecisionPipeline, layouts, and ops
/// that subgraphs are made of.
void buildPreparePipeline(mlir::OpPassManager &passes,
                          const PlacePipelineOptions &options);

/// Placement itself, of a module that is prepared.
void buildGivePipeline(mlir::OpPassManager &passes,
                       const PlacePipelineOptions &options);

/// --tenon-optimize: from an imported graph to the one that is placed. Checks
/// of indices are kept, the graph is brought into the canonical form, rules
/// rewrite it, and the precision of the target is set.
void buildOptimizePipeline(mlir::OpPassManager &passes,
                           const optimize::GraphOptimizeOptions &options,
                           optimize::OptimizeServices services);

/// The same without rules, in the form of the model.
void buildKeepPipeline(mlir::OpPassManager &passes);

/// --tenon-place: from a graph to a placed module. Composites are decomposed,
/// what is computed twice is computed once, and every subgraph is given to a
/// backend. What is placed already stays.
void buildPlacePipeline(mlir::OpPassManager &passes,
                        const PlacePipelineOptions &options);

/// --tenon-lower: from a placed module to its programs, named `name` if that is
/// not empty.
void buildLowerPipeline(mlir::OpPassManager &passes, llvm::StringRef name);

/// Registers --tenon-optimize, --tenon-place and --tenon-lower, which take the
/// options of --graph-optimize, --graph-place and --tenon-lower-placed.
void registerPipelines(optimize::OptimizeServices services);

} // namespace tenon

#endif // TENON_DRIVER_PIPELINES_H
