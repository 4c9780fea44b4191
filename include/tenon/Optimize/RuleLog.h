//===- RuleLog.h - record of firings that can be replayed -----------------===//
//
// Part of the Tenon project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// A log is a derivation: from the ops of the input, rule by rule, to the ops of
// the result. Ops are named by their origin: "o4" is op number 4 of the input,
// and "f2.1" is op number 1 of the target of firing number 2, all counted from
// 0. docs/formats.md has the schema.
//
//===----------------------------------------------------------------------===//

#ifndef TENON_OPTIMIZE_RULELOG_H
#define TENON_OPTIMIZE_RULELOG_H

#include "tenon/Optimize/RuleSet.h"
#include "tenon/Support/Numerics.h"

#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "llvm/Support/Error.h"
#include "llvm/Support/JSON.h"

#include <map>

namespace tenon::optimize {

/// A reference to an op: "o4" or "f2.1".
struct OpRef {
  /// The number of the firing, or -1 for the input.
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
  /// For each op of the rule's source.
  std::vector<OpRef> ops;
  std::map<std::string, std::string> symbols;
  unsigned leadingAxes = 0;
  /// The conditions of the rule, with the symbols' values: what was checked.
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
  FpMode fp = FpMode::Reassociate;
  std::vector<FunctionLog> functions;

  llvm::json::Value toJSON() const;
  /// Fails with the path of the first invalid field.
  static llvm::Expected<RuleLog> fromJSON(const llvm::json::Value &value);
  static llvm::Expected<RuleLog> read(llvm::StringRef path);
};

/// Returns the function's text without locations and without the attributes
/// that the optimizer writes. It does not depend on a tool's printing flags.
std::string getFunctionText(mlir::func::FuncOp function);
/// Returns the SHA-256 of this text in hexadecimal.
std::string hashFunction(mlir::func::FuncOp function);

/// The flags of rule::FloatClass that rules may have under a mode.
unsigned getAllowedClass(FpMode fp);

/// Replays the log with these rules, and replaces the function's body by the
/// result. Every step is matched and checked again: each rule must be in
/// `rules`, have the statement recorded in the log, be allowed by the mode,
/// and match at the given ops with the given symbols, and its conditions must
/// hold. The hashes of input and result must be those of the log. Fails with a
/// diagnostic at the function that names the step. A step that the result does
/// not depend on is checked, too, but may be absent.
mlir::LogicalResult replay(mlir::func::FuncOp function, const FunctionLog &log,
                           FpMode fp, const RuleSet &rules);

} // namespace tenon::optimize

#endif // TENON_OPTIMIZE_RULELOG_H
