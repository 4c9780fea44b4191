//===- NormOps.td - softmax, norms, attention, losses ---------*- tablegen -*-===//
//
// Part of the Tenon project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef TENON_GRAPH_NORM_OPS_TD
#define TENON_GRAPH_NORM_OPS_TD

include "tenon/Dialect/Graph/IR/GraphOpsBase.td"

// All of these compute f16 and bf16 in f32 and round once, at the end.

class Graph_AxisComposite<string mnemonic, string text> : Graph_Composite<mnemonic> {
  let summary = text;
  let arguments = (ins Graph_FloatTensor:$x, I64Attr:$axis);
  let results = (outs Graph_FloatTensor:$result);
  let assemblyFormat = "$x `axis` `=` $axis attr-dict custom<OperandTypes>(ref($x), type($x))";
}
def Graph_SoftmaxOp : Graph_AxisComposite<"softmax",
    "exp(x - max) / sum(exp(x - max)) along an axis">;
def Graph_LogSoftmaxOp : Graph_AxisComposite<"log_softmax",
    "x - max - log(sum(exp(x - max))) along an axis">;
def Graph_HardmaxOp : Graph_AxisComposite<"hardmax",
    "1 at the first largest element along an axis, else 0">;

def Graph_LayerNormOp : Graph_Composite<"layer_norm"> {
  let summary = "(x - mean) / sqrt(variance + epsilon) * scale + bias";
  let description = [{
    Mean and variance (of the population) over the axes from `axis` on; scale
    and the optional bias broadcast to x from the right.
  }];
  let arguments = (ins Graph_FloatTensor:$x, Graph_FloatTensor:$scale,
                       Optional<Graph_FloatTensor>:$bias, I64Attr:$axis,
                       F64Attr:$epsilon);
  let results = (outs Graph_FloatTensor:$result);
  let assemblyFormat = [{
    $x `,` $scale (`,` $bias^)? `axis` `=` $axis
    `epsilon` `=` $epsilon attr-dict
    custom<Signature>(ref($x), type($x), ref($scale), type($scale), ref($bias),
                      type($bias), type($result))
  }];
  let hasVerifier = 1;
}

def Graph_RmsNormOp : Graph_Composite<"rms_norm"> {
  let summary = "x / sqrt(mean(x * x) + epsilon) * scale";
  let description = "The mean over the axes from `axis` on.";
  let arguments = (ins Graph_FloatTensor:$x, Graph_FloatTensor:$scale,
                       I64Attr:$axis, F64Attr:$epsilon);
  let results = (outs Graph_FloatTensor:$result);
  let assemblyFormat = [{
    $x `,` $scale `axis` `=` $axis `epsilon` `=` $epsilon attr-dict
    custom<Signature>(ref($x), type($x), ref($scale), type($scale), type($result))
  }];
  let hasVerifier = 1;
}

def Graph_BatchNormOp : Graph_Composite<"batch_norm"> {
  let summary = "(x - mean) / sqrt(variance + epsilon) * scale + bias per channel";
  let description = [{
    Inference form: mean and variance are operands of shape [c], where c is the
    size of axis `axis`. A variance is not below 0: rules assume it.
  }];
  let arguments = (ins Graph_FloatTensor:$x, Graph_FloatTensor:$scale,
                       Graph_FloatTensor:$bias, Graph_FloatTensor:$mean,
                       Graph_FloatTensor:$variance, I64Attr:$axis,
                       F64Attr:$epsilon);
  let results = (outs Graph_FloatTensor:$result);
  let assemblyFormat = [{
    $x `,` $scale `,` $bias `,` $mean `,` $variance `axis` `=` $axis
    `epsilon` `=` $epsilon attr-dict
    custom<Signature>(ref($x), type($x), ref($scale), type($scale), ref($bias),
                      type($bias), ref($mean), type($mean), ref($variance),
                      type($variance), type($result))
  }];
  let hasVerifier = 1;
}

def Graph_GroupNormOp : Graph_Composite<"group_norm"> {
  let summary = "normalizes [n, c, spatial...] within groups of channels";
  let description = [{
    Scale and bias have shape [c]. Instance norm is groups = c.
  }];
  let arguments = (ins Graph_FloatTensor:$x, Graph_FloatTensor:$scale,
                       Graph_FloatTensor:$bias, I64Attr:$groups,
                       F64Attr:$epsilon);
  let results = (outs Graph_FloatTensor:$result);
  let assemblyFormat = [{
    $x `,` $scale `,` $bias `groups` `=` $groups
    `epsilon` `=` $epsilon attr-dict
    custom<Signature>(ref($x), type($x), ref($scale), type($scale), ref($bias),
                      type($bias), type($result))
  }];
  let hasVerifier = 1;
}

def Graph_InstanceNormOp : Graph_Composite<"instance_norm"> {
  let summary = "normalizes [n, c, spatial...] over the spatial axes";
  let arguments = (ins Graph_FloatTensor:$x, Graph_FloatTensor:$scale,
                       Graph_FloatTensor:$bias, F64Attr:$epsilon);
  let results = (outs Graph_FloatTensor:$result);
  let assemblyFormat = [{
    $x `,` $scale `,` $bias `epsilon` `=` $epsilon attr-dict
    custom<Signature>(ref($x), type($x), ref($scale), type($scale), ref($bias),
                      type($bias), type($result))
  }];
  let hasVerifier = 1;
}

def Graph_AttentionOp : Graph_Composite<"attention"> {
  let summary = "softmax(scale * q k^T + mask) v";
  let description = [{
    q is [batch..., heads, s, d], k [batch..., kv_heads, t, d], v
    [batch..., kv_heads, t, e]; heads is a multiple of kv_heads (grouped
    queries). The optional mask is added to the scores and broadcasts to them
    from the right. `causal` lets query i see keys up to i + t - s. A query
    that sees no key gives NaN.
  }];
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
  let description = [{
    As attention without grouping; the second result, [batch..., heads, s], is
    log(sum(exp(scores))), by which attention_merge weighs parts. A query that
    sees no key gives 0 and log-sum-exp -inf.
  }];
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

def Graph_EmbeddingOp : Graph_Composite<"embedding"> {
  let summary = "rows of a table [v, d], chosen by indices";
  let description = "Indices as in gather: the result is [indices..., d].";
  let arguments = (ins Graph_FloatTensor:$table, Graph_IndexTensor:$indices);
  let results = (outs Graph_FloatTensor:$result);
  let assemblyFormat = [{
    $table `,` $indices attr-dict
    custom<Signature>(ref($table), type($table), ref($indices), type($indices),
                      type($result))
  }];
}

def Graph_BagMode : I32EnumAttr<"BagMode", "how a bag's rows are joined", [
    I32EnumAttrCase<"Sum", 0, "sum">, I32EnumAttrCase<"Mean", 1, "mean">,
    I32EnumAttrCase<"Max", 2, "max">]> {
  let cppNamespace = "::tenon::graph";
  let genSpecializedAttr = 0;
}
def Graph_BagModeAttr : EnumAttr<Graph_Dialect, Graph_BagMode, "bag_mode">;

def Graph_EmbeddingBagOp : Graph_Composite<"embedding_bag"> {
  let summary = "joins the rows of a table [v, d] chosen by each bag of indices";
  let description = "Indices are [batch..., bag]; the result is [batch..., d].";
  let arguments = (ins Graph_FloatTensor:$table, Graph_IndexTensor:$indices,
                       Graph_BagModeAttr:$mode);
  let results = (outs Graph_FloatTensor:$result);
  let assemblyFormat = [{
    $table `,` $indices $mode attr-dict
    custom<Signature>(ref($table), type($table), ref($indices), type($indices),
                      type($result))
  }];
}

def Graph_LossReduction : I32EnumAttr<"LossReduction", "how losses are joined", [
    I32EnumAttrCase<"None", 0, "none">, I32EnumAttrCase<"Mean", 1, "mean">,
    I32EnumAttrCase<"Sum", 2, "sum">]> {
  let cppNamespace = "::tenon::graph";
  let genSpecializedAttr = 0;
}
def Graph_LossReductionAttr
    : EnumAttr<Graph_Dialect, Graph_LossReduction, "loss_reduction">;

def Graph_MseLossOp : Graph_Composite<"mse_loss"> {
  let summary = "(prediction - target) squared, joined";
  let arguments = (ins Graph_FloatTensor:$prediction, Graph_FloatTensor:$target,
                       Graph_LossReductionAttr:$reduction);
  let results = (outs Graph_FloatTensor:$result);
  let assemblyFormat = [{
    $prediction `,` $target $reduction attr-dict
    custom<Signature>(ref($prediction), type($prediction), ref($target),
                      type($target), type($result))
  }];
}

def Graph_NllLossOp : Graph_Composite<"nll_loss"> {
  let summary = "minus the log probability of each item's label";
  let description = [{
    log_probs is [n, c, d...], labels [n, d...], the optional weight [c]. The
    mean divides by the sum of the weights of the items that count; items whose
    label is `ignore_index` don't.
  }];
  let arguments = (ins Graph_FloatTensor:$log_probs, Graph_IndexTensor:$labels,
                       Optional<Graph_FloatTensor>:$weight,
                       Graph_LossReductionAttr:$reduction,
                       OptionalAttr<I64Attr>:$ignore_index);
  let results = (outs Graph_FloatTensor:$result);
  let assemblyFormat = [{
    $log_probs `,` $labels (`,` $weight^)? $reduction
    (`ignore_index` `=` $ignore_index^)? attr-dict
    custom<Signature>(ref($log_probs), type($log_probs), ref($labels),
                      type($labels), ref($weight), type($weight), type($result))
  }];
}

def Graph_SoftmaxCrossEntropyOp : Graph_Composite<"softmax_cross_entropy"> {
  let summary = "nll_loss of log_softmax(scores) along axis 1";
  let arguments = (ins Graph_FloatTensor:$scores, Graph_IndexTensor:$labels,
                       Optional<Graph_FloatTensor>:$weight,
                       Graph_LossReductionAttr:$reduction,
                       OptionalAttr<I64Attr>:$ignore_index);
  let results = (outs Graph_FloatTensor:$result);
  let assemblyFormat = [{
    $scores `,` $labels (`,` $weight^)? $reduction
    (`ignore_index` `=` $ignore_index^)? attr-dict
    custom<Signature>(ref($scores), type($scores), ref($labels), type($labels),
                      ref($weight), type($weight), type($result))
  }];
}

#endif // TENON_GRAPH_NORM_OPS_TD
