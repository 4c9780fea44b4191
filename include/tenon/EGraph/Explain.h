//===- Explain.h - the rewrites that a result needs -----------------------===//
//
// Part of the Tenon project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef TENON_EGRAPH_EXPLAIN_H
#define TENON_EGRAPH_EXPLAIN_H

#include "tenon/EGraph/EGraph.h"

namespace tenon::egraph {

/// What a derivation rests on: terms that must be written, and pairs of values
/// that must be equal.
struct Goals {
  llvm::SmallVector<TermId> terms;
  llvm::SmallVector<std::pair<ValueId, ValueId>> equalities;
};

/// Numbers of the firings that suffice to write and to prove what `goals` asks
/// for, oldest first: each is possible after those before it. Not the fewest,
/// but none that nothing rests on.
std::vector<unsigned> collectFirings(const EGraph &graph, Goals goals);

} // namespace tenon::egraph

#endif // TENON_EGRAPH_EXPLAIN_H
