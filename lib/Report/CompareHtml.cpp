//===- CompareHtml.cpp - a comparison of runs as a page ------------------===//
//
// Part of the Tenon project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Assets.h"
#include "HtmlText.h"

#include "tenon/Report/CompareReport.h"

#include "llvm/Support/Format.h"
#include "llvm/Support/raw_ostream.h"

#include <algorithm>
#include <cmath>

using namespace llvm;
using namespace tenon::report;

// Rules in addition to the style of the optimizer's report.
static constexpr StringLiteral ownStyle = R"css(
.verdict { font-size: 17px; font-weight: 600; overflow-wrap: anywhere; }
.growth { background: var(--panel); border: 1px solid var(--line); border-radius: 10px; padding: 8px 12px 4px; }
.growth svg { display: block; width: 100%; height: auto; font-size: 12px; }
.growth .grid { stroke: var(--line); }
.growth .tick { fill: var(--soft); font-size: 11px; }
.growth .line { fill: none; stroke-width: 1.6; stroke-linejoin: round; }
.growth .grown { stroke: var(--accent); }
.growth .local { stroke: var(--memory); }
.growth .bound { stroke: var(--other); stroke-dasharray: 4 3; }
.growth circle { fill: var(--worse); }
.swatch.grown { background: var(--accent); }
.swatch.local { background: var(--memory); }
.swatch.bound { background: var(--other); }
tr.wrong > td { background: color-mix(in srgb, var(--worse) 14%, transparent); }
)css";

static std::string formatNumber(double value) {
  if (std::isnan(value))
    return "NaN";
  if (std::isinf(value))
    return value < 0 ? "-inf" : "inf";
  std::string text;
  raw_string_ostream(text) << format("%.3g", value);
  return text;
}

static std::string nameOf(const ComparedRow &row) {
  if (!row.output.empty())
    return "output '" + row.output + "'";
  return row.op.empty() ? "a value" : row.op;
}

static std::string join(ArrayRef<std::string> places) {
  std::string text;
  for (const std::string &place : places)
    text += (text.empty() ? "" : ", ") + place;
  return text;
}

namespace {
/// A chart of errors along the graph, on a logarithmic scale.
class GrowthChart {
public:
  GrowthChart(const RunComparison &comparison, raw_ostream &os)
      : rows(comparison.rows), first(comparison.first), os(os) {}

  void draw() {
    for (const ComparedRow &row : rows)
      for (double value : {row.grown, local(row), bound(row)})
        if (std::isfinite(value) && value > 0) {
          low = std::min(low, std::floor(std::log10(value)));
          high = std::max(high, std::ceil(std::log10(value)));
        }
    low = std::max(low, -18.0);
    high = std::max(high, low + 1);
    os << "<div class=\"growth\"><svg role=\"img\" viewBox=\"0 0 1000 250\">"
          "<title>error relative to the largest value, per value</title>\n";
    int step = high - low > 12 ? 3 : high - low > 6 ? 2 : 1;
    for (double power = low; power <= high; power += step) {
      os << "<path class=\"grid\" d=\"M62 " << at(power) << "H988\"/>"
         << "<text class=\"tick\" x=\"54\" y=\"" << at(power) + 4
         << "\" text-anchor=\"end\">1e" << static_cast<int>(power)
         << "</text>\n";
    }
    line("bound", [](const ComparedRow &row) { return bound(row); });
    line("local", [](const ComparedRow &row) { return local(row); });
    line("grown", [](const ComparedRow &row) { return row.grown; });
    if (first) {
      os << "<circle r=\"5\" cx=\"" << across(*first) << "\" cy=\""
         << down(local(rows[*first])) << "\"><title>"
         << escapeHtml(nameOf(rows[*first])) << "</title></circle>\n";
    }
    os << "<text class=\"tick\" x=\"525\" y=\"245\" "
          "text-anchor=\"middle\">values in the order of execution</text>"
          "</svg>\n<p class=\"soft\">"
          "<span class=\"swatch grown\"></span>since the inputs &nbsp; "
          "<span class=\"swatch local\"></span>of the value's own op &nbsp; "
          "<span class=\"swatch bound\"></span>bound; all relative to the "
          "largest value</p></div>\n";
  }

private:
  static double share(const ComparedRow &row, double value) {
    return row.largest > 0 ? value / row.largest : value;
  }
  static double local(const ComparedRow &row) {
    return row.specials ? INFINITY : share(row, row.maxError);
  }
  static double bound(const ComparedRow &row) { return share(row, row.bound); }

  double at(double power) const {
    return std::round(10 * (216 - 196 * (power - low) / (high - low))) / 10;
  }
  double down(double value) const {
    if (!std::isfinite(value))
      return at(high);
    return at(value > 0 ? std::max(low, std::min(high, std::log10(value)))
                        : low);
  }
  double across(size_t row) const {
    double share =
        rows.size() > 1 ? static_cast<double>(row) / (rows.size() - 1) : 0.5;
    return std::round(10 * (62 + 926 * share)) / 10;
  }
  void line(StringRef name, function_ref<double(const ComparedRow &)> value) {
    os << "<path class=\"line " << name << "\" d=\"";
    for (size_t i = 0; i < rows.size(); ++i)
      os << (i ? "L" : "M") << across(i) << " " << down(value(rows[i]));
    os << "\"/>\n";
  }

  ArrayRef<ComparedRow> rows;
  std::optional<size_t> first;
  raw_ostream &os;
  double low = 0, high = -17;
};
} // namespace

static void writeRow(const ComparedRow &row, size_t number, raw_ostream &os) {
  os << "<tr" << (row.agrees ? "" : " class=\"wrong\"")
     << "><td class=\"number\">" << number << "</td><td class=\"name\">"
     << escapeHtml(nameOf(row)) << "<small>" << escapeHtml(join(row.places))
     << "</small></td><td>" << escapeHtml(row.type) << "</td><td>"
     << escapeHtml(row.step) << "</td><td class=\"number\">"
     << (row.specials ? std::to_string(row.specials) + " NaN or inf"
                      : formatNumber(row.maxError))
     << "</td><td class=\"number\">" << formatNumber(row.bound)
     << "</td><td class=\"number\">" << formatNumber(row.overBound)
     << "</td><td class=\"number\">" << formatNumber(row.grown)
     << "</td><td class=\"number\">" << row.beyond << " of " << row.elements
     << "</td></tr>\n";
}

static void writeOps(StringRef title, ArrayRef<SuspectedOp> ops,
                     raw_ostream &os) {
  if (ops.empty())
    return;
  os << "<h3>" << title << "</h3>\n<ul class=\"notes\">\n";
  for (const SuspectedOp &op : ops) {
    os << "<li>" << escapeHtml(op.op) << " <span class=\"soft\">"
       << escapeHtml(join(op.places)) << "</span>";
    if (!op.source.empty())
      os << "<br><code>" << escapeHtml(op.source) << "</code>";
    os << "</li>\n";
  }
  os << "</ul>\n";
}

static void writeVerdict(const RunComparison &comparison, raw_ostream &os) {
  os << "<p class=\"verdict "
     << (comparison.first || comparison.grownOutput ? "worse" : "better")
     << "\">" << escapeHtml(describeVerdict(comparison)) << "</p>\n";
  if (!comparison.first)
    return;
  const ComparedRow &row = comparison.rows[*comparison.first];
  auto fact = [&](StringRef name, const std::string &value) {
    if (!value.empty())
      os << "<tr><th>" << name << "</th><td>" << escapeHtml(value)
         << "</td></tr>\n";
  };
  os << "<table class=\"facts\">\n";
  fact("value", row.type);
  fact("step", row.step);
  fact("first wrong element", row.first + ": got " +
                                  formatNumber(row.firstGot) + ", expected " +
                                  formatNumber(row.firstExpected));
  fact("worst element", row.worst + ": got " + formatNumber(row.worstGot) +
                            ", expected " + formatNumber(row.worstExpected));
  fact("wrong elements",
       std::to_string(row.beyond) + " of " + std::to_string(row.elements));
  fact("bound", formatNumber(row.bound));
  os << "</table>\n";
  writeOps("Computed by", comparison.suspects, os);
  writeOps("From values that are right", comparison.reads, os);
}

static void writeComparison(const RunComparison &comparison, raw_ostream &os) {
  os << "<section><div class=\"head\"><h2>" << escapeHtml(comparison.run)
     << "</h2><span class=\"soft\">judged by "
     << escapeHtml(comparison.reference) << "</span></div>\n";
  writeVerdict(comparison, os);
  os << "<h3>Error along the graph</h3>\n";
  GrowthChart(comparison, os).draw();
  os << "<h3>Values</h3>\n<div class=\"scroll\"><table><thead><tr>"
        "<th class=\"number\">#</th><th>value</th><th>type</th><th>step</th>"
        "<th class=\"number\">error</th><th class=\"number\">bound</th>"
        "<th class=\"number\">error / bound</th>"
        "<th class=\"number\">since the inputs</th>"
        "<th class=\"number\">beyond</th></tr></thead><tbody>\n";
  for (size_t i = 0; i < comparison.rows.size(); ++i)
    writeRow(comparison.rows[i], i, os);
  os << "</tbody></table></div>\n";
  if (!comparison.unmatched.empty()) {
    os << "<details><summary>" << comparison.unmatched.size()
       << " values without a counterpart</summary><ul class=\"notes\">\n";
    for (const std::string &value : comparison.unmatched)
      os << "<li>" << escapeHtml(value) << "</li>\n";
    os << "</ul></details>\n";
  }
  os << "</section>\n";
}

std::string tenon::report::renderHtml(const CompareReport &report) {
  std::string style = (getStyle() + ownStyle).str();
  std::string title = escapeHtml(report.title);
  std::string page;
  raw_string_ostream os(page);
  // Nothing is loaded and no script runs, even if a name is escaped
  // incorrectly.
  os << "<!DOCTYPE html>\n<html lang=\"en\">\n<head>\n<meta "
        "charset=\"utf-8\">\n"
     << "<meta http-equiv=\"Content-Security-Policy\" content=\"default-src "
        "'none'; base-uri 'none'; form-action 'none'; style-src "
     << getHashSource(style) << "\">\n"
     << "<meta name=\"viewport\" content=\"width=device-width, "
        "initial-scale=1\">\n"
     << "<meta name=\"color-scheme\" content=\"light dark\">\n"
     << "<title>" << title << " - Tenon comparison</title>\n"
     << "<style>" << style << "</style>\n</head>\n<body>\n"
     << "<header class=\"top\"><p class=\"kicker\">Tenon comparison</p>\n<h1>"
     << title << "</h1></header>\n<main>\n<table class=\"facts\">\n";
  for (const auto &[name, value] : report.facts)
    os << "<tr><th>" << escapeHtml(name) << "</th><td>" << escapeHtml(value)
       << "</td></tr>\n";
  os << "</table>\n";
  for (const RunComparison &comparison : report.comparisons)
    writeComparison(comparison, os);
  os << "</main>\n</body>\n</html>\n";
  return page;
}
