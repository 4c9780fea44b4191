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

/// The requirements of a derivation: terms that must be written, and pairs of
/// values that must be equal.
struct Goals {
  llvm::SmallVector<TermId> terms;
  llvm::SmallVector<std::pair<ValueId, ValueId>> equalities;
};

/// Returns the numbers of firings that suffice to write and to prove the goals,
/// oldest first: each is possible after those before it. The list is not
/// minimal, but the derivation depends on every firing in it.
std::vector<unsigned> collectFirings(const EGraph &graph, Goals goals);

} // namespace tenon::egraph

#endif // TENON_EGRAPH_EXPLAIN_H
