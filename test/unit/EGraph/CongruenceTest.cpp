//===- CongruenceTest.cpp - equal ops, and why they are -------------------===//
//
// Part of the Tenon project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Logs that could not be replayed, found by tenon-fuzz --optimize.
//
//===----------------------------------------------------------------------===//

#include "EGraphs.h"
#include "tenon/EGraph/Explain.h"

using namespace mlir;
using namespace tenon;
using namespace tenon::egraph;
using namespace tenon::egraph::test;

/// Not all are true: that makes short tests.
static constexpr llvm::StringLiteral rulesText = R"(
!n = tensor<?xf32, #graph.dims<n>>
rule.rule @negate_twice(%x: [n]) -> [n]
  source {
    %0 = graph.neg %x : !n
    %1 = graph.neg %0 : !n
    rule.yield %1 : [n]
  }
  target { rule.yield %x : [n] }
rule.rule @relu_twice(%x: [n]) -> [n]
  source {
    %0 = graph.relu %x : !n
    %1 = graph.relu %0 : !n
    rule.yield %1 : [n]
  }
  target {
    %0 = graph.relu %x : !n
    rule.yield %0 : [n]
  }
rule.rule @abs_to_relu(%x: [n]) -> [n]
  source {
    %0 = graph.abs %x : !n
    rule.yield %0 : [n]
  }
  target {
    %0 = graph.relu %x : !n
    rule.yield %0 : [n]
  }
rule.rule @exp_to_two_relus(%x: [n]) -> [n]
  source {
    %0 = graph.exp %x : !n
    rule.yield %0 : [n]
  }
  target {
    %0 = graph.relu %x : !n
    %1 = graph.relu %x : !n
    %2 = graph.add %0, %1 : !n
    rule.yield %2 : [n]
  }
rule.rule @add_to_mul(%a: [n], %b: [n]) -> [n]
  source {
    %0 = graph.add %a, %b : !n
    rule.yield %0 : [n]
  }
  target {
    %0 = graph.mul %a, %b : !n
    rule.yield %0 : [n]
  }
rule.rule @add_zero(%x: [n], %w: [n]) -> [n]
  source {
    %0 = graph.add %x, %w : !n
    rule.yield %0 : [n]
  }
  target { rule.yield %x : [n] }
  where [is_zero(%w)]
)";

static void applyAll(EGraph &graph, const TestRules &rules, StringRef name) {
  for (auto [rule, pattern] : llvm::zip(rules.rules, rules.patterns)) {
    if (rule::RuleOp(rule.op).getSymName() != name)
      continue;
    for (const rule::RuleMatch &match : findMatches(graph, pattern))
      graph.apply(rule, match);
  }
  graph.rebuild();
}

/// The firings that make a result equal to `other`.
static std::vector<unsigned> explainResult(const TestGraph &test, ValueId other,
                                           unsigned result) {
  EXPECT_TRUE(test.graph.areEqual(other, test.graph.getResults()[result]));
  Goals goals;
  goals.equalities.push_back({other, test.graph.getResults()[result]});
  return collectFirings(test.graph, goals);
}

TEST(Congruence, OpsOfOneTargetThatDoTheSameAreOneNode) {
  TestGraph test(R"(
    func.func @f(%x: tensor<4xf32>) -> tensor<4xf32> {
      %0 = graph.exp %x : tensor<4xf32>
      return %0 : tensor<4xf32>
    })");
  TestRules rules(rulesText);
  applyAll(test.graph, rules, "exp_to_two_relus");
  // exp, relu, add.
  EXPECT_EQ(test.graph.getNumNodes(), 3u);
}

TEST(Congruence, WhatDoesTheSameAsALoopThatWasTakenAwayIsOneToo) {
  TestGraph test(R"(
    func.func @f(%x: tensor<4xf32>) -> (tensor<4xf32>, tensor<4xf32>) {
      %0 = graph.relu %x : tensor<4xf32>
      %1 = graph.relu %0 : tensor<4xf32>
      %2 = graph.abs %0 : tensor<4xf32>
      return %1, %2 : tensor<4xf32>, tensor<4xf32>
    })");
  TestRules rules(rulesText);
  applyAll(test.graph, rules, "relu_twice");
  test.graph.removeSelfLoops();
  test.graph.rebuild();
  ASSERT_EQ(test.graph.getNumNodes(), 2u);
  applyAll(test.graph, rules, "abs_to_relu");
  EXPECT_TRUE(test.areResultsEqual(0, 1));
  ValueId first = test.graph.getTerm(test.graph.getModelTerm(0)).firstResult;
  EXPECT_EQ(explainResult(test, first, 1), (std::vector<unsigned>{0, 1}));
  // The loops that came of it: abs reads its own result, too.
  test.graph.removeSelfLoops();
  test.graph.rebuild();
  EXPECT_EQ(test.graph.getNumNodes(), 1u);
}

TEST(Congruence, OperandsOfARuleThatBecameOneValueHaveAReason) {
  TestGraph test(R"(
    func.func @f(%x: tensor<4xf32>) -> (tensor<4xf32>, tensor<4xf32>) {
      %0 = graph.neg %x : tensor<4xf32>
      %1 = graph.neg %0 : tensor<4xf32>
      %2 = graph.add %x, %1 : tensor<4xf32>
      %3 = graph.mul %x, %x : tensor<4xf32>
      return %2, %3 : tensor<4xf32>, tensor<4xf32>
    })");
  TestRules rules(rulesText);
  applyAll(test.graph, rules, "negate_twice");
  applyAll(test.graph, rules, "add_to_mul");
  EXPECT_EQ(explainResult(test, test.graph.getResults()[0], 1),
            (std::vector<unsigned>{0, 1}));
}

TEST(Congruence, WhatAConditionRestsOnHasAReason) {
  TestGraph test(R"(
    func.func @f(%x: tensor<4xf32>) -> tensor<4xf32> {
      %z = graph.constant dense<0.0> : tensor<f32>
      %w = graph.broadcast %z shape = [4] : (tensor<f32>) -> tensor<4xf32>
      %0 = graph.neg %w : tensor<4xf32>
      %1 = graph.neg %0 : tensor<4xf32>
      %2 = graph.add %x, %1 : tensor<4xf32>
      return %2 : tensor<4xf32>
    })");
  TestRules rules(rulesText);
  applyAll(test.graph, rules, "negate_twice");
  applyAll(test.graph, rules, "add_zero");
  EXPECT_EQ(explainResult(test, test.graph.getArguments()[0], 0),
            (std::vector<unsigned>{0, 1}));
}

TEST(Congruence, SizesOfFurtherAxesAreCompared) {
  TestGraph test(R"(
    !n44 = tensor<?x4x4xf32, #graph.dims<n, 4, 4>>
    func.func @f(%x: !n44) -> (tensor<1x2x4xf32>,
                               tensor<?x2x4xf32, #graph.dims<n, 2, 4>>) {
      %0 = graph.slice %x starts = [0, 1, 0] sizes = [1, 2, 4] steps = [1, 1, 1]
          : (!n44) -> tensor<1x2x4xf32>
      %1 = graph.slice %x starts = [0, 1, 0] sizes = [n, 2, 4] steps = [1, 1, 1]
          : (!n44) -> tensor<?x2x4xf32, #graph.dims<n, 2, 4>>
      return %0, %1 : tensor<1x2x4xf32>, tensor<?x2x4xf32, #graph.dims<n, 2, 4>>
    })");
  TestRules rules(R"(
    rule.rule @slice(%x: [a, b]) -> [p, q]
      lifts [%x]
      source {
        %0 = graph.slice %x starts = [s, t] sizes = [p, q] steps = [1, 1]
            : (tensor<?x?xf32, #graph.dims<a, b>>)
            -> tensor<?x?xf32, #graph.dims<p, q>>
        rule.yield %0 : [p, q]
      }
      target {
        %0 = graph.slice %x starts = [s, t] sizes = [p, q] steps = [1, 1]
            : (tensor<?x?xf32, #graph.dims<a, b>>)
            -> tensor<?x?xf32, #graph.dims<p, q>>
        rule.yield %0 : [p, q]
      })");
  rules.rules[0].certificate.liftProved = true;
  rule::RulePattern pattern(rules.rules[0]);
  // Only where all of the further axis is taken.
  std::vector<rule::RuleMatch> matches = findMatches(test.graph, pattern);
  ASSERT_EQ(matches.size(), 1u);
  EXPECT_EQ(test.graph.getId(matches[0].results[0]),
            test.graph.getResults()[1]);
}
