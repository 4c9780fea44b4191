//===- Passes.h - rewriting graphs by rules -------------------------------===//
//
// Part of the Tenon project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef TENON_OPTIMIZE_PASSES_H
#define TENON_OPTIMIZE_PASSES_H

#include "tenon/Optimize/RuleSet.h"

#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Pass/Pass.h"

namespace tenon::optimize {

#define GEN_PASS_DECL
#include "tenon/Optimize/Passes.h.inc"

/// `prover` is asked for rules without a certificate; without one, such rules
/// are errors.
std::unique_ptr<mlir::Pass>
createGraphApplyRules(GraphApplyRulesOptions options, RuleProver prover);
void registerOptimizePasses(RuleProver prover);

} // namespace tenon::optimize

#endif // TENON_OPTIMIZE_PASSES_H
