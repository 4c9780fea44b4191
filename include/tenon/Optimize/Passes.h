//===- Passes.h - rewriting graphs by rules -------------------------------===//
//
// Part of the Tenon project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef TENON_OPTIMIZE_PASSES_H
#define TENON_OPTIMIZE_PASSES_H

#include "tenon/Optimize/Optimize.h"

#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Pass/Pass.h"

namespace tenon::optimize {

#define GEN_PASS_DECL
#include "tenon/Optimize/Passes.h.inc"

/// What the passes ask of rooms that this one does not see.
struct OptimizeServices {
  RuleJudge judge;
  /// Gives the scorer for a cost model; without one, sums over kernels decide.
  std::function<Scorer(const cost::CostModel &)> makeScorer;
  /// The folder of Tenon's own rules; empty where it was not found.
  std::string rulesFolder;
};

std::unique_ptr<mlir::Pass>
createGraphApplyRules(GraphApplyRulesOptions options,
                      OptimizeServices services);
std::unique_ptr<mlir::Pass> createGraphOptimize(GraphOptimizeOptions options,
                                                OptimizeServices services);
void registerOptimizePasses(OptimizeServices services);

} // namespace tenon::optimize

#endif // TENON_OPTIMIZE_PASSES_H
