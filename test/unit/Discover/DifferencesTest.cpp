//===- DifferencesTest.cpp ------------------------------------------------===//
//
// Part of the Tenon project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "tenon/Discover/Corrections.h"

#include "mlir/IR/BuiltinOps.h"
#include "mlir/Parser/Parser.h"
#include "gtest/gtest.h"

using namespace mlir;
using namespace tenon;
using namespace tenon::discover;
using graph::SymInt;

namespace {
class DifferencesTest : public testing::Test {
protected:
  DifferencesTest() {
    context.loadDialect<graph::GraphDialect, rule::RuleDialect>();
  }
  /// A sum of which the target lacks some rows and columns.
  rule::RuleOp parse(StringRef target, StringRef where) {
    std::string text = ("rule.rule @r(%x: [m, n], %y: [m, n]) -> [m, n]\n"
                        "source {\n%0 = graph.add %x, %y\nrule.yield %0\n}\n"
                        "target {\n" +
                        target + "\n}\nwhere [" + where + "]")
                           .str();
    module = parseSourceString<ModuleOp>(text, &context);
    return *module->getOps<rule::RuleOp>().begin();
  }

  MLIRContext context;
  OwningOpRef<ModuleOp> module;
  std::string reason;
};
} // namespace

static std::vector<std::string> print(const std::vector<Box> &boxes) {
  std::vector<std::string> texts;
  for (const Box &box : boxes)
    texts.push_back(box.str());
  return texts;
}

using Texts = std::vector<std::string>;

TEST_F(DifferencesTest, FindsBoxes) {
  rule::RuleOp rule = parse(R"(
    %0 = graph.add %x, %y
    %1 = graph.slice %0 starts = [1, 0] sizes = [m - 1, n - 2] steps = [1, 1]
    %2 = graph.pad %1 low = [1, 0] high = [0, 2] constant value = 0.0
    rule.yield %2)",
                            "m >= 1, n >= 2");
  FailureOr<Grid> grid = findDifferences(rule, {1, 400}, reason);
  ASSERT_TRUE(succeeded(grid)) << reason;
  EXPECT_EQ(print(grid->getBoxes(true)),
            (Texts{"[0:1, 0:n]", "[1:m, n - 2:n]"}));
  EXPECT_EQ(print(grid->getBoxes(false)), (Texts{"[1:m, 0:n - 2]"}));
  EXPECT_EQ(grid->covered, grid->differing);
  // All rows of the last columns: only these differ along the first axis.
  Grid wider = grid->without(0);
  EXPECT_EQ(print(wider.getBoxes(true)), (Texts{"[0:m, 0:n]"}));
  EXPECT_TRUE(wider.getBoxes(false).empty());

  auto corrected = correct(rule, *grid, "whole", reason);
  ASSERT_TRUE(succeeded(corrected)) << reason;
  EXPECT_EQ(corrected->numPieces, 3u);
  // It differs nowhere.
  FailureOr<Grid> rest = findDifferences(*corrected->rule, {2, 400}, reason);
  ASSERT_TRUE(succeeded(rest)) << reason;
  EXPECT_TRUE(rest->isEmpty());
}

TEST_F(DifferencesTest, FindsThatThereAreNone) {
  rule::RuleOp rule =
      parse("%0 = graph.add %y, %x\nrule.yield %0", "m >= 1, n >= 1");
  FailureOr<Grid> grid = findDifferences(rule, {1, 100}, reason);
  ASSERT_TRUE(succeeded(grid)) << reason;
  EXPECT_TRUE(grid->isEmpty());
  EXPECT_EQ(print(grid->getBoxes(false)), (Texts{"[0:m, 0:n]"}));
}

TEST_F(DifferencesTest, NeedsEnoughSizes) {
  rule::RuleOp rule = parse("rule.yield %x", "m >= 1, n >= 1");
  EXPECT_TRUE(failed(findDifferences(rule, {1, 7}, reason)));
  EXPECT_EQ(reason, "both sides are valid at 7 of 7 choices of sizes");
  rule = parse("rule.yield %x", "m >= 1, n == m, m >= 100");
  EXPECT_TRUE(failed(findDifferences(rule, {1, 50}, reason)));
  EXPECT_EQ(reason, "both sides are valid at 0 of 50 choices of sizes");
}

TEST_F(DifferencesTest, StatesEqualityInABox) {
  rule::RuleOp rule = parse("rule.yield %x", "m >= 1");
  Box box{{SymInt(0), SymInt::symbol("n") - 1},
          {SymInt::symbol("m"), SymInt::symbol("n")}};
  auto stated = stateEqualIn(rule, box, "part");
  ASSERT_TRUE(succeeded(stated));
  EXPECT_EQ((*stated)->getSymName(), "part");
  graph::Shape shape = graph::getShape(
      (*stated)->getTarget().front().getTerminator()->getOperand(0));
  EXPECT_EQ(shape[0], SymInt::symbol("m"));
  EXPECT_EQ(shape[1], SymInt(1));
}

TEST_F(DifferencesTest, DropsAStatedCondition) {
  rule::RuleOp rule = parse("rule.yield %x", "m >= 1, n >= 2");
  auto condition = cast<rule::ConditionAttr>(rule.getConditions()[0]);
  auto weaker = dropCondition(rule, condition);
  ASSERT_EQ(weaker->getConditions().size(), 1u);
  EXPECT_NE(weaker->getConditions()[0], condition);
}
