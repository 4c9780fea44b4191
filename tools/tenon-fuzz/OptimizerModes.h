//===- OptimizerModes.h - the optimizer on random graphs ------------------===//
//
// Part of the Tenon project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef TENON_TOOLS_TENON_FUZZ_OPTIMIZERMODES_H
#define TENON_TOOLS_TENON_FUZZ_OPTIMIZERMODES_H

#include "CommandLine.h"

#include "tenon/Optimize/RuleSet.h"

#include "mlir/IR/BuiltinOps.h"
#include "mlir/IR/OwningOpRef.h"

namespace tenon::fuzz {

/// `--optimize`, `--extraction` and `--hypotheses`; return the exit status.
int runOptimizer(const CommandLine &line, mlir::MLIRContext &context);
int runHypotheses(const CommandLine &line, mlir::MLIRContext &context);
int runExtraction(const CommandLine &line, mlir::MLIRContext &context);

/// The rules that the command line names.
mlir::FailureOr<optimize::RuleSet> loadRules(const CommandLine &line,
                                             mlir::MLIRContext &context);
/// The graph of a seed, with sources of the rules that may fire.
mlir::OwningOpRef<mlir::ModuleOp>
generatePlanted(const CommandLine &line, mlir::MLIRContext &context,
                llvm::ArrayRef<const rule::ProvedRule *> rules, uint64_t seed);
/// Those that `--fp` lets fire.
std::vector<const rule::ProvedRule *>
listAllowedRules(const CommandLine &line, const optimize::RuleSet &rules);

} // namespace tenon::fuzz

#endif // TENON_TOOLS_TENON_FUZZ_OPTIMIZERMODES_H
