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

class Graph_ReduceText<string mnemonic, string meaning> {
  string text = meaning # [{ Without axes, each element is reduced by itself.

    Constraints:

    1. `axes` are ascending, distinct, and in `[0, rank of x)`.
    2. `result` has the sizes of `x` without those of `axes`; with `keepdims`
       these axes stay, with size 1.
    3. `result` has the element type of `x`.

    Example:

    ```mlir
    func.func @}] # mnemonic # [{(%x: tensor<2x3xf32>) -> tensor<2xf32> {
      %0 = graph.}] # mnemonic # [{ %x axes = [1] : (tensor<2x3xf32>) -> tensor<2xf32>
      return %0 : tensor<2xf32>
    }
    ```
  }];
}

class Graph_PrimitiveReduce<string mnemonic, Type type, string text,
                            string meaning> : Graph_Primitive<mnemonic> {
  let summary = text # " over axes (ascending, distinct; none: over no axis)";
  let description = Graph_ReduceText<mnemonic, meaning>.text;
  let arguments = (ins type:$x, Graph_Ints:$axes, UnitAttr:$keepdims);
  let results = (outs type:$result);
  let assemblyFormat = reduceFormat;
}

class Graph_CompositeReduce<string mnemonic, string text, string meaning>
    : Graph_Composite<mnemonic> {
  let summary = text # " over axes (ascending, distinct; none: over no axis)";
  let description = Graph_ReduceText<mnemonic, meaning>.text;
  let arguments = (ins Graph_NumTensor:$x, Graph_Ints:$axes,
                       UnitAttr:$keepdims);
  let results = (outs Graph_NumTensor:$result);
  let assemblyFormat = reduceFormat;
}

//===----------------------------------------------------------------------===//
// Reductions
//===----------------------------------------------------------------------===//

def Graph_ReduceSumOp : Graph_PrimitiveReduce<"reduce_sum", Graph_NumTensor,
                                              "the sum", [{
    Each element of `result` is the sum of the elements of `x` that differ in
    `axes` only: 0 of no elements. Integers wrap.}]>;

def Graph_ReduceProdOp : Graph_PrimitiveReduce<"reduce_prod", Graph_NumTensor,
                                               "the product", [{
    Each element of `result` is the product of the elements of `x` that differ
    in `axes` only: 1 of no elements. Integers wrap.}]>;

def Graph_ReduceMaxOp : Graph_PrimitiveReduce<"reduce_max", Graph_Tensor,
    "the largest element (of i1: any)", [{
    Each element of `result` is the largest element of `x` among those that
    differ in `axes` only: NaN if there is one, and of no elements -infinity,
    the least integer, or false. True is larger than false.}]>;

def Graph_ReduceMinOp : Graph_PrimitiveReduce<"reduce_min", Graph_Tensor,
    "the smallest element (of i1: all)", [{
    Each element of `result` is the smallest element of `x` among those that
    differ in `axes` only: NaN if there is one, and of no elements +infinity,
    the greatest integer, or true. True is larger than false.}]>;

def Graph_ReduceMeanOp : Graph_CompositeReduce<"reduce_mean",
    "the mean (of integers: truncated)", [{
    Each element of `result` is the sum of the elements of `x` that differ in
    `axes` only, divided by their number as `graph.div` does: of no elements
    NaN, or the integer 0. The sum and the number of integers wrap, and their
    quotient truncates towards zero.}]>;

def Graph_ReduceL1Op : Graph_CompositeReduce<"reduce_l1",
    "the sum of absolute values", [{
    Each element of `result` is the sum of `|x[i]|` over the elements of `x`
    that differ in `axes` only: 0 of no elements. Integers wrap.}]>;

def Graph_ReduceL2Op : Graph_CompositeReduce<"reduce_l2",
    "the square root of the sum of squares", [{
    Each element of `result` is the square root of the sum of `x[i] ^ 2` over
    the elements of `x` that differ in `axes` only: 0 of no elements. Integers
    are converted to f64, and the root is converted back as `graph.cast`
    does.}]>;

def Graph_ReduceSumSquareOp : Graph_CompositeReduce<"reduce_sum_square",
    "the sum of squares", [{
    Each element of `result` is the sum of `x[i] ^ 2` over the elements of `x`
    that differ in `axes` only: 0 of no elements. Integers wrap.}]>;

def Graph_ReduceLogSumOp : Graph_CompositeReduce<"reduce_log_sum",
    "the logarithm of the sum", [{
    Each element of `result` is the natural logarithm of the sum of the elements
    of `x` that differ in `axes` only: -infinity of no elements, NaN if the sum
    is below 0. Integers are converted to f64, and the logarithm is converted
    back as `graph.cast` does.}]>;

def Graph_ReduceLogSumExpOp : Graph_CompositeReduce<"reduce_log_sum_exp",
    "the logarithm of the sum of exponentials (without overflow)", [{
    Each element of `result` is `m + log(s)`, where `m` is the largest of the
    elements of `x` that differ in `axes` only, or 0 if that is infinite, and
    `s` is the sum of `exp(x[i] - m)` over them: -infinity of no elements.
    Integers are converted to f64, and the result is converted back as
    `graph.cast` does.}]>;

//===----------------------------------------------------------------------===//
// Positions
//===----------------------------------------------------------------------===//

class Graph_ArgReduce<string mnemonic, string element>
    : Graph_Composite<mnemonic> {
  let summary = "the position (i64) of the first (or last) " # element
                # " element";
  let description = [{
    Each element of `result` is the position along `axis` of the }] # element
    # [{ element
    of its line of `x`: of several equal ones the first, with `last` the last.
    A NaN counts as that element, as in numpy.

    Constraints:

    1. `axis` is in `[0, rank of x)`, and its size is at least 1.
    2. `result` has the sizes of `x` without that of `axis`, which is 1 with
       `keepdims`, and elements of i64.

    Example:

    ```mlir
    func.func @}] # mnemonic # [{(%x: tensor<2x3xf32>) -> tensor<2x1xi64> {
      %0 = graph.}] # mnemonic # [{ %x axis = 1 keepdims : (tensor<2x3xf32>) -> tensor<2x1xi64>
      return %0 : tensor<2x1xi64>
    }
    ```
  }];
  let arguments = (ins Graph_NumTensor:$x, I64Attr:$axis, UnitAttr:$keepdims,
                       UnitAttr:$select_last);
  let results = (outs Graph_IndexTensor:$result);
  let assemblyFormat = [{
    $x `axis` `=` $axis (`keepdims` $keepdims^)? (`last` $select_last^)?
    attr-dict custom<Signature>(ref($x), type($x), type($result))
  }];
  let hasVerifier = 1;
}
def Graph_ArgmaxOp : Graph_ArgReduce<"argmax", "largest">;
def Graph_ArgminOp : Graph_ArgReduce<"argmin", "smallest">;

def Graph_TopKOp : Graph_Opaque<"top_k"> {
  let summary = "the k largest (or smallest) elements along an axis, in order";
  let description = [{
    Of every line of `x` along `axis`, `values` are the `k` largest elements,
    the largest first, with `smallest` the `k` smallest, the smallest first.
    `indices` are their positions. Of equal elements the one with the lower
    position comes first. NaN is larger than all numbers.

    Constraints:

    1. `axis` is in `[0, rank of x)`.
    2. `k` is one integer, from 0 to the size of `axis`.
    3. `values` and `indices` have the sizes of `x`, but `k` along `axis`.
    4. `values` has the element type of `x`; `indices` has elements of i64.

    Example:

    ```mlir
    func.func @top_k(%x: tensor<2x5xf32>) -> (tensor<2x3xf32>, tensor<2x3xi64>) {
      %values, %indices = graph.top_k %x axis = 1 k = 3 : (tensor<2x5xf32>) -> (tensor<2x3xf32>, tensor<2x3xi64>)
      return %values, %indices : tensor<2x3xf32>, tensor<2x3xi64>
    }
    ```
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

//===----------------------------------------------------------------------===//
// Scans
//===----------------------------------------------------------------------===//

class Graph_Scan<string mnemonic, string join, string empty>
    : Graph_Primitive<mnemonic> {
  let summary = "running " # join # "s along an axis";
  let description = [{
    `result[..., j, ...]` is the }] # join # [{ of `x[..., q, ...]` over the
    positions `q <= j` along `axis`, with `exclusive` over `q < j`, and with
    `reverse` over `q >= j` or `q > j`: }] # empty # [{ of no elements. Integers wrap.

    Constraints:

    1. `axis` is in `[0, rank of x)`.
    2. `result` has the type of `x`.

    Example:

    ```mlir
    func.func @}] # mnemonic # [{(%x: tensor<2x3xf32>) -> tensor<2x3xf32> {
      %0 = graph.}] # mnemonic # [{ %x axis = 1 exclusive : tensor<2x3xf32>
      return %0 : tensor<2x3xf32>
    }
    ```
  }];
  let arguments = (ins Graph_NumTensor:$x, I64Attr:$axis,
                       UnitAttr:$exclusive, UnitAttr:$reverse);
  let results = (outs Graph_NumTensor:$result);
  let assemblyFormat = [{
    $x `axis` `=` $axis (`exclusive` $exclusive^)? (`reverse` $reverse^)?
    attr-dict custom<OperandTypes>(ref($x), type($x))
  }];
}

def Graph_CumsumOp : Graph_Scan<"cumsum", "sum", "0">;
def Graph_CumprodOp : Graph_Scan<"cumprod", "product", "1">;

#endif // TENON_GRAPH_REDUCE_OPS_TD
