//===- GraphProveBatch.cpp - proves that batches may be cut ---------------===//
//
// Part of the Tenon project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "tenon/Dialect/Graph/Transforms/BindSymbols.h"
#include "tenon/ProofKernel/BatchCut.h"
#include "tenon/Prove/BatchCut.h"
#include "tenon/Prove/Passes.h"

#include "llvm/ADT/StringSet.h"

namespace tenon::prove {
#define GEN_PASS_DEF_GRAPHPROVEBATCH
#include "tenon/Prove/Passes.h.inc"
} // namespace tenon::prove

using namespace mlir;
using namespace tenon;
using namespace tenon::prove;

namespace {
struct GraphProveBatchPass
    : tenon::prove::impl::GraphProveBatchBase<GraphProveBatchPass> {
  using GraphProveBatchBase::GraphProveBatchBase;

  void runOnOperation() override {
    if (failed(run()))
      return signalPassFailure();
    markAllAnalysesPreserved();
  }

private:
  LogicalResult run();
};
} // namespace

/// Prints the theorems of the ops, of equal ones once.
static void printRules(Block &body, const graph::BatchAxes &axes) {
  llvm::StringSet<> known;
  for (Operation &op : body) {
    OwningOpRef<rule::RuleOp> statement = makeBatchRule(&op, axes);
    if (!statement)
      continue;
    std::string text;
    llvm::raw_string_ostream(text) << *statement;
    if (!known.insert(text).second)
      continue;
    statement->setSymName(
        (op.getName().stripDialect() + "_" + Twine(known.size())).str());
    llvm::outs() << *statement << "\n\n";
  }
}

LogicalResult GraphProveBatchPass::run() {
  OwningOpRef<func::FuncOp> copy(getOperation().clone());
  func::FuncOp model = *copy;
  graph::unifySampleSymbols(model);
  if (!llvm::hasSingleElement(model.getBody()))
    return model.emitError("expected a body of one block");
  Block &body = model.getBody().front();
  FailureOr<graph::BatchAxes> axes =
      graph::getArgumentBatchAxes(body, model.getLoc());
  if (failed(axes))
    return failure();
  if (!axes->size.getSymbol())
    return model.emitError()
           << "expected a symbol of samples, but got " << axes->size.str();
  if (failed(graph::findBatchAxes(body, graph::BatchOptions(), *axes)))
    return failure();
  if (rules) {
    if (failed(checkBatchPremises(body, *axes)))
      return failure();
    printRules(body, *axes);
    return success();
  }
  // Sizes of models are numbers, which are too large to try.
  ProveOptions options;
  options.refute = false;
  llvm::StringSet<> proved;
  LogicalResult result = proveBatchCut(body, *axes, options, proved);
  numProved += proved.size();
  return result;
}
