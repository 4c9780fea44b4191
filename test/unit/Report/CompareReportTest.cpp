//===- CompareReportTest.cpp - pages about runs that differ --------------===//
//
// Part of the Tenon project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "tenon/Report/CompareReport.h"

#include <gtest/gtest.h>

#include <cmath>

using namespace tenon::report;

static CompareReport makeReport() {
  CompareReport report;
  report.title = "a & b";
  report.facts = {{"input '<x>'", "f32 2"}};
  RunComparison &comparison = report.comparisons.emplace_back();
  comparison.run = "b.so";
  comparison.reference = "a.mlir";
  ComparedRow &row = comparison.rows.emplace_back();
  row.op = "graph.relu";
  row.places = {"</script><script>alert(1)</script>"};
  row.type = "f32 2";
  row.agrees = false;
  row.elements = row.beyond = row.specials = 2;
  row.overBound = INFINITY;
  row.first = row.worst = "[0]";
  row.firstGot = NAN;
  comparison.first = 0;
  comparison.suspects = {{"graph.relu", {"x"}, "%1 = \"<\""}};
  comparison.rows.emplace_back().output = "y";
  return report;
}

TEST(CompareReport, PageTakesAnyName) {
  std::string page = renderHtml(makeReport());
  EXPECT_EQ(page.find("<script"), std::string::npos);
  EXPECT_NE(page.find("<title>a &amp; b - Tenon comparison</title>"),
            std::string::npos);
  EXPECT_NE(page.find("&lt;x&gt;"), std::string::npos) << page;
  EXPECT_NE(page.find("got NaN, expected 0"), std::string::npos);
  EXPECT_EQ(page.find("=\"nan"), std::string::npos);
}

TEST(CompareReport, JsonHasNoInfinities) {
  std::string text;
  llvm::raw_string_ostream(text) << toJson(makeReport());
  llvm::Expected<llvm::json::Value> parsed = llvm::json::parse(text);
  ASSERT_TRUE(static_cast<bool>(parsed));
  const llvm::json::Object &comparison =
      *(*parsed->getAsObject()).getArray("comparisons")->front().getAsObject();
  const llvm::json::Object &row =
      *comparison.getArray("values")->front().getAsObject();
  EXPECT_EQ(row.get("over_bound")->kind(), llvm::json::Value::Null);
  EXPECT_EQ(row.getObject("first")->get("got")->kind(),
            llvm::json::Value::Null);
  EXPECT_EQ(comparison.getInteger("first"), 0);
  EXPECT_FALSE(*parsed->getAsObject()->getBoolean("agrees"));
}

TEST(CompareReport, Verdicts) {
  CompareReport report = makeReport();
  RunComparison &comparison = report.comparisons.front();
  EXPECT_EQ(describeVerdict(comparison).substr(0, 51),
            "the first value that differs is graph.relu at </scr");
  comparison.first = 1;
  EXPECT_EQ(describeVerdict(comparison),
            "the first value that differs is output 'y'");
  comparison.first.reset();
  EXPECT_EQ(describeVerdict(comparison), "all 2 values agree");
  EXPECT_TRUE(report.agrees());
  comparison.grownOutput = 1;
  comparison.rows[1].grown = 0.25;
  EXPECT_EQ(describeVerdict(comparison),
            "no single op is wrong, but errors have grown to 0.25 of the "
            "largest value at output 'y'");
  EXPECT_FALSE(report.agrees());
}

TEST(CompareReport, NothingIsAPageToo) {
  CompareReport report;
  report.comparisons.emplace_back();
  EXPECT_NE(renderHtml(report).find("all 0 values agree"), std::string::npos);
}
