//===- ExplainTest.cpp - the rewrites that a result needs -----------------===//
//
// Part of the Tenon project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "tenon/EGraph/Explain.h"
#include "EGraphs.h"
#include "tenon/EGraph/Saturate.h"

#include <random>

using namespace mlir;
using namespace tenon;
using namespace tenon::egraph;
using namespace tenon::egraph::test;
using rule::RuleMatch;

static constexpr llvm::StringLiteral rulesText = R"(
!n = tensor<?xf32, #graph.dims<n>>
rule.rule @negate_twice(%x: [n]) -> [n]
  source {
    %0 = graph.neg %x : !n
    %1 = graph.neg %0 : !n
    rule.yield %1 : [n]
  }
  target { rule.yield %x : [n] }
rule.rule @commute(%a: [n], %b: [n]) -> [n]
  source {
    %0 = graph.add %a, %b : !n
    rule.yield %0 : [n]
  }
  target {
    %0 = graph.add %b, %a : !n
    rule.yield %0 : [n]
  }
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
rule.rule @negate_sum(%a: [n], %b: [n]) -> [n]
  source {
    %0 = graph.add %a, %b : !n
    %1 = graph.neg %0 : !n
    rule.yield %1 : [n]
  }
  target {
    %0 = graph.neg %a : !n
    %1 = graph.neg %b : !n
    %2 = graph.add %0, %1 : !n
    rule.yield %2 : [n]
  }
rule.rule @add_zero(%x: [n], %w: [n]) -> [n]
  source {
    %0 = graph.add %x, %w : !n
    rule.yield %0 : [n]
  }
  target { rule.yield %x : [n] }
  where [is_zero(%w)]
)";

TEST(Explain, HasNoFiringThatNothingRestsOn) {
  TestGraph test(R"(
    func.func @f(%x: tensor<4xf32>, %y: tensor<4xf32>)
        -> (tensor<4xf32>, tensor<4xf32>) {
      %0 = graph.neg %x : tensor<4xf32>
      %1 = graph.neg %0 : tensor<4xf32>
      %2 = graph.neg %y : tensor<4xf32>
      %3 = graph.neg %2 : tensor<4xf32>
      return %1, %3 : tensor<4xf32>, tensor<4xf32>
    })");
  TestRules rules(rulesText);
  for (const RuleMatch &match : findMatches(test.graph, rules.patterns[0]))
    test.graph.apply(rules.rules[0], match);
  test.graph.rebuild();
  ASSERT_EQ(test.graph.getFirings().size(), 2u);
  ArrayRef<ValueId> results = test.graph.getResults();
  ArrayRef<ValueId> arguments = test.graph.getArguments();
  for (unsigned number : {0, 1}) {
    Goals goals;
    goals.equalities.push_back({arguments[number], results[number]});
    EXPECT_EQ(collectFirings(test.graph, goals), std::vector<unsigned>{number});
  }
  // A term that was written needs no reason.
  Goals goals;
  goals.terms.push_back(test.graph.getModelTerm(1));
  goals.equalities.push_back({results[0], results[0]});
  EXPECT_TRUE(collectFirings(test.graph, goals).empty());
}

TEST(Explain, EqualOpsNeedTheirOperandsEqual) {
  TestGraph test(R"(
    func.func @f(%x: tensor<4xf32>) -> (tensor<4xf32>, tensor<4xf32>) {
      %0 = graph.neg %x : tensor<4xf32>
      %1 = graph.neg %0 : tensor<4xf32>
      %2 = graph.relu %x : tensor<4xf32>
      %3 = graph.relu %1 : tensor<4xf32>
      return %2, %3 : tensor<4xf32>, tensor<4xf32>
    })");
  TestRules rules(rulesText);
  for (const RuleMatch &match : findMatches(test.graph, rules.patterns[0]))
    test.graph.apply(rules.rules[0], match);
  test.graph.rebuild();
  ASSERT_TRUE(test.areResultsEqual(0, 1));
  ArrayRef<ValueId> results = test.graph.getResults();
  SmallVector<std::pair<ValueId, EGraph::Reason>> reasons =
      test.graph.explain(results[0], results[1]);
  ASSERT_EQ(reasons.size(), 1u);
  EXPECT_EQ(reasons[0].second.firing, -1);
  Goals goals;
  goals.equalities.push_back({results[0], results[1]});
  EXPECT_EQ(collectFirings(test.graph, goals), std::vector<unsigned>{0});
}

namespace {
/// Does collected firings again in another e-graph of the same function.
class Redo {
public:
  Redo(const EGraph &from, EGraph &to, const TestRules &rules)
      : from(from), to(to), rules(rules) {}

  /// Whether each is possible after those before it.
  bool run(ArrayRef<unsigned> firings) {
    for (auto [number, firing] : llvm::enumerate(firings)) {
      numbers[firing] = number;
      if (!fire(from.getFirings()[firing]))
        return false;
    }
    return true;
  }

private:
  TermId translateTerm(TermId id) const {
    const Term &term = from.getTerm(id);
    if (term.firing < 0)
      return to.getModelTerm(term.index);
    return to.getFirings()[numbers.lookup(term.firing)].firstBuilt + term.index;
  }
  bool fire(const Firing &firing) {
    SmallVector<Operation *> ops;
    for (TermId term : firing.ops)
      ops.push_back(to.getNode(translateTerm(term)));
    unsigned rule = firing.rule - rules.rules.data();
    rule::MatchFilter filter;
    filter.fixed = ops;
    std::vector<RuleMatch> matches =
        findMatches(to, rules.patterns[rule], filter);
    if (matches.empty() ||
        !rule::checkConditions(rules.rules[rule].op, matches.front(), to) ||
        to.apply(rules.rules[rule], matches.front(), /*keep=*/true) ==
            Applied::Refused)
      return false;
    to.rebuild();
    return true;
  }

  const EGraph &from;
  EGraph &to;
  const TestRules &rules;
  llvm::DenseMap<int, int> numbers;
};
} // namespace

/// A random graph of sums, negations and zeros, in which values that the rules
/// make equal are frequent.
static std::string makeGraph(std::mt19937 &random, unsigned count) {
  std::string text = "func.func @f(%v0: tensor<4xf32>, %v1: tensor<4xf32>) -> "
                     "tensor<4xf32> {\n";
  for (unsigned number = 2; number < count; ++number) {
    auto pick = [&] { return "%v" + std::to_string(random() % number); };
    std::string type = " : tensor<4xf32>\n";
    text += "%v" + std::to_string(number) + " = ";
    switch (random() % 6) {
    case 0:
      text += "graph.constant dense<0.0>" + type;
      break;
    case 1:
    case 2:
      text += "graph.neg " + pick() + type;
      break;
    default:
      text += "graph.add " + pick() + ", " + pick() + type;
    }
  }
  return text + "return %v" + std::to_string(count - 1) + " : tensor<4xf32>\n}";
}

/// For every two values of the model that became equal, the collected firings
/// by themselves, in their order, make them equal again.
TEST(Explain, ReasonsSuffice) {
  TestRules rules(rulesText);
  unsigned proved = 0;
  for (unsigned seed = 0; seed < 300; ++seed) {
    std::mt19937 random(seed);
    std::string text = makeGraph(random, 8 + seed % 8);
    TestGraph test(text);
    ASSERT_TRUE(test.added);
    SaturateOptions options;
    options.newNodes = 200;
    saturate(test.graph, rules.patterns, options);
    EGraph &graph = test.graph;
    // The value of a model's op by its position: the same in both graphs.
    auto valueOf = [](const EGraph &of, unsigned op) {
      return of.getTerm(of.getModelTerm(op)).firstResult;
    };
    for (unsigned a = 0; a < graph.getNumModelTerms(); ++a)
      for (unsigned b = a + 1; b < graph.getNumModelTerms(); ++b) {
        if (!graph.areEqual(valueOf(graph, a), valueOf(graph, b)))
          continue;
        Goals goals;
        goals.equalities.push_back({valueOf(graph, a), valueOf(graph, b)});
        std::vector<unsigned> firings = collectFirings(graph, goals);
        TestGraph again(text);
        ASSERT_TRUE(Redo(graph, again.graph, rules).run(firings))
            << text << " values " << a << " and " << b;
        ASSERT_TRUE(again.graph.areEqual(valueOf(again.graph, a),
                                         valueOf(again.graph, b)))
            << text << " values " << a << " and " << b;
        ++proved;
      }
  }
  EXPECT_GT(proved, 100u);
}
