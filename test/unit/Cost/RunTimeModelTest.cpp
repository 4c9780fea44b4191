//===- RunTimeModelTest.cpp - from sums of kernels to runs ----------------===//
//
// Part of the Tenon project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "tenon/Cost/RunTimeModel.h"

#include "gtest/gtest.h"

using namespace tenon::cost;

namespace {
/// Plans whose runs take `factor` times their sums, and something per kernel.
class Plans {
public:
  Plans(double factor, double perKernel)
      : factor(factor), perKernel(perKernel) {}

  void add(const std::string &graph, double sum, unsigned kernels) {
    database.add(RunMeasurement{graph, std::to_string(count++), "mixed", sum,
                                factor * sum + perKernel * kernels, kernels});
  }

  CostDatabase database{Device()};

private:
  double factor, perKernel;
  unsigned count = 0;
};
} // namespace

TEST(RunTimeModel, WithoutPlansSumsStay) {
  RunTimeModel model = RunTimeModel::learn(CostDatabase{Device()});
  EXPECT_EQ(model.getNumRuns(), 0u);
  EXPECT_EQ(model.predict(3e-3, 100), 3e-3);
}

TEST(RunTimeModel, RecoversBoth) {
  Plans plans(0.9, 2e-6);
  plans.add("a", 1e-3, 10);
  plans.add("a", 2e-3, 300);
  plans.add("b", 5e-2, 20);
  plans.add("b", 1e-4, 50);
  RunTimeModel model = RunTimeModel::learn(plans.database);
  EXPECT_EQ(model.getNumRuns(), 4u);
  EXPECT_NEAR(model.getFactor(), 0.9, 1e-9);
  EXPECT_NEAR(model.getSecondsPerKernel(), 2e-6, 1e-15);
  EXPECT_NEAR(model.predict(1e-2, 7), 0.9e-2 + 14e-6, 1e-12);
}

TEST(RunTimeModel, LeavesOneGraphOut) {
  Plans plans(1.2, 1e-6);
  for (unsigned kernels : {5, 50, 500, 60})
    plans.add("a", kernels == 60 ? 1e-2 : 1e-3, kernels);
  // These follow a different law.
  plans.database.add(RunMeasurement{"b", "k", "mixed", 1e-3, 1e-4, 3});
  RunTimeModel model = RunTimeModel::learn(plans.database, "b");
  EXPECT_EQ(model.getNumRuns(), 4u);
  EXPECT_NEAR(model.getFactor(), 1.2, 1e-9);
  EXPECT_NEAR(model.getSecondsPerKernel(), 1e-6, 1e-15);
  EXPECT_EQ(RunTimeModel::learn(plans.database).getNumRuns(), 5u);
  EXPECT_LT(RunTimeModel::learn(plans.database).getFactor(), 1);
}

TEST(RunTimeModel, FewPlansGiveAFactorAlone) {
  Plans plans(2, 1e-6);
  plans.add("a", 1e-3, 10);
  plans.add("a", 1e-3, 300);
  plans.add("b", 1e-3, 20);
  RunTimeModel model = RunTimeModel::learn(plans.database);
  EXPECT_EQ(model.getNumRuns(), 3u);
  EXPECT_EQ(model.getSecondsPerKernel(), 0);
  EXPECT_GT(model.getFactor(), 2);
  EXPECT_LT(model.getFactor(), 2.3);
}

TEST(RunTimeModel, PlansThatAreAlikeGiveAFactorAlone) {
  // Every kernel takes about a microsecond: nothing tells the two terms apart.
  Plans plans(0.5, 1e-6);
  double noise = 1e-5;
  for (unsigned kernels : {10, 20, 40, 80, 160, 320}) {
    plans.add("a", kernels * 1e-6 * (1 + noise), kernels);
    noise = -noise;
  }
  RunTimeModel model = RunTimeModel::learn(plans.database);
  EXPECT_NEAR(model.getFactor(), 1.5, 1e-3);
  EXPECT_EQ(model.getSecondsPerKernel(), 0);
}

TEST(RunTimeModel, KernelsNeverGiveTimeBack) {
  Plans plans(1, -1e-7);
  for (unsigned kernels : {10, 500, 20, 900})
    plans.add("a", 1e-3, kernels);
  RunTimeModel model = RunTimeModel::learn(plans.database);
  EXPECT_EQ(model.getSecondsPerKernel(), 0);
  EXPECT_GT(model.getFactor(), 0.9);
  EXPECT_LT(model.getFactor(), 1);
}
