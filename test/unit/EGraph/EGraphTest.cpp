//===- EGraphTest.cpp - equal values, and rules between them --------------===//
//
// Part of the Tenon project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "EGraphs.h"
#include "tenon/EGraph/Saturate.h"

using namespace mlir;
using namespace tenon;
using namespace tenon::egraph;
using namespace tenon::egraph::test;
using rule::RuleMatch;

/// Rules of ops with one operand; the second makes a loop of its source.
static constexpr llvm::StringLiteral unaryRules = R"(
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
)";

static constexpr llvm::StringLiteral mergeRule = R"(
!mk = tensor<?x?xf32, #graph.dims<m, k>>
!kn = tensor<?x?xf32, #graph.dims<k, n>>
!kp = tensor<?x?xf32, #graph.dims<k, p>>
!mn = tensor<?x?xf32, #graph.dims<m, n>>
!mp = tensor<?x?xf32, #graph.dims<m, p>>
!knp = tensor<?x?xf32, #graph.dims<k, n + p>>
!mnp = tensor<?x?xf32, #graph.dims<m, n + p>>
rule.rule @merge(%x: [m, k], %a: [k, n], %b: [k, p]) -> ([m, n], [m, p])
  source {
    %0 = graph.matmul %x, %a : (!mk, !kn) -> !mn
    %1 = graph.matmul %x, %b : (!mk, !kp) -> !mp
    rule.yield %0, %1 : [m, n], [m, p]
  }
  target {
    %ab = graph.concat %a, %b axis = 1 : (!kn, !kp) -> !knp
    %y = graph.matmul %x, %ab : (!mk, !knp) -> !mnp
    %0, %1 = graph.split %y axis = 1 sizes = [n, p] : (!mnp) -> (!mn, !mp)
    rule.yield %0, %1 : [m, n], [m, p]
  }
)";

static void applyAll(EGraph &graph, const TestRules &rules, unsigned number) {
  for (const RuleMatch &match : findMatches(graph, rules.patterns[number]))
    graph.apply(rules.rules[number], match);
  graph.rebuild();
}

TEST(EGraph, EqualOpsAreOneNode) {
  TestGraph test(R"(
    func.func @f(%x: tensor<4x4xf32>) -> (tensor<4x4xf32>, tensor<4x4xf32>,
                                          tensor<4x4xf32>, tensor<4x4xf32>) {
      %0 = graph.softmax %x axis = 1 : tensor<4x4xf32>
      %1 = graph.softmax %x axis = 1 : tensor<4x4xf32>
      %2 = graph.softmax %x axis = 0 : tensor<4x4xf32>
      %3 = graph.relu %1 : tensor<4x4xf32>
      %4 = graph.relu %0 : tensor<4x4xf32>
      return %0, %2, %3, %4 : tensor<4x4xf32>, tensor<4x4xf32>,
                              tensor<4x4xf32>, tensor<4x4xf32>
    })");
  ASSERT_TRUE(test.added) << test.reason;
  EXPECT_EQ(test.graph.getNumNodes(), 3u);
  EXPECT_EQ(test.graph.getNumModelTerms(), 5u);
  EXPECT_FALSE(test.areResultsEqual(0, 1));
  EXPECT_TRUE(test.areResultsEqual(2, 3));
  EXPECT_EQ(test.graph.getNode(test.graph.getModelTerm(4)),
            test.graph.getNode(test.graph.getModelTerm(3)));
}

TEST(EGraph, ConstantsThatDifferInASignAreTwo) {
  TestGraph test(R"(
    func.func @f() -> (tensor<f32>, tensor<f32>) {
      %0 = graph.constant dense<0.0> : tensor<f32>
      %1 = graph.constant dense<-0.0> : tensor<f32>
      return %0, %1 : tensor<f32>, tensor<f32>
    })");
  EXPECT_EQ(test.graph.getNumNodes(), 2u);
  EXPECT_FALSE(test.areResultsEqual(0, 1));
}

TEST(EGraph, ReadersOfEqualValuesAreEqual) {
  TestGraph test(R"(
    func.func @f(%x: tensor<4xf32>) -> (tensor<4xf32>, tensor<4xf32>) {
      %0 = graph.neg %x : tensor<4xf32>
      %1 = graph.neg %0 : tensor<4xf32>
      %2 = graph.relu %x : tensor<4xf32>
      %3 = graph.relu %1 : tensor<4xf32>
      %4 = graph.tanh %2 : tensor<4xf32>
      %5 = graph.tanh %3 : tensor<4xf32>
      return %4, %5 : tensor<4xf32>, tensor<4xf32>
    })");
  TestRules rules(unaryRules);
  EXPECT_FALSE(test.areResultsEqual(0, 1));
  applyAll(test.graph, rules, 0);
  EXPECT_TRUE(test.areResultsEqual(0, 1));
  EXPECT_EQ(test.graph.find(test.graph.getResults()[0]),
            test.graph.find(test.graph.getResults()[1]));
  // neg, neg, relu, tanh.
  EXPECT_EQ(test.graph.getNumNodes(), 4u);
}

TEST(EGraph, WhatIsKnownChangesNothing) {
  TestGraph test(R"(
    func.func @f(%x: tensor<4xf32>) -> tensor<4xf32> {
      %0 = graph.neg %x : tensor<4xf32>
      %1 = graph.neg %0 : tensor<4xf32>
      return %1 : tensor<4xf32>
    })");
  TestRules rules(unaryRules);
  std::vector<RuleMatch> matches = findMatches(test.graph, rules.patterns[0]);
  ASSERT_EQ(matches.size(), 1u);
  EXPECT_EQ(test.graph.apply(rules.rules[0], matches[0]), Applied::Changed);
  test.graph.rebuild();
  unsigned classes = test.graph.getNumClasses();
  matches = findMatches(test.graph, rules.patterns[0]);
  ASSERT_FALSE(matches.empty());
  EXPECT_EQ(test.graph.apply(rules.rules[0], matches[0]), Applied::Nothing);
  EXPECT_EQ(test.graph.getFirings().size(), 1u);
  // A log has to have its steps in their places.
  test.graph.apply(rules.rules[0], matches[0], /*keep=*/true);
  EXPECT_EQ(test.graph.getFirings().size(), 2u);
  EXPECT_EQ(test.graph.getNumClasses(), classes);
}

TEST(EGraph, PatternsMatchThroughEqualValues) {
  TestGraph test(R"(
    func.func @f(%x: tensor<4xf32>) -> tensor<4xf32> {
      %0 = graph.relu %x : tensor<4xf32>
      %1 = graph.neg %0 : tensor<4xf32>
      %2 = graph.neg %1 : tensor<4xf32>
      %3 = graph.relu %2 : tensor<4xf32>
      return %3 : tensor<4xf32>
    })");
  TestRules rules(unaryRules);
  EXPECT_TRUE(findMatches(test.graph, rules.patterns[1]).empty());
  applyAll(test.graph, rules, 0);
  EXPECT_FALSE(findMatches(test.graph, rules.patterns[1]).empty());
}

TEST(EGraph, NodesThatGiveTheirOwnOperandGo) {
  TestGraph test(R"(
    func.func @f(%x: tensor<4xf32>) -> tensor<4xf32> {
      %0 = graph.relu %x : tensor<4xf32>
      %1 = graph.relu %0 : tensor<4xf32>
      return %1 : tensor<4xf32>
    })");
  TestRules rules(unaryRules);
  applyAll(test.graph, rules, 1);
  test.graph.removeSelfLoops();
  EXPECT_EQ(test.graph.getNumNodes(), 1u);
  EXPECT_EQ(test.graph.getNode(test.graph.getModelTerm(1)), nullptr);
  Operation *left = test.graph.getNode(test.graph.getModelTerm(0));
  ASSERT_TRUE(left);
  EXPECT_EQ(test.graph.find(left->getOperand(0)),
            test.graph.find(test.graph.getArguments()[0]));
  EXPECT_EQ(test.graph.find(test.graph.getResults()[0]),
            test.graph.find(Value(left->getResult(0))));
}

TEST(EGraph, OfTwoTypesTheOneThatSaysMoreStays) {
  TestGraph test(R"(
    func.func @f(%x: tensor<?xf32>) -> tensor<4xf32> {
      %0 = "graph.neg"(%x) : (tensor<?xf32>) -> tensor<?xf32>
      %1 = "graph.neg"(%0) : (tensor<?xf32>) -> tensor<4xf32>
      return %1 : tensor<4xf32>
    })");
  TestRules rules(unaryRules);
  applyAll(test.graph, rules, 0);
  Value value = test.graph.find(test.graph.getArguments()[0]);
  EXPECT_EQ(value, test.graph.find(test.graph.getResults()[0]));
  EXPECT_EQ(cast<RankedTensorType>(value.getType()).getShape(),
            ArrayRef<int64_t>({4}));
}

TEST(EGraph, OpsWithEffectsOrRegionsAreRefused) {
  TestGraph calls(R"(
    func.func private @g(tensor<4xf32>) -> tensor<4xf32>
    func.func @f(%x: tensor<4xf32>) -> tensor<4xf32> {
      %0 = func.call @g(%x) : (tensor<4xf32>) -> tensor<4xf32>
      return %0 : tensor<4xf32>
    })");
  EXPECT_FALSE(calls.added);
  EXPECT_EQ(calls.reason, "'func.call' has effects");
  TestGraph blocks(R"(
    func.func @f(%x: tensor<4xf32>) -> tensor<4xf32> {
      return %x : tensor<4xf32>
    ^other:
      return %x : tensor<4xf32>
    })");
  EXPECT_FALSE(blocks.added);
  EXPECT_EQ(blocks.reason, "the function has more than one block");
}

static constexpr llvm::StringLiteral twoMatmuls = R"(
  func.func @f(%x: tensor<2x3xf32>, %a: tensor<3x4xf32>, %b: tensor<3x5xf32>)
      -> (tensor<2x4xf32>, tensor<2x5xf32>) {
    %0 = graph.matmul %x, %a : (tensor<2x3xf32>, tensor<3x4xf32>)
                               -> tensor<2x4xf32>
    %1 = graph.matmul %x, %b : (tensor<2x3xf32>, tensor<3x5xf32>)
                               -> tensor<2x5xf32>
    return %0, %1 : tensor<2x4xf32>, tensor<2x5xf32>
  })";

TEST(EGraph, FixedOpsAreTheOnlyOnes) {
  TestGraph test(twoMatmuls);
  TestRules rules(mergeRule);
  EXPECT_EQ(findMatches(test.graph, rules.patterns[0]).size(), 2u);
  Operation *first = test.graph.getNode(0), *second = test.graph.getNode(1);
  rule::MatchFilter filter;
  SmallVector<Operation *> fixed{second, first};
  filter.fixed = fixed;
  std::vector<RuleMatch> matches =
      findMatches(test.graph, rules.patterns[0], filter);
  ASSERT_EQ(matches.size(), 1u);
  EXPECT_EQ(matches[0].ops, fixed);
  EXPECT_EQ(matches[0].symbols.at("n"), graph::SymInt(5));
  EXPECT_EQ(matches[0].symbols.at("p"), graph::SymInt(4));
  // A derivation may have one op twice where the e-graph holds only one.
  fixed = {first, first};
  filter.fixed = fixed;
  EXPECT_EQ(findMatches(test.graph, rules.patterns[0], filter).size(), 1u);
}

TEST(EGraph, SeveralResultsAreJoined) {
  TestGraph test(twoMatmuls);
  TestRules rules(mergeRule);
  std::vector<RuleMatch> matches = findMatches(test.graph, rules.patterns[0]);
  ASSERT_FALSE(matches.empty());
  EXPECT_EQ(test.graph.apply(rules.rules[0], matches[0]), Applied::Changed);
  test.graph.rebuild();
  for (ValueId result : test.graph.getResults()) {
    ArrayRef<OpResult> givers =
        test.graph.getProducers(test.graph.find(result));
    ASSERT_EQ(givers.size(), 2u);
    EXPECT_TRUE(isa<graph::MatmulOp>(givers[0].getOwner()));
    EXPECT_TRUE(isa<graph::SplitOp>(givers[1].getOwner()));
  }
}

//===----------------------------------------------------------------------===//
// Saturation
//===----------------------------------------------------------------------===//

static constexpr llvm::StringLiteral sumRules = R"(
!n = tensor<?xf32, #graph.dims<n>>
rule.rule @associate(%a: [n], %b: [n], %c: [n]) -> [n]
  source {
    %0 = graph.add %a, %b : !n
    %1 = graph.add %0, %c : !n
    rule.yield %1 : [n]
  }
  target {
    %0 = graph.add %b, %c : !n
    %1 = graph.add %a, %0 : !n
    rule.yield %1 : [n]
  }
rule.rule @commute(%a: [n], %b: [n]) -> [n]
  source {
    %0 = graph.add %a, %b : !n
    rule.yield %0 : [n]
  }
  target {
    %0 = graph.add %b, %a : !n
    rule.yield %0 : [n]
  }
)";

static constexpr llvm::StringLiteral sums = R"(
  func.func @f(%a: tensor<4xf32>, %b: tensor<4xf32>, %c: tensor<4xf32>,
               %d: tensor<4xf32>) -> (tensor<4xf32>, tensor<4xf32>) {
    %0 = graph.add %a, %b : tensor<4xf32>
    %1 = graph.add %0, %c : tensor<4xf32>
    %2 = graph.add %1, %d : tensor<4xf32>
    %3 = graph.add %d, %b : tensor<4xf32>
    %4 = graph.add %c, %3 : tensor<4xf32>
    %5 = graph.add %4, %a : tensor<4xf32>
    return %2, %5 : tensor<4xf32>, tensor<4xf32>
  })";

TEST(Saturate, FindsWhatRulesMakeEqual) {
  TestGraph test(sums);
  TestRules rules(sumRules);
  EXPECT_FALSE(test.areResultsEqual(0, 1));
  Saturation result = saturate(test.graph, rules.patterns, {});
  EXPECT_TRUE(test.areResultsEqual(0, 1));
  ASSERT_EQ(result.rules.size(), 2u);
  EXPECT_GT(result.rules[0].fired, 0u);
  EXPECT_GT(result.rules[1].fired, 0u);
}

TEST(Saturate, EndsWhereNothingChanges) {
  TestGraph test(R"(
    func.func @f(%x: tensor<4xf32>) -> tensor<4xf32> {
      %0 = graph.neg %x : tensor<4xf32>
      %1 = graph.neg %0 : tensor<4xf32>
      %2 = graph.neg %1 : tensor<4xf32>
      return %2 : tensor<4xf32>
    })");
  TestRules rules(unaryRules);
  Saturation result = saturate(test.graph, rules.patterns, {});
  EXPECT_EQ(result.stopped, "saturated");
  EXPECT_TRUE(test.graph.areEqual(
      test.graph.getResults()[0],
      test.graph.getTerm(test.graph.getModelTerm(0)).firstResult));
}

TEST(Saturate, StopsAtItsBudgets) {
  TestRules rules(sumRules);
  for (unsigned newNodes : {1, 5, 20}) {
    TestGraph test(sums);
    SaturateOptions options;
    options.newNodes = newNodes;
    unsigned before = test.graph.getNumNodes();
    Saturation result = saturate(test.graph, rules.patterns, options);
    EXPECT_EQ(result.stopped, "nodes");
    // The last rule that fires may write two ops.
    EXPECT_LE(test.graph.getNumNodes(), before + newNodes + 1);
  }
  for (bool nodes : {false, true}) {
    TestGraph test(sums);
    SaturateOptions options;
    (nodes ? options.newNodes : options.iterations) = 0;
    Saturation result = saturate(test.graph, rules.patterns, options);
    EXPECT_EQ(result.stopped, nodes ? "nodes" : "iterations");
    EXPECT_TRUE(test.graph.getFirings().empty());
  }
  TestGraph test(sums);
  SaturateOptions options;
  options.iterations = 1;
  Saturation result = saturate(test.graph, rules.patterns, options);
  EXPECT_EQ(result.stopped, "iterations");
  EXPECT_EQ(result.iterations, 1u);
}
