//===- SearchBacktrack.cpp - best-first search with backtracking ----------===//
//
// Part of the Tenon project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Search.h"

using namespace mlir;
using namespace tenon;
using namespace tenon::optimize;

FailureOr<SearchResult>
optimize::searchBacktrack(func::FuncOp function,
                          ArrayRef<rule::RulePattern> rules,
                          const cost::CostModel &costs,
                          const OptimizeOptions &options, std::string &reason) {
  reason = "not there yet";
  return failure();
}
