//===- DerivationWorkersTest.cpp - tests of derivations by threads --------===//
//
// Part of the Tenon project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "tenon/Discover/DerivationWorkers.h"

#include <gtest/gtest.h>

using namespace tenon;
using namespace tenon::discover;

namespace {
/// A rule over x, y and, if it is named, z, of one shape; each side lists ops,
/// the last of which is its result.
std::string makeRule(const std::string &name,
                     llvm::ArrayRef<std::string> source,
                     llvm::ArrayRef<std::string> target) {
  auto write = [](llvm::ArrayRef<std::string> ops) {
    std::string text;
    for (size_t number = 0; number < ops.size(); ++number)
      text += "%" + std::to_string(number) + " = graph." + ops[number] + "\n";
    return text + "rule.yield %" + std::to_string(ops.size() - 1) + "\n";
  };
  std::string sides =
      "source {\n" + write(source) + "}\ntarget {\n" + write(target) + "}\n";
  bool hasThird = sides.find("%z") != std::string::npos;
  return "rule.rule @" + name + "(%x: [m, k], %y: [m, k]" +
         (hasThird ? ", %z: [m, k]" : "") + ") -> [m, k]\n" + sides;
}
} // namespace

TEST(DerivationWorkersTest, EveryGoalIsAnsweredInItsPlace) {
  DerivationWorkers workers;
  workers.add(makeRule("add_commutes", {"add %x, %y"}, {"add %y, %x"}));
  workers.add(makeRule("add_associates", {"add %x, %y", "add %0, %z"},
                       {"add %y, %z", "add %x, %0"}));
  EXPECT_EQ(workers.size(), 2u);
  std::vector<std::string> goals;
  std::vector<bool> expected;
  for (int number = 0; number < 12; ++number) {
    bool isDerived = number % 3 != 0;
    goals.push_back(
        makeRule("goal", {"add %x, %y", "add %0, %z"},
                 {"add %z, %y", isDerived ? "add %x, %0" : "add %y, %0"}));
    expected.push_back(isDerived);
  }
  EXPECT_EQ(workers.areDerived(goals), expected);
  EXPECT_TRUE(workers.areDerived({}).empty());
}

TEST(DerivationWorkersTest, RulesThatAreAddedLaterAreUsed) {
  DerivationWorkers workers;
  std::vector<std::string> goals = {
      makeRule("goal", {"mul %x, %y", "relu %0"}, {"mul %y, %x", "relu %0"})};
  EXPECT_FALSE(workers.areDerived(goals).front());
  workers.add(makeRule("mul_commutes", {"mul %x, %y"}, {"mul %y, %x"}));
  EXPECT_TRUE(workers.areDerived(goals).front());
}

TEST(DerivationWorkersTest, ARuleDoesNotImplyItself) {
  DerivationWorkers workers;
  workers.add(makeRule("commutes", {"mul %x, %y"}, {"mul %y, %x"}));
  workers.add(
      makeRule("inside", {"mul %x, %y", "relu %0"}, {"mul %y, %x", "relu %0"}));
  EXPECT_FALSE(workers.isImplied("commutes", {"commutes"}));
  EXPECT_TRUE(workers.isImplied("inside", {"inside"}));
  EXPECT_FALSE(workers.isImplied("inside", {"inside", "commutes"}));
}
