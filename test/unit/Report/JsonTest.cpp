//===- JsonTest.cpp - members of the JSON report --------------------------===//
//
// Part of the Tenon project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "SampleReport.h"

#include "llvm/Support/raw_ostream.h"

#include "gtest/gtest.h"

#include <limits>

using namespace tenon::report;

static std::string print(const OptimizeReport &report) {
  std::string out;
  llvm::raw_string_ostream(out) << toJson(report);
  return out;
}

static llvm::json::Value parse(const OptimizeReport &report) {
  llvm::Expected<llvm::json::Value> value = llvm::json::parse(print(report));
  if (value)
    return std::move(*value);
  ADD_FAILURE() << llvm::toString(value.takeError());
  return nullptr;
}

TEST(JsonTest, HasAllMembers) {
  llvm::json::Value value = parse(makeSampleReport());
  const llvm::json::Object &report = *value.getAsObject();
  EXPECT_EQ(report.getInteger("schema_version"), 1);
  EXPECT_EQ(report.getString("model"), "sample");
  EXPECT_EQ(report.getString("costs"), "cpu, measured");
  EXPECT_EQ(*report.getArray("notes"),
            llvm::json::Array({"2 costs were missing"}));
  EXPECT_EQ(*report.getArray("facts"),
            llvm::json::Array(
                {llvm::json::Object{{"name", "engine"}, {"value", "greedy"}}}));

  const llvm::json::Object &rule =
      *(*report.getArray("rules"))[0].getAsObject();
  llvm::json::Object expected{{"name", "fuse_relu"},
                              {"count", 1},
                              {"statement", "rule.rule @fuse_relu"},
                              {"float", "exact"},
                              {"status", "proved"},
                              {"solver", "Z3 4.8.12"},
                              {"conditions", llvm::json::Array{"n >= 1"}}};
  EXPECT_EQ(rule, expected);

  const llvm::json::Object &before = *report.getObject("before");
  EXPECT_EQ(before.getNumber("seconds"), 5e-6);
  EXPECT_EQ(before.getInteger("peak_bytes"), 1024);
  EXPECT_EQ(*before.getArray("memory_bytes"), llvm::json::Array({512, 1024}));
  EXPECT_EQ(*(*before.getArray("nodes"))[1].getAsObject(),
            (llvm::json::Object{{"label", "relu"},
                                {"detail", ""},
                                {"type", "tensor<1x8x4x4xf32>"},
                                {"kernel", 1},
                                {"rule", nullptr},
                                {"inputs", llvm::json::Array{0}}}));
  EXPECT_EQ(
      *(*before.getArray("kernels"))[0].getAsObject(),
      (llvm::json::Object{
          {"name", "conv"},
          {"detail", "1x8x4x4"},
          {"seconds", 3e-6},
          {"measured", false},
          {"terms",
           llvm::json::Array{
               llvm::json::Object{{"name", "compute"}, {"seconds", 2e-6}},
               llvm::json::Object{{"name", "launch"}, {"seconds", 1e-6}}}}}));
  const llvm::json::Object &after = *report.getObject("after");
  EXPECT_EQ((*after.getArray("nodes"))[0].getAsObject()->getString("rule"),
            "fuse_relu");
}

TEST(JsonTest, HasThePlacement) {
  llvm::json::Value value = parse(makeSampleReport());
  const llvm::json::Object &placement =
      *value.getAsObject()->getObject("placement");
  llvm::json::Object expected{
      {"plan", "mixed"},
      {"reason", "no plan is predicted to be faster"},
      {"optimal", true},
      {"seconds", 3.5e-6},
      {"predicted_run_seconds", 3.7e-6},
      {"learned_from", 5},
      {"plans",
       llvm::json::Array{llvm::json::Object{{"plan", "mixed"},
                                            {"seconds", 3.5e-6},
                                            {"run_seconds", 3.6e-6}},
                         llvm::json::Object{{"plan", "all:cpu"},
                                            {"seconds", 9e-6},
                                            {"run_seconds", nullptr}}}},
      {"kernels",
       llvm::json::Array{llvm::json::Object{{"backend", "onednn"},
                                            {"pattern", "conv+relu"},
                                            {"detail", "1x8x4x4"},
                                            {"from", "conv1, relu1"},
                                            {"seconds", 3.5e-6},
                                            {"basis", "measured"},
                                            {"instead", "cpu conv+relu"},
                                            {"extra_seconds", 5.5e-6}}}},
      {"missing", llvm::json::Array{llvm::json::Object{
                      {"name", "cpu relu f32[4]"},
                      {"kernel", "cpu relu: f32[4]; relu(0)"},
                      {"count", 2}}}}};
  EXPECT_EQ(placement, expected);
}

TEST(JsonTest, KernelWithoutAlternative) {
  OptimizeReport report = makeSampleReport();
  report.placement->kernels[0].instead.clear();
  report.placement->kernels[0].extraSeconds.reset();
  llvm::json::Value value = parse(report);
  const llvm::json::Object &kernel =
      *(*value.getAsObject()->getObject("placement")->getArray("kernels"))[0]
           .getAsObject();
  EXPECT_EQ(*kernel.get("instead"), nullptr);
  EXPECT_EQ(*kernel.get("extra_seconds"), nullptr);
}

TEST(JsonTest, EmptyReportHasAllMembersToo) {
  llvm::json::Value value = parse(OptimizeReport());
  const llvm::json::Object &report = *value.getAsObject();
  for (const char *side : {"before", "after"}) {
    const llvm::json::Object *object = report.getObject(side);
    ASSERT_TRUE(object);
    EXPECT_TRUE(object->getArray("nodes")->empty());
    EXPECT_TRUE(object->getArray("kernels")->empty());
    EXPECT_TRUE(object->getArray("memory_bytes")->empty());
    // Unlike 0 bytes: memory was not planned.
    EXPECT_EQ(*object->get("peak_bytes"), nullptr);
    EXPECT_EQ(object->getNumber("seconds"), 0);
  }
  EXPECT_TRUE(report.getArray("rules")->empty());
  EXPECT_EQ(*report.get("placement"), nullptr);
}

TEST(JsonTest, TakesWhatJsonCannotHold) {
  OptimizeReport report = makeSampleReport();
  report.model = "bad \xff\xc0 bytes and \x01";
  report.before.nodes[0].kernel = -1;
  report.before.kernels[0].seconds = std::numeric_limits<double>::infinity();
  report.after.seconds = std::numeric_limits<double>::quiet_NaN();
  report.after.memory = {uint64_t(1) << 52};
  llvm::json::Value value = parse(report);
  const llvm::json::Object &object = *value.getAsObject();
  EXPECT_TRUE(llvm::json::isUTF8(*object.getString("model")));
  EXPECT_EQ(*object.getObject("after")->get("seconds"), nullptr);
  EXPECT_EQ(object.getObject("after")->getInteger("peak_bytes"), int64_t(1)
                                                                     << 52);
  const llvm::json::Object &before = *object.getObject("before");
  EXPECT_EQ(*(*before.getArray("kernels"))[0].getAsObject()->get("seconds"),
            nullptr);
  EXPECT_EQ(*(*before.getArray("nodes"))[0].getAsObject()->get("kernel"),
            nullptr);
}

TEST(JsonTest, SameInputSameBytes) {
  EXPECT_EQ(print(makeSampleReport()), print(makeSampleReport()));
}
