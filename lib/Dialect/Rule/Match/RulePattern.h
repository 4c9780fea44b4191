//===- RulePattern.h - the source of a rule, prepared ---------------------===//
//
// Part of the Tenon project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef TENON_LIB_DIALECT_RULE_MATCH_RULEPATTERN_H
#define TENON_LIB_DIALECT_RULE_MATCH_RULEPATTERN_H

#include "tenon/Dialect/Rule/Match/RuleMatch.h"

namespace tenon::rule {

/// A size or an integer parameter of the pattern: a constant, one symbol, or an
/// expression, which is checked once its symbols are bound.
struct SymPattern {
  std::optional<int64_t> constant;
  int symbol = -1;
  graph::SymInt expression;
};

struct SourceAttribute {
  mlir::StringAttr name;
  mlir::Attribute value;
  /// Of `#graph.dims`, entry by entry.
  bool isDims = false;
  llvm::SmallVector<SymPattern, 0> entries;
};

struct SourceValue {
  /// The op that gives it, or -1: an operand.
  int op = -1;
  unsigned number = 0;
  mlir::Type element;
  int64_t rank = 0;
  bool lifted = false;
  /// Of operands only.
  llvm::SmallVector<SymPattern, 0> sizes;
};

struct SourceOp {
  mlir::Operation *op = nullptr;
  mlir::OperationName name;
  llvm::SmallVector<unsigned> operands, results;
  llvm::SmallVector<SourceAttribute, 0> attributes;
};

struct RulePattern::Impl {
  explicit Impl(const ProvedRule &rule);
  explicit Impl(PatternOp pattern);

  SymPattern parse(const graph::SymInt &size);
  /// Whether what is stated for `pattern` holds for `element` too.
  bool fitsElement(mlir::Type pattern, mlir::Type element) const;
  /// Reads the source, whose operands may have further axes if `liftable`.
  void build(SourceInterface source, bool liftable);

  const ProvedRule *rule = nullptr;
  /// Null: what matches need not be proved.
  PendingCheck *check = nullptr;
  /// f32 is f32 alone: types stand in it, or it is a pattern.
  bool exactTypes = false;
  std::vector<std::string> symbols;
  std::vector<SourceValue> values;
  std::vector<SourceOp> ops;
  /// By op of the source; each once.
  llvm::SmallVector<unsigned> roots;
  llvm::SmallVector<unsigned> arguments, results;
  unsigned depth = 0;
  bool connected = true;
};

} // namespace tenon::rule

#endif // TENON_LIB_DIALECT_RULE_MATCH_RULEPATTERN_H
