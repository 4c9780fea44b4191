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

#define GEN_PASS_DECL
#include "tenon/Optimize/Passes.h.inc"

/// Functions of rooms that this room may not include.
struct OptimizeServices {
  RuleJudge judge;
  /// Returns the scorer of a module's graphs for a cost model. If it is not
  /// set, sums over kernels are compared.
  std::function<Scorer(mlir::ModuleOp, const cost::CostModel &)> makeScorer;
  /// The folder of Tenon's rules; empty if it was not found.
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
