//===- SolverTest.cpp - questions about integers --------------------------===//
//
// Part of the Tenon project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "tenon/ProofKernel/Solver.h"

#include "gtest/gtest.h"

using namespace tenon::prove;

namespace {
using Answer = Solver::Answer;

SymInt name(const char *text) { return SymInt::symbol(text); }

class SolverTest : public testing::Test {
protected:
  void SetUp() override {
    if (getSolverVersion().empty())
      GTEST_SKIP() << "built without Z3";
  }
};

/// a <= b.
FormulaRef atMost(const char *a, const char *b) {
  return Formula::lessEqual(name(a), name(b));
}

TEST_F(SolverTest, SharesAnswersOfQuestionsThatDifferInNames) {
  auto memory = std::make_shared<SolverMemory>();
  auto ask = [&](const char *a, const char *b, const char *c) {
    Solver solver(defaultRlimit, memory);
    EXPECT_EQ(solver.follows(Formula::conjunction(atMost(a, b), atMost(b, c)),
                             atMost(a, c)),
              Answer::Yes);
    EXPECT_EQ(solver.getNumQuestions(), 1u);
    return solver.getWork();
  };
  uint64_t work = ask("a", "b", "c");
  EXPECT_EQ(memory->size(), 1u);
  EXPECT_EQ(ask("k", "m", "n"), work) << "it counts as if it were asked";
  EXPECT_EQ(memory->size(), 1u);
}

TEST_F(SolverTest, KeepsApartWhatNamesTellApart) {
  auto memory = std::make_shared<SolverMemory>();
  Solver solver(defaultRlimit, memory);
  EXPECT_EQ(solver.follows(atMost("a", "b"), atMost("b", "a")), Answer::No);
  EXPECT_EQ(solver.follows(atMost("a", "b"), atMost("a", "c")), Answer::No);
  // The same name on both sides, by the names of the first question.
  EXPECT_EQ(solver.follows(atMost("b", "a"), atMost("b", "a")), Answer::Yes);
  // A symbol is at least 0; an index may be any integer.
  FormulaRef isNegative = Formula::less(name("n"), SymInt(0));
  FormulaRef isIndexNegative = Formula::less(name("%0"), SymInt(0));
  EXPECT_TRUE(solver.isImpossible(isNegative));
  EXPECT_FALSE(solver.isImpossible(isIndexNegative));
}

TEST_F(SolverTest, DecidesEachConjunctOfAGoal) {
  Solver solver(defaultRlimit);
  FormulaRef known = Formula::conjunction(atMost("a", "b"), atMost("c", "d"));
  EXPECT_EQ(solver.follows(known, known), Answer::Yes);
  EXPECT_EQ(solver.getNumQuestions(), 0u) << "it is part of what is known";
  FormulaRef twice = Formula::conjunction(
      Formula::lessEqual(name("a"), name("b") + name("b")),
      Formula::lessEqual(name("c"), name("d") + name("d")));
  EXPECT_EQ(solver.follows(known, twice), Answer::Yes);
  EXPECT_EQ(solver.getNumQuestions(), 1u) << "they differ in names alone";
  EXPECT_EQ(
      solver.follows(known, Formula::conjunction(twice, atMost("b", "a"))),
      Answer::No);
}

TEST_F(SolverTest, KnowsThatOtherConjunctsContradictEachOther) {
  Solver solver(defaultRlimit);
  FormulaRef impossible = Formula::conjunction(
      Formula::less(name("c"), name("d")), Formula::less(name("d"), name("c")));
  EXPECT_EQ(solver.follows(Formula::conjunction(atMost("a", "b"), impossible),
                           atMost("b", "a")),
            Answer::Yes);
}

TEST_F(SolverTest, ReadsTwoInequalitiesAsAnEquation) {
  Solver solver(defaultRlimit);
  FormulaRef equal = Formula::conjunction(
      Formula::lessEqual(name("a") * name("b"), name("k") * name("m")),
      Formula::lessEqual(name("k") * name("m"), name("a") * name("b")));
  EXPECT_EQ(solver.follows(equal, Formula::equal(name("a") * name("b"),
                                                 name("k") * name("m"))),
            Answer::Yes);
  EXPECT_EQ(solver.follows(equal, Formula::equal(name("a"), name("k"))),
            Answer::No);
}

TEST_F(SolverTest, RefusesProductsThatItCannotBound) {
  Solver solver(defaultRlimit);
  SymInt product(1);
  for (unsigned number = 0; number < 50; ++number)
    product = product * name(("k" + std::to_string(number)).c_str());
  EXPECT_EQ(solver.follows(Formula::less(SymInt(0), product),
                           Formula::less(SymInt(0), name("k0"))),
            Answer::Unknown);
  EXPECT_EQ(solver.reason, "a product of sizes has too many factors");
}
} // namespace
