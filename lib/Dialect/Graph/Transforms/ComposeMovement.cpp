//===- ComposeMovement.cpp - fewer reshapes, slices and transposes --------===//
//
// Part of the Tenon project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "MovementChain.h"
#include "tenon/Dialect/Graph/Transforms/Passes.h"

#include "mlir/Transforms/GreedyPatternRewriteDriver.h"

namespace tenon::graph {
#define GEN_PASS_DEF_GRAPHCOMPOSEMOVEMENT
#include "tenon/Dialect/Graph/Transforms/Passes.h.inc"
} // namespace tenon::graph

using namespace mlir;
using namespace tenon::graph;

static bool isMovement(Operation *op) {
  return isa_and_nonnull<ReshapeOp, SliceOp, TransposeOp>(op);
}

namespace {
/// What the ops of a chain cost: those that copy, and those that do not.
struct Effort {
  unsigned copies = 0, views = 0;

  bool operator<(const Effort &other) const {
    return std::tie(copies, views) < std::tie(other.copies, other.views);
  }
};

/// Builds movements at one op.
class MovementBuilder {
public:
  MovementBuilder(PatternRewriter &rewriter, Location loc)
      : rewriter(rewriter), loc(loc) {}

  Value build(const Movement &movement, Value source, RankedTensorType type);
  Value reshape(Value value, ArrayRef<SymInt> shape);
  Value transpose(Value value, ArrayRef<int64_t> order) {
    return TransposeOp::create(rewriter, loc, value,
                               getInts(rewriter.getContext(), order));
  }

private:
  DimsAttr getDims(ArrayRef<SymInt> entries) const {
    return DimsAttr::get(rewriter.getContext(), entries);
  }

  PatternRewriter &rewriter;
  Location loc;
};
} // namespace

/// The sizes after slicing and transposing.
static Shape getMovedShape(const Movement &movement) {
  Shape shape;
  for (int64_t part : movement.order)
    shape.push_back(movement.counts[part]);
  return shape;
}

static Effort getEffort(const Movement &movement, Value source, Value result) {
  Effort effort;
  effort.copies = movement.slices() + movement.transposes();
  effort.views = (getShape(source) != movement.parts) +
                 (getMovedShape(movement) != getShape(result));
  return effort;
}

Value MovementBuilder::reshape(Value value, ArrayRef<SymInt> shape) {
  if (getShape(value) == Shape(shape))
    return value;
  return ReshapeOp::create(rewriter, loc, value, getDims(shape));
}

Value MovementBuilder::build(const Movement &movement, Value source,
                             RankedTensorType type) {
  Value value = reshape(source, movement.parts);
  if (movement.slices())
    value = SliceOp::create(rewriter, loc, value, getDims(movement.starts),
                            getDims(movement.counts), getDims(movement.steps));
  if (movement.transposes())
    value = transpose(value, movement.order);
  if (value.getType() == type)
    return value;
  return ReshapeOp::create(rewriter, loc, type, value, getDims(getShape(type)));
}

/// The ops of the chain that ends with this one, from the first.
static SmallVector<Operation *> getChain(Operation *last) {
  SmallVector<Operation *> chain;
  for (Operation *op = last; isMovement(op);
       op = op->getOperand(0).getDefiningOp())
    chain.push_back(op);
  std::reverse(chain.begin(), chain.end());
  return chain;
}

/// Follows the last ops of the chain that have a description; `chain` becomes
/// these.
static std::optional<MovementChain> follow(SmallVector<Operation *> &chain) {
  while (!chain.empty()) {
    MovementChain moves(getShape(chain.front()->getOperand(0)));
    if (llvm::all_of(chain, [&](Operation *op) { return moves.append(op); }))
      return moves;
    chain.erase(chain.begin());
  }
  return std::nullopt;
}

//===----------------------------------------------------------------------===//
// Chains
//===----------------------------------------------------------------------===//

/// Replaces the last op of a chain.
static LogicalResult composeChain(Operation *last, PatternRewriter &rewriter) {
  // In the middle of a chain, an op is composed with those after it.
  if (llvm::all_of(last->getUsers(), isMovement))
    return failure();
  SmallVector<Operation *> chain = getChain(last);
  Value result = last->getResult(0);
  for (; chain.size() > 1; chain.erase(chain.begin())) {
    std::optional<MovementChain> moves = follow(chain);
    if (!moves)
      return failure();
    Effort before;
    for (Operation *op : chain)
      ++(isa<ReshapeOp>(op) ? before.views : before.copies);
    Movement movement = moves->get();
    Value source = chain.front()->getOperand(0);
    if (!(getEffort(movement, source, result) < before))
      continue;
    rewriter.replaceOp(
        last,
        MovementBuilder(rewriter, last->getLoc())
            .build(movement, source, cast<RankedTensorType>(result.getType())));
    return success();
  }
  return failure();
}

//===----------------------------------------------------------------------===//
// Rows of products
//===----------------------------------------------------------------------===//

/// Whether every chain from `value` transposes, so that another order of its
/// rows costs nothing.
static bool isTransposedLater(Value value) {
  return !value.use_empty() &&
         llvm::all_of(value.getUsers(), [](Operation *op) {
           return isa<TransposeOp>(op) ||
                  (isMovement(op) && isTransposedLater(op->getResult(0)));
         });
}

/// The vector that a broadcast adds to every row.
static Value getRow(Value value) {
  auto broadcast = value.getDefiningOp<BroadcastOp>();
  if (!broadcast || getShape(broadcast.getX()).size() != 1)
    return {};
  return broadcast.getX();
}

/// Rows of a product with a matrix, and a vector added to each, may be in any
/// order: they are computed in that of the source, and moved afterwards, where
/// they are moved in any case.
static LogicalResult sinkRowOrder(MatmulOp product, PatternRewriter &rewriter) {
  if (product.getTransposeA() || getShape(product.getRhs()).size() != 2 ||
      getShape(product.getLhs()).size() < 2)
    return failure();
  Value end = product.getResult(), bias;
  if (end.hasOneUse())
    if (auto sum = dyn_cast<AddOp>(*end.user_begin())) {
      bias = getRow(sum.getLhs() == end ? sum.getRhs() : sum.getLhs());
      if (bias)
        end = sum.getResult();
    }
  SmallVector<Operation *> chain = getChain(product.getLhs().getDefiningOp());
  std::optional<MovementChain> moves = follow(chain);
  if (!moves || !isTransposedLater(end))
    return failure();
  std::optional<SmallVector<int64_t>> order = moves->sortRows();
  if (!order)
    return failure();
  rewriter.setInsertionPointAfterValue(end);
  MovementBuilder builder(rewriter, product.getLoc());
  Shape shape = moves->getShape();
  Value lhs = builder.build(
      moves->get(), chain.front()->getOperand(0),
      getTensorType(shape, getElementTypeOrSelf(product.getType())));
  Value result =
      MatmulOp::create(rewriter, product.getLoc(), lhs, product.getRhs(), false,
                       product.getTransposeB());
  if (bias) {
    DimsAttr dims = DimsAttr::get(product.getContext(), getShape(result));
    Value rows = BroadcastOp::create(rewriter, end.getLoc(), bias, dims);
    result = AddOp::create(rewriter, end.getLoc(), result, rows);
  }
  order->push_back(order->size());
  result = builder.transpose(result, *order);
  auto type = cast<RankedTensorType>(end.getType());
  if (result.getType() != type)
    result =
        ReshapeOp::create(rewriter, end.getLoc(), type, result,
                          DimsAttr::get(product.getContext(), getShape(end)));
  rewriter.replaceAllUsesWith(end, result);
  return success();
}

namespace {
template <typename OpType> struct Compose : OpRewritePattern<OpType> {
  using OpRewritePattern<OpType>::OpRewritePattern;

  LogicalResult matchAndRewrite(OpType op,
                                PatternRewriter &rewriter) const override {
    return composeChain(op, rewriter);
  }
};

struct GraphComposeMovementPass
    : tenon::graph::impl::GraphComposeMovementBase<GraphComposeMovementPass> {
  using GraphComposeMovementBase::GraphComposeMovementBase;

  void runOnOperation() override {
    auto count = [&] {
      unsigned number = 0;
      getOperation()->walk([&](Operation *op) { number += isMovement(op); });
      return number;
    };
    unsigned before = count();
    MLIRContext *context = &getContext();
    RewritePatternSet patterns(context);
    patterns.add<Compose<ReshapeOp>, Compose<SliceOp>, Compose<TransposeOp>>(
        context);
    patterns.add(sinkRowOrder);
    ReshapeOp::getCanonicalizationPatterns(patterns, context);
    SliceOp::getCanonicalizationPatterns(patterns, context);
    TransposeOp::getCanonicalizationPatterns(patterns, context);
    if (failed(applyPatternsGreedily(getOperation(), std::move(patterns))))
      return signalPassFailure();
    unsigned after = count();
    numRemoved += before > after ? before - after : 0;
  }
};
} // namespace
