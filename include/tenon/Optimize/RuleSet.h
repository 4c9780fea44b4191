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

#include "llvm/ADT/BitVector.h"
#include "llvm/ADT/StringSet.h"
#include "llvm/Support/Error.h"

#include <functional>

namespace tenon::optimize {

/// Decides whether rules hold (see tenon/Prove/Prove.h, which this room may not
/// include).
struct RuleJudge {
  /// Called for rules without a certificate. If null, such rules are errors.
  std::function<rule::Certificate(rule::RuleOp)> prove;
  /// Called for the certificates of rules that match. If null, certificates are
  /// trusted.
  rule::CertificateChecker check;
  /// The version of the proof kernel. Certificates of another version are
  /// ignored.
  int64_t kernel = 0;
};

/// The files of rules (`*.mlir`) of a folder, in the order of their names.
llvm::Expected<std::vector<std::string>> listRuleFiles(llvm::StringRef folder);

/// The names of a rule's ops, each once.
struct RuleOps {
  llvm::SmallVector<llvm::StringRef> source, target;
};
RuleOps getOps(rule::RuleOp rule);

/// Which rules can match in graphs of `ops` (names such as "graph.add"): those
/// whose source's ops are there, or made by another of them.
llvm::BitVector findReachable(llvm::ArrayRef<RuleOps> rules,
                              const llvm::StringSet<> &ops);

/// Proved rules, in the order in which they are tried.
class RuleSet {
public:
  /// Reads files of rules, and all such files (`*.mlir`, in the order of their
  /// names) of folders. With `names`, keeps only the rules of these names, each
  /// of which must exist. Fails, with a diagnostic, if a file cannot be read or
  /// a rule is not proved.
  static mlir::FailureOr<RuleSet> load(mlir::MLIRContext *context,
                                       llvm::ArrayRef<std::string> paths,
                                       llvm::ArrayRef<std::string> names,
                                       const RuleJudge &judge);
  /// The same, once for a context and one judge.
  static mlir::FailureOr<std::shared_ptr<const RuleSet>>
  share(mlir::MLIRContext *context, llvm::ArrayRef<std::string> paths,
        llvm::ArrayRef<std::string> names, const RuleJudge &judge);

  RuleSet() = default;
  /// The rules are in the modules.
  RuleSet(std::vector<mlir::OwningOpRef<mlir::ModuleOp>> modules,
          std::vector<rule::ProvedRule> rules)
      : modules(std::move(modules)), rules(std::move(rules)) {}

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
