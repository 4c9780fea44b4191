//===- Derivation.h - the firings that a result needs ---------------------===//
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

/// Returns the derivation of `ops`, which are e-nodes. Each reads the results
/// of the first e-node before it (or the argument) that provides the class. The
/// derivation has the firings by which each of them exists, and by which the
/// values that it reads, and the returned values, are equal to its current
/// operands. Hashes are not set.
FunctionLog describeDerivation(mlir::func::FuncOp function,
                               const egraph::EGraph &graph,
                               llvm::ArrayRef<mlir::Operation *> ops);

} // namespace tenon::optimize

#endif // TENON_LIB_OPTIMIZE_DERIVATION_H
