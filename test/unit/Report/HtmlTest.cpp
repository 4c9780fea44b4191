//===- HtmlTest.cpp - the page holds its data, and nothing breaks out -----===//
//
// Part of the Tenon project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "SampleReport.h"

#include "llvm/ADT/StringRef.h"

#include "gtest/gtest.h"

using namespace tenon::report;
using llvm::StringRef;

static const char dataTag[] =
    "<script type=\"application/json\" id=\"report-data\">";

/// What a browser takes for the data: up to the first end tag.
static StringRef getData(StringRef page) {
  return page.split(dataTag).second.split("</script").first;
}

static llvm::json::Value parseData(StringRef page) {
  llvm::Expected<llvm::json::Value> value = llvm::json::parse(getData(page));
  if (value)
    return std::move(*value);
  ADD_FAILURE() << llvm::toString(value.takeError());
  return nullptr;
}

TEST(HtmlTest, HoldsTheData) {
  OptimizeReport report = makeSampleReport();
  EXPECT_EQ(parseData(renderHtml(report)), toJson(report));
}

TEST(HtmlTest, NamesStayText) {
  // Every place that text goes to.
  const std::string bad =
      "</script><!--<script><img src=x onerror=\"alert('1')\"> & \xe2\x80\xa8"
      "\xe2\x80\xa9 ]]> &amp; \\u003c \xff";
  OptimizeReport report;
  report.model = report.costs = bad;
  report.before.nodes = {{bad, bad, bad, 0, bad, {}}};
  report.before.kernels = {{bad, bad, 1, true, {{bad, 1}}}};
  report.rules = {{bad, 1, bad, bad, bad, bad, {bad}}};
  report.facts = {{bad, bad}};
  report.notes = {bad};
  report.placement = makeSamplePlacement();
  report.placement->plan = report.placement->reason = bad;
  report.placement->plans = {{bad, 1, {}}};
  report.placement->kernels = {{bad, bad, bad, bad, 1, bad, bad, 1}};
  report.placement->missing = {{bad, bad, 1}};
  std::string page = renderHtml(report);

  // As many tags as in a page with good names.
  std::string good = renderHtml(makeSampleReport());
  for (const char *tag :
       {"<script", "</script", "<img", "<!--", "<h1", "<title"})
    EXPECT_EQ(StringRef(page).count(tag), StringRef(good).count(tag)) << tag;
  EXPECT_EQ(StringRef(getData(page)).find_first_of("<>&"), StringRef::npos);
  EXPECT_FALSE(StringRef(getData(page)).contains("\xe2\x80\xa8"));
  EXPECT_FALSE(StringRef(getData(page)).contains("\xe2\x80\xa9"));
  EXPECT_TRUE(StringRef(page).contains("<h1>&lt;/script&gt;&lt;!--"));
  // The names still arrive unchanged.
  EXPECT_EQ(parseData(page), toJson(report));
}

TEST(HtmlTest, LoadsNothing) {
  std::string page = renderHtml(makeSampleReport());
  EXPECT_TRUE(StringRef(page).contains("default-src 'none'"));
  EXPECT_FALSE(StringRef(page).contains("unsafe-inline"));
  for (const char *word : {" src=", " href=", "@import", "url(", "https://"})
    EXPECT_FALSE(StringRef(page).contains(word)) << word;
  // The only address is a name: of SVG elements.
  EXPECT_EQ(StringRef(page).count("http://"),
            StringRef(page).count("http://www.w3.org/2000/svg"));
}

TEST(HtmlTest, EmptyReport) {
  std::string page = renderHtml(OptimizeReport());
  EXPECT_TRUE(StringRef(page).contains("<h1>model without a name</h1>"));
  EXPECT_EQ(parseData(page), toJson(OptimizeReport()));
}

TEST(HtmlTest, SameInputSameBytes) {
  EXPECT_EQ(renderHtml(makeSampleReport()), renderHtml(makeSampleReport()));
}
