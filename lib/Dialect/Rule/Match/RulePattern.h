//===- RulePattern.h - preparing the source of a rule ---------------------===//
//
// Part of the Tenon project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef TENON_LIB_DIALECT_RULE_MATCH_RULEPATTERN_H
#define TENON_LIB_DIALECT_RULE_MATCH_RULEPATTERN_H

#include "tenon/Dialect/Rule/Match/RuleMatch.h"

#include <mutex>

namespace tenon::rule {

/// A size or an integer parameter of the pattern: a constant, one symbol, or an
/// expression, which is checked when its symbols are bound.
struct SymPattern {
  std::optional<int64_t> constant;
  int symbol = -1;
  graph::SymInt expression;
};

struct SourceAttribute {
  mlir::StringAttr name;
  mlir::Attribute value;
  /// The entries of a `#graph.dims`.
  bool isDims = false;
  llvm::SmallVector<SymPattern, 0> entries;
};

struct SourceValue {
  /// The op that computes the value, or -1 for an operand.
  int op = -1;
  unsigned number = 0;
  mlir::Type element;
  int64_t rank = 0;
  bool lifted = false;
  /// Only for operands.
  llvm::SmallVector<SymPattern, 0> sizes;
};

struct SourceOp {
  mlir::Operation *op = nullptr;
  mlir::OperationName name;
  llvm::SmallVector<unsigned> operands, results;
  llvm::SmallVector<SourceAttribute, 0> attributes;
};

/// An assumption of the proof: the value is at least 0.
struct Hypothesis {
  graph::SymInt value;
  /// The number of the symbol that is the value; -1: it is an expression.
  int symbol = -1;
};

struct RulePattern::Impl {
  explicit Impl(const ProvedRule &rule);
  explicit Impl(PatternOp pattern);

  SymPattern parse(const graph::SymInt &size);
  std::vector<Hypothesis>
  prepare(const std::vector<graph::SymInt> &values) const;
  /// The assumptions that matches must satisfy. May be called by several
  /// threads.
  const std::vector<Hypothesis> &getHypotheses(bool isLifted) const;
  /// Whether an `element` of the graph matches the type `pattern`.
  bool fitsElement(mlir::Type pattern, mlir::Type element) const;
  /// Reads the source, whose operands may have further axes if `liftable`.
  void build(SourceInterface source, bool liftable);

  const ProvedRule *rule = nullptr;
  /// Null if matches need no proof.
  PendingCheck *check = nullptr;
  /// f32 matches only f32: the rule states types, or this is a pattern.
  bool exactTypes = false;
  std::vector<std::string> symbols;
  /// Without leading axes and with them; filled when something matches.
  mutable std::vector<Hypothesis> hypotheses, liftHypotheses;
  mutable std::once_flag prepared;
  std::vector<SourceValue> values;
  std::vector<SourceOp> ops;
  /// The op of the source that computes each result, without duplicates.
  llvm::SmallVector<unsigned> roots;
  llvm::SmallVector<unsigned> arguments, results;
  unsigned depth = 0;
  bool connected = true;
};

} // namespace tenon::rule

#endif // TENON_LIB_DIALECT_RULE_MATCH_RULEPATTERN_H
