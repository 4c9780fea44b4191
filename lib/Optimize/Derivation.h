//===- Derivation.h - what fired for a result -----------------------------===//
//
// Part of the Tenon project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef TENON_LIB_OPTIMIZE_DERIVATION_H
#define TENON_LIB_OPTIMIZE_DERIVATION_H

#include "tenon/EGraph/EGraph.h"
#include "tenon/Optimize/Optimize.h"

namespace tenon::optimize {

/// The derivation of `ops`, e-nodes each of which reads what the first before
/// it (or an argument) gives: what fired so that each exists, and so that what
/// it reads, and what is returned, is equal to what stands there now. `needed`
/// takes the numbers of these firings. Hashes are not set.
FunctionLog describeDerivation(mlir::func::FuncOp function,
                               const egraph::EGraph &graph,
                               llvm::ArrayRef<mlir::Operation *> ops,
                               std::vector<unsigned> &needed);

/// A firing that a search made, and its rule.
struct DerivationStep {
  const rule::RulePattern *pattern = nullptr;
  LoggedFiring firing;
};

/// The graph that `ops` are once the steps are taken, as replay builds it, with
/// the log of those steps that it needs. `seconds` is not set. Fails where a
/// step can't be taken in an e-graph.
mlir::FailureOr<Candidate> derive(mlir::func::FuncOp function,
                                  llvm::ArrayRef<DerivationStep> steps,
                                  llvm::ArrayRef<OpRef> ops);

} // namespace tenon::optimize

#endif // TENON_LIB_OPTIMIZE_DERIVATION_H
