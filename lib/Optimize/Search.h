//===- Search.h - engines that search for cheaper graphs ------------------===//
//
// Part of the Tenon project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef TENON_LIB_OPTIMIZE_SEARCH_H
#define TENON_LIB_OPTIMIZE_SEARCH_H

#include "tenon/Optimize/Optimize.h"

namespace tenon::optimize {

/// The result of a search: candidates, cheapest first by the cost model.
struct SearchResult {
  std::vector<Candidate> candidates;
  /// For each rule of the set.
  std::vector<RuleUse> rules;
  std::vector<std::pair<std::string, std::string>> facts;
  std::vector<std::string> notes;
};

/// Equality saturation and extraction (TENSAT, MLSys'21). Fails, with a reason,
/// if the function cannot be converted to an e-graph.
mlir::FailureOr<SearchResult>
searchEGraph(mlir::func::FuncOp function,
             llvm::ArrayRef<rule::RulePattern> rules,
             const cost::CostModel &costs, const OptimizeOptions &options,
             std::string &reason);

/// Best-first search with backtracking (TASO, SOSP'19, algorithm 2).
mlir::FailureOr<SearchResult>
searchBacktrack(mlir::func::FuncOp function,
                llvm::ArrayRef<rule::RulePattern> rules,
                const cost::CostModel &costs, const OptimizeOptions &options,
                std::string &reason);

/// Returns the cost of a function by the cost model: the sum over
/// listSearchKernels.
double estimateFunction(mlir::func::FuncOp function,
                        const cost::CostModel &costs, bool isolated);

/// Returns the log of a function that is not changed.
FunctionLog describeUnchanged(mlir::func::FuncOp function);

/// Returns the floating-point types of the elements of a function, each once.
llvm::SmallVector<mlir::Type> getFloatElements(mlir::func::FuncOp function);

/// Returns the log entry of a firing.
LoggedFiring describeFiring(const rule::ProvedRule &rule,
                            const rule::SymbolMap &symbols,
                            unsigned leadingAxes, std::vector<OpRef> ops);

} // namespace tenon::optimize

#endif // TENON_LIB_OPTIMIZE_SEARCH_H
