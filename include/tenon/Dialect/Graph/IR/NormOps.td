//===- NormOps.td - softmax and norms -------------------------*- tablegen -*-===//
//
// Part of the Tenon project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef TENON_GRAPH_NORM_OPS_TD
#define TENON_GRAPH_NORM_OPS_TD

include "tenon/Dialect/Graph/IR/GraphOpsBase.td"

// `example` lacks its last brace, which would end the string here.
class Graph_NormText<string meaning, string constraints, string example,
                     bit inSteps = 1> {
  string text = !if(inSteps, Graph_InSteps<meaning>.text, meaning) # [{

    Constraints:
}] # constraints # [{

    Example:

    ```mlir}] # example # [{
    }
    ```
  }];
}

class Graph_AxisComposite<string mnemonic, string text, string meaning,
                          bit inSteps = 1> : Graph_Composite<mnemonic> {
  let summary = text;
  let description = Graph_NormText<meaning, [{
    1. `axis` is in `[0, rank of x)`.
    2. `result` has the type of `x`.}], [{
    func.func @}] # mnemonic # [{(%x: tensor<2x3xf32>) -> tensor<2x3xf32> {
      %0 = graph.}] # mnemonic # [{ %x axis = 1 : tensor<2x3xf32>
      return %0 : tensor<2x3xf32>}], inSteps>.text;
  let arguments = (ins Graph_FloatTensor:$x, I64Attr:$axis);
  let results = (outs Graph_FloatTensor:$result);
  let assemblyFormat = "$x `axis` `=` $axis attr-dict custom<OperandTypes>(ref($x), type($x))";
}

def Graph_SoftmaxOp : Graph_AxisComposite<"softmax",
    "exp(x - max) / sum(exp(x - max)) along an axis", [{
    `result[i] = exp(x[i] - m) / s`, where `m` is the largest element of the line
    of `x[i]` along `axis`, and `s` is the sum of `exp(x[j] - m)` over its
    elements `x[j]`. A line is NaN if it has a NaN or +infinity, or if all of it
    is -infinity.}]>;

def Graph_LogSoftmaxOp : Graph_AxisComposite<"log_softmax",
    "x - max - log(sum(exp(x - max))) along an axis", [{
    `result[i] = x[i] - m - log(s)`, where `m` is the largest element of the line
    of `x[i]` along `axis`, and `s` is the sum of `exp(x[j] - m)` over its
    elements `x[j]`. A line is NaN if it has a NaN or +infinity, or if all of it
    is -infinity.}]>;

def Graph_HardmaxOp : Graph_AxisComposite<"hardmax",
    "1 at the first largest element along an axis, else 0", [{
    `result[i]` is 1 if `x[i]` is the first largest element of its line along
    `axis`, as `graph.argmax` finds it, else 0. A NaN counts as the largest.}],
    /*inSteps=*/0>;

def Graph_LayerNormOp : Graph_Composite<"layer_norm"> {
  let summary = "(x - mean) / sqrt(variance + epsilon) * scale + bias";
  let description = Graph_NormText<[{
    `result[i] = (x[i] - m) / sqrt(v + epsilon) * scale[i] + bias[i]`, where `m`
    and `v` are the mean and the variance (of the population) of the elements of
    `x` that differ from `x[i]` in axes from `axis` on only. `scale` and the
    optional `bias` are broadcast to `x`, aligned at the right.}], [{
    1. `axis` is in `[0, rank of x)`.
    2. All operands have one element type.
    3. `scale` and `bias` have at most the rank of `x`, and their sizes are 1 or
       those of `x`.
    4. `epsilon` is finite and not below 0.
    5. `result` has the type of `x`.}], [{
    func.func @layer_norm(%x: tensor<2x3xf32>, %s: tensor<3xf32>) -> tensor<2x3xf32> {
      %0 = graph.layer_norm %x, %s, %s axis = 1 epsilon = 1.0e-05 : (tensor<2x3xf32>, tensor<3xf32>, tensor<3xf32>) -> tensor<2x3xf32>
      return %0 : tensor<2x3xf32>}]>.text;
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
  let description = Graph_NormText<[{
    `result[i] = x[i] / sqrt(q + epsilon) * scale[i]`, where `q` is the mean of
    the squares of the elements of `x` that differ from `x[i]` in axes from
    `axis` on only. `scale` is broadcast to `x`, aligned at the right.}], [{
    1. `axis` is in `[0, rank of x)`.
    2. `x` and `scale` have one element type.
    3. `scale` has at most the rank of `x`, and its sizes are 1 or those of `x`.
    4. `epsilon` is finite and not below 0.
    5. `result` has the type of `x`.}], [{
    func.func @rms_norm(%x: tensor<2x3xf32>, %s: tensor<3xf32>) -> tensor<2x3xf32> {
      %0 = graph.rms_norm %x, %s axis = 1 epsilon = 1.0e-05 : (tensor<2x3xf32>, tensor<3xf32>) -> tensor<2x3xf32>
      return %0 : tensor<2x3xf32>}]>.text;
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
  let description = Graph_NormText<[{
    Inference form: with `c` the index of `x[i]` along `axis`,
    `result[i] = (x[i] - mean[c]) / sqrt(variance[c] + epsilon) * scale[c] +
    bias[c]`. Rules assume that no variance is below 0.}], [{
    1. `axis` is in `[0, rank of x)`.
    2. All operands have one element type.
    3. `scale`, `bias`, `mean` and `variance` have rank 1 and the size of `axis`.
    4. `epsilon` is finite and not below 0.
    5. `result` has the type of `x`.}], [{
    func.func @batch_norm(%x: tensor<2x3x4xf32>, %s: tensor<3xf32>, %v: tensor<3xf32>) -> tensor<2x3x4xf32> {
      %0 = graph.batch_norm %x, %s, %s, %s, %v axis = 1 epsilon = 1.0e-05 : (tensor<2x3x4xf32>, tensor<3xf32>, tensor<3xf32>, tensor<3xf32>, tensor<3xf32>) -> tensor<2x3x4xf32>
      return %0 : tensor<2x3x4xf32>}]>.text;
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

def Graph_DropoutOp : Graph_Composite<"dropout"> {
  let summary = "drops random elements in training; x otherwise";
  let description = [{
    `result[i] = x[i]`. In the train step that `--graph-train` builds, the op
    becomes one that replaces each element by 0 with the probability `ratio` and
    divides the others by `1 - ratio`. Which elements these are follows from
    the seed, the step, `stream`, and the position of the element.

    Constraints:

    1. `ratio` is in [0, 1).
    2. `result` has the type of `x`.

    Example:

    ```mlir
    func.func @dropout(%x: tensor<4x8xf32>) -> tensor<4x8xf32> {
      %0 = graph.dropout %x ratio = 1.0e-01 stream = "embedding" : tensor<4x8xf32>
      return %0 : tensor<4x8xf32>
    }
    ```
  }];
  let arguments = (ins Graph_FloatTensor:$x, F64Attr:$ratio, StrAttr:$stream);
  let results = (outs Graph_FloatTensor:$result);
  let assemblyFormat = [{
    $x `ratio` `=` $ratio `stream` `=` $stream attr-dict
    custom<OperandTypes>(ref($x), type($x))
  }];
  let hasVerifier = 1;
}

def Graph_GroupNormOp : Graph_Composite<"group_norm"> {
  let summary = "normalizes [n, c, spatial...] within groups of channels";
  let description = Graph_NormText<[{
    `result[n, c, s...] = (x[n, c, s...] - m) / sqrt(v + epsilon) * scale[c] +
    bias[c]`, where `m` and `v` are the mean and the variance (of the
    population) of the elements of item `n` in the group of channel `c`. A group
    is `c / groups` consecutive channels.}], [{
    1. `x` is `[n, c, s...]`, of rank 2 or more.
    2. All operands have one element type.
    3. `scale` and `bias` have shape `[c]`.
    4. `groups` is at least 1 and divides `c`.
    5. `epsilon` is finite and not below 0.
    6. `result` has the type of `x`.}], [{
    func.func @group_norm(%x: tensor<2x6x4xf32>, %s: tensor<6xf32>) -> tensor<2x6x4xf32> {
      %0 = graph.group_norm %x, %s, %s groups = 3 epsilon = 1.0e-05 : (tensor<2x6x4xf32>, tensor<6xf32>, tensor<6xf32>) -> tensor<2x6x4xf32>
      return %0 : tensor<2x6x4xf32>}]>.text;
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
  let description = Graph_NormText<[{
    `result[n, c, s...] = (x[n, c, s...] - m) / sqrt(v + epsilon) * scale[c] +
    bias[c]`, where `m` and `v` are the mean and the variance (of the
    population) of the elements of item `n` in channel `c`.}], [{
    1. `x` is `[n, c, s...]`, of rank 2 or more.
    2. All operands have one element type.
    3. `scale` and `bias` have shape `[c]`.
    4. `epsilon` is finite and not below 0.
    5. `result` has the type of `x`.}], [{
    func.func @instance_norm(%x: tensor<2x3x4xf32>, %s: tensor<3xf32>) -> tensor<2x3x4xf32> {
      %0 = graph.instance_norm %x, %s, %s epsilon = 1.0e-05 : (tensor<2x3x4xf32>, tensor<3xf32>, tensor<3xf32>) -> tensor<2x3x4xf32>
      return %0 : tensor<2x3x4xf32>}]>.text;
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

#endif // TENON_GRAPH_NORM_OPS_TD
