//===- ExtractRandomTest.cpp - engines against each other -----------------===//
//
// Part of the Tenon project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// TENON_EXTRACT_PROBLEMS: how many random problems to try, 300 if not set.
//
//===----------------------------------------------------------------------===//

#include "ExtractProblems.h"

#include <gtest/gtest.h>

#include <cstdlib>

using namespace tenon::egraph;
using namespace tenon::egraph::test;

static unsigned getProblemCount() {
  const char *text = std::getenv("TENON_EXTRACT_PROBLEMS");
  return text ? std::strtoul(text, nullptr, 10) : 300;
}

static void expectSame(const Extraction &a, const Extraction &b) {
  EXPECT_EQ(a.nodes, b.nodes);
  EXPECT_EQ(a.provider, b.provider);
  EXPECT_EQ(a.cost, b.cost);
  EXPECT_EQ(a.optimal, b.optimal);
}

TEST(ExtractRandom, IlpIsAsGoodAsBruteForce) {
  if (!hasIlpSolver())
    GTEST_SKIP() << "built without CBC";
  unsigned solved = 0, proved = 0;
  for (unsigned seed = 0; seed < getProblemCount(); ++seed) {
    SCOPED_TRACE(seed);
    ExtractionProblem problem = makeSmallProblem(seed);
    std::optional<Extraction> best = extractBruteForce(problem);
    std::optional<Extraction> ilp = extractIlp(problem);
    ASSERT_EQ(best.has_value(), ilp.has_value());
    if (!best)
      continue;
    ++solved;
    EXPECT_EQ(checkExtraction(problem, *best), "");
    EXPECT_EQ(checkExtraction(problem, *ilp), "");
    EXPECT_LE(std::abs(ilp->cost - best->cost), 1e-9 * best->cost);
    proved += ilp->optimal;
  }
  EXPECT_GT(solved, getProblemCount() / 2);
  EXPECT_EQ(proved, solved);
}

TEST(ExtractRandom, GreedyIsCloseToBruteForce) {
  unsigned solved = 0, exact = 0;
  double sum = 0, worst = 0;
  for (unsigned seed = 0; seed < getProblemCount(); ++seed) {
    SCOPED_TRACE(seed);
    ExtractionProblem problem = makeSmallProblem(seed);
    std::optional<Extraction> best = extractBruteForce(problem);
    std::optional<Extraction> greedy = extractGreedy(problem);
    ASSERT_EQ(best.has_value(), greedy.has_value());
    if (!best)
      continue;
    EXPECT_EQ(checkExtraction(problem, *greedy), "");
    EXPECT_FALSE(greedy->optimal);
    EXPECT_GE(greedy->cost, best->cost * (1 - 1e-9));
    ++solved;
    double loss = best->cost > 0 ? greedy->cost / best->cost - 1 : greedy->cost;
    exact += loss < 1e-9;
    sum += loss;
    worst = std::max(worst, loss);
  }
  ASSERT_GT(solved, 0u);
  std::printf("greedy: %u of %u optimal, average loss %.4f, greatest %.4f\n",
              exact, solved, sum / solved, worst);
  EXPECT_LT(sum / solved, 0.01);
}

TEST(ExtractRandom, StartIsNeverMadeWorse) {
  for (unsigned seed = 0; seed < getProblemCount(); ++seed) {
    SCOPED_TRACE(seed);
    ExtractionProblem problem = makeSmallProblem(seed);
    std::optional<Extraction> best = extractBruteForce(problem);
    if (!best)
      continue;
    std::optional<Extraction> greedy = extractGreedy(problem, {}, &*best);
    ASSERT_TRUE(greedy);
    EXPECT_EQ(checkExtraction(problem, *greedy), "");
    EXPECT_LE(std::abs(greedy->cost - best->cost), 1e-9 * best->cost);
    // Without moves too.
    GreedyOptions none;
    none.moves = 0;
    greedy = extractGreedy(problem, none, &*best);
    EXPECT_LE(std::abs(greedy->cost - best->cost), 1e-9 * best->cost);
  }
}

TEST(ExtractRandom, CandidatesAreDistinctAndSorted) {
  for (unsigned seed = 0; seed < getProblemCount(); ++seed) {
    SCOPED_TRACE(seed);
    ExtractionProblem problem = makeSmallProblem(seed);
    // Not always the best, to see that it stays.
    GreedyOptions none;
    none.moves = 0;
    std::optional<Extraction> best = extractGreedy(problem, none);
    if (!best)
      continue;
    std::vector<Extraction> choices = extractCandidates(problem, *best, 6);
    ASSERT_FALSE(choices.empty());
    EXPECT_LE(choices.size(), 6u);
    bool hasBest = false;
    std::vector<std::vector<unsigned>> sets;
    for (size_t i = 0; i < choices.size(); ++i) {
      EXPECT_EQ(checkExtraction(problem, choices[i]), "");
      if (i > 0)
        EXPECT_LE(choices[i - 1].cost, choices[i].cost);
      hasBest |= choices[i].nodes == best->nodes;
      std::vector<unsigned> set = choices[i].nodes;
      std::sort(set.begin(), set.end());
      EXPECT_EQ(std::count(sets.begin(), sets.end(), set), 0);
      sets.push_back(set);
    }
    EXPECT_TRUE(hasBest);
  }
}

TEST(ExtractRandom, NetworkIsExtracted) {
  ExtractionProblem problem = makeNetwork(3000, 1);
  GreedyOptions none;
  none.moves = 0;
  std::optional<Extraction> first = extractGreedy(problem, none);
  std::optional<Extraction> greedy = extractGreedy(problem);
  ASSERT_TRUE(first && greedy);
  EXPECT_EQ(checkExtraction(problem, *greedy), "");
  EXPECT_LT(greedy->cost, first->cost);
}

TEST(ExtractRandom, ResultsAreTheSameEachTime) {
  ExtractionProblem problem = makeNetwork(600, 2);
  std::optional<Extraction> greedy = extractGreedy(problem);
  expectSame(*greedy, *extractGreedy(problem));
  std::vector<Extraction> choices = extractCandidates(problem, *greedy, 8);
  std::vector<Extraction> again = extractCandidates(problem, *greedy, 8);
  ASSERT_EQ(choices.size(), again.size());
  for (size_t i = 0; i < choices.size(); ++i)
    expectSame(choices[i], again[i]);
  if (hasIlpSolver())
    expectSame(*extractIlp(problem), *extractIlp(problem));
}
