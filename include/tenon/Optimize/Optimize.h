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
  /// ILP if the problem is small (`ilpNodes`), else greedy.
  Automatic,
  Greedy,
  Ilp
};

/// The names of options of passes, and all values.
llvm::StringRef getName(Engine engine);
llvm::StringRef getName(Extractor extractor);
llvm::ArrayRef<Engine> getAll(Engine);
llvm::ArrayRef<Extractor> getAll(Extractor);
inline llvm::raw_ostream &operator<<(llvm::raw_ostream &os, Engine engine) {
  return os << getName(engine);
}
inline llvm::raw_ostream &operator<<(llvm::raw_ostream &os,
                                     Extractor extractor) {
  return os << getName(extractor);
}

/// All budgets are counts: equal input, rules, costs and budgets give identical
/// output.
struct OptimizeOptions {
  Engine engine = Engine::EGraph;
  Extractor extractor = Extractor::Automatic;
  FpMode fp = FpMode::Reassociate;
  /// For the e-graph engine: the number of e-nodes in addition to the model's
  /// (nullopt: six for each of these, plus 500, at most 20,000), the number of
  /// rounds, and the number of nodes of the largest problem that `Automatic`
  /// passes to the ILP solver.
  std::optional<unsigned> newNodes;
  unsigned iterations = 16, ilpNodes = 300;
  /// The number of cheapest extractions that are scored again. It is reduced,
  /// to no fewer than two, if the model has more than 2,000 nodes.
  unsigned candidates = 8;
  /// For the backtracking engine (TASO, SOSP'19, algorithm 2): the number of
  /// graphs that are taken from the queue, and the maximum ratio of a kept
  /// graph's cost to the best cost.
  unsigned graphs = 200;
  double alpha = 1.05;
  /// The number of bytes that a result may need at once; 0: no bound.
  uint64_t memoryLimit = 0;
  /// The relative gain from which a result is taken (0.02: two per cent).
  double leastGain = 0.02;
  /// For tests: uses random costs of kernels, derived from this seed, so that
  /// any graph that the rules derive may be the cheapest.
  std::optional<uint64_t> costSeed;
};

/// The cost of a graph as it will be executed.
struct Score {
  double seconds = 0;
  /// The lower and upper bounds of the cost, derived from the errors of
  /// predictions for measured kernels, and the cost if nothing had been
  /// measured. Without measured costs, all are equal to `seconds`.
  double low = 0, high = 0, unmeasuredSeconds = 0;
  uint64_t peakBytes = 0;
  /// The number of kernels, and the number of those without a measurement in
  /// the database.
  unsigned kernels = 0, notMeasured = 0;
};
/// Scores functions, in their order. A result is nullopt if the function cannot
/// be lowered. Any thread may call the scorer, but calls do not overlap.
using Scorer = std::function<std::vector<std::optional<Score>>(
    llvm::ArrayRef<mlir::func::FuncOp>)>;

/// A graph that a search found, with its derivation.
struct Candidate {
  mlir::OwningOpRef<mlir::func::FuncOp> function;
  /// The cost model's sum over kernels.
  double seconds = 0;
  FunctionLog log;
  std::optional<Score> score;
};

struct RuleUse {
  std::string rule;
  /// Counts in the search, and in the result.
  unsigned tried = 0, fired = 0, refused = 0, leftOut = 0;
};

struct OptimizeResult {
  /// The log of the result. It has no firings if the input was kept.
  FunctionLog log;
  /// Costs by the cost model: of the input with each op as a separate kernel,
  /// of the input with fused epilogues, and of the result.
  double isolatedSeconds = 0, beforeSeconds = 0, afterSeconds = 0;
  std::optional<Score> before, after;
  std::vector<RuleUse> rules;
  /// Names and values, for display.
  std::vector<std::pair<std::string, std::string>> facts;
  /// Notes about parts that were not explored, and the reason if the input was
  /// kept.
  std::vector<std::string> notes;
  bool changed = false;
  double searchSeconds = 0;
};

/// Replaces the function's body by the cheapest graph that the rules derive
/// from it, or keeps it. Without `scorer`, the cost model's sums are compared.
mlir::FailureOr<OptimizeResult> optimizeFunction(mlir::func::FuncOp function,
                                                 const RuleSet &rules,
                                                 const cost::CostModel &costs,
                                                 const OptimizeOptions &options,
                                                 const Scorer &scorer = {});

/// A kernel for which a search counts a cost.
struct SearchKernel {
  /// The positions of its ops in the function's body.
  std::vector<unsigned> ops;
  cost::Cost cost;
};

/// Returns the kernels whose costs a search adds up for a function. With
/// `isolated`, there is one for each op; otherwise, epilogues are fused if that
/// is cheapest. Kernels without a cost are omitted. Returns an empty list if
/// the function cannot be converted to an e-graph.
std::vector<SearchKernel> listSearchKernels(mlir::func::FuncOp function,
                                            const cost::CostModel &costs,
                                            bool isolated);

/// Optimizes every function of a module, and records the firings in each as the
/// attribute `rule.log`.
mlir::FailureOr<std::vector<OptimizeResult>>
optimizeModule(mlir::ModuleOp module, const RuleSet &rules,
               const cost::CostModel &costs, const OptimizeOptions &options,
               const Scorer &scorer = {});
/// Returns the log of all functions.
RuleLog getLog(llvm::ArrayRef<OptimizeResult> results,
               const OptimizeOptions &options);

} // namespace tenon::optimize

#endif // TENON_OPTIMIZE_OPTIMIZE_H
