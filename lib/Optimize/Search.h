//===- Search.h - the search for cheaper graphs ---------------------------===//
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

/// The result of the search: candidates, cheapest first by the cost model.
struct SearchResult {
  /// The cost of the input by the cost model: the sum over the kernels that the
  /// greedy extractor chooses for it.
  double modelSeconds = 0;
  std::vector<Candidate> candidates;
  /// For each rule of the set.
  std::vector<RuleUse> rules;
  std::vector<std::pair<std::string, std::string>> facts;
  std::vector<std::string> notes;
};

/// The placement of candidates takes longer than the search: a search asks what
/// of it is worth its time.
struct SearchCalls {
  /// There may be candidates: the input can be scored while they are made.
  llvm::function_ref<void()> beforeScores;
  /// Whether the others are to be made as well, although the best one is not
  /// predicted to gain much.
  llvm::function_ref<bool(Candidate &)> isPromising;
};

/// Equality saturation and extraction (TENSAT, MLSys'21). Returns no candidates
/// if no rule fired or the cost model predicts no gain. Fails, with a
/// reason, if the function cannot be converted to an e-graph.
mlir::FailureOr<SearchResult>
searchEGraph(mlir::func::FuncOp function,
             llvm::ArrayRef<rule::RulePattern> rules,
             const cost::CostModel &costs, const OptimizeOptions &options,
             const SearchCalls &calls, std::string &reason);

/// Returns the log of a function that is not changed.
FunctionLog describeUnchanged(mlir::func::FuncOp function);

/// Returns the floating-point types of the elements of a function, each once.
llvm::SmallVector<mlir::Type> getFloatElements(mlir::func::FuncOp function);

} // namespace tenon::optimize

#endif // TENON_LIB_OPTIMIZE_SEARCH_H
