//===- CompareReport.h - a page about how two runs differ ----------------===//
//
// Part of the Tenon project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef TENON_REPORT_COMPAREREPORT_H
#define TENON_REPORT_COMPAREREPORT_H

#include "llvm/Support/JSON.h"

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace tenon::report {

/// A value of a run, beside what it had to be.
struct ComparedRow {
  /// Of the model's op: its name, and where it stands. An output has its name
  /// as `output`, and neither of the others.
  std::string op;
  std::vector<std::string> places;
  std::string output;
  /// The artifact's step; empty for a model.
  std::string step;
  /// "f32 1x64x56x56".
  std::string type;
  bool agrees = true;
  int64_t elements = 0, beyond = 0, specials = 0, undecided = 0;
  /// Infinite where NaN or infinities differ.
  double maxError = 0, maxRelative = 0, largest = 0, bound = 0, overBound = 0;
  /// The error relative to the largest value, since the inputs.
  double grown = 0;
  /// The first element that is wrong: "[0, 3]", empty if there is none; and the
  /// one of the largest error.
  std::string first, worst;
  double firstGot = 0, firstExpected = 0, worstGot = 0, worstExpected = 0;
};

struct SuspectedOp {
  std::string op;
  std::vector<std::string> places;
  /// The line of the model's file, where it is known.
  std::string source;
};

struct RunComparison {
  /// Files: what was judged, and by what.
  std::string run, reference;
  /// Whether the reference is a model, which computes every value of what the
  /// run itself has shown.
  bool isByModel = true;
  std::vector<ComparedRow> rows;
  /// Values without a counterpart, as texts.
  std::vector<std::string> unmatched;
  /// Index of the first row that is wrong.
  std::optional<size_t> first;
  /// Index of an output whose error is too large though no row is wrong.
  std::optional<size_t> grownOutput;
  std::vector<SuspectedOp> suspects;
  /// The values that these read, by the ops that compute them.
  std::vector<SuspectedOp> reads;
};

struct CompareReport {
  /// What was compared, and on which inputs, as facts.
  std::string title;
  std::vector<std::pair<std::string, std::string>> facts;
  std::vector<RunComparison> comparisons;

  bool agrees() const;
};

/// One sentence: which value is the first that is wrong, or that none is.
std::string describeVerdict(const RunComparison &comparison);

/// One self-contained page without scripts.
std::string renderHtml(const CompareReport &report);
/// The same as JSON, with `schema_version`; infinities are null.
llvm::json::Value toJson(const CompareReport &report);

} // namespace tenon::report

#endif // TENON_REPORT_COMPAREREPORT_H
