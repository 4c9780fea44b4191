//===- AttentionOps.td - attention, whole and in parts --------*- tablegen -*-===//
//
// Part of the Tenon project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef TENON_GRAPH_ATTENTION_OPS_TD
#define TENON_GRAPH_ATTENTION_OPS_TD

include "tenon/Dialect/Graph/IR/NormOps.td"

def Graph_AttentionOp : Graph_Composite<"attention"> {
  let summary = "softmax(scale * q k^T + mask) v";
  let description = Graph_NormText<[{
    `q` is `[b..., heads, s, d]`, `k` is `[b..., kv_heads, t, d]`, and `v` is
    `[b..., kv_heads, t, e]`. Head `h` of `q` uses head
    `g = floor(h / (heads / kv_heads))` of `k` and `v` (grouped queries). Scores
    are

    `scores[b..., h, i, j] = scale * dot(q[b..., h, i, :], k[b..., g, j, :]) + mask`,

    with the optional `mask` broadcast to `[b..., heads, s, t]`, aligned at the
    right. With `causal`, scores of keys `j > i + t - s` are -infinity.
    `result[b..., h, i, e]` is the sum over `j` of
    `softmax(scores)[b..., h, i, j] * v[b..., g, j, e]`, where the softmax is
    along `j`. A query whose scores are
    all -infinity gives NaN; without keys (`t` is 0), the result is 0.}], [{
    1. `q`, `k` and `v` have one rank, which is 3 or more.
    2. All operands have one element type.
    3. The sizes of `b...`, `d`, `t` and `kv_heads` agree.
    4. `kv_heads` is at least 1 and divides `heads`.
    5. `mask` broadcasts to the shape of the scores.
    6. `result` is `[b..., heads, s, e]`, of the element type of `q`.}], [{
    func.func @attention(%q: tensor<8x5x4xf32>, %k: tensor<2x6x4xf32>, %v: tensor<2x6x3xf32>) -> tensor<8x5x3xf32> {
      %0 = graph.attention %q, %k, %v scale = 0.5 causal : (tensor<8x5x4xf32>, tensor<2x6x4xf32>, tensor<2x6x3xf32>) -> tensor<8x5x3xf32>
      return %0 : tensor<8x5x3xf32>}]>.text;
  let arguments = (ins Graph_FloatTensor:$q, Graph_FloatTensor:$k,
                       Graph_FloatTensor:$v,
                       Optional<Graph_FloatTensor>:$mask, F64Attr:$scale,
                       UnitAttr:$causal);
  let results = (outs Graph_FloatTensor:$result);
  let assemblyFormat = [{
    $q `,` $k `,` $v (`,` $mask^)? `scale` `=` $scale
    (`causal` $causal^)? attr-dict
    custom<Signature>(ref($q), type($q), ref($k), type($k), ref($v), type($v),
                      ref($mask), type($mask), type($result))
  }];
  let hasVerifier = 1;
}

def Graph_AttentionPartialOp : Graph_Composite<"attention_partial"> {
  let summary = "attention over a part of the keys, with its log-sum-exp";
  let description = Graph_NormText<[{
    `result` is that of `graph.attention` with as many heads of `k` and `v` as of
    `q` and without `causal`. `lse[b..., h, i]` is the logarithm of the sum of
    `exp(scores[b..., h, i, j])` over the keys `j`, by which
    `graph.attention_merge` weighs parts. A query without keys, or whose scores
    are all -infinity, gives 0 and an `lse` of -infinity.}], [{
    1. `q` is `[b..., heads, s, d]`, `k` is `[b..., heads, t, d]`, and `v` is
       `[b..., heads, t, e]`, with rank 3 or more; sizes of one name agree.
    2. All operands have one element type.
    3. `mask` broadcasts to `[b..., heads, s, t]`.
    4. `result` is `[b..., heads, s, e]` and `lse` is `[b..., heads, s]`, of the
       element type of `q`.}], [{
    func.func @attention_partial(%q: tensor<8x5x4xf32>, %k: tensor<8x6x4xf32>) -> (tensor<8x5x4xf32>, tensor<8x5xf32>) {
      %0, %lse = graph.attention_partial %q, %k, %k scale = 0.5 : (tensor<8x5x4xf32>, tensor<8x6x4xf32>, tensor<8x6x4xf32>) -> (tensor<8x5x4xf32>, tensor<8x5xf32>)
      return %0, %lse : tensor<8x5x4xf32>, tensor<8x5xf32>}]>.text;
  let arguments = (ins Graph_FloatTensor:$q, Graph_FloatTensor:$k,
                       Graph_FloatTensor:$v,
                       Optional<Graph_FloatTensor>:$mask, F64Attr:$scale);
  let results = (outs Graph_FloatTensor:$result, Graph_FloatTensor:$lse);
  let assemblyFormat = [{
    $q `,` $k `,` $v (`,` $mask^)? `scale` `=` $scale attr-dict
    custom<Signature>(ref($q), type($q), ref($k), type($k), ref($v), type($v),
                      ref($mask), type($mask), type($result), type($lse))
  }];
}

def Graph_AttentionMergeOp : Graph_Composite<"attention_merge"> {
  let summary = "joins two partial attentions over disjoint keys";
  let description = Graph_NormText<[{
    With `wa = exp(lse_a[b..., h, i])` and `wb = exp(lse_b[b..., h, i])`:
    `result[b..., h, i, e] = (wa * out_a[b..., h, i, e] + wb * out_b[b..., h, i,
    e]) / (wa + wb)` and `lse[b..., h, i] = log(wa + wb)`, computed without
    overflow. If both `lse` are -infinity, the result is 0 and its `lse` is
    -infinity.}], [{
    1. `out_a` and `out_b` have one shape, of rank 3 or more.
    2. `lse_a` and `lse_b` have this shape without its last axis.
    3. All operands have one element type.
    4. `result` has the type of `out_a`, and `lse` that of `lse_a`.}], [{
    func.func @attention_merge(%a: tensor<8x5x4xf32>, %l: tensor<8x5xf32>, %b: tensor<8x5x4xf32>, %m: tensor<8x5xf32>) -> (tensor<8x5x4xf32>, tensor<8x5xf32>) {
      %0, %lse = graph.attention_merge %a, %l, %b, %m : (tensor<8x5x4xf32>, tensor<8x5xf32>, tensor<8x5x4xf32>, tensor<8x5xf32>) -> (tensor<8x5x4xf32>, tensor<8x5xf32>)
      return %0, %lse : tensor<8x5x4xf32>, tensor<8x5xf32>}]>.text;
  let arguments = (ins Graph_FloatTensor:$out_a, Graph_FloatTensor:$lse_a,
                       Graph_FloatTensor:$out_b, Graph_FloatTensor:$lse_b);
  let results = (outs Graph_FloatTensor:$result, Graph_FloatTensor:$lse);
  let assemblyFormat = [{
    $out_a `,` $lse_a `,` $out_b `,` $lse_b attr-dict
    custom<Signature>(ref($out_a), type($out_a), ref($lse_a), type($lse_a),
                      ref($out_b), type($out_b), ref($lse_b), type($lse_b),
                      type($result), type($lse))
  }];
}

#endif // TENON_GRAPH_ATTENTION_OPS_TD
