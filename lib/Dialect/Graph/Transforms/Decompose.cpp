//===- Decompose.cpp - replacing composites by their decomposition --------===//
//
// Part of the Tenon project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "tenon/Dialect/Graph/IR/Compose.h"
#include "tenon/Dialect/Graph/Transforms/Passes.h"

#include "llvm/ADT/StringSet.h"
#include "llvm/Support/DebugLog.h"

#define DEBUG_TYPE "graph-decompose"

namespace tenon::graph {
#define GEN_PASS_DEF_GRAPHDECOMPOSE
#include "tenon/Dialect/Graph/Transforms/Passes.h.inc"
} // namespace tenon::graph

using namespace mlir;
using namespace tenon::graph;

LogicalResult
tenon::graph::decomposeAll(Operation *root,
                           llvm::function_ref<bool(Operation *)> select,
                           unsigned *replaced) {
  SmallVector<Operation *> work;
  auto push = [&](Operation *op) {
    // A barrier would lose what it is for.
    if (isa<DecomposableInterface>(op) && !isa<OptimizationBarrierOp>(op) &&
        select(op))
      work.push_back(op);
  };
  root->walk(push);
  while (!work.empty()) {
    Operation *op = work.pop_back_val();
    OpBuilder builder(op);
    Compose compose(builder, op->getLoc());
    LDBG() << op->getName() << " at " << op->getLoc();
    Operation *before = op->getPrevNode();
    SmallVector<Value> values =
        cast<DecomposableInterface>(op).decompose(builder);
    if (values.size() != op->getNumResults())
      return op->emitOpError("can't be decomposed: expected named sizes and "
                             "constant axes");
    for (auto [value, result] : llvm::zip(values, op->getResults()))
      result.replaceAllUsesWith(compose.withType(value, result.getType()));
    // The ops of the decomposition are between the previous op and `op`.
    Operation *built =
        before ? before->getNextNode() : &op->getBlock()->front();
    for (; built != op; built = built->getNextNode())
      push(built);
    op->erase();
    if (replaced)
      ++*replaced;
  }
  return success();
}

namespace {
class GraphDecomposePass
    : public tenon::graph::impl::GraphDecomposeBase<GraphDecomposePass> {
public:
  using GraphDecomposeBase::GraphDecomposeBase;
  explicit GraphDecomposePass(std::function<bool(Operation *)> keeps)
      : keeps(std::move(keeps)) {}

  void runOnOperation() override {
    llvm::StringSet<> names;
    for (StringRef name : ops) {
      name.consume_front("graph.");
      std::optional<RegisteredOperationName> op =
          RegisteredOperationName::lookup(("graph." + name).str(),
                                          &getContext());
      if (!op || !op->hasInterface<DecomposableInterface>()) {
        getOperation()->emitError()
            << "graph-decompose: expected names of composite ops, but got '"
            << name << "'";
        return signalPassFailure();
      }
      names.insert(op->getStringRef());
    }
    unsigned replaced = 0;
    if (failed(decomposeAll(
            getOperation(),
            [&](Operation *op) {
              return (names.empty() ||
                      names.contains(op->getName().getStringRef())) &&
                     !(keeps && keeps(op));
            },
            &replaced)))
      return signalPassFailure();
    numReplaced += replaced;
    if (replaced == 0)
      markAllAnalysesPreserved();
  }

private:
  std::function<bool(Operation *)> keeps; // null if it keeps no op
};
} // namespace

std::unique_ptr<Pass>
tenon::graph::createGraphDecompose(std::function<bool(Operation *)> keeps) {
  return std::make_unique<GraphDecomposePass>(std::move(keeps));
}
