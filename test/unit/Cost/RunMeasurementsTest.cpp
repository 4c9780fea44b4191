//===- RunMeasurementsTest.cpp - plans and admissions in files of costs ---===//
//
// Part of the Tenon project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "TestFile.h"
#include "tenon/Cost/CostDatabase.h"

using namespace tenon::cost;
using namespace tenon::cost::test;

static std::string file(const std::string &more) {
  return "{\"schema_version\": 1, \"device\": {\"target\": \"t\", "
         "\"processor\": \"p\", \"threads\": 1, \"versions\": {}}, "
         "\"entries\": []" +
         more + "}";
}

static std::string plan(const std::string &rest) {
  return file(", \"plans\": [{\"graph\": \"g\", \"plan\": \"mixed\", "
              "\"kernels\": \"k\"" +
              rest + "}]");
}

static std::string readError(const std::string &text) {
  TestFile input(text);
  return message(CostDatabase::read(input.path()));
}

TEST(RunMeasurements, RoundTrip) {
  CostDatabase database(Device{"t", "p", 1, {}});
  database.add("kernel", {2e-6, 1e-6, 3e-6, 5, 1.5e-6});
  database.add(RunMeasurement{"g", "k", "all:onednn", 1.25e-3, 1.5e-3, 7});
  database.add(RunMeasurement{"g", "l", "mixed", 1e-3, 1.25e-3, 5});
  database.add(Admission{"b", "p", ""});
  database.add(Admission{"b", "q", "it \"crashed\""});
  TestFile output("");
  EXPECT_EQ(message(database.write(output.path())), "success");
  llvm::Expected<CostDatabase> read = CostDatabase::read(output.path());
  ASSERT_TRUE(static_cast<bool>(read)) << message(std::move(read));
  EXPECT_EQ(read->lookup("kernel")->roofline, 1.5e-6);
  ASSERT_EQ(read->getModelRuns().size(), 2u);
  const RunMeasurement &plan = read->getModelRuns()[0];
  EXPECT_EQ(plan.graph, "g");
  EXPECT_EQ(plan.kernels, "k");
  EXPECT_EQ(plan.plan, "all:onednn");
  EXPECT_EQ(plan.sum, 1.25e-3);
  EXPECT_EQ(plan.measured, 1.5e-3);
  EXPECT_EQ(plan.numKernels, 7u);
  ASSERT_EQ(read->getAdmissions().size(), 2u);
  EXPECT_EQ(read->lookupAdmission("b", "p")->failure, "");
  EXPECT_EQ(read->lookupAdmission("b", "q")->failure, "it \"crashed\"");
  EXPECT_FALSE(read->lookupAdmission("b", "r"));
  EXPECT_FALSE(read->lookupAdmission("a", "p"));
  TestFile again("");
  EXPECT_EQ(message(read->write(again.path())), "success");
  EXPECT_EQ(again.text(), output.text());
}

TEST(RunMeasurements, ANewOneReplacesTheOld) {
  CostDatabase database{Device()};
  database.add(RunMeasurement{"g", "k", "mixed", 1, 2, 3});
  database.add(RunMeasurement{"g", "k", "all:cpu", 4, 5, 6});
  database.add(RunMeasurement{"h", "k", "mixed", 1, 2, 3});
  ASSERT_EQ(database.getModelRuns().size(), 2u);
  EXPECT_EQ(database.getModelRuns()[0].measured, 5);
  database.add(Admission{"b", "p", "wrong"});
  database.add(Admission{"b", "p", ""});
  ASSERT_EQ(database.getAdmissions().size(), 1u);
  EXPECT_EQ(database.getAdmissions()[0].failure, "");
}

TEST(RunMeasurements, Merge) {
  CostDatabase a{Device()}, b{Device()};
  a.add(RunMeasurement{"g", "k", "mixed", 1, 2, 3});
  b.add(RunMeasurement{"g", "k", "mixed", 1, 4, 3});
  b.add(RunMeasurement{"g", "l", "mixed", 1, 5, 3});
  a.add(Admission{"b", "right here", ""});
  b.add(Admission{"b", "right here", "wrong there"});
  a.add(Admission{"b", "wrong here", "wrong"});
  b.add(Admission{"b", "wrong here", ""});
  b.add(Admission{"b", "new", ""});
  EXPECT_EQ(message(a.merge(b)), "success");
  ASSERT_EQ(a.getModelRuns().size(), 2u);
  EXPECT_EQ(a.getModelRuns()[1].kernels, "l");
  // What one of them found wrong stays wrong.
  ASSERT_EQ(a.getAdmissions().size(), 3u);
  EXPECT_EQ(a.lookupAdmission("b", "right here")->failure, "wrong there");
  EXPECT_EQ(a.lookupAdmission("b", "wrong here")->failure, "wrong");
  EXPECT_EQ(a.lookupAdmission("b", "new")->failure, "");
}

TEST(RunMeasurements, Errors) {
  EXPECT_EQ(readError(file("")), "success");
  EXPECT_EQ(readError(file(", \"plans\": [], \"admissions\": []")), "success");
  EXPECT_EQ(readError(plan(", \"num_kernels\": 1, \"sum\": 1, "
                           "\"measured\": 1")),
            "success");
  expectContains(readError(file(", \"plans\": {}")),
                 "'plans': expected a list");
  expectContains(readError(file(", \"plans\": [3]")),
                 "plans 0: expected an object");
  expectContains(readError(plan("")), "plans 0: 'num_kernels' is missing");
  expectContains(readError(plan(", \"num_kernels\": 0, \"sum\": 1, "
                                "\"measured\": 1")),
                 "plans 0: 'num_kernels': expected an integer of at least 1");
  expectContains(readError(plan(", \"num_kernels\": 4294967296, \"sum\": 1, "
                                "\"measured\": 1")),
                 "plans 0: 'num_kernels' is too large");
  // Both are divided by.
  expectContains(readError(plan(", \"num_kernels\": 1, \"sum\": 0, "
                                "\"measured\": 1")),
                 "plans 0: 'sum': expected a number");
  expectContains(readError(plan(", \"num_kernels\": 1, \"sum\": 1, "
                                "\"measured\": 0")),
                 "plans 0: 'measured': expected a number");
  expectContains(readError(plan(", \"num_kernel\": 1")),
                 "plans 0: unknown member 'num_kernel'");
  expectContains(readError(file(", \"admissions\": [{}]")),
                 "admissions 0: 'backend' is missing");
  expectContains(readError(file(", \"admissions\": [{\"backend\": \"b\", "
                                "\"pattern\": \"p\"}]")),
                 "admissions 0: 'failure' is missing");
  expectContains(readError(file(", \"admissions\": [{\"backend\": \"b\", "
                                "\"pattern\": \"p\", \"failure\": true}]")),
                 "admissions 0: 'failure': expected");
  const char *twice = ", \"admissions\": ["
                      "{\"backend\": \"b\", \"pattern\": \"p\", "
                      "\"failure\": \"\"}, "
                      "{\"backend\": \"b\", \"pattern\": \"p\", "
                      "\"failure\": \"wrong\"}]";
  expectContains(readError(file(twice)),
                 "admissions 1: an earlier entry is about the same");
}
