//===- ReductionPatterns.cpp - how graphs are made smaller ----------------===//
//
// Part of the Tenon project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "ReductionPatterns.h"

#include "tenon/Dialect/Graph/IR/Graph.h"

#include "mlir/IR/DialectRegistry.h"
#include "mlir/IR/PatternMatch.h"
#include "mlir/Reducer/ReductionPatternInterface.h"

using namespace mlir;
using namespace tenon;

namespace {
/// relu(x) becomes x.
struct ReplaceByOperand : RewritePattern {
  explicit ReplaceByOperand(MLIRContext *context)
      : RewritePattern(MatchAnyOpTypeTag(), /*benefit=*/2, context) {}

  LogicalResult matchAndRewrite(Operation *op,
                                PatternRewriter &rewriter) const override {
    if (!isa<graph::GraphDialect>(op->getDialect()) || !op->getNumResults())
      return failure();
    SmallVector<Value> values;
    for (Type type : op->getResultTypes()) {
      auto same = llvm::find_if(op->getOperands(), [&](Value operand) {
        return operand.getType() == type;
      });
      if (same == op->operand_end())
        return failure();
      values.push_back(*same);
    }
    rewriter.replaceOp(op, values);
    return success();
  }
};

/// matmul(x, y) of a known type becomes zeros.
struct ReplaceByZeros : RewritePattern {
  explicit ReplaceByZeros(MLIRContext *context)
      : RewritePattern(MatchAnyOpTypeTag(), /*benefit=*/1, context) {}

  LogicalResult matchAndRewrite(Operation *op,
                                PatternRewriter &rewriter) const override {
    if (!isa<graph::GraphDialect>(op->getDialect()) ||
        isa<graph::ConstantOp>(op) || op->getNumResults() != 1)
      return failure();
    auto type = dyn_cast<RankedTensorType>(op->getResult(0).getType());
    if (!type || !type.hasStaticShape() ||
        !type.getElementType().isIntOrFloat())
      return failure();
    TypedAttr zero = rewriter.getZeroAttr(type);
    if (!zero)
      return failure();
    rewriter.replaceOpWithNewOp<graph::ConstantOp>(op,
                                                   cast<ElementsAttr>(zero));
    return success();
  }
};

struct GraphReduction : DialectReductionPatternInterface {
  explicit GraphReduction(Dialect *dialect)
      : DialectReductionPatternInterface(dialect) {}

  void populateReductionPatterns(RewritePatternSet &patterns) const override {
    patterns.add<ReplaceByOperand, ReplaceByZeros>(patterns.getContext());
  }
};
} // namespace

void registerReductionPatterns(DialectRegistry &registry) {
  registry.addExtension(
      +[](MLIRContext *context, graph::GraphDialect *dialect) {
        dialect->addInterfaces<GraphReduction>();
      });
}
