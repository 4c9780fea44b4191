//===- RuleArchive.h - all rules in one file that loads at once -----------===//
//
// Part of the Tenon project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The rules of a folder with their certificates, as MLIR bytecode. A graph can
// only match rules of ops that it has, or that such rules make; only these are
// read. The folder stays the source: an archive of other files, of another
// proof kernel or with changed bytes is not read. Before a rule from an archive
// fires, it is verified, and its certificate is checked like one from its file.
//
//===----------------------------------------------------------------------===//

#ifndef TENON_OPTIMIZE_RULEARCHIVE_H
#define TENON_OPTIMIZE_RULEARCHIVE_H

#include "tenon/Optimize/RuleSet.h"

#include "llvm/ADT/StringSet.h"
#include "llvm/Support/Error.h"

namespace tenon::optimize {

/// Writes an archive of the rules in `folder`. Fails if one has no certificate
/// of the judge's kernel.
llvm::Error writeRuleArchive(mlir::MLIRContext *context, llvm::StringRef folder,
                             const RuleJudge &judge, llvm::StringRef path);

/// Rules that can fire.
struct RuleQuery {
  /// The names of a graph's ops, such as "graph.add".
  llvm::StringSet<> ops;
  /// The flags of rule::FloatClass that rules may have.
  unsigned floatClass = ~0u;
};

/// Reads the rules that can fire, in the order of RuleSet::load. Fails, without
/// a diagnostic, if the file is no archive of `folder` as it is now.
llvm::Expected<RuleSet> readRuleArchive(mlir::MLIRContext *context,
                                        llvm::StringRef path,
                                        llvm::StringRef folder,
                                        const RuleQuery &query,
                                        const RuleJudge &judge);
/// The same, once for a context and one judge.
llvm::Expected<std::shared_ptr<const RuleSet>>
shareRuleArchive(mlir::MLIRContext *context, llvm::StringRef path,
                 llvm::StringRef folder, const RuleQuery &query,
                 const RuleJudge &judge);

} // namespace tenon::optimize

#endif // TENON_OPTIMIZE_RULEARCHIVE_H
