//===- Optimize.h - the search for a cheaper graph ------------------------===//
//
// Part of the Tenon project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef TENON_OPTIMIZE_OPTIMIZE_H
#define TENON_OPTIMIZE_OPTIMIZE_H

#include "tenon/Cost/CostModel.h"
#include "tenon/Optimize/RuleLog.h"

#include <functional>

namespace tenon::optimize {

enum class Engine { EGraph, Backtrack };
enum class Extractor {
  /// ILP where the problem is small (`ilpNodes`), else greedy.
  Automatic,
  Greedy,
  Ilp
};

/// All budgets are counts: the same input, rules, costs and budgets give the
/// same bytes.
struct OptimizeOptions {
  Engine engine = Engine::EGraph;
  Extractor extractor = Extractor::Automatic;
  std::string fp = "reassociate";
  /// E-graph: e-nodes beyond the model's (nullopt: six for each of them, and
  /// 500, at most 20,000), rounds, and nodes of the largest problem that
  /// `Automatic` gives to the ILP solver.
  std::optional<unsigned> newNodes;
  unsigned iterations = 16, ilpNodes = 300;
  /// How many of the cheapest extractions are scored again; fewer, but two, if
  /// the model has more than 2,000 nodes.
  unsigned candidates = 8;
  /// Backtracking (TASO, SOSP'19, algorithm 2): graphs that are taken from the
  /// queue, and how much dearer than the best a graph may be to be kept.
  unsigned graphs = 200;
  double alpha = 1.05;
  /// Bytes that a result may need at once; 0: no bound.
  uint64_t memoryLimit = 0;
  /// A result must be this much cheaper (0.02: two per cent) to be taken.
  double leastGain = 0.02;
  /// For tests: random costs of kernels that follow from this seed, so that any
  /// graph that the rules derive may be the cheapest.
  std::optional<uint64_t> costSeed;
};

/// What a graph costs as it will be run.
struct Score {
  double seconds = 0;
  /// What it costs at the least and at the most, by what measured costs tell of
  /// kernels that were not measured, and what it would cost if nothing had been
  /// measured. Without measured costs all are `seconds`.
  double low = 0, high = 0, unmeasuredSeconds = 0;
  uint64_t peakBytes = 0;
  /// Kernels, and how many of them the database has no measurement of.
  unsigned kernels = 0, notMeasured = 0;
};
/// Scores functions, in their order. nullopt: it can't be lowered. A call may
/// come from any thread, and ends before the next one begins.
using Scorer = std::function<std::vector<std::optional<Score>>(
    llvm::ArrayRef<mlir::func::FuncOp>)>;

/// A graph that a search found, with its derivation.
struct Candidate {
  mlir::OwningOpRef<mlir::func::FuncOp> function;
  /// By the cost model's sum over kernels.
  double seconds = 0;
  FunctionLog log;
  std::optional<Score> score;
};

struct RuleUse {
  std::string rule;
  /// In the search, and in the result.
  unsigned tried = 0, fired = 0, refused = 0, leftOut = 0;
};

struct OptimizeResult {
  /// The log of the result; no firings where the input was kept.
  FunctionLog log;
  /// By the cost model: each op by itself; the input with epilogues fused; the
  /// result.
  double isolatedSeconds = 0, beforeSeconds = 0, afterSeconds = 0;
  std::optional<Score> before, after;
  std::vector<RuleUse> rules;
  /// Name and value, for people.
  std::vector<std::pair<std::string, std::string>> facts;
  /// What was not explored, and why the input was kept.
  std::vector<std::string> notes;
  bool changed = false;
  double searchSeconds = 0;
};

/// Replaces the function's body by the cheapest graph that the rules derive
/// from it, or keeps it. Without `scorer`, the cost model's sums decide.
mlir::FailureOr<OptimizeResult> optimizeFunction(mlir::func::FuncOp function,
                                                 const RuleSet &rules,
                                                 const cost::CostModel &costs,
                                                 const OptimizeOptions &options,
                                                 const Scorer &scorer = {});

/// A kernel as a search counts it.
struct SearchKernel {
  /// Positions of its ops in the function's body.
  std::vector<unsigned> ops;
  cost::Cost cost;
};

/// The kernels whose costs a search sums up for a function: `isolated`, one for
/// each op; else with epilogues fused where that is cheapest. What costs
/// nothing is left out. Empty where the function can't be put into an e-graph.
std::vector<SearchKernel> listSearchKernels(mlir::func::FuncOp function,
                                            const cost::CostModel &costs,
                                            bool isolated);

/// Optimizes every function of a module, and keeps in each what fired, as the
/// attribute `rule.log`.
mlir::FailureOr<std::vector<OptimizeResult>>
optimizeModule(mlir::ModuleOp module, const RuleSet &rules,
               const cost::CostModel &costs, const OptimizeOptions &options,
               const Scorer &scorer = {});
/// The log of all functions.
RuleLog getLog(llvm::ArrayRef<OptimizeResult> results,
               const OptimizeOptions &options);

} // namespace tenon::optimize

#endif // TENON_OPTIMIZE_OPTIMIZE_H
