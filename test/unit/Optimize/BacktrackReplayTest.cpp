//===- BacktrackReplayTest.cpp - logs of what a search found --------------===//
//
// Part of the Tenon project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Search.h"
#include "TestContext.h"

using namespace tenon;
using namespace tenon::optimize;
using namespace tenon::optimize::test;

/// Every candidate of a search is what its log makes of the input.
static void checkReplay(zoo::ModelFunction build, llvm::StringRef device,
                        unsigned graphs) {
  zoo::Module module = build(&getContext(), getSmallSizes());
  mlir::func::FuncOp function = getFunction(module);
  mlir::FailureOr<RuleSet> rules =
      RuleSet::load(&getContext(), {TENON_TEST_RULES}, {}, {});
  ASSERT_TRUE(succeeded(rules));
  std::vector<rule::RulePattern> patterns;
  for (const rule::ProvedRule &rule : rules->getRules())
    if ((rule.certificate.floatClass & ~rule::Reassociates) == 0)
      patterns.emplace_back(rule);
  cost::CostModel costs = getCosts(device);
  OptimizeOptions options;
  options.graphs = graphs;
  std::string reason;
  mlir::FailureOr<SearchResult> found =
      searchBacktrack(function, patterns, costs, options, reason);
  ASSERT_TRUE(succeeded(found)) << reason;
  ASSERT_EQ(found->candidates.size(), options.candidates);
  std::set<std::string> results;
  for (Candidate &candidate : found->candidates) {
    candidate.log.input = hashFunction(function);
    candidate.log.result = hashFunction(candidate.function.get());
    results.insert(candidate.log.result);
    EXPECT_FALSE(candidate.log.firings.empty());
    mlir::OwningOpRef<mlir::func::FuncOp> copy(function.clone());
    EXPECT_TRUE(succeeded(
        replay(copy.get(), candidate.log, FpMode::Reassociate, *rules)));
  }
  // They may differ in the order of ops, but not be the same.
  EXPECT_EQ(results.size(), found->candidates.size());
}

TEST(BacktrackReplay, NasRnn) { checkReplay(zoo::buildNasRnn, "t4", 8); }
TEST(BacktrackReplay, Inception) {
  checkReplay(zoo::buildInceptionV3, "t4", 4);
}
TEST(BacktrackReplay, Bert) { checkReplay(zoo::buildBertBase, "cpu", 6); }
