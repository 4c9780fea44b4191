//===- PrintAxisFlow.cpp - prints the axis flow of ops --------------------===//
//
// Part of the Tenon project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "tenon/Dialect/Graph/Analysis/AxisFlow.h"
#include "tenon/Dialect/Graph/Transforms/Passes.h"

namespace tenon::graph {
#define GEN_PASS_DEF_GRAPHPRINTAXISFLOW
#include "tenon/Dialect/Graph/Transforms/Passes.h.inc"
} // namespace tenon::graph

using namespace mlir;
using namespace tenon::graph;

namespace {
class GraphPrintAxisFlowPass
    : public tenon::graph::impl::GraphPrintAxisFlowBase<
          GraphPrintAxisFlowPass> {
  using GraphPrintAxisFlowBase::GraphPrintAxisFlowBase;

  void runOnOperation() override {
    getOperation()->walk([](Operation *op) {
      if (!isa<IndexFormInterface, DecomposableInterface, ReferenceInterface>(
              op))
        return;
      for (unsigned result = 0; result < op->getNumResults(); ++result) {
        std::optional<AxisFlow> flow = getAxisFlow(op, result);
        if (!flow)
          continue;
        llvm::outs() << op->getName();
        if (op->getNumResults() > 1)
          llvm::outs() << " result " << result;
        llvm::outs() << "\n";
        SmallVector<StringRef> lines;
        std::string text = flow->str();
        StringRef(text).split(lines, '\n', /*MaxSplit=*/-1,
                              /*KeepEmpty=*/false);
        for (StringRef line : lines)
          llvm::outs() << "  " << line << "\n";
      }
    });
    markAllAnalysesPreserved();
  }
};
} // namespace
