//===- CompareReport.h - the report of how two runs differ ----------------===//
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

/// A value of a run, and its expected value.
struct ComparedRow {
  /// The name and the places of the model's op. An output has only a name, in
  /// `output`.
  std::string op;
  std::vector<std::string> places;
  std::string output;
  /// The artifact's step; empty for a model.
  std::string step;
  /// For example "f32 1x64x56x56".
  std::string type;
  bool agrees = true;
  int64_t elements = 0, beyond = 0, specials = 0, undecided = 0;
  /// Infinite if NaN or infinities differ.
  double maxError = 0, maxRelative = 0, largest = 0, bound = 0, overBound = 0;
  /// The accumulated error since the inputs, relative to the largest value.
  double grown = 0;
  /// The first wrong element, such as "[0, 3]" (empty if there is none), and
  /// the one with the largest error.
  std::string first, worst;
  double firstGot = 0, firstExpected = 0, worstGot = 0, worstExpected = 0;
};

struct SuspectedOp {
  std::string op;
  std::vector<std::string> places;
  /// The line of the model's file, if it is known.
  std::string source;
};

struct RunComparison {
  /// The file that was judged, and the file of the reference.
  std::string run, reference;
  /// Whether the reference is a model, which computes every value from what the
  /// run itself has shown.
  bool isByModel = true;
  std::vector<ComparedRow> rows;
  /// Descriptions of the values without a counterpart.
  std::vector<std::string> unmatched;
  /// Index of the first wrong row.
  std::optional<size_t> first;
  /// Index of an output whose error is too large although no row is wrong.
  std::optional<size_t> grownOutput;
  std::vector<SuspectedOp> suspects;
  /// The values that the suspects read, by the ops that compute them.
  std::vector<SuspectedOp> reads;
};

struct CompareReport {
  /// Facts about what was compared, and on which inputs.
  std::string title;
  std::vector<std::pair<std::string, std::string>> facts;
  std::vector<RunComparison> comparisons;

  bool agrees() const;
};

/// Returns one sentence: the first wrong value, or that there is none.
std::string describeVerdict(const RunComparison &comparison);

/// Returns one self-contained page without scripts.
std::string renderHtml(const CompareReport &report);
/// Returns the same as JSON, with `schema_version`; infinities are null.
llvm::json::Value toJson(const CompareReport &report);

} // namespace tenon::report

#endif // TENON_REPORT_COMPAREREPORT_H
