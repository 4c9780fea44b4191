//===- OptimizeReport.h - a page about one optimization -------------------===//
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
  /// "conv", "matmul+relu"; attributes and the result's type as text.
  std::string label, detail, type;
  /// Kernel (index into `Side::kernels`) that runs it, or -1: no run-time work.
  int kernel = -1;
  /// Of the graph after: the rule that made it. Of the graph before: the rule
  /// that took it away, where that is known. Empty: no rule.
  std::string rule;
  /// Nodes that it reads, by index: earlier ones.
  std::vector<unsigned> inputs;
};

/// One summand of a kernel's cost.
struct CostTerm {
  std::string name;
  double seconds = 0;
};

struct Kernel {
  /// "onednn conv+relu", and its shapes.
  std::string name, detail;
  double seconds = 0;
  bool measured = false;
  std::vector<CostTerm> terms;
};

/// The graph before or after.
struct Side {
  std::vector<GraphNode> nodes;
  std::vector<Kernel> kernels;
  /// Bytes in use while kernel number i runs.
  std::vector<uint64_t> memory;
  /// The sum over kernels.
  double seconds = 0;
};

/// A rule that fired.
struct FiredRule {
  std::string name;
  unsigned count = 0;
  /// The rule as it stands in its file, and what it says of floats.
  std::string statement, floatClass;
  /// Of the certificate: "proved", the solver, its conditions.
  std::string status, solver;
  std::vector<std::string> conditions;
};

/// Name and value, shown as a table of facts: engine, budget used, e-nodes ...
struct Fact {
  std::string name, value;
};

/// A kernel that runs, and what placement chose it from.
struct PlacedKernel {
  std::string backend, pattern;
  /// Types of its results; names or lines of the ops that it came from.
  std::string detail, origin;
  double seconds = 0;
  /// Where `seconds` is from: "measured", "scaled" (from other sizes) or
  /// "roofline".
  std::string basis;
  /// What would run without it, and how much more all would then take. Empty:
  /// there is nothing else.
  std::string instead;
  std::optional<double> extraSeconds;
};

/// A plan that could have been taken: "mixed", "all:onednn".
struct PlacedPlan {
  std::string name;
  /// The sum of its kernels, and what whole runs took where that was measured.
  double seconds = 0;
  std::optional<double> runSeconds;
};

/// A kernel that the database lacks, with its text there.
struct MissingKernel {
  std::string name, text;
  unsigned count = 0;
};

struct Placement {
  /// "mixed", "all:onednn" or "given", and why that.
  std::string plan, reason;
  /// Whether no plan over the same candidates is cheaper.
  bool isOptimal = true;
  /// The sum over kernels, and the run that follows from it: see PlanModel.
  double seconds = 0, runSeconds = 0;
  /// Runs of other graphs from which that was learned.
  unsigned learnedFrom = 0;
  std::vector<PlacedPlan> plans;
  /// In the order in which they run.
  std::vector<PlacedKernel> kernels;
  std::vector<MissingKernel> missing;
};

struct OptimizeReport {
  /// Of the model; "t4, sum of isolated ops" or "cpu, measured".
  std::string model, costs;
  Side before, after;
  std::vector<FiredRule> rules;
  std::vector<Fact> facts;
  /// What was not explored, which costs were missing, why nothing was changed.
  std::vector<std::string> notes;
  /// None: nothing was placed.
  std::optional<Placement> placement;
};

/// One self-contained page: no network, no other file.
std::string renderHtml(const OptimizeReport &report);
/// The same as JSON, with `schema_version`.
llvm::json::Value toJson(const OptimizeReport &report);

} // namespace tenon::report

#endif // TENON_REPORT_OPTIMIZEREPORT_H
