//===- RuleSet.h - rules that may fire ------------------------------------===//
//
// Part of the Tenon project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef TENON_OPTIMIZE_RULESET_H
#define TENON_OPTIMIZE_RULESET_H

#include "tenon/Dialect/Rule/Match/RuleMatch.h"

#include "mlir/IR/BuiltinOps.h"
#include "mlir/IR/OwningOpRef.h"

#include <functional>

namespace tenon::optimize {

/// Decides rules (see tenon/Prove/Prove.h, which this room does not see).
struct RuleJudge {
  /// Asked for rules without a certificate; null: they are errors.
  std::function<rule::Certificate(rule::RuleOp)> prove;
  /// Asked for certificates of rules that match; null: they are trusted.
  rule::CertificateChecker check;
  /// Certificates of another kernel count as none.
  int64_t kernel = 0;
};

/// Proved rules, in the order in which they are tried.
class RuleSet {
public:
  /// Reads files of rules, and those (`*.mlir`, by name) of folders. With
  /// `names`, keeps the rules of these names only; each must exist. Fails, with
  /// a diagnostic, where a file can't be read or a rule is not proved.
  static mlir::FailureOr<RuleSet> load(mlir::MLIRContext *context,
                                       llvm::ArrayRef<std::string> paths,
                                       llvm::ArrayRef<std::string> names,
                                       const RuleJudge &judge);

  llvm::ArrayRef<rule::ProvedRule> getRules() const { return rules; }

private:
  struct File;
  static mlir::LogicalResult readFile(mlir::MLIRContext *context,
                                      const std::string &path,
                                      llvm::ArrayRef<std::string> names,
                                      File &file);
  mlir::LogicalResult addFile(File file, const RuleJudge &judge);

  std::vector<mlir::OwningOpRef<mlir::ModuleOp>> modules;
  std::vector<rule::ProvedRule> rules;
};

} // namespace tenon::optimize

#endif // TENON_OPTIMIZE_RULESET_H
