//===- Derivations.h - rules that follow from others ----------------------===//
//
// Part of the Tenon project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef TENON_DISCOVER_DERIVATIONS_H
#define TENON_DISCOVER_DERIVATIONS_H

#include "tenon/Dialect/Rule/Match/RuleMatch.h"

#include "mlir/IR/OwningOpRef.h"

#include <deque>
#include <functional>
#include <optional>
#include <set>
#include <string>
#include <vector>

namespace tenon::egraph {
class EGraph;
} // namespace tenon::egraph

namespace tenon::discover {

/// How far an e-graph is saturated to derive a rule.
struct DerivationLimits {
  unsigned iterations = 6;
  unsigned newNodes = 1500;
  /// Whether only rules are used all ops of which the rule has itself. Much
  /// faster, but misses derivations that pass through other ops.
  bool usesOwnOps = false;
};

/// Decides which rules follow from a set of rules, by an e-graph (egg, Willsey
/// and others, POPL 2021; Ruler, Nandi and others, OOPSLA 2021, prunes rules in
/// this way).
class Derivations {
public:
  explicit Derivations(mlir::MLIRContext *context);

  /// Adds a rule, which is taken to hold, with `mayLift` also with the leading
  /// axes that it states.
  void add(mlir::OwningOpRef<rule::RuleOp> rule, bool mayLift);
  /// The rules that make the sides of `goal` equal when they are applied one
  /// after another, to either side; none if they do not within the limits.
  /// Rules that `without` names are not used.
  std::optional<std::vector<std::string>>
  derive(rule::RuleOp goal, const DerivationLimits &limits = {},
         const std::set<std::string> &without = {}) const;
  /// The same, by few steps: tries again with the rules that it used, and with
  /// fewer, as long as that needs fewer steps.
  std::optional<std::vector<std::string>>
  deriveShortly(rule::RuleOp goal, const DerivationLimits &limits = {}) const;
  /// Whether the rules lead from the source of `goal` to its target. That is
  /// more than that both are equal: something has to make the target.
  bool reaches(rule::RuleOp goal, const DerivationLimits &limits = {},
               const std::set<std::string> &without = {}) const;
  size_t size() const { return rules.size(); }
  /// The rule of this name; null if there is none.
  rule::RuleOp find(llvm::StringRef name) const;

private:
  using Filter = std::function<bool(unsigned)>;
  /// The rules that may be used for `goal`.
  Filter choose(rule::RuleOp goal, const DerivationLimits &limits,
                const std::set<std::string> &without) const;
  std::optional<std::vector<std::string>>
  tryWith(rule::RuleOp goal, const Filter &mayFire,
          const DerivationLimits &limits) const;
  /// Saturates the e-graph of the sides until `isDone`. False if it is not.
  bool saturate(egraph::EGraph &graph, llvm::ArrayRef<mlir::Block *> sides,
                const Filter &mayFire, const DerivationLimits &limits,
                const std::function<bool()> &isDone) const;

  mlir::MLIRContext *context;
  std::vector<mlir::OwningOpRef<rule::RuleOp>> ops;
  std::deque<rule::ProvedRule> rules;
  std::vector<rule::RulePattern> patterns;
  /// The names of the ops of each rule, sorted.
  std::vector<std::vector<mlir::OperationName>> names;
};

} // namespace tenon::discover

#endif // TENON_DISCOVER_DERIVATIONS_H
