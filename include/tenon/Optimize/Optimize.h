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

#include "mlir/Pass/Pass.h"

#include <functional>

namespace tenon::optimize {

enum class Extractor {
  /// Greedy, with local improvement: in 575 of 576 problems of random graphs,
  /// of
  /// up to 121 nodes, the best choice of all (tenon-fuzz --extraction).
  Greedy,
  /// An integer linear program (CBC): optimal unless a limit of
  /// `egraph::IlpOptions` is reached. Greedy if the build has no CBC.
  Ilp
};

/// Returns the spelling of a value in pass options, such as `ilp`.
llvm::StringRef getName(Extractor extractor);
/// Returns all values. The argument only selects the overload.
llvm::ArrayRef<Extractor> getAll(Extractor);
inline llvm::raw_ostream &operator<<(llvm::raw_ostream &os,
                                     Extractor extractor) {
  return os << getName(extractor);
}

#define GEN_PASS_DECL_GRAPHOPTIMIZE
#include "tenon/Optimize/Passes.h.inc"

/// The options of the search are those of --graph-optimize (Passes.td), of
/// which it takes the numbers. All budgets are counts: equal input, rules,
/// costs and budgets give identical output. At most max(16000 / n, 2)
/// candidates are scored for a model of n e-nodes. The memory limit is ignored
/// without a scorer. If the input exceeds it, the cheapest candidate that does
/// not replaces it, whatever its cost; if all do, the input is kept. A negative
/// `leastGain` accepts a costlier result, and skips the comparison of bounds
/// (`Score::low`, `Score::high`).
struct OptimizeOptions : GraphOptimizeOptions {
  FpMode fp = FpMode::Reassociate;
  /// For tests: if set, extraction uses random costs of kernels that are
  /// derived from this seed.
  std::optional<uint64_t> costSeed;

  /// Whether a cost is below another by `part` of the least gain.
  bool isGain(double seconds, double before, double part = 1) const {
    return seconds <= before * (1 - leastGain / 100 * part);
  }
};

/// The predicted cost of a graph after placement.
struct Score {
  /// The sum over the kernels.
  double seconds = 0;
  /// The sums of the kernels' lower and upper bounds (`cost::MeasuredRatio`).
  /// Without measured costs, both equal `seconds`.
  double low = 0, high = 0;
  /// The cost of the placement plan that is chosen without measured costs.
  double unmeasuredSeconds = 0;
  /// The maximum over the kernels of the bytes of live tensors: arguments,
  /// results and values between kernels, without the scratch memory of kernels.
  uint64_t peakBytes = 0;
  /// The number of kernels, and the number of those without a measurement in
  /// the database.
  unsigned kernels = 0, notMeasured = 0;
};
/// Returns one score per function, in the order of the functions; nullopt for
/// a function that cannot be placed. The optimizer may call a scorer from any
/// thread, but makes one call at a time.
using Scorer = std::function<std::vector<std::optional<Score>>(
    llvm::ArrayRef<mlir::func::FuncOp>)>;

/// A graph that the search found, with its derivation.
struct Candidate {
  mlir::OwningOpRef<mlir::func::FuncOp> function;
  /// The sum over kernels that the search computes, without placement.
  double seconds = 0;
  FunctionLog log;
  std::optional<Score> score;
};

/// How the search used one rule.
struct RuleUse {
  std::string rule;
  /// Applied matches that changed the e-graph.
  unsigned tried = 0;
  /// Firings in the derivation of the result.
  unsigned fired = 0;
  /// Matches that were not applied, because their conditions are not known to
  /// hold or their target is not valid.
  unsigned refused = 0;
  /// A lower bound for the matches that a limit of the search skipped.
  unsigned leftOut = 0;
};

struct OptimizeResult {
  /// The log of the result. It has no firings if the input was kept.
  FunctionLog log;
  /// Costs by the cost model, without placement: of the input and of the
  /// result.
  double beforeSeconds = 0, afterSeconds = 0;
  /// Scores of the input and of the result. `before` is unset without a scorer,
  /// if there is no candidate or the input cannot be placed; `after` is unset
  /// if the input was kept.
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

/// Replaces the function's body with the cheapest graph that the search finds
/// within its budgets, by the rules that `options.fp` allows. Keeps the body if
/// no graph is cheaper by `leastGain`, and adds the reason to `notes`. Graphs
/// are compared by `scorer`, or by `Candidate::seconds` if there is none. None
/// is scored if the cost model predicts no gain before placement; and only the
/// best by the model if that neither is predicted to gain half of `leastGain`
/// nor does when it is placed, and none of its kernels is measured. With
/// measured costs, the graph that would be chosen without them (possibly the
/// input) is replaced by another only if the upper bound of the other
/// (`Score::high`) is at most its lower bound
/// (`Score::low`). This comparison is skipped if `leastGain` is negative or the
/// input exceeds the memory limit. Does not fail: if the search fails, the
/// input is kept and `notes` has the reason.
mlir::FailureOr<OptimizeResult> optimizeFunction(mlir::func::FuncOp function,
                                                 const RuleSet &rules,
                                                 const cost::CostModel &costs,
                                                 const OptimizeOptions &options,
                                                 const Scorer &scorer = {});

/// Optimizes the functions of a module whose bodies have one block, and returns
/// one result per `func.func`, in order. The other functions are kept, with a
/// note. If rules fired in a function, its attribute `rule.log` records the
/// firings. Does not fail.
mlir::FailureOr<std::vector<OptimizeResult>>
optimizeModule(mlir::ModuleOp module, const RuleSet &rules,
               const cost::CostModel &costs, const OptimizeOptions &options,
               const Scorer &scorer = {});
/// Combines the logs of `results` into one, with the floating-point mode of
/// `options`.
RuleLog getLog(llvm::ArrayRef<OptimizeResult> results,
               const OptimizeOptions &options);

} // namespace tenon::optimize

#endif // TENON_OPTIMIZE_OPTIMIZE_H
