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
