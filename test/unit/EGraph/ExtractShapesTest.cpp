//===- ExtractShapesTest.cpp - shapes that extraction must see through ----===//
//
// Part of the Tenon project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "ExtractProblems.h"

#include <gtest/gtest.h>

using namespace tenon::egraph;
using namespace tenon::egraph::test;

namespace {
/// Siblings that read one input, 10 us each, and their sum.
struct Siblings : ProblemBuilder {
  explicit Siblings(unsigned count) {
    x = give({}, 0);
    for (unsigned i = 0; i < count; ++i) {
      weights.push_back(give({}, 0));
      parts.push_back(give({x, weights[i]}, 10));
    }
    unsigned sum = addClass();
    add({sum}, parts, 1);
    problem.roots = {sum};
  }

  /// Parts [first, first + count) by one kernel.
  unsigned merge(unsigned first, unsigned count, double microseconds) {
    llvm::ArrayRef<unsigned> merged = weights;
    unsigned weight = give(merged.slice(first, count), 0);
    return give({x, weight}, microseconds);
  }

  unsigned x;
  std::vector<unsigned> weights, parts;
};
} // namespace

/// Checks all engines; the cost of the best choice in microseconds.
static void expectBest(const ExtractionProblem &problem, double microseconds) {
  std::optional<Extraction> greedy = extractGreedy(problem);
  ASSERT_TRUE(greedy);
  EXPECT_EQ(checkExtraction(problem, *greedy), "");
  EXPECT_NEAR(greedy->cost * 1e6, microseconds, 1e-6);
  if (!hasIlpSolver())
    return;
  std::optional<Extraction> ilp = extractIlp(problem);
  ASSERT_TRUE(ilp);
  EXPECT_EQ(checkExtraction(problem, *ilp), "");
  EXPECT_NEAR(ilp->cost * 1e6, microseconds, 1e-6);
  EXPECT_TRUE(ilp->optimal);
}

// One class alone loses 26 us by the merged kernel, all eight gain 44 us.
TEST(ExtractShapes, EightSiblingsAreMergedTogether) {
  Siblings net(8);
  unsigned merged = net.merge(0, 8, 32);
  for (unsigned part : net.parts)
    net.add({part}, {merged}, 0.5);
  net.add({merged}, net.parts, 4);
  expectBest(net.problem, 32 + 8 * 0.5 + 1);
}

TEST(ExtractShapes, SiblingsAreMergedByOneNodeOfManyResults) {
  Siblings net(8);
  unsigned merged = net.merge(0, 8, 32);
  net.add(net.parts, {merged}, 4);
  expectBest(net.problem, 32 + 4 + 1);
}

// Each merge takes its operands' results apart: slices of slices of slices.
TEST(ExtractShapes, MergesOfMergesAreFound) {
  Siblings net(8);
  std::vector<unsigned> below = net.parts;
  const double costs[] = {19, 36, 60};
  for (unsigned level = 0; level < 3; ++level) {
    std::vector<unsigned> merged;
    for (unsigned i = 0; i < below.size(); i += 2) {
      unsigned count = 2u << level;
      unsigned m = net.merge(i / 2 * count, count, costs[level]);
      net.add({below[i]}, {m}, 0.25);
      net.add({below[i + 1]}, {m}, 0.25);
      net.add({m}, {below[i], below[i + 1]}, 2);
      merged.push_back(m);
    }
    below = merged;
  }
  expectBest(net.problem, 60 + 14 * 0.25 + 1);
}

// Merges of two and of four lose: only all eight at once gain.
TEST(ExtractShapes, MergeIsSeenThroughSlicesOfSlices) {
  Siblings net(8);
  std::vector<unsigned> below = net.parts;
  const double costs[] = {21, 43, 40};
  for (unsigned level = 0; level < 3; ++level) {
    std::vector<unsigned> merged;
    for (unsigned i = 0; i < below.size(); i += 2) {
      unsigned count = 2u << level;
      unsigned m = net.merge(i / 2 * count, count, costs[level]);
      net.add({below[i]}, {m}, 0.25);
      net.add({below[i + 1]}, {m}, 0.25);
      merged.push_back(m);
    }
    below = merged;
  }
  expectBest(net.problem, 40 + 14 * 0.25 + 1);
}

// Four have a cheaper way of their own, through a class that is there anyway.
TEST(ExtractShapes, MergeTakesOnlyWhomItServes) {
  Siblings net(8);
  unsigned other = net.give({net.x}, 10);
  net.problem.roots.push_back(other);
  unsigned merged = net.merge(0, 8, 37);
  for (unsigned i = 0; i < 8; ++i) {
    net.add({net.parts[i]}, {merged}, i < 4 ? 0.5 : 3);
    if (i >= 4)
      net.add({net.parts[i]}, {other}, 1);
  }
  expectBest(net.problem, 10 + 37 + 4 * 0.5 + 4 * 1 + 1);
}

// Two merged kernels for four each gain only if none stays with the third.
TEST(ExtractShapes, MergeIsTakenApart) {
  Siblings net(8);
  unsigned all = net.merge(0, 8, 5);
  unsigned left = net.merge(0, 4, 17), right = net.merge(4, 4, 17);
  for (unsigned i = 0; i < 8; ++i) {
    net.add({net.parts[i]}, {all}, 5);
    net.add({net.parts[i]}, {i < 4 ? left : right}, 1);
  }
  expectBest(net.problem, 2 * 17 + 8 * 1 + 1);
}

// A member that the merge would make wait for itself stays outside.
TEST(ExtractShapes, DependentSiblingStaysOutside) {
  Siblings net(4);
  unsigned late = net.give({net.parts[0]}, 0);
  unsigned after = net.give({late, net.weights[0]}, 10);
  unsigned weight = net.give(net.weights, 0);
  unsigned merged = net.give({net.x, weight, late}, 15);
  for (unsigned part : net.parts)
    net.add({part}, {merged}, 0.5);
  net.add({after}, {merged}, 0.5);
  net.problem.roots.push_back(after);
  expectBest(net.problem, 10 + 15 + 4 * 0.5 + 1);
}

TEST(ExtractShapes, SharedSubexpressionCountsOnce) {
  ProblemBuilder net;
  unsigned x = net.give({}, 0);
  unsigned shared = net.give({x}, 10);
  unsigned left = net.give({shared}, 1), right = net.give({shared}, 1);
  // Alone, each is cheaper without the shared class.
  net.add({left}, {x}, 8);
  net.add({right}, {x}, 8);
  unsigned sum = net.give({left, right}, 1);
  net.problem.roots = {sum, shared, sum};
  expectBest(net.problem, 10 + 1 + 1 + 1);
  net.problem.roots = {sum};
  expectBest(net.problem, 10 + 1 + 1 + 1);
}

TEST(ExtractShapes, ClassThatIsThereAnywayIsUsed) {
  ProblemBuilder net;
  unsigned shared = net.give({}, 10), y = net.give({}, 5);
  net.add({y}, {shared}, 1);
  net.problem.roots = {shared, y};
  expectBest(net.problem, 10 + 1);
}

// Without moves: sharing counts once, and what is not shared twice.
TEST(ExtractShapes, FirstChoiceSumsGraphs) {
  ProblemBuilder net;
  unsigned a = net.give({}, 10), b = net.give({}, 10);
  unsigned a1 = net.give({a}, 1), a2 = net.give({a}, 1);
  unsigned shared = net.give({a1, a2}, 1), apart = net.give({a, b}, 1);
  net.add({shared}, {}, 15);
  net.add({apart}, {}, 15);
  GreedyOptions none;
  none.moves = 0;
  net.problem.roots = {shared};
  EXPECT_NEAR(extractGreedy(net.problem, none)->cost * 1e6, 13, 1e-6);
  net.problem.roots = {apart};
  EXPECT_NEAR(extractGreedy(net.problem, none)->cost * 1e6, 15, 1e-6);
}

TEST(ExtractShapes, RootWithoutAcyclicChoice) {
  ProblemBuilder net;
  unsigned a = net.addClass(), b = net.addClass();
  net.add({a}, {b}, 1);
  net.add({b}, {a}, 1);
  net.add({b}, {b}, 0);
  net.problem.roots = {a};
  EXPECT_FALSE(extractGreedy(net.problem));
  EXPECT_FALSE(extractIlp(net.problem));
  EXPECT_FALSE(extractBruteForce(net.problem));
}

TEST(ExtractShapes, FreeCycleGivesNothing) {
  ProblemBuilder net;
  unsigned a = net.addClass(), b = net.addClass(), c = net.addClass();
  net.add({a}, {b}, 0);
  net.add({b}, {c}, 0);
  net.add({c}, {a}, 0);
  net.add({c}, {}, 7);
  net.add({a}, {}, 9);
  net.problem.roots = {a, b};
  expectBest(net.problem, 7);
}

// Two free cycles, each inside the other's way out.
TEST(ExtractShapes, FreeCyclesInARow) {
  ProblemBuilder net;
  unsigned last = net.give({}, 3);
  for (unsigned i = 0; i < 4; ++i) {
    unsigned a = net.addClass(), b = net.addClass();
    net.add({a}, {b}, 0);
    net.add({b}, {a}, 0);
    net.add({a}, {last}, 5);
    net.add({b}, {last}, 4);
    last = a;
  }
  net.problem.roots = {last};
  expectBest(net.problem, 3 + 4 * 4);
}

TEST(ExtractShapes, NodeOfInfiniteCostIsNeverChosen) {
  ProblemBuilder net;
  unsigned a = net.give({}, std::numeric_limits<double>::infinity());
  net.problem.roots = {a};
  EXPECT_FALSE(extractGreedy(net.problem));
  net.add({a}, {}, 3);
  expectBest(net.problem, 3);
}

TEST(ExtractShapes, ReachedBoundIsNoProof) {
  if (!hasIlpSolver())
    GTEST_SKIP() << "built without CBC";
  // Rounds: this one has cycles that take several.
  ExtractionProblem problem = makeNetwork(400, 3);
  IlpOptions options;
  options.rounds = 1;
  std::optional<Extraction> choice = extractIlp(problem, options);
  ASSERT_TRUE(choice);
  EXPECT_EQ(checkExtraction(problem, *choice), "");
  EXPECT_FALSE(choice->optimal);
  EXPECT_TRUE(extractIlp(problem)->optimal);
  options = IlpOptions();
  options.problemNodes = 300;
  EXPECT_FALSE(extractIlp(problem, options)->optimal);

  // Nodes: which three classes a node gives is nothing to bound costs by.
  problem = makeCover(60);
  options = IlpOptions();
  options.solverNodes = 2;
  choice = extractIlp(problem, options);
  ASSERT_TRUE(choice);
  EXPECT_EQ(checkExtraction(problem, *choice), "");
  EXPECT_FALSE(choice->optimal);
  std::optional<Extraction> best = extractIlp(problem);
  EXPECT_TRUE(best->optimal);
  EXPECT_LE(best->cost, choice->cost);
}

TEST(ExtractShapes, WrongChoicesAreNamed) {
  ProblemBuilder net;
  unsigned x = net.give({}, 1), y = net.give({x}, 2);
  net.add({x}, {y}, 0);
  net.problem.roots = {y};
  const Extraction right = *extractGreedy(net.problem);
  EXPECT_EQ(checkExtraction(net.problem, right), "");

  Extraction wrong = right;
  wrong.nodes = {1, 0};
  EXPECT_EQ(checkExtraction(net.problem, wrong),
            "node 0 comes too late or not at all for class 0");
  wrong = right;
  wrong.nodes = {1, 2};
  wrong.provider[x] = 2;
  EXPECT_EQ(checkExtraction(net.problem, wrong),
            "node 2 comes too late or not at all for class 0");
  wrong = right;
  wrong.provider[x] = -1;
  EXPECT_EQ(checkExtraction(net.problem, wrong),
            "class 0 is needed, but nothing gives it");
  wrong = right;
  wrong.provider[x] = 1;
  EXPECT_EQ(checkExtraction(net.problem, wrong),
            "node 1 does not give class 0");
  wrong = right;
  wrong.nodes = {0, 1, 2};
  EXPECT_EQ(checkExtraction(net.problem, wrong),
            "node 2 is chosen, but not needed");
  wrong = right;
  wrong.cost *= 1.001;
  EXPECT_EQ(checkExtraction(net.problem, wrong),
            "expected a cost of 3e-06, but got 3.003e-06");
}
