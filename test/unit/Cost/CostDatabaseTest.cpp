//===- CostDatabaseTest.cpp - files of costs ------------------------------===//
//
// Part of the Tenon project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "tenon/Cost/CostDatabase.h"
#include "TestFile.h"

using namespace tenon::cost;
using namespace tenon::cost::test;

static const Device kDevice = {
    "cpu:x86-64-v3", "a processor", 2, {{"onednn", "2.6.3"}, {"tenon", "1"}}};

static std::string file(const std::string &entries,
                        const std::string &version = "1") {
  return "{\"schema_version\": " + version +
         ", \"device\": {\"target\": \"cpu:x86-64-v3\", \"processor\": "
         "\"a processor\", \"threads\": 2, \"versions\": {\"onednn\": "
         "\"2.6.3\", \"tenon\": \"1\"}}, \"entries\": [" +
         entries + "]}";
}

static std::string entry(const std::string &kernel,
                         const std::string &rest =
                             "\"median\": 2e-6, \"low\": 1e-6, \"high\": 3e-6, "
                             "\"runs\": 5") {
  return "{\"kernel\": \"" + kernel + "\", " + rest + "}";
}

static std::string readError(const std::string &text) {
  TestFile input(text);
  std::string error = message(CostDatabase::read(input.path()));
  if (error != "success")
    expectContains(error, input.path());
  return error;
}

TEST(CostDatabase, RoundTrip) {
  CostDatabase database(kDevice);
  database.add("a \"quoted\" kernel", {1.25e-5, 1e-5, 3.5e-5, 40});
  database.add("b", {0, 0, 0, 1});
  TestFile output("");
  EXPECT_EQ(message(database.write(output.path())), "success");
  llvm::Expected<CostDatabase> read = CostDatabase::read(output.path());
  ASSERT_TRUE(static_cast<bool>(read)) << message(std::move(read));
  EXPECT_EQ(read->getDevice(), kDevice);
  EXPECT_EQ(read->size(), 2u);
  const Measurement *found = read->lookup("a \"quoted\" kernel");
  ASSERT_TRUE(found);
  EXPECT_EQ(found->median, 1.25e-5);
  EXPECT_EQ(found->low, 1e-5);
  EXPECT_EQ(found->high, 3.5e-5);
  EXPECT_EQ(found->runs, 40u);
  EXPECT_TRUE(read->lookup("b"));
  EXPECT_FALSE(read->lookup("c"));
  // The text depends only on the contents.
  TestFile again("");
  EXPECT_EQ(message(read->write(again.path())), "success");
  EXPECT_EQ(again.text(), output.text());
}

TEST(CostDatabase, WriteKeepsTheOldFileOnFailure) {
  CostDatabase database(kDevice);
  expectContains(message(database.write("/no/such/folder/costs.json")),
                 "can't write '/no/such/folder/costs.json'");
}

TEST(CostDatabase, MergeTakesMoreRuns) {
  CostDatabase a(kDevice), b(kDevice);
  a.add("both", {1, 1, 1, 10});
  a.add("better here", {1, 1, 1, 30});
  b.add("both", {2, 2, 2, 20});
  b.add("better here", {2, 2, 2, 20});
  b.add("new", {3, 3, 3, 1});
  EXPECT_EQ(message(a.merge(b)), "success");
  EXPECT_EQ(a.size(), 3u);
  EXPECT_EQ(a.lookup("both")->median, 2);
  EXPECT_EQ(a.lookup("better here")->median, 1);
  EXPECT_EQ(a.lookup("new")->median, 3);
}

TEST(CostDatabase, MergeRefusesAnotherDevice) {
  for (int changed = 0; changed < 4; ++changed) {
    Device other = kDevice;
    if (changed == 0)
      other.target = "cpu:x86-64-v4";
    else if (changed == 1)
      other.processor = "another";
    else if (changed == 2)
      other.threads = 4;
    else
      other.versions["onednn"] = "3.0.0";
    CostDatabase a(kDevice), b(other);
    std::string error = message(a.merge(b));
    expectContains(error, kDevice.str());
    expectContains(error, other.str());
  }
}

TEST(CostDatabase, ReadErrors) {
  EXPECT_EQ(readError(file(entry("k"))), "success");
  EXPECT_EQ(readError(file("")), "success");
  std::string whole = file(entry("k"));
  for (size_t length = 0; length < whole.size(); length += 7)
    expectContains(readError(whole.substr(0, length)), "is not JSON");
  expectContains(readError("[]"), "expected a JSON object");
  expectContains(readError("{}"), "'schema_version' is missing");
  expectContains(readError(file("", "2")),
                 "expected 'schema_version' 1, but got 2");
  expectContains(readError("{\"schema_version\": 1}"), "'device' is missing");
  expectContains(readError("{\"schema_version\": 1, \"device\": 3}"),
                 "'device': expected an object, but got 3");
  expectContains(readError("{\"schema_version\": 1, \"device\": {}, "
                           "\"entires\": []}"),
                 "unknown member 'entires'");
  expectContains(readError("{\"schema_version\": 1, \"device\": "
                           "{\"target\": \"t\", \"processor\": \"p\", "
                           "\"threads\": 0, \"versions\": {}}}"),
                 "device: 'threads': expected an integer of at least 1, "
                 "but got 0");
  expectContains(readError(file("7")), "entry 0: expected an object");
  expectContains(readError(file("{}")), "entry 0: 'kernel' is missing");
  expectContains(
      readError(file(entry("k", "\"median\": \"fast\", \"low\": 1, \"high\": "
                                "1, \"runs\": 1"))),
      "entry 0: 'median': expected a number of at least 0, but got \"fast\"");
  expectContains(readError(file(entry("k") + "," +
                                entry("l", "\"median\": -1e-6, \"low\": 0, "
                                           "\"high\": 1, \"runs\": 1"))),
                 "entry 1: 'median': expected a number of at least 0");
  expectContains(readError(file(entry("k", "\"median\": 2, \"low\": 3, "
                                           "\"high\": 4, \"runs\": 1"))),
                 "entry 0: expected 'low' <= 'median' <= 'high'");
  expectContains(readError(file(entry("k", "\"median\": 2, \"low\": 1, "
                                           "\"high\": 4, \"runs\": 1.5"))),
                 "'runs': expected an integer of at least 1");
  expectContains(readError(file(entry("k") + "," + entry("k"))),
                 "entry 1: duplicate entry of the kernel 'k'");
  expectContains(message(CostDatabase::read("/no/such/file")),
                 "can't open '/no/such/file'");
}
