//===- OptimizeReport.h - the report of one optimization ------------------===//
//
// Part of the Tenon project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef TENON_REPORT_OPTIMIZEREPORT_H
#define TENON_REPORT_OPTIMIZEREPORT_H

#include "llvm/Support/Error.h"
#include "llvm/Support/JSON.h"

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace tenon::report {

/// A node of a drawn graph: an op of the function, or a placed kernel.
struct GraphNode {
  /// Such as "conv" or "matmul+relu"; attributes and the result's type as text.
  std::string label, detail, type;
  /// The kernel (index into `Side::kernels`) that runs it; -1: no run-time
  /// work.
  int kernel = -1;
  /// In the graph after: the rule that created it. In the graph before: the
  /// rule that removed it, if that is known. Empty: no rule.
  std::string rule;
  /// The nodes that it reads, by index; they come before it.
  std::vector<unsigned> inputs;
};

/// One summand of a kernel's cost.
struct CostTerm {
  std::string name;
  double seconds = 0;
};

struct Kernel {
  /// Such as "onednn conv+relu", and its shapes.
  std::string name, detail;
  double seconds = 0;
  bool measured = false;
  std::vector<CostTerm> terms;
};

/// The graph before or after.
struct Side {
  std::vector<GraphNode> nodes;
  std::vector<Kernel> kernels;
  /// The number of bytes in use while kernel number i runs.
  std::vector<uint64_t> memory;
  /// The sum over all kernels.
  double seconds = 0;
};

/// A rule that fired.
struct FiredRule {
  std::string name;
  unsigned count = 0;
  /// The rule as written in its file, and its floating-point class.
  std::string statement, floatClass;
  /// From the certificate: "proved", the solver, the rule's conditions.
  std::string status, solver;
  std::vector<std::string> conditions;
};

/// A name and a value, shown in a table of facts: extraction, iterations,
/// e-nodes ...
struct Fact {
  std::string name, value;
};

/// A kernel that runs, and the alternative that placement had.
struct PlacedKernel {
  std::string backend, pattern;
  /// The types of its results; the names or lines of the ops that it runs.
  std::string detail, origin;
  double seconds = 0;
  /// The source of `seconds`: "measured", "scaled" (from other sizes) or
  /// "roofline".
  std::string basis;
  /// What would run instead of it, and by how much that would increase the
  /// total time. Empty if there is no alternative.
  std::string instead;
  std::optional<double> extraSeconds;
};

/// An alternative plan, such as "mixed" or "all:onednn".
struct PlacedPlan {
  std::string name;
  /// The sum of its kernels, and the time of whole runs if it was measured.
  double seconds = 0;
  std::optional<double> runSeconds;
};

/// A kernel that the database lacks, with its text there.
struct MissingKernel {
  std::string name, text;
  unsigned count = 0;
};

struct Placement {
  /// "mixed", "all:onednn" or "given", and the reason.
  std::string plan, reason;
  /// Whether no plan over the same candidates is cheaper.
  bool isOptimal = true;
  /// The sum over kernels, and the predicted time of a run: see RunTimeModel.
  double seconds = 0, runSeconds = 0;
  /// The number of runs of other graphs from which the prediction was learned.
  unsigned learnedFrom = 0;
  std::vector<PlacedPlan> plans;
  /// In the order of execution.
  std::vector<PlacedKernel> kernels;
  std::vector<MissingKernel> missing;
};

struct OptimizeReport {
  /// The model's name, and its costs: "h100, roofline" or "cpu, measured: F".
  std::string model, costs;
  Side before, after;
  std::vector<FiredRule> rules;
  std::vector<Fact> facts;
  /// What was not explored, which costs were missing, why nothing was changed.
  std::vector<std::string> notes;
  /// Empty if nothing was placed.
  std::optional<Placement> placement;
};

/// Returns one self-contained page: no network, no other file.
std::string renderHtml(const OptimizeReport &report);
/// Returns the same as JSON, with `schema_version`.
llvm::json::Value toJson(const OptimizeReport &report);

} // namespace tenon::report

#endif // TENON_REPORT_OPTIMIZEREPORT_H
