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
  for (Operation &op : body)
    for (auto make : {makeBatchRule, makePoolingRule}) {
      OwningOpRef<rule::RuleOp> statement = make(&op, axes);
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

/// Replaces composites that pool samples by their meaning, whose ops have
/// theorems that are shorter. Returns whether there was one.
static bool decomposePooling(Block &body, const graph::BatchAxes &axes) {
  bool found = false;
  for (auto op : llvm::make_early_inc_range(
           body.getOps<graph::DecomposableInterface>())) {
    if (llvm::none_of(op->getResults(), [&](Value result) {
          return axes.getPooling(result).has_value();
        }))
      continue;
    OpBuilder builder(op);
    SmallVector<Value> values = op.decompose(builder);
    if (values.size() != op->getNumResults())
      continue;
    op->replaceAllUsesWith(values);
    op->erase();
    found = true;
  }
  return found;
}

LogicalResult GraphProveBatchPass::run() {
  OwningOpRef<func::FuncOp> copy(getOperation().clone());
  func::FuncOp model = *copy;
  graph::unifySampleSymbols(model);
  if (!llvm::hasSingleElement(model.getBody()))
    return model.emitError("expected a body of one block");
  Block &body = model.getBody().front();
  FailureOr<graph::BatchAxes> axes;
  do {
    axes = graph::getArgumentBatchAxes(body, model.getLoc());
    if (failed(axes))
      return failure();
    if (!axes->size.getSymbol())
      return model.emitError()
             << "expected a symbol of samples, but got " << axes->size.str();
    if (failed(graph::findBatchAxes(body, graph::BatchOptions(), *axes)))
      return failure();
  } while (decomposePooling(body, *axes));
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
