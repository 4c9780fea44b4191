//===- CompareJson.cpp - a comparison of runs as JSON --------------------===//
//
// Part of the Tenon project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "tenon/Report/CompareReport.h"

#include "llvm/Support/Format.h"
#include "llvm/Support/raw_ostream.h"

#include <cmath>

using namespace tenon::report;
namespace json = llvm::json;

/// Names come from models and may be invalid UTF-8, which JSON does not allow.
static json::Value text(llvm::StringRef value) { return json::fixUTF8(value); }

static json::Value number(double value) {
  return std::isfinite(value) ? json::Value(value) : json::Value(nullptr);
}

static json::Array texts(llvm::ArrayRef<std::string> values) {
  json::Array array;
  for (const std::string &value : values)
    array.push_back(text(value));
  return array;
}

static json::Value element(const std::string &index, double got,
                           double expected) {
  if (index.empty())
    return nullptr;
  return json::Object{
      {"index", index}, {"got", number(got)}, {"expected", number(expected)}};
}

static json::Value writeRow(const ComparedRow &row) {
  json::Object object{
      {"type", text(row.type)},
      {"agrees", row.agrees},
      {"elements", row.elements},
      {"beyond", row.beyond},
      {"nan_or_inf", row.specials},
      {"undecided", row.undecided},
      {"max_error", number(row.maxError)},
      {"max_relative_error", number(row.maxRelative)},
      {"largest", number(row.largest)},
      {"bound", number(row.bound)},
      {"over_bound", number(row.overBound)},
      {"grown", number(row.grown)},
      {"first", element(row.first, row.firstGot, row.firstExpected)},
      {"worst", element(row.worst, row.worstGot, row.worstExpected)}};
  if (!row.output.empty()) {
    object["output"] = text(row.output);
  } else {
    object["op"] = text(row.op);
    object["places"] = texts(row.places);
    object["step"] = row.step.empty() ? json::Value(nullptr) : text(row.step);
  }
  return object;
}

static json::Array writeOps(llvm::ArrayRef<SuspectedOp> ops) {
  json::Array array;
  for (const SuspectedOp &op : ops)
    array.push_back(
        json::Object{{"op", text(op.op)},
                     {"places", texts(op.places)},
                     {"source", op.source.empty() ? json::Value(nullptr)
                                                  : text(op.source)}});
  return array;
}

static json::Value writeComparison(const RunComparison &comparison) {
  json::Array rows;
  for (const ComparedRow &row : comparison.rows)
    rows.push_back(writeRow(row));
  auto index = [](std::optional<size_t> row) {
    return row ? json::Value(static_cast<int64_t>(*row)) : json::Value(nullptr);
  };
  return json::Object{{"run", text(comparison.run)},
                      {"reference", text(comparison.reference)},
                      {"by_model", comparison.isByModel},
                      {"verdict", text(describeVerdict(comparison))},
                      {"first", index(comparison.first)},
                      {"grown_output", index(comparison.grownOutput)},
                      {"suspects", writeOps(comparison.suspects)},
                      {"reads", writeOps(comparison.reads)},
                      {"values", std::move(rows)},
                      {"unmatched", texts(comparison.unmatched)}};
}

bool CompareReport::agrees() const {
  for (const RunComparison &comparison : comparisons)
    if (comparison.first || comparison.grownOutput)
      return false;
  return true;
}

static std::string describeRow(const ComparedRow &row) {
  if (!row.output.empty())
    return "output '" + row.output + "'";
  std::string name = row.op.empty() ? "a value" : row.op;
  for (size_t i = 0; i < row.places.size(); ++i)
    name += (i ? ", " : " at ") + row.places[i];
  return name;
}

std::string tenon::report::describeVerdict(const RunComparison &comparison) {
  const auto &rows = comparison.rows;
  if (comparison.first) {
    const ComparedRow &row = rows[*comparison.first];
    return "the first value that differs is " + describeRow(row);
  }
  if (comparison.grownOutput) {
    const ComparedRow &row = rows[*comparison.grownOutput];
    std::string verdict;
    llvm::raw_string_ostream(verdict)
        << "no single op is wrong, but errors have grown to "
        << llvm::format("%.3g", row.grown) << " of the largest value at "
        << describeRow(row);
    return verdict;
  }
  return "all " + std::to_string(rows.size()) + " values agree";
}

json::Value tenon::report::toJson(const CompareReport &report) {
  json::Array comparisons;
  for (const RunComparison &comparison : report.comparisons)
    comparisons.push_back(writeComparison(comparison));
  json::Array facts;
  for (const auto &[name, value] : report.facts)
    facts.push_back(json::Object{{"name", text(name)}, {"value", text(value)}});
  return json::Object{{"schema_version", 1},
                      {"title", text(report.title)},
                      {"agrees", report.agrees()},
                      {"facts", std::move(facts)},
                      {"comparisons", std::move(comparisons)}};
}
