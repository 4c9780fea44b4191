//===- TextReport.cpp - a comparison for the terminal --------------------===//
//
// Part of the Tenon project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "TextReport.h"

#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/Format.h"

#include <algorithm>
#include <cmath>
#include <set>

using namespace llvm;
using namespace tenon::report;

static std::string formatNumber(double value) {
  if (std::isnan(value))
    return "NaN";
  if (std::isinf(value))
    return value < 0 ? "-inf" : "inf";
  std::string text;
  raw_string_ostream(text) << format("%.6g", value);
  return text;
}

static std::string shortNumber(double value) {
  if (!std::isfinite(value))
    return formatNumber(value);
  std::string text;
  raw_string_ostream(text) << format("%.2g", value);
  return text;
}

static std::string describe(const ComparedRow &row) {
  if (!row.output.empty())
    return "output '" + row.output + "'";
  std::string text = row.op.empty() ? "a value" : row.op;
  if (!row.places.empty())
    text += " at " + join(row.places, ", ");
  return text;
}

static void printOps(StringRef title, ArrayRef<SuspectedOp> ops,
                     raw_ostream &os) {
  constexpr size_t mostOps = 12;
  os << "  " << title << ":\n";
  if (ops.size() > mostOps)
    os << "    ... (" << ops.size() - mostOps << " more)\n";
  for (const SuspectedOp &op : ops.take_back(std::min(mostOps, ops.size()))) {
    os << "    " << op.op;
    if (!op.places.empty())
      os << " at " << join(op.places, ", ");
    os << "\n";
    if (!op.source.empty())
      os << "      " << op.source << "\n";
  }
}

static void printFirst(const RunComparison &comparison, raw_ostream &os) {
  const ComparedRow &row = comparison.rows[*comparison.first];
  os << "  value: " << row.type;
  if (!row.step.empty())
    os << ", of step '" << row.step << "'";
  os << "\n  wrong elements: " << row.beyond << " of " << row.elements;
  if (row.specials)
    os << ", of which NaN or infinite in one of the two: " << row.specials;
  os << "\n  first: got " << formatNumber(row.firstGot) << ", expected "
     << formatNumber(row.firstExpected) << " at " << row.first;
  if (row.worst != row.first && !row.worst.empty())
    os << "\n  worst: got " << formatNumber(row.worstGot) << ", expected "
       << formatNumber(row.worstExpected) << " at " << row.worst;
  os << "\n  error: " << formatNumber(row.maxError) << ", bound "
     << formatNumber(row.bound) << " (" << shortNumber(row.overBound)
     << " times), largest expected value " << formatNumber(row.largest) << "\n";
  if (!comparison.suspects.empty())
    printOps(comparison.suspects.size() > 1
                 ? "computed by these ops of the model, of which one is wrong"
                 : "computed by",
             comparison.suspects, os);
  if (!comparison.reads.empty())
    printOps("from values that are right", comparison.reads, os);
}

/// Rows that tell how errors grow: the first wrong one and its neighbours, the
/// outputs, the last, and of the others some at equal distances.
static std::set<size_t> chooseRows(const RunComparison &comparison) {
  constexpr size_t mostSpread = 8;
  size_t count = comparison.rows.size();
  std::set<size_t> chosen;
  for (size_t i = 0; i < std::min(count, mostSpread); ++i)
    chosen.insert(i * (count - 1) / std::max<size_t>(1, mostSpread - 1));
  if (comparison.first)
    for (size_t i = *comparison.first >= 2 ? *comparison.first - 2 : 0;
         i < std::min(count, *comparison.first + 3); ++i)
      chosen.insert(i);
  for (size_t i = 0; i < count; ++i)
    if (!comparison.rows[i].output.empty() && chosen.size() < 24)
      chosen.insert(i);
  while (!chosen.empty() && *chosen.rbegin() >= count)
    chosen.erase(*chosen.rbegin());
  return chosen;
}

static void printGrowth(const RunComparison &comparison, raw_ostream &os) {
  if (comparison.rows.empty())
    return;
  os << "  error relative to the largest value, of the single op and since the "
        "inputs:\n"
     << "       #       op    bound   inputs  value\n";
  std::optional<size_t> last;
  for (size_t i : chooseRows(comparison)) {
    const ComparedRow &row = comparison.rows[i];
    if (last && i > *last + 1)
      os << "         ...\n";
    last = i;
    auto share = [&](double value) {
      return shortNumber(row.largest > 0 ? value / row.largest : value);
    };
    os << (row.agrees ? "    " : "  ! ") << right_justify(std::to_string(i), 4)
       << right_justify(row.specials ? "NaN" : share(row.maxError), 9)
       << right_justify(share(row.bound), 9)
       << right_justify(shortNumber(row.grown), 9) << "  " << describe(row)
       << "\n";
  }
}

static void print(const RunComparison &comparison, raw_ostream &os) {
  os << comparison.run << ", judged by " << comparison.reference << ": "
     << describeVerdict(comparison) << "\n";
  if (comparison.first)
    printFirst(comparison, os);
  printGrowth(comparison, os);
  if (!comparison.unmatched.empty()) {
    os << "  without a counterpart: " << comparison.unmatched.size() << " of "
       << comparison.unmatched.size() + comparison.rows.size()
       << " values, which are not judged themselves\n";
  }
}

void tenon::compare::printReport(const CompareReport &report, raw_ostream &os) {
  for (const auto &[name, value] : report.facts)
    os << name << ": " << value << "\n";
  for (const RunComparison &comparison : report.comparisons)
    print(comparison, os);
}
