//===- AttentionConverters.cpp - attention, rotary embedding --------------===//
//
// Part of the Tenon project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Operators.h"
#include "SizeArithmetic.h"

#include "tenon/Dialect/Graph/IR/SizeFacts.h"

#include <cmath>
#include <limits>

using namespace mlir;
using namespace tenon;
using namespace tenon::onnx;
using namespace tenon::graph;

static constexpr double minusInfinity =
    -std::numeric_limits<double>::infinity();

/// Reshapes [b, s, heads * d] to [b, heads, s, d].
static Value splitHeads(NodeContext &n, Value x, int64_t heads) {
  if (!x || rankOf(x) == 4)
    return x;
  Shape s = getShape(x);
  if (s.size() != 3)
    return n.error("an input has rank " + Twine(s.size()) +
                   "; expected 3 or 4");
  std::optional<SymInt> depth;
  if (heads >= 1)
    depth = divideExactly(s[2], SymInt(heads));
  if (!depth)
    return n.error("the size " + s[2].str() +
                   " is not a multiple of the number of heads, " +
                   Twine(heads));
  return n.transpose(n.reshape(x, {s[0], s[1], SymInt(heads), *depth}),
                     {0, 2, 1, 3});
}

namespace {
/// The operands of the attention formula.
struct AttentionParts {
  Value q, k, v;
  SymInt queries, keys; // sequence lengths
  /// The number of keys before the block of queries: a size, or one per batch
  /// item.
  SymInt offset = SymInt(0);
  Value offsetPerBatch; // [b, 1, 1, 1], i64
  /// The value that is added to the scores; null if there is none.
  Value bias;
};
} // namespace

/// Returns the attn_mask input as an additive bias that covers all keys.
static Value readMask(NodeContext &n, const AttentionParts &parts) {
  Value mask = n.data(3);
  if (!mask)
    return {};
  if (rankOf(mask) < 1 || rankOf(mask) > 4)
    return n.error("the mask has rank " + Twine(rankOf(mask)) +
                   "; expected 1 to 4");
  Type type = elementTypeOf(parts.q);
  if (isBool(elementTypeOf(mask)))
    mask = n.where(mask, n.scalar(0, type), n.scalar(minusInfinity, type));
  mask = n.cast(mask, type);
  if (!mask)
    return {};
  SymInt width = getShape(mask).back();
  if (provablyEqual(width, parts.keys) || width.getConstant() == 1)
    return mask;
  SymInt missing = parts.keys - width;
  if (isAtLeast(-missing, 1))
    return n.error("the mask has " + width.str() + " keys; expected " +
                   parts.keys.str());
  if (!isAtLeast(missing, 0) && !width.getConstant() &&
      !parts.keys.getConstant()) {
    // A mask with a symbol of its own is taken to cover all keys, which keeps
    // it in one kernel with the scores. A run checks that the sizes are equal.
    Shape shape = getShape(mask);
    shape.back() = parts.keys;
    return n.broadcast(mask, shape);
  }
  SmallVector<SymInt> low(rankOf(mask), SymInt(0)), high = low;
  high.back() = missing;
  return n.op<PadOp>(
      {mask},
      {n.dims("low", low), n.dims("high", high),
       n.attr("mode", PadModeAttr::get(n.getContext(), PadMode::Constant)),
       n.number("value", minusInfinity)});
}

/// Adds negative infinity where `allowed` is false.
static void restrict(NodeContext &n, AttentionParts &parts, Value allowed) {
  Type type = elementTypeOf(parts.q);
  Value bias =
      n.where(allowed, n.scalar(0, type), n.scalar(minusInfinity, type));
  parts.bias = parts.bias ? n.add(parts.bias, bias) : bias;
}

/// Applies causality, sliding windows and padding of the keys.
static void restrictPositions(NodeContext &n, AttentionParts &parts,
                              bool causal) {
  Type i64 = n.getBuilder().getI64Type();
  int64_t left = n.intAttr("left_window_size", -1);
  int64_t right = n.intAttr("right_window_size", -1);
  if (causal || left >= 0 || right >= 0) {
    SmallVector<SymInt> grid = {parts.queries, parts.keys};
    Value query = n.iota(grid, 0, i64), key = n.iota(grid, 1, i64);
    Value at = n.add(query, parts.offsetPerBatch ? parts.offsetPerBatch
                                                 : n.size(parts.offset));
    Value ahead = n.sub(key, at);
    if (causal)
      restrict(n, parts, n.binary<LessEqualOp>(ahead, n.scalar(0, i64)));
    if (left >= 0)
      restrict(n, parts,
               n.binary<LessEqualOp>(n.scalar(-static_cast<double>(left), i64),
                                     ahead));
    if (right >= 0)
      restrict(n, parts,
               n.binary<LessEqualOp>(
                   ahead, n.scalar(static_cast<double>(right), i64)));
  }
  if (n.has(6)) {
    Value lengths = n.data(6);
    if (!lengths)
      return;
    lengths = n.unsqueeze(n.cast(lengths, i64), {1, 2, 3});
    restrict(n, parts, n.less(n.iota({parts.keys}, 0, i64), lengths));
  }
}

/// Returns, per query, 1 if it may attend to no key, and otherwise 0.
static Value maskedRows(NodeContext &n, Value bias) {
  if (!bias)
    return {};
  Value best = n.reduce<ReduceMaxOp>(bias, {rankOf(bias) - 1}, true);
  return n.equal(best, n.scalarLike(minusInfinity, best));
}

static Value guardRows(NodeContext &n, Value masked, Value x) {
  return masked ? n.where(masked, n.scalarLike(0, x), x) : x;
}

static Value matchHeads(NodeContext &n, Value x, const SymInt &heads) {
  if (!x)
    return {};
  Shape s = getShape(x);
  if (s[1] == heads)
    return x;
  std::optional<SymInt> repeats;
  if (s[1].getConstant().value_or(0) > 0)
    repeats = divideExactly(heads, s[1]);
  if (!repeats)
    return n.error("there are " + heads.str() + " heads of queries and " +
                   s[1].str() + " of keys; expected a multiple");
  Value grown =
      n.broadcast(n.unsqueeze(x, {2}), {s[0], s[1], *repeats, s[2], s[3]});
  return n.reshape(grown, {s[0], heads, s[2], s[3]});
}

/// Builds the formula step by step, for features that graph.attention does not
/// have. Returns Y and the fourth output.
static std::pair<Value, Value> spellOut(NodeContext &n, AttentionParts &parts,
                                        double scale) {
  Type type = elementTypeOf(parts.q);
  SymInt heads = getShape(parts.q)[1];
  Value k = matchHeads(n, parts.k, heads), v = matchHeads(n, parts.v, heads);
  Value root = n.scalar(std::sqrt(scale), type);
  Value scores = n.matmul(n.mul(parts.q, root), n.mul(k, root), false, true);
  int64_t mode = n.intAttr("qk_matmul_output_mode", 0);
  Value shown = scores;
  if (double cap = n.floatAttr("softcap", 0); cap != 0) {
    Value limit = n.scalar(cap, type);
    scores = n.mul(n.unary<TanhOp>(n.div(scores, limit)), limit);
    // In opsets 23 and 24, the raw product includes the soft cap.
    if (mode == 1 || n.getOpset() < 25)
      shown = scores;
  }
  if (parts.bias)
    scores = n.add(scores, parts.bias);
  if (mode == 2)
    shown = scores;
  Value masked = maskedRows(n, parts.bias);
  Type wide = type;
  if (n.hasAttr("softmax_precision"))
    if (auto dtype =
            toDType(static_cast<int32_t>(n.intAttr("softmax_precision", 1))))
      wide = toElementType(*dtype, n.getContext());
  Value weights =
      n.op<SoftmaxOp>({n.cast(scores, wide)}, {n.integer("axis", 3)});
  weights = n.cast(guardRows(n, masked, weights), type);
  if (mode == 3)
    shown = weights;
  return {n.matmul(weights, n.cast(v, type)), shown};
}

static LogicalResult convertAttention(NodeContext &n) {
  AttentionParts parts;
  Value q = n.data(0);
  if (!q)
    return failure();
  bool flat = rankOf(q) == 3;
  int64_t heads = n.intAttr("q_num_heads", 0);
  int64_t kvHeads = n.intAttr("kv_num_heads", heads);
  parts.q = splitHeads(n, q, heads);
  parts.k = splitHeads(n, n.data(1), kvHeads);
  parts.v = splitHeads(n, n.data(2), kvHeads);
  if (!parts.q || !parts.k || !parts.v)
    return failure();
  bool hasPast = n.has(4) && n.has(5);
  if (n.has(4) != n.has(5))
    return n.fail("past_key and past_value must come together");
  Value presentKey = parts.k, presentValue = parts.v;
  if (hasPast) {
    Value pastKey = n.data(4), pastValue = n.data(5);
    if (!pastKey || !pastValue || rankOf(pastKey) != 4)
      return n.fail("the past keys and values must have rank 4");
    parts.offset = getShape(pastKey)[2];
    presentKey = parts.k = n.concat({pastKey, parts.k}, 2);
    presentValue = parts.v = n.concat({pastValue, parts.v}, 2);
    if (!parts.k || !parts.v)
      return failure();
  }
  parts.queries = getShape(parts.q)[2];
  parts.keys = getShape(parts.k)[2];
  if (n.has(6) && !hasPast) {
    Type i64 = n.getBuilder().getI64Type();
    parts.offsetPerBatch = n.sub(n.unsqueeze(n.cast(n.data(6), i64), {1, 2, 3}),
                                 n.size(parts.queries));
  }
  std::optional<int64_t> depth = getShape(parts.q)[3].getConstant();
  double scale = n.floatAttr("scale", 0);
  if (!n.hasAttr("scale")) {
    if (!depth || *depth < 1)
      return n.fail("the head size " + getShape(parts.q)[3].str() +
                    " is not known at import");
    scale = 1 / std::sqrt(static_cast<double>(*depth));
  }
  if (n.has(3) && !(parts.bias = readMask(n, parts)))
    return failure();

  bool causal = n.intAttr("is_causal", 0);
  bool windows = n.intAttr("left_window_size", -1) >= 0 ||
                 n.intAttr("right_window_size", -1) >= 0;
  bool simple = !n.wants(3) && n.floatAttr("softcap", 0) == 0 && !windows &&
                !n.has(6) && !n.hasAttr("softmax_precision") &&
                elementTypeOf(parts.v) == elementTypeOf(parts.q);
  // The op's causality is relative to the last key, which is the same if the
  // queries are at the last keys.
  bool causalInOp =
      simple && causal && parts.offset + parts.queries == parts.keys;
  if (!causalInOp)
    restrictPositions(n, parts, causal);
  Value y, scores;
  if (simple) {
    SmallVector<Value> operands = {parts.q, parts.k, parts.v};
    if (parts.bias)
      operands.push_back(parts.bias);
    SmallVector<NamedAttribute> attrs = {n.number("scale", scale)};
    if (causalInOp)
      attrs.push_back(n.flag("causal"));
    y = n.op<AttentionOp>(operands, attrs);
    // The mask and causality may each leave a query other keys. Causality alone
    // leaves it its own.
    if (causalInOp && parts.bias)
      restrictPositions(n, parts, causal);
    y = guardRows(n, maskedRows(n, parts.bias), y);
  } else {
    std::tie(y, scores) = spellOut(n, parts, scale);
  }
  if (flat && y) {
    Shape s = getShape(y);
    y = n.reshape(n.transpose(y, {0, 2, 1, 3}), {s[0], s[2], s[1] * s[3]});
  }
  SmallVector<Value> results = {y};
  if (n.numOutputs() > 1)
    results.append({presentKey, presentValue});
  if (n.wants(3))
    results.push_back(scores);
  return n.finish(results);
}

static LogicalResult convertRotaryEmbedding(NodeContext &n) {
  Value x = n.data(0), cosine = n.data(1), sine = n.data(2);
  if (!x || !cosine || !sine)
    return failure();
  Shape original = getShape(x);
  Value grid; // [b, s, heads, d]
  if (original.size() == 4) {
    grid = n.transpose(x, {0, 2, 1, 3});
  } else if (original.size() == 3) {
    int64_t heads = n.intAttr("num_heads", 0);
    std::optional<SymInt> depth;
    if (heads >= 1)
      depth = divideExactly(original[2], SymInt(heads));
    if (!depth)
      return n.fail("the size " + original[2].str() +
                    " is not a multiple of num_heads, " + Twine(heads));
    grid = n.reshape(x, {original[0], original[1], SymInt(heads), *depth});
  } else {
    return n.fail("the input has rank " + Twine(original.size()) +
                  "; expected 3 or 4");
  }
  if (!grid)
    return failure();
  std::optional<int64_t> depth = getShape(grid)[3].getConstant();
  int64_t rotated = n.intAttr("rotary_embedding_dim", 0);
  if (!depth)
    return n.fail("the head size is not known at import");
  if (rotated == 0)
    rotated = *depth;
  if (rotated < 2 || rotated > *depth || rotated % 2)
    return n.fail("rotary_embedding_dim is " + Twine(rotated) +
                  "; expected an even number up to " + Twine(*depth));
  if (n.has(3)) {
    Value positions = n.data(3);
    cosine = n.gather(cosine, positions, 0);
    sine = n.gather(sine, positions, 0);
  }
  cosine = n.unsqueeze(cosine, {2});
  sine = n.unsqueeze(sine, {2});
  int64_t half = rotated / 2;
  bool interleaved = n.intAttr("interleaved", 0);
  Value a = n.slice(grid, 3, SymInt(0), SymInt(half), interleaved ? 2 : 1);
  Value b = n.slice(grid, 3, SymInt(interleaved ? 1 : half), SymInt(half),
                    interleaved ? 2 : 1);
  Value real = n.sub(n.mul(cosine, a), n.mul(sine, b));
  Value imaginary = n.add(n.mul(sine, a), n.mul(cosine, b));
  Value turned;
  if (interleaved) {
    Value pairs =
        n.concat({n.unsqueeze(real, {4}), n.unsqueeze(imaginary, {4})}, 4);
    Shape s = getShape(grid);
    s[3] = SymInt(rotated);
    turned = n.reshape(pairs, s);
  } else {
    turned = n.concat({real, imaginary}, 3);
  }
  if (rotated < *depth)
    turned = n.concat(
        {turned, n.slice(grid, 3, SymInt(rotated), SymInt(*depth - rotated))},
        3);
  return n.finish(original.size() == 4 ? n.transpose(turned, {0, 2, 1, 3})
                                       : n.reshape(turned, original));
}

ArrayRef<Operator> tenon::onnx::attentionOperators() {
  constexpr Support D = Support::Direct, C = Support::Composed;
  static const Operator table[] = {
      {"Attention", D, convertAttention,
       "static numbers of heads and sizes of a head; a mask of symbolic width "
       "covers symbolic keys whole"},
      {"RotaryEmbedding", C, convertRotaryEmbedding,
       "static numbers of heads and sizes of a head"},
  };
  return table;
}
