//===- RuleLog.h - what fired, so that it can be done again ---------------===//
//
// Part of the Tenon project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// A log is a derivation: from the ops of the input, rule by rule, to the ops of
// the result. Ops are named by where they come from: "o4" is op number 4 of the
// input, "f2.1" is op number 1 of the target of firing number 2, all counted
// from 0. The schema stands in docs/formats.md.
//
//===----------------------------------------------------------------------===//

#ifndef TENON_OPTIMIZE_RULELOG_H
#define TENON_OPTIMIZE_RULELOG_H

#include "tenon/Optimize/RuleSet.h"

#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "llvm/Support/Error.h"
#include "llvm/Support/JSON.h"

#include <map>

namespace tenon::optimize {

/// "o4" or "f2.1".
struct OpRef {
  /// -1: of the input.
  int firing = -1;
  unsigned index = 0;

  std::string str() const;
  static std::optional<OpRef> parse(llvm::StringRef text);
  bool operator==(const OpRef &other) const {
    return firing == other.firing && index == other.index;
  }
};

struct LoggedFiring {
  std::string rule;
  /// The hash of the rule's statement.
  std::string statement;
  /// By op of the rule's source.
  std::vector<OpRef> ops;
  std::map<std::string, std::string> symbols;
  unsigned leadingAxes = 0;
  /// Those of the rule, with the symbols' values: what was checked.
  std::vector<std::string> conditions;
};

struct FunctionLog {
  std::string function;
  /// Hashes (hashFunction).
  std::string input, result;
  std::vector<LoggedFiring> firings;
  /// The ops of the result, in order.
  std::vector<OpRef> ops;
};

struct RuleLog {
  /// "egraph" or "backtrack"; "strict", "reassociate" or "finite".
  std::string engine, fp;
  std::vector<FunctionLog> functions;

  llvm::json::Value toJSON() const;
  /// Fails with the path of the field that is not as it should be.
  static llvm::Expected<RuleLog> fromJSON(const llvm::json::Value &value);
  static llvm::Expected<RuleLog> read(llvm::StringRef path);
};

/// The function's text without locations and without the attributes that the
/// optimizer writes; the same whatever a tool was told of printing.
std::string getFunctionText(mlir::func::FuncOp function);
/// SHA-256, hexadecimal, of this text.
std::string hashFunction(mlir::func::FuncOp function);

/// What a certificate allows: the flags of rule::FloatClass that rules may have
/// under "strict", "reassociate" or "finite"; nullopt for another word.
std::optional<unsigned> parseFloatPolicy(llvm::StringRef fp);

/// Does again what the log says, with these rules, and replaces the function's
/// body by what comes out. Every step is matched and checked anew: each rule
/// must be of `rules`, with the statement that the log has, be allowed by the
/// policy, match at the ops named with the symbols named, and its conditions
/// must hold; hashes of input and result must be those of the log. Fails with a
/// diagnostic at the function that names the step. A step that nothing rests on
/// is checked too, but not missed where it is absent.
mlir::LogicalResult replay(mlir::func::FuncOp function, const FunctionLog &log,
                           llvm::StringRef fp, const RuleSet &rules);

} // namespace tenon::optimize

#endif // TENON_OPTIMIZE_RULELOG_H
