//===- ReduceOps.td - reductions and scans --------------------*- tablegen -*-===//
//
// Part of the Tenon project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef TENON_GRAPH_REDUCE_OPS_TD
#define TENON_GRAPH_REDUCE_OPS_TD

include "tenon/Dialect/Graph/IR/GraphOpsBase.td"

// Sums and products of f16 and bf16 accumulate in f32 and are rounded once;
// integers wrap. Composites compute f16 and bf16 in f32.
defvar reduceFormat = [{
    $x `axes` `=` custom<Ints>($axes) (`keepdims` $keepdims^)? attr-dict
    custom<Signature>(ref($x), type($x), type($result))
}];

class Graph_PrimitiveReduce<string mnemonic, Type type, string text>
    : Graph_Primitive<mnemonic> {
  let summary = text # " over axes (ascending, distinct; none: over no axis)";
  let arguments = (ins type:$x, Graph_Ints:$axes, UnitAttr:$keepdims);
  let results = (outs type:$result);
  let assemblyFormat = reduceFormat;
}

class Graph_CompositeReduce<string mnemonic, Type type, string text>
    : Graph_Composite<mnemonic> {
  let summary = text # " over axes (ascending, distinct; none: over no axis)";
  let arguments = (ins type:$x, Graph_Ints:$axes, UnitAttr:$keepdims);
  let results = (outs type:$result);
  let assemblyFormat = reduceFormat;
}

def Graph_ReduceSumOp : Graph_PrimitiveReduce<"reduce_sum", Graph_NumTensor, "the sum">;
def Graph_ReduceProdOp : Graph_PrimitiveReduce<"reduce_prod", Graph_NumTensor, "the product">;
def Graph_ReduceMaxOp : Graph_PrimitiveReduce<"reduce_max", Graph_Tensor, "the largest element (of i1: any)">;
def Graph_ReduceMinOp : Graph_PrimitiveReduce<"reduce_min", Graph_Tensor, "the smallest element (of i1: all)">;
def Graph_ReduceMeanOp : Graph_CompositeReduce<"reduce_mean", Graph_NumTensor, "the mean (of integers: truncated)">;
def Graph_ReduceL1Op : Graph_CompositeReduce<"reduce_l1", Graph_NumTensor, "the sum of absolute values">;
def Graph_ReduceL2Op : Graph_CompositeReduce<"reduce_l2", Graph_NumTensor, "the square root of the sum of squares">;
def Graph_ReduceSumSquareOp : Graph_CompositeReduce<"reduce_sum_square", Graph_NumTensor, "the sum of squares">;
def Graph_ReduceLogSumOp : Graph_CompositeReduce<"reduce_log_sum", Graph_NumTensor, "the logarithm of the sum">;
def Graph_ReduceLogSumExpOp : Graph_CompositeReduce<"reduce_log_sum_exp", Graph_NumTensor,
    "the logarithm of the sum of exponentials (without overflow)">;

class Graph_ArgReduce<string mnemonic, string text> : Graph_Composite<mnemonic> {
  let summary = text;
  let description = "A NaN counts as that element, as in numpy.";
  let arguments = (ins Graph_NumTensor:$x, I64Attr:$axis, UnitAttr:$keepdims,
                       UnitAttr:$select_last);
  let results = (outs Graph_IndexTensor:$result);
  let assemblyFormat = [{
    $x `axis` `=` $axis (`keepdims` $keepdims^)? (`last` $select_last^)?
    attr-dict custom<Signature>(ref($x), type($x), type($result))
  }];
  let hasVerifier = 1;
}
def Graph_ArgmaxOp : Graph_ArgReduce<"argmax", "the position (i64) of the first (or last) largest element">;
def Graph_ArgminOp : Graph_ArgReduce<"argmin", "the position (i64) of the first (or last) smallest element">;

def Graph_TopKOp : Graph_Opaque<"top_k"> {
  let summary = "the k largest (or smallest) elements along an axis, in order";
  let description = [{
    Gives the elements and their positions (i64), sorted; of equal elements the
    one with the lower position comes first. NaN is larger than all numbers.
  }];
  let arguments = (ins Graph_NumTensor:$x, I64Attr:$axis, Graph_Ints:$k,
                       UnitAttr:$smallest);
  let results = (outs Graph_NumTensor:$values, Graph_IndexTensor:$indices);
  let assemblyFormat = [{
    $x `axis` `=` $axis `k` `=` custom<Int>($k) (`smallest` $smallest^)?
    attr-dict custom<Signature>(ref($x), type($x), type($values), type($indices))
  }];
  let hasVerifier = 1;
}

class Graph_Scan<string mnemonic, string text> : Graph_Primitive<mnemonic> {
  let summary = text;
  let arguments = (ins Graph_NumTensor:$x, I64Attr:$axis,
                       UnitAttr:$exclusive, UnitAttr:$reverse);
  let results = (outs Graph_NumTensor:$result);
  let assemblyFormat = [{
    $x `axis` `=` $axis (`exclusive` $exclusive^)? (`reverse` $reverse^)?
    attr-dict custom<OperandTypes>(ref($x), type($x))
  }];
}
def Graph_CumsumOp : Graph_Scan<"cumsum", "running sums along an axis">;
def Graph_CumprodOp : Graph_Scan<"cumprod", "running products along an axis">;

#endif // TENON_GRAPH_REDUCE_OPS_TD
