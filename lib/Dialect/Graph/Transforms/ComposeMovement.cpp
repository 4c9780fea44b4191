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
  return isa_and_nonnull<ReshapeOp, SliceOp, SplitOp, TransposeOp>(op);
}

namespace {
/// What the ops of a chain cost: the kernels, which a view between two copies
/// ends, the ops that copy, and those that do not.
struct Effort {
  unsigned kernels = 0, copies = 0, views = 0;

  bool operator<(const Effort &other) const {
    return std::tie(kernels, copies, views) <
           std::tie(other.kernels, other.copies, other.views);
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
  effort.kernels = effort.copies > 0;
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

/// The values of the chain that ends with this one, from the first op's.
static SmallVector<Value> getChain(Value last) {
  SmallVector<Value> chain;
  for (Value value = last; isMovement(value.getDefiningOp());
       value = value.getDefiningOp()->getOperand(0))
    chain.push_back(value);
  std::reverse(chain.begin(), chain.end());
  return chain;
}

static Value getSource(ArrayRef<Value> chain) {
  return chain.front().getDefiningOp()->getOperand(0);
}

static Effort getEffort(ArrayRef<Value> chain) {
  Effort effort;
  bool wasCopy = false;
  for (Value value : chain) {
    Operation *op = value.getDefiningOp();
    bool isCopy = !isa<ReshapeOp>(op);
    ++(isCopy ? effort.copies : effort.views);
    effort.kernels += isCopy && !wasCopy;
    // All parts of a split are copied together.
    wasCopy = isCopy && !isa<SplitOp>(op);
  }
  return effort;
}

/// Follows the last ops of the chain that have a description; `chain` becomes
/// these.
static std::optional<MovementChain> follow(SmallVector<Value> &chain) {
  while (!chain.empty()) {
    MovementChain moves(getShape(getSource(chain)));
    if (llvm::all_of(chain, [&](Value value) { return moves.append(value); }))
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
  Value result = last->getResult(0);
  SmallVector<Value> chain = getChain(result);
  for (; chain.size() > 1; chain.erase(chain.begin())) {
    std::optional<MovementChain> moves = follow(chain);
    if (!moves)
      return failure();
    Movement movement = moves->get();
    // A part of a part is read where it is used.
    if (movement.slices() && llvm::none_of(chain, [](Value value) {
          return value.getDefiningOp<TransposeOp>();
        }))
      return failure();
    Value source = getSource(chain);
    if (!(getEffort(movement, source, result) < getEffort(chain)))
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
                  (isMovement(op) &&
                   llvm::all_of(op->getResults(),
                                [](Value v) { return isTransposedLater(v); }));
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
  SmallVector<Value> chain = getChain(product.getLhs());
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
      moves->get(), getSource(chain),
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
