//===- LossOps.td - embeddings and losses ---------------------*- tablegen -*-===//
//
// Part of the Tenon project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef TENON_GRAPH_LOSS_OPS_TD
#define TENON_GRAPH_LOSS_OPS_TD

include "tenon/Dialect/Graph/IR/NormOps.td"

def Graph_EmbeddingOp : Graph_Composite<"embedding"> {
  let summary = "rows of a table [v, d], chosen by indices";
  let description = [{
    `result[i..., d] = table[indices[i...], d]`. An index below 0 counts from
    the end; one that is out of range is clamped into it.

    Constraints:

    1. `table` is `[v, d]`; `v` is at least 1, unless `indices` is empty.
    2. `result` is `[i..., d]`, of the element type of `table`.

    Example:

    ```mlir
    func.func @embedding(%t: tensor<100x8xf32>, %i: tensor<2x3xi64>) -> tensor<2x3x8xf32> {
      %0 = graph.embedding %t, %i : (tensor<100x8xf32>, tensor<2x3xi64>) -> tensor<2x3x8xf32>
      return %0 : tensor<2x3x8xf32>
    }
    ```
  }];
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
  let description = [{
    `result[b..., d]` is the sum, the mean or the largest of
    `table[indices[b..., j], d]` over `j`, as `graph.reduce_sum`,
    `graph.reduce_mean` and `graph.reduce_max` compute it: of an empty bag 0,
    NaN or -infinity. Indices are those of `graph.embedding`.

    Constraints:

    1. `table` is `[v, d]`; `v` is at least 1, unless `indices` is empty.
    2. `indices` is `[b..., j]`, of rank 1 or more.
    3. `result` is `[b..., d]`, of the element type of `table`.

    Example:

    ```mlir
    func.func @embedding_bag(%t: tensor<100x8xf32>, %i: tensor<2x3xi64>) -> tensor<2x8xf32> {
      %0 = graph.embedding_bag %t, %i mean : (tensor<100x8xf32>, tensor<2x3xi64>) -> tensor<2x8xf32>
      return %0 : tensor<2x8xf32>
    }
    ```
  }];
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
  let description = Graph_NormText<[{
    With `none`, `result[i] = (prediction[i] - target[i]) ^ 2`. With `mean` and
    `sum`, the result is the mean or the sum of these over all `i`: of no
    elements NaN or 0.}], [{
    1. `prediction` and `target` have one type.
    2. `result` has their element type, and their shape for `none`, else rank
       0.}], [{
    func.func @mse_loss(%x: tensor<2x3xf32>, %y: tensor<2x3xf32>) -> tensor<f32> {
      %0 = graph.mse_loss %x, %y mean : (tensor<2x3xf32>, tensor<2x3xf32>) -> tensor<f32>
      return %0 : tensor<f32>}]>.text;
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
  let description = Graph_NormText<[{
    The loss of item `n, d...`, with `y = labels[n, d...]`, is
    `-weight[y] * log_probs[n, y, d...]`, where `weight` is 1 if there is none,
    and 0 if `y` is `ignore_index`. With `none`, the result is the losses; with
    `sum`, their sum; with `mean`, their sum divided by the sum of the weights
    of the items that are not ignored, which is NaN if all are. A run
    reports labels that are not in `[0, c)`.}], [{
    1. `log_probs` is `[n, c, d...]`, of rank 2 or more; `c` is at least 1,
       unless there are no items.
    2. `labels` is `[n, d...]`, and `weight` is `[c]`.
    3. `log_probs` and `weight` have one element type.
    4. `result` has it too, and the shape of `labels` for `none`, else rank
       0.}], [{
    func.func @nll_loss(%p: tensor<2x5xf32>, %y: tensor<2xi64>, %w: tensor<5xf32>) -> tensor<f32> {
      %0 = graph.nll_loss %p, %y, %w mean ignore_index = -1 : (tensor<2x5xf32>, tensor<2xi64>, tensor<5xf32>) -> tensor<f32>
      return %0 : tensor<f32>}]>.text;
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
  let description = Graph_NormText<[{
    `result` is that of `graph.nll_loss`, with `scores` after `graph.log_softmax`
    along axis 1 as `log_probs`.}], [{
    1. `scores` is `[n, c, d...]`, of rank 2 or more; `c` is at least 1, unless
       there are no items.
    2. `labels` is `[n, d...]`, and `weight` is `[c]`.
    3. `scores` and `weight` have one element type.
    4. `result` has it too, and the shape of `labels` for `none`, else rank
       0.}], [{
    func.func @softmax_cross_entropy(%x: tensor<2x5xf32>, %y: tensor<2xi64>) -> tensor<2xf32> {
      %0 = graph.softmax_cross_entropy %x, %y none : (tensor<2x5xf32>, tensor<2xi64>) -> tensor<2xf32>
      return %0 : tensor<2xf32>}]>.text;
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

#endif // TENON_GRAPH_LOSS_OPS_TD
