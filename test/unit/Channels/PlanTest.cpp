//===- PlanTest.cpp - plans as JSON ---------------------------------------===//
//
// Part of the Tenon project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "tenon/Artifact/Plan.h"

#include "gtest/gtest.h"

using namespace tenon::artifact;

static Plan getPlan() {
  Plan plan;
  plan.name = "m";
  plan.ranks = 2;
  plan.inputs = {"x \"quoted\""};
  plan.outputs = {{"y", "b.0"}};
  plan.stages = {{"a", 0, "m.a.so", {"x \"quoted\""}, {"a.0", "a.1"}},
                 {"b", 1, "m.b.so", {"a.1", "x \"quoted\""}, {"b.0"}}};
  return plan;
}

static std::string getError(const Plan &plan) {
  Expected<Plan> parsed = parsePlan(plan.toJson());
  return parsed ? "" : parsed.error();
}

TEST(Plan, ReadsWhatItWrites) {
  Plan plan = getPlan();
  Expected<Plan> parsed = parsePlan(plan.toJson());
  ASSERT_TRUE(parsed.ok()) << parsed.error();
  EXPECT_EQ(parsed->toJson(), plan.toJson());
  EXPECT_EQ(parsed->stages[1].rank, 1);
  EXPECT_EQ(parsed->stages[1].inputs, plan.stages[1].inputs);
}

TEST(Plan, RefusesWhatCannotRun) {
  Plan plan = getPlan();
  plan.stages[0].rank = 2;
  EXPECT_EQ(getError(plan), "stage 'a': expected a rank below 2, but got 2");
  plan = getPlan();
  std::swap(plan.stages[0], plan.stages[1]);
  EXPECT_EQ(getError(plan),
            "stage 'b' needs 'a.1', which no earlier stage produces");
  plan = getPlan();
  plan.stages[1].outputs = {"a.0"};
  EXPECT_EQ(getError(plan), "value 'a.0' has two sources");
  plan = getPlan();
  plan.outputs[0].second = "c.0";
  EXPECT_EQ(getError(plan), "output 'y' is 'c.0', which no stage produces");
  plan = getPlan();
  plan.stages[0].artifact = "../m.so";
  EXPECT_EQ(getError(plan), "stage 'a': expected the name of a file beside the "
                            "plan, but got '../m.so'");
  plan = getPlan();
  plan.ranks = 0;
  EXPECT_EQ(getError(plan), "expected 1 to 1024 ranks, but got 0");
}

TEST(Plan, RefusesOtherTexts) {
  EXPECT_EQ(parsePlan("[]").error(), "expected an object as the plan");
  EXPECT_EQ(parsePlan("{}").error(),
            "expected an integer 'schema_version' in the plan");
  EXPECT_EQ(parsePlan("{\"schema_version\": 2}").error(),
            "expected a plan of schema version 1, but got 2");
  EXPECT_EQ(parsePlan("{\"schema_version\": 1, \"name\": 3}").error(),
            "expected a string 'name' in the plan");
  EXPECT_FALSE(parsePlan("{").ok());
}
