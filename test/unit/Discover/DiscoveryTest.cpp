//===- DiscoveryTest.cpp - what is asked of a prover ----------------------===//
//
// Part of the Tenon project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "tenon/Discover/Discovery.h"

#include "mlir/IR/MLIRContext.h"
#include "llvm/ADT/Twine.h"

#include <gtest/gtest.h>

#include <set>

using namespace tenon::discover;

namespace {
/// What is found of matmul and add, with at most three ops, where `decide`
/// gives the verdict on the text of a rule.
DiscoveryReport
discoverWith(const std::function<Verdict(llvm::StringRef)> &decide,
             llvm::StringRef reason) {
  mlir::MLIRContext context(mlir::MLIRContext::Threading::DISABLED);
  DiscoveryOptions options;
  options.ops = {"matmul", "add"};
  options.maxOps = 3;
  std::string error;
  auto report = discover(
      &context, options,
      [&](llvm::ArrayRef<std::string> rules) {
        std::vector<std::pair<Verdict, std::string>> verdicts;
        for (const std::string &rule : rules)
          verdicts.push_back({decide(rule), reason.str()});
        return verdicts;
      },
      [](const llvm::Twine &, double) {}, error);
  EXPECT_TRUE(succeeded(report)) << error;
  return std::move(*report);
}

const FoundRule *findRule(const DiscoveryReport &report, llvm::StringRef name) {
  for (const FoundRule &rule : report.rules)
    if (rule.name == name)
      return &rule;
  return nullptr;
}
} // namespace

/// One size of two products that are summed has to be positive.
TEST(DiscoveryTest, WhatIsFalseForASizeOfZeroGetsTheWeakestCondition) {
  llvm::StringRef name = "matmul-matmul-add-is-add-matmul";
  std::set<std::string> asked;
  DiscoveryReport report = discoverWith(
      [&](llvm::StringRef rule) {
        if (!rule.contains(("@\"" + name + "\"(").str()))
          return Verdict::Proved;
        asked.insert(rule.split("where").second.trim().str());
        return rule.contains("k >= 1") ? Verdict::Proved : Verdict::Refuted;
      },
      "with k = 0, a result differs");
  const FoundRule *rule = findRule(report, name);
  ASSERT_TRUE(rule);
  EXPECT_EQ(rule->verdict, Verdict::Proved);
  EXPECT_TRUE(llvm::StringRef(rule->text).trim().ends_with("where [k >= 1]"))
      << rule->text;
  // None, all, and without one after the other.
  EXPECT_GE(asked.size(), 4u);
}

TEST(DiscoveryTest, WhatIsFalseElsewhereIsNotAskedAgain) {
  size_t conditions = 0;
  DiscoveryReport report = discoverWith(
      [&](llvm::StringRef rule) {
        conditions += rule.contains("where");
        return Verdict::Refuted;
      },
      "with k = 1, a result differs");
  EXPECT_EQ(conditions, 0u);
  const FoundRule *commutes = findRule(report, "add-is-add");
  ASSERT_TRUE(commutes);
  EXPECT_EQ(commutes->verdict, Verdict::Refuted);
}
