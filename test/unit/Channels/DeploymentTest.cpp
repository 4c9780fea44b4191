//===- DeploymentTest.cpp - deployments as JSON ---------------------------===//
//
// Part of the Tenon project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "tenon/Artifact/Deployment.h"

#include "gtest/gtest.h"

using namespace tenon::artifact;

static Deployment getDeployment() {
  Deployment deployment;
  deployment.name = "m";
  deployment.ranks = 2;
  deployment.inputs = {"x \"quoted\""};
  deployment.outputs = {{"y", "b.0"}};
  deployment.stages = {{"a", 0, "m.a.so", {"x \"quoted\""}, {"a.0", "a.1"}},
                       {"b", 1, "m.b.so", {"a.1", "x \"quoted\""}, {"b.0"}}};
  return deployment;
}

static std::string getError(const Deployment &deployment) {
  Expected<Deployment> parsed = parseDeployment(deployment.toJson());
  return parsed ? "" : parsed.error();
}

TEST(Deployment, ReadsWhatItWrites) {
  Deployment deployment = getDeployment();
  Expected<Deployment> parsed = parseDeployment(deployment.toJson());
  ASSERT_TRUE(parsed.ok()) << parsed.error();
  EXPECT_EQ(parsed->toJson(), deployment.toJson());
  EXPECT_EQ(parsed->stages[1].rank, 1);
  EXPECT_EQ(parsed->stages[1].inputs, deployment.stages[1].inputs);
}

TEST(Deployment, RefusesWhatCannotRun) {
  Deployment deployment = getDeployment();
  deployment.stages[0].rank = 2;
  EXPECT_EQ(getError(deployment),
            "stage 'a': expected a rank below 2, but got 2");
  deployment = getDeployment();
  std::swap(deployment.stages[0], deployment.stages[1]);
  EXPECT_EQ(getError(deployment),
            "stage 'b' needs 'a.1', which no earlier stage produces");
  deployment = getDeployment();
  deployment.stages[1].outputs = {"a.0"};
  EXPECT_EQ(getError(deployment), "value 'a.0' has two sources");
  deployment = getDeployment();
  deployment.outputs[0].second = "c.0";
  EXPECT_EQ(getError(deployment),
            "output 'y' is 'c.0', which no stage produces");
  deployment = getDeployment();
  deployment.outputs[0].second = deployment.inputs[0];
  EXPECT_EQ(getError(deployment), "output 'y' is '" + deployment.inputs[0] +
                                      "', which no stage produces");
  deployment = getDeployment();
  deployment.outputs.push_back(deployment.outputs[0]);
  EXPECT_EQ(getError(deployment), "output 'y' is named twice");
  deployment = getDeployment();
  deployment.stages[1].name = deployment.stages[0].name;
  EXPECT_EQ(getError(deployment), "stage 'a' is named twice");
  deployment = getDeployment();
  deployment.stages[0].artifact = "../m.so";
  EXPECT_EQ(getError(deployment),
            "stage 'a': expected the name of a file beside the "
            "plan, but got '../m.so'");
  deployment = getDeployment();
  deployment.ranks = 0;
  EXPECT_EQ(getError(deployment), "expected 1 to 1024 ranks, but got 0");
}

TEST(Deployment, RefusesOtherTexts) {
  EXPECT_EQ(parseDeployment("[]").error(), "expected an object as the plan");
  EXPECT_EQ(parseDeployment("{}").error(),
            "expected an integer 'schema_version' in the plan");
  EXPECT_EQ(parseDeployment("{\"schema_version\": 2}").error(),
            "expected a plan of schema version 1, but got 2");
  EXPECT_EQ(parseDeployment("{\"schema_version\": 1, \"name\": 3}").error(),
            "expected a string 'name' in the plan");
  EXPECT_FALSE(parseDeployment("{").ok());
}
