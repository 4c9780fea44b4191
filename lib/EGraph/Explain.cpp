//===- Explain.cpp - the rewrites that a result needs ---------------------===//
//
// Part of the Tenon project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "tenon/EGraph/Explain.h"

#include <set>

using namespace mlir;
using namespace tenon;
using namespace tenon::egraph;

namespace {
class Collector {
public:
  Collector(const EGraph &graph, Goals goals)
      : graph(graph), goals(std::move(goals)) {}

  std::vector<unsigned> run();

private:
  void needTerm(TermId term) {
    if (terms.insert(term).second)
      goals.terms.push_back(term);
  }
  void needEqual(ValueId a, ValueId b) {
    if (a != b && pairs.insert({a, b}).second)
      goals.equalities.push_back({a, b});
  }
  void needFiring(unsigned number);

  const EGraph &graph;
  Goals goals;
  std::set<unsigned> firings;
  llvm::DenseSet<TermId> terms;
  llvm::DenseSet<std::pair<ValueId, ValueId>> pairs;
  llvm::DenseSet<ValueId> edges;
};
} // namespace

/// Requires the terms that a firing matched, and that they read each other's
/// results as the pattern's ops do.
void Collector::needFiring(unsigned number) {
  if (!firings.insert(number).second)
    return;
  const Firing &firing = graph.getFirings()[number];
  rule::RuleOp op = firing.rule->op;
  llvm::DenseMap<Operation *, TermId> sources;
  for (auto [pattern, term] :
       llvm::zip(op.getSource().front().without_terminator(), firing.ops)) {
    sources[&pattern] = term;
    needTerm(term);
    for (auto [value, written] :
         llvm::zip(pattern.getOperands(), graph.getTerm(term).operands)) {
      if (auto argument = dyn_cast<BlockArgument>(value)) {
        needEqual(firing.operands[argument.getArgNumber()], written);
        continue;
      }
      auto result = cast<OpResult>(value);
      const Term &giver = graph.getTerm(sources.lookup(result.getOwner()));
      needEqual(giver.firstResult + result.getResultNumber(), written);
    }
  }
  for (auto [asked, given] : firing.support)
    needEqual(asked, given);
  for (TermId term : firing.supportTerms)
    needTerm(term);
}

std::vector<unsigned> Collector::run() {
  while (!goals.terms.empty() || !goals.equalities.empty()) {
    if (!goals.terms.empty()) {
      const Term &term = graph.getTerm(goals.terms.pop_back_val());
      if (term.firing >= 0)
        needFiring(term.firing);
      continue;
    }
    auto [a, b] = goals.equalities.pop_back_val();
    for (auto [edge, reason] : graph.explain(a, b)) {
      if (!edges.insert(edge).second)
        continue;
      if (reason.firing >= 0) {
        needFiring(reason.firing);
        continue;
      }
      needTerm(reason.a);
      needTerm(reason.b);
      for (auto [x, y] : llvm::zip(graph.getTerm(reason.a).operands,
                                   graph.getTerm(reason.b).operands))
        needEqual(x, y);
    }
  }
  return std::vector<unsigned>(firings.begin(), firings.end());
}

std::vector<unsigned> egraph::collectFirings(const EGraph &graph, Goals goals) {
  return Collector(graph, std::move(goals)).run();
}
