//===- LinearAttentionConverters.cpp - linear attention, unrolled ---------===//
//
// Part of the Tenon project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Operators.h"
#include "SizeArithmetic.h"

#include <cmath>

using namespace mlir;
using namespace tenon;
using namespace tenon::onnx;
using namespace tenon::graph;

/// Longer sequences would make a graph too large to compile.
static constexpr int64_t maxSteps = 1024;

/// Reshapes [b, t, heads * d] to [b, heads, t, d], in f32.
static Value unpack(NodeContext &n, Value x, int64_t heads) {
  if (!x)
    return {};
  Shape s = getShape(x);
  std::optional<SymInt> depth;
  if (s.size() == 3)
    depth = divideExactly(s[2], SymInt(heads));
  if (!depth)
    return n.error("an input does not have " + Twine(heads) +
                   " heads in the last of three axes");
  return n.cast(n.transpose(n.reshape(x, {s[0], s[1], SymInt(heads), *depth}),
                            {0, 2, 1, 3}),
                n.getBuilder().getF32Type());
}

/// Selects step t of [b, h, t, d] as a column [b, h, d, 1] or a row [b, h, 1,
/// d].
static Value step(NodeContext &n, Value x, int64_t t, bool column) {
  Value row = n.slice(x, 2, SymInt(t), SymInt(1));
  return column ? n.transpose(row, {0, 1, 3, 2}) : row;
}

static LogicalResult convertLinearAttention(NodeContext &n) {
  int64_t heads = n.intAttr("q_num_heads", 0);
  int64_t kvHeads = n.intAttr("kv_num_heads", 0);
  if (heads < 1 || kvHeads < 1 || heads % kvHeads || heads > (1 << 16))
    return n.fail("q_num_heads is " + Twine(heads) + " and kv_num_heads is " +
                  Twine(kvHeads) + "; expected a multiple");
  StringRef rule = n.stringAttr("update_rule", "gated_delta");
  bool gated = rule == "gated" || rule == "gated_delta";
  bool delta = rule == "delta" || rule == "gated_delta";
  if (!gated && !delta && rule != "linear")
    return n.fail("update_rule is '" + rule + "'");
  Value query = n.data(0);
  Value q = unpack(n, query, heads), k = unpack(n, n.data(1), kvHeads),
        v = unpack(n, n.data(2), kvHeads);
  if (!q || !k || !v)
    return failure();
  Shape shape = getShape(q);
  std::optional<int64_t> steps = shape[2].getConstant(),
                         depth = shape[3].getConstant();
  if (!steps || !depth || *steps < 1 || *steps > maxSteps || *depth < 1)
    return n.fail("the sequence length is " + shape[2].str() +
                  " and the head size " + shape[3].str() +
                  "; expected constants, with at most " + Twine(maxSteps) +
                  " steps");
  Type f32 = n.getBuilder().getF32Type();
  Value decay, beta;
  if (gated) {
    decay = n.data(4);
    decay = unpack(n, decay, kvHeads);
  }
  if (delta) {
    beta = n.data(5);
    if (!beta || rankOf(beta) != 3)
      return n.fail("beta is missing or not of rank 3");
    beta = n.cast(n.unsqueeze(n.transpose(beta, {0, 2, 1}), {3}), f32);
  }
  SymInt valueDepth = getShape(v)[3];
  Type stateType = elementTypeOf(query);
  Value state;
  if (n.has(3)) {
    state = n.data(3);
    if (!state)
      return failure();
    stateType = elementTypeOf(state);
    state = n.cast(state, f32);
  } else {
    state = n.splat(0, {shape[0], SymInt(kvHeads), shape[3], valueDepth}, f32);
  }
  double scale = n.floatAttr("scale", 0);
  if (scale == 0)
    scale = 1 / std::sqrt(static_cast<double>(*depth));
  int64_t group = heads / kvHeads;

  SmallVector<Value> outputs;
  for (int64_t t = 0; t < *steps; ++t) {
    if (gated)
      state = n.mul(state, n.unary<ExpOp>(step(n, decay, t, true)));
    Value key = step(n, k, t, true), value = step(n, v, t, false);
    if (delta) {
      Value known = n.matmul(key, state, /*transposeA=*/true);
      value = n.mul(step(n, beta, t, false), n.sub(value, known));
    }
    state = n.add(state, n.mul(key, value));
    // Every head of keys is shared by a group of query heads.
    Value grouped = n.reshape(step(n, q, t, false), {shape[0], SymInt(kvHeads),
                                                     SymInt(group), shape[3]});
    Value read = n.mul(n.matmul(grouped, state), n.scalar(scale, f32));
    outputs.push_back(
        n.reshape(read, {shape[0], SymInt(1), SymInt(heads) * valueDepth}));
  }
  return n.finish({n.cast(n.concat(outputs, 1), elementTypeOf(query)),
                   n.cast(state, stateType)});
}

ArrayRef<Operator> tenon::onnx::linearAttentionOperators() {
  static const Operator table[] = {
      {"LinearAttention", Support::Composed, convertLinearAttention,
       "unrolled: a static sequence length, static heads"},
  };
  return table;
}
