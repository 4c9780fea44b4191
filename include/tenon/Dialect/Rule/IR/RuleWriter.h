//===- RuleWriter.h - files of rules from shapes --------------------------===//
//
// Part of the Tenon project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef TENON_DIALECT_RULE_IR_RULEWRITER_H
#define TENON_DIALECT_RULE_IR_RULEWRITER_H

#include "tenon/Dialect/Graph/IR/SymInt.h"

#include "llvm/ADT/SmallVector.h"
#include "llvm/ADT/StringMap.h"
#include "llvm/ADT/StringSet.h"
#include "llvm/Support/raw_ostream.h"

#include <string>
#include <vector>

namespace tenon::rule {

/// A value of a rule to be written: its name, with the %, and the shape of its
/// f32 tensor.
struct WrittenValue {
  std::string name;
  graph::Shape shape;
};

/// An op of a rule to be written, in the syntax that most ops of the graph
/// dialect have: `mnemonic operands parameters : types`.
struct WrittenOp {
  std::string mnemonic;
  llvm::SmallVector<WrittenValue, 2> operands;
  llvm::SmallVector<WrittenValue, 1> results;
  /// The text between operands and types; begins with a space unless empty.
  std::string parameters;
  /// Whether one type stands for those of all operands and of the result.
  bool hasOneType = false;
};

/// One side of a rule: ops, each after those that it reads, and what it yields.
struct WrittenSide {
  std::vector<WrittenOp> ops;
  llvm::SmallVector<WrittenValue, 2> yielded;
};

/// A rule to be written.
struct WrittenRule {
  /// Without the @.
  std::string name;
  /// Lines without `//`.
  llvm::SmallVector<std::string, 2> comments;
  llvm::SmallVector<WrittenValue> operands;
  WrittenSide source, target;
  /// Whether all operands may have further leading axes.
  bool lifts = false;
  /// In the syntax of rules, such as `k >= 1`.
  std::vector<std::string> conditions;
};

/// Prints rules one after the other, each preceded by its comments and by the
/// type aliases that it is the first to use: the layout of the files in
/// `rules/`, which is easier to read than the printer's. What is printed may be
/// no valid rule; the parser's verifier tells.
class RuleWriter {
public:
  explicit RuleWriter(llvm::raw_ostream &os) : os(os) {}

  void write(const WrittenRule &rule);

private:
  /// The alias of a tensor type, such as `!m_k`.
  std::string getAlias(const graph::Shape &shape);
  /// A type in the syntax of rules: `[m, k]`, or the alias if that is long.
  std::string getShortType(const graph::Shape &shape);
  void writeSide(const WrittenSide &side, llvm::raw_ostream &body);

  llvm::raw_ostream &os;
  /// Aliases by the text of their type.
  llvm::StringMap<std::string> aliases;
  llvm::StringSet<> aliasNames;
  /// Aliases that the next rule needs.
  std::string newAliases;
};

} // namespace tenon::rule

#endif // TENON_DIALECT_RULE_IR_RULEWRITER_H
