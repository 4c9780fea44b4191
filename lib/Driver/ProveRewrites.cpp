//===- ProveRewrites.cpp - proofs of passes as they run -------------------===//
//
// Part of the Tenon project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "tenon/Driver/ProveRewrites.h"
#include "tenon/Dialect/Graph/Transforms/IndexChecks.h"
#include "tenon/Dialect/Program/IR/Program.h"

#include "mlir/Pass/Pass.h"
#include "mlir/Pass/PassInstrumentation.h"

using namespace mlir;
using namespace tenon;

namespace {
/// Copies functions before a pass, and compares them behind it.
class RewriteInstrumentation : public PassInstrumentation {
public:
  explicit RewriteInstrumentation(prove::RewriteProver &prover)
      : prover(prover) {}

  void runBeforePass(Pass *pass, Operation *op) override;
  void runAfterPass(Pass *pass, Operation *op) override;
  void runAfterPassFailed(Pass *pass, Operation *op) override {
    if (hasFunctions(pass, op))
      running.pop_back();
  }

private:
  struct Run {
    /// Changes with the op.
    OperationFingerPrint print;
    std::vector<prove::FunctionSnapshot> before;
  };

  /// Whether the pass rewrites functions itself: one that only runs others has
  /// no argument, or begins with "tenon-". What rules do is replayed, and
  /// what trains a model is another function. Kernels are functions of a
  /// program.
  static bool hasFunctions(Pass *pass, Operation *op) {
    auto function = dyn_cast<func::FuncOp>(op);
    StringRef name = pass->getArgument();
    return !name.empty() && !name.starts_with("tenon-") &&
           !name.starts_with("program-") && name != "graph-optimize" &&
           name != "graph-train" && !op->getParentOfType<program::TargetOp>() &&
           (function ? !function.isExternal() : isa<ModuleOp>(op));
  }
  static std::vector<prove::FunctionSnapshot> takeSnapshots(Operation *op);
  /// What index checks add to the entries is compared with both.
  static void appendChecks(ModuleOp module,
                           std::vector<prove::FunctionSnapshot> &snapshots);

  prove::RewriteProver &prover;
  /// The passes that run, the innermost one last.
  std::vector<Run> running;
};
} // namespace

std::vector<prove::FunctionSnapshot>
RewriteInstrumentation::takeSnapshots(Operation *op) {
  std::vector<prove::FunctionSnapshot> snapshots;
  if (auto function = dyn_cast<func::FuncOp>(op))
    snapshots.push_back(prove::takeSnapshot(function));
  else
    for (auto function : cast<ModuleOp>(op).getOps<func::FuncOp>())
      if (!function.isExternal())
        snapshots.push_back(prove::takeSnapshot(function));
  return snapshots;
}

void RewriteInstrumentation::appendChecks(
    ModuleOp module, std::vector<prove::FunctionSnapshot> &snapshots) {
  ModuleOp checks = graph::getIndexChecks(module);
  for (prove::FunctionSnapshot &snapshot : snapshots)
    if (auto function = checks
                            ? checks.lookupSymbol<func::FuncOp>(snapshot.name)
                            : func::FuncOp())
      prove::appendSnapshot(snapshot, prove::takeSnapshot(function));
}

void RewriteInstrumentation::runBeforePass(Pass *pass, Operation *op) {
  if (!hasFunctions(pass, op))
    return;
  running.push_back(Run{OperationFingerPrint(op), takeSnapshots(op)});
  if (pass->getArgument() == "graph-add-index-checks")
    appendChecks(cast<ModuleOp>(op), running.back().before);
}

void RewriteInstrumentation::runAfterPass(Pass *pass, Operation *op) {
  if (!hasFunctions(pass, op))
    return;
  Run run = std::move(running.back());
  running.pop_back();
  StringRef name = pass->getArgument();
  prover.getReport().getPass(name).runs += run.before.size();
  if (OperationFingerPrint(op) == run.print)
    return;
  std::vector<prove::FunctionSnapshot> after = takeSnapshots(op);
  for (prove::FunctionSnapshot &one : run.before) {
    auto found = llvm::find_if(
        after, [&](const auto &other) { return other.name == one.name; });
    if (found == after.end()) {
      one.problem = "the pass removed the function";
      prove::FunctionSnapshot none;
      prover.compare(name, std::move(one), std::move(none));
      continue;
    }
    prover.compare(name, std::move(one), std::move(*found),
                   /*mayRound=*/name == "graph-set-precision");
  }
}

void tenon::proveRewrites(PassManager &passes, prove::RewriteProver &prover) {
  passes.addInstrumentation(std::make_unique<RewriteInstrumentation>(prover));
}
