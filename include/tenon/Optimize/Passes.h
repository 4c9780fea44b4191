//===- Passes.h - rewriting of graphs by rules ----------------------------===//
//
// Part of the Tenon project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef TENON_OPTIMIZE_PASSES_H
#define TENON_OPTIMIZE_PASSES_H

#include "tenon/Optimize/Optimize.h"
#include "tenon/Support/EnumOption.h"

#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Pass/Pass.h"

namespace llvm::cl {
template <>
class parser<tenon::optimize::Extractor>
    : public tenon::EnumOptionParser<tenon::optimize::Extractor> {
public:
  using EnumOptionParser::EnumOptionParser;
};
} // namespace llvm::cl

namespace tenon::optimize {

#define GEN_PASS_DECL_GRAPHAPPLYRULES
#include "tenon/Optimize/Passes.h.inc"

/// The result of --graph-optimize on a module.
struct OptimizeRun {
  mlir::ModuleOp module;
  /// The functions before, in their order; empty: not asked for.
  llvm::ArrayRef<mlir::OwningOpRef<mlir::func::FuncOp>> before;
  llvm::ArrayRef<OptimizeResult> results;
  const RuleSet &rules;
  const OptimizeOptions &search;
  /// How long it took to read the rules.
  double ruleSeconds = 0;
};

/// Functions of rooms that this room may not include, and objects that the pass
/// uses in addition to its options.
struct OptimizeServices {
  RuleJudge judge;
  /// Returns the scorer of a module's graphs for a cost model. If it is not
  /// set, sums over kernels are compared.
  std::function<Scorer(mlir::ModuleOp, const cost::CostModel &)> makeScorer;
  /// The folder of Tenon's rules, and the archive of them; empty: not found.
  std::string rulesFolder, rulesArchive;
  /// Takes the place of the options `profile` and `costs`; may be null.
  std::shared_ptr<const cost::CostModel> costs;
  /// Called at the end of the pass; null: not called.
  std::function<void(const OptimizeRun &)> observe;
  /// Whether it is shown the functions as they were before.
  bool observesBefore = false;
};

std::unique_ptr<mlir::Pass>
createGraphApplyRules(GraphApplyRulesOptions options,
                      OptimizeServices services);
std::unique_ptr<mlir::Pass> createGraphOptimize(GraphOptimizeOptions options,
                                                OptimizeServices services);
void registerOptimizePasses(OptimizeServices services);

} // namespace tenon::optimize

#endif // TENON_OPTIMIZE_PASSES_H
