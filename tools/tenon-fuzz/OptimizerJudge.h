//===- OptimizerJudge.h - rewritten graphs against their originals --------===//
//
// Part of the Tenon project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef TENON_TOOLS_TENON_FUZZ_OPTIMIZERJUDGE_H
#define TENON_TOOLS_TENON_FUZZ_OPTIMIZERJUDGE_H

#include "Compare.h"

#include "tenon/Optimize/Optimize.h"

#include "mlir/IR/BuiltinOps.h"

namespace tenon::fuzz {

/// The outcome for one graph.
struct Rewriting {
  /// The error; empty if there is none.
  std::string problem;
  /// Why there is no rewritten graph, if the search found none.
  std::string refusal;
  Comparison comparison;
  /// The graph that was chosen, and its derivation.
  mlir::OwningOpRef<mlir::ModuleOp> after;
  optimize::OptimizeResult result;
};

/// Optimizes with random costs, so that the result is some graph that the rules
/// derive, and holds it against the original.
class OptimizerJudge {
public:
  OptimizerJudge(const optimize::RuleSet &rules, const cost::CostModel &costs,
                 optimize::OptimizeOptions options);

  /// Costs and inputs follow from `seed`.
  Rewriting judge(mlir::ModuleOp module, uint64_t seed) const;
  /// The log of a rewriting, as tenon-opt reads it.
  std::string formatLog(const Rewriting &rewriting) const;

private:
  std::string checkReplay(mlir::func::FuncOp before,
                          const optimize::FunctionLog &log) const;

  const optimize::RuleSet &rules;
  const cost::CostModel &costs;
  optimize::OptimizeOptions options;
};

} // namespace tenon::fuzz

#endif // TENON_TOOLS_TENON_FUZZ_OPTIMIZERJUDGE_H
