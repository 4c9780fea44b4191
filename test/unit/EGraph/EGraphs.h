//===- EGraphs.h - graphs and rules of tests ------------------------------===//
//
// Part of the Tenon project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef TENON_TEST_UNIT_EGRAPH_EGRAPHS_H
#define TENON_TEST_UNIT_EGRAPH_EGRAPHS_H

#include "tenon/EGraph/EGraph.h"

#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Parser/Parser.h"
#include "gtest/gtest.h"

namespace tenon::egraph::test {

inline mlir::MLIRContext &getContext() {
  static auto *context = [] {
    auto *made = new mlir::MLIRContext;
    made->loadDialect<graph::GraphDialect, rule::RuleDialect,
                      mlir::func::FuncDialect>();
    return made;
  }();
  return *context;
}

/// A function and its e-graph.
struct TestGraph {
  explicit TestGraph(llvm::StringRef text) : graph(&getContext()) {
    module = mlir::parseSourceString<mlir::ModuleOp>(text, &getContext());
    EXPECT_TRUE(module) << text.str();
    for (auto one : module->getOps<mlir::func::FuncOp>())
      if (!one.isExternal())
        function = one;
    added = succeeded(graph.addBody(function.getBody(), reason));
  }

  bool areResultsEqual(unsigned a, unsigned b) const {
    return graph.areEqual(graph.getResults()[a], graph.getResults()[b]);
  }

  mlir::OwningOpRef<mlir::ModuleOp> module;
  mlir::func::FuncOp function;
  EGraph graph;
  bool added = false;
  std::string reason;
};

/// Rules that count as proved.
struct TestRules {
  explicit TestRules(llvm::StringRef text) {
    module = mlir::parseSourceString<mlir::ModuleOp>(text, &getContext());
    EXPECT_TRUE(module) << text.str();
    for (auto op : module->getOps<rule::RuleOp>()) {
      rule::ProvedRule proved{op, {}, nullptr};
      proved.certificate.status = rule::Status::Proved;
      proved.certificate.elements = "any";
      rules.push_back(std::move(proved));
    }
    for (const rule::ProvedRule &rule : rules)
      patterns.emplace_back(rule);
  }

  mlir::OwningOpRef<mlir::ModuleOp> module;
  std::vector<rule::ProvedRule> rules;
  std::vector<rule::RulePattern> patterns;
};

inline std::vector<rule::RuleMatch>
findMatches(const EGraph &graph, const rule::RulePattern &pattern,
            const rule::MatchFilter &filter = {}) {
  std::vector<rule::RuleMatch> matches;
  pattern.visitMatches(
      graph,
      [&](const rule::RuleMatch &match) {
        matches.push_back(match);
        return false;
      },
      filter);
  return matches;
}

} // namespace tenon::egraph::test

#endif // TENON_TEST_UNIT_EGRAPH_EGRAPHS_H
