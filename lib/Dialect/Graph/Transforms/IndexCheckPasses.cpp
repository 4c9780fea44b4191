//===- IndexCheckPasses.cpp - checks of indices beside the model ----------===//
//
// Part of the Tenon project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "tenon/Dialect/Graph/Transforms/Entries.h"
#include "tenon/Dialect/Graph/Transforms/IndexChecks.h"
#include "tenon/Dialect/Graph/Transforms/Passes.h"

#include "mlir/Pass/PassManager.h"
#include "mlir/Transforms/Passes.h"

namespace tenon::graph {
#define GEN_PASS_DEF_GRAPHEXTRACTINDEXCHECKS
#define GEN_PASS_DEF_GRAPHADDINDEXCHECKS
#include "tenon/Dialect/Graph/Transforms/Passes.h.inc"
} // namespace tenon::graph

using namespace mlir;
using namespace tenon::graph;

namespace {
class GraphExtractIndexChecksPass
    : public tenon::graph::impl::GraphExtractIndexChecksBase<
          GraphExtractIndexChecksPass> {
  void runOnOperation() override {
    ModuleOp module = getOperation();
    ModuleOp checks = getIndexChecks(module);
    if (!checks) {
      OpBuilder builder = OpBuilder::atBlockEnd(module.getBody());
      checks = ModuleOp::create(builder, module.getLoc());
      checks->setAttr("graph.index_checks", builder.getUnitAttr());
    }
    OpPassManager passes(func::FuncOp::getOperationName());
    passes.addPass(createCanonicalizerPass());
    passes.addPass(createCSEPass());
    for (func::FuncOp entry : getEntries(module)) {
      // They are there, or were added already.
      if (countUncheckedResults(entry) != entry.getNumResults() ||
          checks.lookupSymbol(entry.getName()))
        continue;
      FailureOr<func::FuncOp> found =
          extractIndexChecks(entry, checks, [&](func::FuncOp function) {
            return runPipeline(passes, function);
          });
      if (failed(found))
        return signalPassFailure();
      if (*found)
        numChecks += found->getNumResults();
    }
    if (checks.getBody()->empty())
      checks.erase();
  }
};

class GraphAddIndexChecksPass
    : public tenon::graph::impl::GraphAddIndexChecksBase<
          GraphAddIndexChecksPass> {
  void runOnOperation() override {
    ModuleOp module = getOperation();
    ModuleOp checks = getIndexChecks(module);
    if (!checks)
      return;
    for (auto function : checks.getOps<func::FuncOp>()) {
      auto entry = module.lookupSymbol<func::FuncOp>(function.getName());
      if (!entry || entry.isExternal() || function.isExternal() ||
          entry.getArgumentTypes() != function.getArgumentTypes()) {
        function.emitError() << "checks of indices: expected an entry '"
                             << function.getName() << "' with these arguments";
        return signalPassFailure();
      }
      if (countUncheckedResults(function) != 0) {
        function.emitError() << "checks of indices: expected 'graph.check' on "
                                "each result of '"
                             << function.getName() << "'";
        return signalPassFailure();
      }
      addIndexChecks(entry, function);
    }
    checks.erase();
  }
};
} // namespace
