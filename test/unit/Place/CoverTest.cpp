//===- CoverTest.cpp - the cheapest cover is found ------------------------===//
//
// Part of the Tenon project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "tenon/Place/Cover.h"
#include "../../../lib/Place/CoverPart.h"

#include "gtest/gtest.h"

#include <algorithm>
#include <random>

using namespace tenon::place;

namespace {

/// Every item an option of its own, and some of several.
CoverProblem makeProblem(std::mt19937 &random, bool convexOnly) {
  auto draw = [&](unsigned most) {
    return static_cast<unsigned>(random() % (most + 1));
  };
  CoverProblem problem;
  unsigned size = 2 + draw(7);
  problem.users.resize(size);
  for (unsigned to = 1; to < size; ++to)
    for (unsigned from = 0; from < to; ++from)
      if (draw(3) == 0)
        problem.users[from].push_back(to);
  for (unsigned item = 0; item < size; ++item)
    problem.options.push_back({{item}, 1.0 + draw(20)});
  unsigned more = draw(12);
  for (unsigned number = 0; number < more; ++number) {
    std::vector<unsigned> items;
    for (unsigned item = 0; item < size; ++item)
      if (draw(2) == 0)
        items.push_back(item);
    if (items.empty())
      continue;
    CoverOption option{items, 0.5 + draw(30)};
    // Alone with single items: a cycle goes through the option itself.
    CoverProblem alone{problem.users, {option}};
    std::vector<unsigned> cover = {0};
    for (unsigned item = 0; item < size; ++item)
      if (!std::binary_search(items.begin(), items.end(), item)) {
        alone.options.push_back({{item}, 0});
        cover.push_back(alone.options.size() - 1);
      }
    if (!convexOnly || findCycle(alone, cover).empty())
      problem.options.push_back(option);
  }
  return problem;
}

void expectCovers(const CoverProblem &problem, const Cover &cover) {
  std::vector<unsigned> count(problem.users.size());
  double cost = 0;
  for (unsigned option : cover.options) {
    cost += problem.options[option].cost;
    for (unsigned item : problem.options[option].items)
      ++count[item];
  }
  for (unsigned times : count)
    EXPECT_EQ(times, 1u);
  EXPECT_DOUBLE_EQ(cost, cover.cost);
  EXPECT_TRUE(findCycle(problem, cover.options).empty());
}

TEST(Cover, IsTheCheapestOfAll) {
  for (unsigned seed = 0; seed < 2000; ++seed) {
    std::mt19937 random(seed);
    CoverProblem problem = makeProblem(random, seed % 2);
    std::optional<Cover> best = enumerateCovers(problem);
    std::optional<Cover> found = solveCover(problem);
    ASSERT_TRUE(best && found) << "seed " << seed;
    EXPECT_DOUBLE_EQ(found->cost, best->cost) << "seed " << seed;
    EXPECT_TRUE(found->isOptimal);
    expectCovers(problem, *found);
  }
}

TEST(Cover, BreaksCycles) {
  // 0 -> 1 and 2 -> 3; {0, 3} and {1, 2} are cheap, but need each other.
  CoverProblem problem;
  problem.users = {{1}, {}, {3}, {}};
  problem.options = {{{0}, 4}, {{1}, 4},    {{2}, 4},
                     {{3}, 4}, {{0, 3}, 1}, {{1, 2}, 2}};
  EXPECT_FALSE(findCycle(problem, {4, 5}).empty());
  std::optional<Cover> cover = solveCover(problem);
  ASSERT_TRUE(cover);
  EXPECT_EQ(cover->options, (std::vector<unsigned>{1, 2, 4}));
  EXPECT_EQ(cover->cost, 9);
}

TEST(Cover, SaysWhereThereIsNone) {
  CoverProblem problem;
  problem.users = {{1}, {}};
  problem.options = {{{0}, 1}};
  EXPECT_FALSE(solveCover(problem));
  EXPECT_FALSE(enumerateCovers(problem));
}

TEST(Cover, AnEmptyGraphCostsNothing) {
  std::optional<Cover> cover = solveCover({});
  ASSERT_TRUE(cover);
  EXPECT_EQ(cover->cost, 0);
}

TEST(Cover, LongChainsAreFast) {
  CoverProblem problem;
  unsigned size = 20000;
  problem.users.resize(size);
  for (unsigned item = 0; item < size; ++item) {
    problem.options.push_back({{item}, 1});
    if (item + 1 == size)
      continue;
    problem.users[item] = {item + 1};
    problem.options.push_back({{item, item + 1}, 1.5});
  }
  std::optional<Cover> cover = solveCover(problem);
  ASSERT_TRUE(cover);
  EXPECT_EQ(cover->cost, 1.5 * size / 2);
  EXPECT_TRUE(cover->isOptimal);
}

TEST(Cover, BeyondItsLimitItSaysSo) {
  std::mt19937 random(1);
  CoverProblem problem;
  problem.users.resize(24);
  for (unsigned item = 0; item < 24; ++item)
    problem.options.push_back({{item}, 10});
  for (unsigned from = 0; from < 24; ++from)
    for (unsigned to = from + 1; to < 24; ++to)
      problem.options.push_back({{from, to}, 1.0 + random() % 8});
  CoverLimits limits;
  limits.states = 300;
  std::optional<Cover> cover = solveCover(problem, limits);
  ASSERT_TRUE(cover);
  EXPECT_FALSE(cover->isOptimal);
  expectCovers(problem, *cover);
}

/// A loop that was unrolled: each step needs the one before and a value that
/// stands at the start of the graph, as copies of constants do.
static CoverProblem makeSteps(unsigned count) {
  CoverProblem problem;
  problem.users.resize(3 * count);
  auto add = [&](std::vector<unsigned> items, double cost) {
    problem.options.push_back({std::move(items), cost});
  };
  for (unsigned step = 0; step < count; ++step) {
    unsigned first = count + 2 * step, second = first + 1;
    problem.users[step] = {first};
    problem.users[first] = {second};
    if (step + 1 < count)
      problem.users[second] = {second + 1};
    add({step}, 1);
    add({first}, 2);
    add({second}, 2);
    add({step, first}, 2.5);
    add({first, second}, 3);
    add({step, first, second}, 3.75);
    if (step > 0)
      add({first - 1, first}, 3.25);
  }
  return problem;
}

// Counts work, so that it says the same on every machine.
TEST(Cover, UnrolledLoopsTakeWorkInTheirLength) {
  auto countEdges = [](unsigned steps) {
    CoverProblem problem = makeSteps(steps);
    std::vector<CoverPart> parts = splitCover(problem);
    EXPECT_EQ(parts.size(), 1u);
    CoverStates states;
    std::optional<Cover> cover =
        solveCoverPart(problem, parts.front(), {}, 200000, &states);
    EXPECT_TRUE(cover && cover->isOptimal);
    EXPECT_DOUBLE_EQ(cover->cost, 3.75 * steps);
    return states.edges.size();
  };
  size_t few = countEdges(500), many = countEdges(1000);
  EXPECT_LT(few, 20000u);
  EXPECT_LE(many, 2.1 * few);
}

TEST(Cover, RunnersUpOfALongPartAreLocal) {
  CoverProblem problem = makeSteps(3000);
  std::optional<Cover> cover = solveCover(problem);
  ASSERT_TRUE(cover);
  std::vector<std::optional<RunnerUp>> others = findRunnersUp(problem, *cover);
  ASSERT_EQ(others.size(), 3000u);
  for (const std::optional<RunnerUp> &other : others) {
    ASSERT_TRUE(other);
    // The broadcast by itself, and the two others as one.
    EXPECT_DOUBLE_EQ(other->extra, 0.25);
    EXPECT_EQ(other->options.size(), 2u);
  }
}

/// So many independent pairs of subgraphs that need each other.
static CoverProblem makeTangles(unsigned count) {
  CoverProblem problem;
  for (unsigned tangle = 0; tangle < count; ++tangle) {
    unsigned first = 4 * tangle;
    problem.users.push_back({first + 1});
    problem.users.push_back({});
    problem.users.push_back({first + 3});
    problem.users.push_back({});
    for (unsigned item = 0; item < 4; ++item)
      problem.options.push_back({{first + item}, 4});
    problem.options.push_back({{first, first + 3}, 1});
    problem.options.push_back({{first + 1, first + 2}, 2});
  }
  return problem;
}

TEST(Cover, BreaksManyCyclesOneByOne) {
  std::optional<Cover> cover = solveCover(makeTangles(500));
  ASSERT_TRUE(cover);
  EXPECT_EQ(cover->cost, 9 * 500);
  EXPECT_TRUE(cover->isOptimal);
}

TEST(Cover, BreaksCyclesWithinLimits) {
  // One option ties all of them, so that they are one part.
  CoverProblem problem = makeTangles(40);
  std::vector<unsigned> all;
  for (unsigned item = 0; item < 160; ++item)
    all.push_back(item);
  problem.options.push_back({all, 10000});
  CoverLimits limits;
  limits.attempts = 20;
  std::optional<Cover> cover = solveCover(problem, limits);
  ASSERT_TRUE(cover);
  EXPECT_FALSE(cover->isOptimal);
  expectCovers(problem, *cover);
  EXPECT_LE(cover->cost, 10 * 40);
}

TEST(Cover, RunnersUpAreTheBestWithoutTheOption) {
  for (unsigned seed = 0; seed < 300; ++seed) {
    std::mt19937 random(seed);
    CoverProblem problem = makeProblem(random, true);
    // Without edges there are no cycles to look at.
    for (std::vector<unsigned> &users : problem.users)
      users.clear();
    std::optional<Cover> cover = solveCover(problem);
    ASSERT_TRUE(cover);
    auto others = findRunnersUp(problem, *cover);
    ASSERT_EQ(others.size(), cover->options.size());
    for (unsigned i = 0; i < others.size(); ++i) {
      CoverProblem without = problem;
      without.options.erase(without.options.begin() + cover->options[i]);
      std::optional<Cover> best = enumerateCovers(without);
      ASSERT_EQ(best.has_value(), others[i].has_value()) << "seed " << seed;
      if (best)
        EXPECT_NEAR(others[i]->extra, best->cost - cover->cost, 1e-9)
            << "seed " << seed;
    }
  }
}

} // namespace
