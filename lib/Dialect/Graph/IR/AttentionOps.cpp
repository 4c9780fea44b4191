//===- AttentionOps.cpp - attention, whole and in parts -------------------===//
//
// Part of the Tenon project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "InferenceChecks.h"
#include "OperandTypes.h"
#include "tenon/Dialect/Graph/IR/Compose.h"
#include "tenon/Dialect/Graph/IR/SizeConditions.h"

#include <cmath>
#include <limits>

using namespace mlir;
using namespace tenon::graph;

//===----------------------------------------------------------------------===//
// Types and checks
//===----------------------------------------------------------------------===//

namespace {
/// The sizes of q [batch..., heads, s, d], k [batch..., kv_heads, t, d] and
/// v [batch..., kv_heads, t, e].
struct AttentionShape {
  Shape batch;
  SymInt heads, kvHeads, queries, keys, depth, valueDepth;

  Shape scores() const { return with(heads, queries, keys); }
  Shape result() const { return with(heads, queries, valueDepth); }
  Shape with(const SymInt &a, const SymInt &b, const SymInt &c) const {
    Shape shape = batch;
    shape.append({a, b, c});
    return shape;
  }
};
} // namespace

/// Reads the sizes; fails with a diagnostic if they do not agree.
static FailureOr<AttentionShape> readShape(std::optional<Location> loc, Value q,
                                           Value k, Value v, Value mask) {
  SmallVector<Value> operands = {q, k, v};
  if (mask)
    operands.push_back(mask);
  if (failed(checkTensors(loc, operands)))
    return failure();
  for (Value operand : operands)
    if (getElementType(operand) != getElementType(q)) {
      return emitOptionalError(loc, "expected elements of type ",
                               getElementType(q), " like q, but got ",
                               operand.getType());
    }
  Shape qs = getShape(q), ks = getShape(k), vs = getShape(v);
  if (qs.size() < 3) {
    return emitOptionalError(loc, "q: expected rank 3 or more, but got ",
                             q.getType());
  }
  if (ks.size() != qs.size() || vs.size() != qs.size()) {
    return emitOptionalError(loc, "expected k and v of rank ", qs.size(),
                             " like q, but got ", k.getType(), " and ",
                             v.getType());
  }
  size_t rank = qs.size();
  auto agree = [&](StringRef what, const SymInt &a,
                   const SymInt &b) -> FailureOr<SymInt> {
    FailureOr<SymInt> size = unify(a, b, loc);
    if (succeeded(size))
      return size;
    return emitOptionalError(loc, what, ": expected ", a.str(), ", but got ",
                             b.str());
  };
  AttentionShape shape;
  for (size_t axis = 0; axis + 3 < rank; ++axis) {
    FailureOr<SymInt> size = agree("batch of k", qs[axis], ks[axis]);
    if (succeeded(size))
      size = agree("batch of v", *size, vs[axis]);
    if (failed(size))
      return failure();
    shape.batch.push_back(*size);
  }
  FailureOr<SymInt> kvHeads = agree("heads of v", ks[rank - 3], vs[rank - 3]);
  if (failed(kvHeads))
    return failure();
  FailureOr<SymInt> keys = agree("keys of v", ks[rank - 2], vs[rank - 2]);
  if (failed(keys))
    return failure();
  FailureOr<SymInt> depth = agree("depth of k", qs[rank - 1], ks[rank - 1]);
  if (failed(depth))
    return failure();
  shape.heads = qs[rank - 3];
  shape.kvHeads = *kvHeads;
  shape.queries = qs[rank - 2];
  shape.keys = *keys;
  shape.depth = *depth;
  shape.valueDepth = vs[rank - 1];
  if (!mask)
    return shape;
  Shape scores = shape.scores(), own = getShape(mask);
  bool fits = own.size() <= scores.size();
  for (size_t back = 1; fits && back <= own.size(); ++back) {
    const SymInt &size = own[own.size() - back];
    fits = size.getConstant() == 1 ||
           succeeded(unify(scores[scores.size() - back], size, loc));
  }
  if (!fits) {
    return emitOptionalError(loc, "mask: expected a shape that broadcasts to ",
                             describe(scores), ", but got ", describe(own));
  }
  return shape;
}

/// Checks that every head of k serves equally many heads of q.
static LogicalResult checkHeads(std::optional<Location> loc,
                                const SymInt &heads, const SymInt &kvHeads) {
  SymInt rest = heads.mod(kvHeads);
  std::string text = "heads of q: expected a multiple of the " + kvHeads.str() +
                     " heads of k, but got " + heads.str();
  std::optional<int64_t> number = rest.getConstant();
  if (kvHeads.getConstant() == 0 || (number && *number != 0))
    return emitOptionalError(loc, text);
  requireNotNegative(loc, kvHeads - SymInt(1), text);
  requireNotNegative(loc, -rest, text);
  return success();
}

LogicalResult AttentionOp::inferReturnTypes(MLIRContext *,
                                            std::optional<Location> loc,
                                            Adaptor adaptor,
                                            SmallVectorImpl<Type> &types) {
  FailureOr<AttentionShape> shape = readShape(
      loc, adaptor.getQ(), adaptor.getK(), adaptor.getV(), adaptor.getMask());
  if (failed(shape) || failed(checkHeads(loc, shape->heads, shape->kvHeads)))
    return failure();
  types.push_back(
      getTensorType(shape->result(), getElementType(adaptor.getQ())));
  return success();
}

LogicalResult AttentionOp::verify() {
  Shape q = getShape(getQ()), k = getShape(getK());
  if (q.size() < 3 || k.size() < 3)
    return success(); // inference emits the diagnostic
  return checkHeads(getLoc(), q[q.size() - 3], k[k.size() - 3]);
}

LogicalResult
AttentionPartialOp::inferReturnTypes(MLIRContext *, std::optional<Location> loc,
                                     Adaptor adaptor,
                                     SmallVectorImpl<Type> &types) {
  FailureOr<AttentionShape> shape = readShape(
      loc, adaptor.getQ(), adaptor.getK(), adaptor.getV(), adaptor.getMask());
  if (failed(shape))
    return failure();
  if (failed(unify(shape->heads, shape->kvHeads, loc)))
    return emitOptionalError(loc, "heads of k: expected ", shape->heads.str(),
                             " like q, but got ", shape->kvHeads.str());
  Type element = getElementType(adaptor.getQ());
  Shape result = shape->result();
  types.push_back(getTensorType(result, element));
  result.pop_back();
  types.push_back(getTensorType(result, element));
  return success();
}

LogicalResult AttentionMergeOp::inferReturnTypes(MLIRContext *,
                                                 std::optional<Location> loc,
                                                 Adaptor adaptor,
                                                 SmallVectorImpl<Type> &types) {
  if (failed(checkTensors(loc, adaptor.getOperands())))
    return failure();
  Type element = getElementType(adaptor.getOutA());
  for (Value operand : adaptor.getOperands())
    if (getElementType(operand) != element)
      return emitOptionalError(loc, "expected elements of type ", element,
                               ", but got ", operand.getType());
  FailureOr<Shape> out = unifyShapes(loc, "out_a", getShape(adaptor.getOutA()),
                                     "out_b", getShape(adaptor.getOutB()));
  if (failed(out))
    return failure();
  if (out->size() < 3)
    return emitOptionalError(loc, "out_a: expected rank 3 or more, but got ",
                             adaptor.getOutA().getType());
  Shape lse(out->begin(), std::prev(out->end()));
  FailureOr<Shape> a = unifyShapes(loc, "out_a without its last axis", lse,
                                   "lse_a", getShape(adaptor.getLseA()));
  if (failed(a))
    return failure();
  FailureOr<Shape> b =
      unifyShapes(loc, "lse_a", *a, "lse_b", getShape(adaptor.getLseB()));
  if (failed(b))
    return failure();
  types.push_back(getTensorType(*out, element));
  types.push_back(getTensorType(*b, element));
  return success();
}

//===----------------------------------------------------------------------===//
// Decompositions
//===----------------------------------------------------------------------===//

/// Returns scale * q k^T + mask, of shape [batch..., heads, s, t], in the
/// accumulation type. The queries of heads that share keys are rows of one
/// matrix.
static Value getScores(Compose &c, const AttentionShape &shape, Value q,
                       Value k, Value mask, double scale) {
  SymInt rows = shape.heads.floorDiv(shape.kvHeads) * shape.queries;
  q = c.widen(q);
  if (shape.heads != shape.kvHeads)
    q = c.reshape(q, shape.with(shape.kvHeads, rows, shape.depth));
  Value scores = c.op<MatmulOp>(q, c.widen(k), /*transpose_a=*/false,
                                /*transpose_b=*/true);
  scores = c.mul(scores, c.fullLike(scale, scores));
  if (shape.heads != shape.kvHeads)
    scores = c.reshape(scores, shape.scores());
  if (mask)
    scores = c.add(scores, c.broadcastLike(c.widen(mask), scores));
  return scores;
}

/// Sets scores to -inf for keys j > i + t - s.
static Value hideFuture(Compose &c, const AttentionShape &shape, Value scores) {
  Shape square = {shape.queries, shape.keys};
  MLIRContext *context = c.builder.getContext();
  DimsAttr dims = DimsAttr::get(context, square);
  Type i64 = c.builder.getI64Type();
  Value i = c.op<IotaOp>(dims, 0, i64), j = c.op<IotaOp>(dims, 1, i64);
  Value visible;
  SymInt offset = shape.keys - shape.queries;
  if (std::optional<int64_t> constant = offset.getConstant()) {
    if (*constant != 0)
      i = c.add(i, c.full(*constant, i64, square));
    visible = c.op<LessEqualOp>(j, i);
  } else {
    // With both indices counted from the end, j <= i + t - s is t-1-j >= s-1-i.
    i = c.op<ReverseOp>(i, getInts(context, {0}));
    j = c.op<ReverseOp>(j, getInts(context, {1}));
    visible = c.op<LessEqualOp>(i, j);
  }
  Value hidden = c.fullLike(-std::numeric_limits<double>::infinity(), scores);
  return c.op<WhereOp>(c.broadcast(visible, getShape(scores)), scores, hidden);
}

/// Multiplies weights [batch..., heads, s, t] by v.
static Value weighValues(Compose &c, const AttentionShape &shape, Value weights,
                         Value v) {
  if (shape.heads == shape.kvHeads)
    return c.op<MatmulOp>(weights, c.widen(v), false, false);
  SymInt rows = shape.heads.floorDiv(shape.kvHeads) * shape.queries;
  weights = c.reshape(weights, shape.with(shape.kvHeads, rows, shape.keys));
  Value result = c.op<MatmulOp>(weights, c.widen(v), false, false);
  return c.reshape(result, shape.result());
}

SmallVector<Value> AttentionOp::decompose(OpBuilder &builder) {
  FailureOr<AttentionShape> shape =
      readShape(std::nullopt, getQ(), getK(), getV(), getMask());
  if (failed(shape) || !hasNamedSizes(*this))
    return {};
  Compose c(builder, getLoc());
  Value scores = getScores(c, *shape, getQ(), getK(), getMask(),
                           getScale().convertToDouble());
  if (getCausal())
    scores = hideFuture(c, *shape, scores);
  Value weights = c.op<SoftmaxOp>(scores, getRank(scores) - 1);
  Value result = weighValues(c, *shape, weights, getV());
  return {c.cast(result, getElementType(getQ()))};
}

/// Replaces -inf by 0, so that the result may be subtracted from -inf.
static Value finiteOrZero(Compose &c, Value x) {
  Value lowest = c.fullLike(-std::numeric_limits<double>::infinity(), x);
  return c.op<WhereOp>(c.op<EqualOp>(x, lowest), c.fullLike(0, x), x);
}

/// Replaces 0 by 1, so that 0 may be divided by the result.
static Value oneForZero(Compose &c, Value x) {
  Value zero = c.fullLike(0, x);
  return c.op<WhereOp>(c.op<EqualOp>(x, zero), c.fullLike(1, x), x);
}

/// Reshapes [a...] to [a..., 1].
static Value withLastAxis(Compose &c, Value x) {
  Shape shape = getShape(x);
  shape.push_back(SymInt(1));
  return c.reshape(x, shape);
}

SmallVector<Value> AttentionPartialOp::decompose(OpBuilder &builder) {
  FailureOr<AttentionShape> shape =
      readShape(std::nullopt, getQ(), getK(), getV(), getMask());
  if (failed(shape) || !hasNamedSizes(*this))
    return {};
  // The numbers of heads are equal here, even if k's has another name.
  shape->kvHeads = shape->heads;
  Compose c(builder, getLoc());
  Value scores = getScores(c, *shape, getQ(), getK(), getMask(),
                           getScale().convertToDouble());
  int64_t last = getRank(scores) - 1;
  Value shift = finiteOrZero(c, c.reduceKeep<ReduceMaxOp>(scores, {last}));
  Value exps = c.op<ExpOp>(c.sub(scores, c.broadcastLike(shift, scores)));
  Value sum = c.reduceKeep<ReduceSumOp>(exps, {last});
  Value values = weighValues(c, *shape, exps, getV());
  values = c.div(values, c.broadcastLike(oneForZero(c, sum), values));
  Value lse = c.add(c.op<LogOp>(sum), shift);
  Shape rows = shape->result();
  rows.pop_back();
  Type element = getElementType(getQ());
  return {c.cast(values, element), c.cast(c.reshape(lse, rows), element)};
}

SmallVector<Value> AttentionMergeOp::decompose(OpBuilder &builder) {
  if (!hasNamedSizes(*this))
    return {};
  Compose c(builder, getLoc());
  Value outA = c.widen(getOutA()), outB = c.widen(getOutB());
  Value lseA = c.widen(getLseA()), lseB = c.widen(getLseB());
  Value shift = finiteOrZero(c, c.op<MaximumOp>(lseA, lseB));
  Value weightA = c.op<ExpOp>(c.sub(lseA, shift));
  Value weightB = c.op<ExpOp>(c.sub(lseB, shift));
  Value sum = c.add(weightA, weightB);
  auto weigh = [&](Value out, Value weight) {
    return c.mul(out, c.broadcastLike(withLastAxis(c, weight), out));
  };
  Value merged = c.add(weigh(outA, weightA), weigh(outB, weightB));
  Value total = withLastAxis(c, oneForZero(c, sum));
  merged = c.div(merged, c.broadcastLike(total, merged));
  Value lse = c.add(c.op<LogOp>(sum), shift);
  Type element = getElementType(getOutA());
  return {c.cast(merged, element), c.cast(lse, element)};
}
