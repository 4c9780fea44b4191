//===- BaselineTest.cpp - predictions beside measured costs ---------------===//
//
// Part of the Tenon project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "ModelOptions.h"
#include "tenon/Dialect/Rule/IR/Rule.h"
#include "tenon/Optimize/Optimize.h"

#include "gtest/gtest.h"

using namespace tenon;
using namespace tenon::optimize;

namespace {
/// Optimizes a model whose input and candidates have the given scores, in the
/// order in which they are scored; the last one stands for the others.
OptimizeResult choose(std::vector<Score> scores, double leastGain = 2) {
  mlir::MLIRContext context;
  context.loadDialect<graph::GraphDialect, rule::RuleDialect,
                      mlir::func::FuncDialect>();
  zoo::ModelOptions sizes;
  sizes.batch = 1;
  zoo::Module module = zoo::buildNasRnn(&context, sizes);
  cost::CostModel costs(llvm::cantFail(cost::getProfile("cpu")));
  mlir::FailureOr<RuleSet> rules =
      RuleSet::load(&context, {TENON_TEST_RULES}, {}, {});
  EXPECT_TRUE(succeeded(rules));
  OptimizeOptions options;
  options.newNodes = 300;
  options.leastGain = leastGain;
  size_t next = 0;
  mlir::FailureOr<OptimizeResult> result = optimizeFunction(
      *module->getOps<mlir::func::FuncOp>().begin(), *rules, costs, options,
      [&](llvm::ArrayRef<mlir::func::FuncOp> functions) {
        std::vector<std::optional<Score>> list;
        for (size_t n = 0; n < functions.size(); ++n)
          list.push_back(scores[std::min(next++, scores.size() - 1)]);
        return list;
      });
  EXPECT_TRUE(succeeded(result));
  EXPECT_GT(next, 2u);
  return std::move(*result);
}

Score makeScore(double seconds, double low, double high, double unmeasured) {
  Score score;
  score.seconds = seconds;
  score.low = low;
  score.high = high;
  score.unmeasuredSeconds = unmeasured;
  score.kernels = 1; // measured
  return score;
}
} // namespace

TEST(Baseline, UncertainGainIsNotTaken) {
  Score input = makeScore(100, 100, 100, 100);
  EXPECT_FALSE(choose({input, makeScore(50, 20, 150, 120)}).changed);
  EXPECT_FALSE(choose({input, makeScore(50, 20, 101, 120)}).changed);
}

TEST(Baseline, CertainGainIsTaken) {
  Score input = makeScore(100, 100, 100, 100);
  EXPECT_TRUE(choose({input, makeScore(50, 20, 90, 120)}).changed);
  // It would be taken without measured costs, too.
  EXPECT_TRUE(choose({input, makeScore(50, 20, 150, 90)}).changed);
}

TEST(Baseline, SearchForKernelsToMeasure) {
  Score input = makeScore(100, 100, 100, 100);
  EXPECT_TRUE(choose({input, makeScore(500, 200, 900, 120)}, -10000).changed);
}

TEST(Baseline, ChoiceWithoutCostsStays) {
  Score input = makeScore(100, 100, 100, 100);
  Score unmeasured = makeScore(110, 60, 160, 80);
  Score other = makeScore(70, 65, 75, 200);
  OptimizeResult kept = choose({input, unmeasured, other});
  ASSERT_TRUE(kept.changed);
  EXPECT_EQ(kept.after->seconds, 110);
  // Both are known now.
  unmeasured.low = unmeasured.high = 110;
  OptimizeResult left = choose({input, unmeasured, other});
  ASSERT_TRUE(left.changed);
  EXPECT_EQ(left.after->seconds, 70);
  // The input is better than what would be taken without costs.
  other.seconds = other.low = other.high = 120;
  EXPECT_FALSE(choose({input, unmeasured, other}).changed);
}
