//===- LinearOps.td - matmul, convolutions, lrn ---------------*- tablegen -*-===//
//
// Part of the Tenon project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef TENON_GRAPH_LINEAR_OPS_TD
#define TENON_GRAPH_LINEAR_OPS_TD

include "tenon/Dialect/Graph/IR/GraphOpsBase.td"

def Graph_Layout : I32EnumAttr<"Layout", "where the channels lie", [
    I32EnumAttrCase<"ChannelsFirst", 0, "channels_first">,
    I32EnumAttrCase<"ChannelsLast", 1, "channels_last">]> {
  let cppNamespace = "::tenon::graph";
  let genSpecializedAttr = 0;
}
def Graph_LayoutAttr : EnumAttr<Graph_Dialect, Graph_Layout, "layout">;

def Graph_MatmulOp : Graph_Primitive<"matmul"> {
  let summary = "the product of (batches of) matrices";
  let description = [{
    `result[b..., m, n]` is the sum over `k` of
    `lhs[b..., m, k] * rhs[b..., k, n]`; with `transpose_a`, `lhs` is
    `[b..., k, m]`, and with `transpose_b`, `rhs` is `[b..., n, k]`. Leading
    axes are batches, broadcast as numpy does: aligned at the right, with
    missing axes and axes of size 1 repeated. Integers wrap. If `k` has size 0,
    the result is 0.

    Constraints:

    1. `lhs` and `rhs` have one element type, and rank 2 or more.
    2. Their contracted axes (`k`) have equal sizes.
    3. Batch axes have equal sizes, unless one of them has size 1.
    4. `result` is `[b..., m, n]`, of the element type of `lhs`.

    Example:

    ```mlir
    func.func @matmul(%x: tensor<8x2x3xf32>, %w: tensor<4x3xf32>) -> tensor<8x2x4xf32> {
      %0 = graph.matmul %x, %w transpose_b : (tensor<8x2x3xf32>, tensor<4x3xf32>) -> tensor<8x2x4xf32>
      return %0 : tensor<8x2x4xf32>
    }
    ```
  }];
  let arguments = (ins Graph_NumTensor:$lhs, Graph_NumTensor:$rhs,
                       UnitAttr:$transpose_a, UnitAttr:$transpose_b);
  let results = (outs Graph_NumTensor:$result);
  let assemblyFormat = [{
    $lhs `,` $rhs (`transpose_a` $transpose_a^)?
    (`transpose_b` $transpose_b^)? attr-dict
    custom<Signature>(ref($lhs), type($lhs), ref($rhs), type($rhs), type($result))
  }];
  let hasCanonicalizer = 1;
}

def Graph_ConvOp : Graph_Primitive<"conv"> {
  let summary = "convolution over 1 to 3 spatial axes";
  let description = [{
    `input` is `[n, c, s...]`, or `[n, s..., c]` for `channels_last`, and so is
    `result`; `weight` is `[o, c / groups, k...]` in both layouts. With `g` the
    group of output channel `o`, `floor(o / (size of o / groups))`:

    `result[n, o, p...]` is the sum over `c` in `[0, size of c / groups)` and
    the taps `t...` of `weight[o, c, t...]` times
    `input[n, g * (size of c / groups) + c, p * stride + t * dilation - pad...]`,
    with `pad` the padding at the begin of the axis. Elements outside of the
    input count as 0. `pads` lists all begins, then all ends. Integers wrap.

    Constraints:

    1. `input` has rank 3 to 5; `weight` has its rank and its element type.
    2. `strides` and `dilations` have one entry per spatial axis, at least 1;
       `pads` has two, at least 0.
    3. `groups` is at least 1 and divides `o`; `c` is axis 1 of `weight` times
       `groups`.
    4. Sizes of the kernel are at least 1. Its extent, `(k - 1) * dilation + 1`,
       is at most the size of the padded axis.
    5. `result` has the element type of `input`; the size of a spatial axis is
       `floor((s + pads - extent) / stride) + 1`.

    Example:

    ```mlir
    func.func @conv(%x: tensor<1x8x9x9xf32>, %w: tensor<6x4x3x3xf32>) -> tensor<1x6x5x5xf32> {
      %0 = graph.conv %x, %w strides = [2, 2] pads = [1, 1, 1, 1] dilations = [1, 1] groups = 2 channels_first : (tensor<1x8x9x9xf32>, tensor<6x4x3x3xf32>) -> tensor<1x6x5x5xf32>
      return %0 : tensor<1x6x5x5xf32>
    }
    ```
  }];
  let arguments = (ins Graph_NumTensor:$input, Graph_NumTensor:$weight,
                       Graph_Ints:$strides, Graph_Ints:$pads,
                       Graph_Ints:$dilations, Graph_Ints:$groups,
                       Graph_LayoutAttr:$layout);
  let results = (outs Graph_NumTensor:$result);
  let assemblyFormat = [{
    $input `,` $weight `strides` `=` custom<Ints>($strides)
    `pads` `=` custom<Ints>($pads) `dilations` `=` custom<Ints>($dilations)
    `groups` `=` custom<Int>($groups) $layout attr-dict
    custom<Signature>(ref($input), type($input), ref($weight), type($weight),
                      type($result))
  }];
}

def Graph_ConvTransposeOp : Graph_Primitive<"conv_transpose"> {
  let summary = "transposed convolution over 1 to 3 spatial axes";
  let description = [{
    The adjoint of `graph.conv` in its input: every input element adds the
    kernel, scaled by it, to the output at stride distance. `input` is
    `[n, c, s...]`, or `[n, s..., c]` with `channels_last`, and so is `result`;
    `weight` is `[c, o / groups, k...]` in both layouts.

    `result[n, o, p...]` is the sum of
    `input[n, c, q...] * weight[c, o mod (size of o / groups), t...]` over the
    channels `c` of the group of `o` and all `q` and `t` with
    `q * stride + t * dilation - pad = p` on every spatial axis, `pad` being the
    padding at the begin.

    Constraints:

    1. `input` has rank 3 to 5; `weight` has its rank and its element type.
    2. `strides` and `dilations` have one entry per spatial axis, at least 1;
       `output_padding` has one, and `pads` two (all begins, then all ends), at
       least 0.
    3. `groups` is at least 1 and divides `c`, which is axis 0 of `weight`.
    4. Sizes of the kernel are at least 1.
    5. `result` is `[n, o, p...]`, or `[n, p..., o]`, of the element type of `input`; the size of a
       spatial axis is `stride * (s - 1) + output_padding + (k - 1) * dilation
       + 1 - pads`, and at least 0.

    Example:

    ```mlir
    func.func @conv_transpose(%x: tensor<1x4x5xf32>, %w: tensor<4x3x3xf32>) -> tensor<1x6x10xf32> {
      %0 = graph.conv_transpose %x, %w strides = [2] pads = [1, 1] dilations = [1] output_padding = [1] groups = 2 : (tensor<1x4x5xf32>, tensor<4x3x3xf32>) -> tensor<1x6x10xf32>
      return %0 : tensor<1x6x10xf32>
    }
    ```
  }];
  let arguments = (ins Graph_FloatTensor:$input, Graph_FloatTensor:$weight,
                       Graph_Ints:$strides, Graph_Ints:$pads,
                       Graph_Ints:$dilations, Graph_Ints:$output_padding,
                       Graph_Ints:$groups,
                       DefaultValuedAttr<Graph_LayoutAttr,
                           "::tenon::graph::Layout::ChannelsFirst">:$layout);
  let results = (outs Graph_FloatTensor:$result);
  let assemblyFormat = [{
    $input `,` $weight `strides` `=` custom<Ints>($strides)
    `pads` `=` custom<Ints>($pads) `dilations` `=` custom<Ints>($dilations)
    `output_padding` `=` custom<Ints>($output_padding)
    `groups` `=` custom<Int>($groups) (custom<OptionalLayout>($layout)^)?
    attr-dict
    custom<Signature>(ref($input), type($input), ref($weight), type($weight),
                      type($result))
  }];
}

def Graph_ConvBackwardWeightOp : Graph_Primitive<"conv_backward_weight"> {
  let summary = "the gradient of a convolution's weight";
  let description = [{
    The adjoint of `graph.conv` in its weight: if `cotangent` has the derivative
    of a scalar by each element of the result of a convolution of `input`,
    `result` has the derivative of this scalar by each element of the weight.
    `input` is `[n, c, s...]` and `cotangent` is `[n, o, p...]`, or
    `[n, s..., c]` and `[n, p..., o]` with `channels_last`. `result` is
    `[o, c / groups, k...]` in both layouts, where `k` are the entries of
    `kernel`.

    With `g` the group of output channel `o`, `floor(o / (size of o / groups))`,
    `result[o, c, t...]` is the sum over `n` and the positions `p...` of
    `cotangent[n, o, p...]` times
    `input[n, g * (size of c / groups) + c, p * stride + t * dilation - pad...]`.
    Elements outside of the input count as 0. `pads` has the padding at the
    begin of each axis; that at the end follows from the sizes. If a sum has no
    terms, it is 0.

    Constraints:

    1. `input` has rank 3 to 5; `cotangent` has its rank, its element type and
       its size of `n`.
    2. `kernel`, `strides`, `pads` and `dilations` have one entry per spatial
       axis: at least 1, and `pads` at least 0.
    3. `groups` is at least 1 and divides the sizes of `c` and `o`.
    4. `result` has the element type of `input`.

    Example:

    ```mlir
    func.func @conv_backward_weight(%x: tensor<2x8x9x9xf32>, %y: tensor<2x6x5x5xf32>) -> tensor<6x4x3x3xf32> {
      %0 = graph.conv_backward_weight %x, %y kernel = [3, 3] strides = [2, 2] pads = [1, 1] dilations = [1, 1] groups = 2 : (tensor<2x8x9x9xf32>, tensor<2x6x5x5xf32>) -> tensor<6x4x3x3xf32>
      return %0 : tensor<6x4x3x3xf32>
    }
    ```
  }];
  let arguments = (ins Graph_FloatTensor:$input, Graph_FloatTensor:$cotangent,
                       Graph_Ints:$kernel, Graph_Ints:$strides,
                       Graph_Ints:$pads, Graph_Ints:$dilations,
                       Graph_Ints:$groups,
                       DefaultValuedAttr<Graph_LayoutAttr,
                           "::tenon::graph::Layout::ChannelsFirst">:$layout);
  let results = (outs Graph_FloatTensor:$result);
  let assemblyFormat = [{
    $input `,` $cotangent `kernel` `=` custom<Ints>($kernel)
    `strides` `=` custom<Ints>($strides) `pads` `=` custom<Ints>($pads)
    `dilations` `=` custom<Ints>($dilations)
    `groups` `=` custom<Int>($groups) (custom<OptionalLayout>($layout)^)?
    attr-dict
    custom<Signature>(ref($input), type($input), ref($cotangent),
                      type($cotangent), type($result))
  }];
}

def Graph_LrnOp : Graph_Primitive<"lrn"> {
  let summary = "local response normalization across channels (axis 1)";
  let description = [{
    `result[n, c, s...] = input[n, c, s...] / (bias + alpha / size * q) ^ beta`,
    where `q` is the sum of the squares of `input[n, d, s...]` over the channels
    `d` from `c - floor((size - 1) / 2)` to `c + ceil((size - 1) / 2)` that
    exist. f16 and bf16 elements are converted to f32, and the result is rounded
    once.

    Constraints:

    1. `input` has rank 2 or more.
    2. `size` is at least 1.
    3. `result` has the type of `input`.

    Example:

    ```mlir
    func.func @lrn(%x: tensor<1x8x4x4xf32>) -> tensor<1x8x4x4xf32> {
      %0 = graph.lrn %x size = 5 alpha = 1.0e-04 beta = 0.75 bias = 1.0 : tensor<1x8x4x4xf32>
      return %0 : tensor<1x8x4x4xf32>
    }
    ```
  }];
  let arguments = (ins Graph_FloatTensor:$input, I64Attr:$size,
                       F64Attr:$alpha, F64Attr:$beta, F64Attr:$bias);
  let results = (outs Graph_FloatTensor:$result);
  let assemblyFormat = [{
    $input `size` `=` $size `alpha` `=` $alpha `beta` `=` $beta
    `bias` `=` $bias attr-dict custom<OperandTypes>(ref($input), type($input))
  }];
}

#endif // TENON_GRAPH_LINEAR_OPS_TD
