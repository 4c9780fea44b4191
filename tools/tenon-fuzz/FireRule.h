//===- FireRule.h - one rule in a model, as a compile applies it ----------===//
//
// Part of the Tenon project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef TENON_TOOLS_TENON_FUZZ_FIRERULE_H
#define TENON_TOOLS_TENON_FUZZ_FIRERULE_H

#include "MatchedModels.h"

#include "tenon/Optimize/Optimize.h"
#include "tenon/ProofKernel/Solver.h"

namespace tenon::fuzz {

/// A rule in a file, with its certificate if it is proved.
class RuleFile {
public:
  /// Writes the rule to `folder` and reads it again. `isValid` is false if that
  /// fails.
  RuleFile(rule::RuleOp rule, const std::string &folder,
           std::shared_ptr<prove::SolverMemory> memory);

  bool isValid() const { return static_cast<bool>(module); }
  rule::RuleOp getRule() const { return rule; }
  const std::string &getPath() const { return path; }
  /// Proves the rule, without trials, and writes its certificate.
  const rule::Certificate &prove();
  /// Writes this certificate, of an equal rule.
  void setCertificate(rule::Certificate proved);
  const rule::Certificate &getCertificate() const { return certificate; }
  /// What the kernel of proofs says of the certificate, once: what is wrong, or
  /// an empty string.
  const std::string &check() const;
  bool isProved() const { return certificate.status == rule::Status::Proved; }

private:
  std::string path;
  mlir::OwningOpRef<mlir::ModuleOp> module;
  rule::RuleOp rule;
  rule::Certificate certificate;
  std::shared_ptr<prove::SolverMemory> memory;
  mutable std::optional<std::string> wrong;
};

/// A copy of `model` in which the pass graph-apply-rules fired the rule, by its
/// files. The certificate is checked. Null if the rule does not fire.
mlir::OwningOpRef<mlir::ModuleOp> fireByPass(const RuleFile &file,
                                             mlir::ModuleOp model);

/// The same for a rule of which nothing is known but `hypotheses`; fires once.
/// `matches` tells whether it would, though the target may not be valid.
mlir::OwningOpRef<mlir::ModuleOp>
fireUnproved(rule::RuleOp rule, const std::vector<graph::SymInt> &hypotheses,
             mlir::ModuleOp model, bool &matches);

/// Compares the rewritten model with the original, for `draws` choices of
/// inputs, as strictly as the class of the rule allows. Returns the first
/// difference, or an empty string. Adds the comparisons of models that are
/// valid to `compared`.
std::string compareModels(const MatchedModel &model, mlir::ModuleOp after,
                          unsigned floatClass, unsigned draws,
                          std::mt19937_64 &random, uint64_t &compared);

} // namespace tenon::fuzz

#endif // TENON_TOOLS_TENON_FUZZ_FIRERULE_H
