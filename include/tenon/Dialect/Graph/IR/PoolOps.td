//===- PoolOps.td - windows that slide over spatial axes ------*- tablegen -*-===//
//
// Part of the Tenon project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef TENON_GRAPH_POOL_OPS_TD
#define TENON_GRAPH_POOL_OPS_TD

include "tenon/Dialect/Graph/IR/LinearOps.td"

class Graph_Pool<string mnemonic, Type type, string meaning,
                 dag more = (ins), string format = "", string values = "",
                 string constraint = "`result` has the element type of `input`.",
                 string y = "tensor<1x2x4xf32>">
    : Graph_Primitive<mnemonic> {
  let description = meaning # [{

    Constraints:

    1. `input` has rank 3 to 5.
    2. `kernel`, `strides` and `dilations` have one entry per spatial axis, at
       least 1; `pads` has two (all begins, then all ends), at least 0.
    3. With `extent = (kernel - 1) * dilation + 1`: pads are below the extent,
       which is at most the size of the padded axis.
    4. `result` has the shape of `input`, but the size of a spatial axis is
       `floor((s + pads - extent) / stride) + 1`; with `ceil` it is rounded up,
       except that no window starts beyond the input and its begin padding.
    5. }] # constraint # [{

    Example:

    ```mlir
    func.func @}] # mnemonic # "(%x: tensor<1x2x7xf32>) -> " # y # [{ {
      %0 = graph.}] # mnemonic # " %x kernel = [3] strides = [2] pads = [1, 1] dilations = [1] channels_first" # values # " : (tensor<1x2x7xf32>) -> " # y # [{
      return %0 : }] # y # [{
    }
    ```
  }];
  let arguments = !con((ins type:$input, Graph_Ints:$kernel,
                            Graph_Ints:$strides, Graph_Ints:$pads,
                            Graph_Ints:$dilations, UnitAttr:$ceil_mode,
                            Graph_LayoutAttr:$layout), more);
  let assemblyFormat = [{
    $input `kernel` `=` custom<Ints>($kernel)
    `strides` `=` custom<Ints>($strides) `pads` `=` custom<Ints>($pads)
    `dilations` `=` custom<Ints>($dilations) (`ceil` $ceil_mode^)? $layout
  }] # format # [{ attr-dict
  custom<Signature>(ref($input), type($input), type($result)) }];
}

def Graph_MaxPoolOp : Graph_Pool<"max_pool", Graph_NumTensor, [{
    `result[n, c, p...]` is the largest `input[n, c, p * stride + t * dilation -
    pad...]` over the taps `t` of the kernel, `pad` being the padding at the
    begin. With `channels_last` the channels are the last axis instead of axis
    1. Padding never wins; a window without an element of the input gives
    -infinity, or the least integer. NaN wins.}]> {
  let summary = "the largest element of every window";
  let results = (outs Graph_NumTensor:$result);
}

def Graph_ArgmaxPoolOp : Graph_Pool<"argmax_pool", Graph_NumTensor, [{
    `result[n, c, p...]` is the position of the element that `graph.max_pool`
    finds in this window, in the whole input flattened row-major, as ONNX's
    MaxPool numbers its second output; `column_major` reverses the order of the
    spatial axes in that number. The first of equal elements counts, and so does
    the first NaN.}],
    (ins UnitAttr:$column_major), "(`column_major` $column_major^)?", "",
    "`result` has elements of i64.", "tensor<1x2x4xi64>"> {
  let summary = "where max_pool found its element, in the flattened input";
  let results = (outs Graph_IndexTensor:$result);
}

def Graph_AvgPoolOp : Graph_Pool<"avg_pool", Graph_FloatTensor, [{
    `result[n, c, p...]` is the sum of the elements of the window, as
    `graph.max_pool` has them, divided by their number. Elements of the padding
    are 0 and do not count; with `count_include_pad` they count, but the
    overhang that `ceil` adds never does.}],
    (ins UnitAttr:$count_include_pad),
    "(`count_include_pad` $count_include_pad^)?", " count_include_pad"> {
  let summary = "the mean of every window";
  let results = (outs Graph_FloatTensor:$result);
}

def Graph_LpPoolOp : Graph_Pool<"lp_pool", Graph_FloatTensor, [{
    `result[n, c, p...]` is the sum of `|x| ^ p` over the elements `x` of the
    window, as `graph.max_pool` has them, to the power of `1 / p`. Padding
    counts as 0.}],
    (ins I64Attr:$p), "`p` `=` $p", " p = 2",
    "`p` is at least 1. `result` has the element type of `input`."> {
  let summary = "the p-norm of every window";
  let results = (outs Graph_FloatTensor:$result);
}

#endif // TENON_GRAPH_POOL_OPS_TD
