//===- LinearOps.td - matmul, convolutions, pooling -----------*- tablegen -*-===//
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
    The last two axes are matrices, [m, k] x [k, n] -> [m, n] (after
    `transpose_a`, `transpose_b`: the operand holds the transposed matrix);
    leading axes are batches, broadcast as numpy does: aligned at the right,
    with missing axes and axes of size 1 repeated. Both ranks are at least 2.
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

defvar convDescription = [{
    The input is [n, c, spatial...] or, for `channels_last`, [n, spatial..., c],
    and so is the result; the weight is always [o, c / groups, kernel...].
    Output channel o reads the input channels of group o * groups / o_total.
    Pads are all begins, then all ends; padding is zero.
}];

def Graph_ConvOp : Graph_Primitive<"conv"> {
  let summary = "convolution over 1 to 3 spatial axes";
  let description = convDescription;
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
    The adjoint of conv: every input element adds, scaled, the kernel to the
    output at stride distance. The input is [n, c, spatial...], the weight
    [c, o / groups, kernel...]. Output size per axis:
    stride * (in - 1) + output_padding + (kernel - 1) * dilation + 1 - pads.
  }];
  let arguments = (ins Graph_FloatTensor:$input, Graph_FloatTensor:$weight,
                       Graph_Ints:$strides, Graph_Ints:$pads,
                       Graph_Ints:$dilations, Graph_Ints:$output_padding,
                       Graph_Ints:$groups);
  let results = (outs Graph_FloatTensor:$result);
  let assemblyFormat = [{
    $input `,` $weight `strides` `=` custom<Ints>($strides)
    `pads` `=` custom<Ints>($pads) `dilations` `=` custom<Ints>($dilations)
    `output_padding` `=` custom<Ints>($output_padding)
    `groups` `=` custom<Int>($groups) attr-dict
    custom<Signature>(ref($input), type($input), ref($weight), type($weight),
                      type($result))
  }];
}

class Graph_Pool<string mnemonic, Type type, dag more = (ins), string format = "">
    : Graph_Primitive<mnemonic> {
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

def Graph_MaxPoolOp : Graph_Pool<"max_pool", Graph_NumTensor> {
  let summary = "the largest element of every window";
  let description = [{
    Layouts and pads as in conv. Padding never wins. `ceil` rounds the output
    size up, but no window starts beyond the input and its begin padding.
  }];
  let results = (outs Graph_NumTensor:$result);
}

def Graph_ArgmaxPoolOp : Graph_Pool<"argmax_pool", Graph_NumTensor,
    (ins UnitAttr:$column_major), "(`column_major` $column_major^)?"> {
  let summary = "where max_pool found its element, in the flattened input";
  let description = [{
    The position in the whole input flattened row-major, as ONNX's MaxPool
    numbers its second output; `column_major` swaps the roles of the spatial
    axes in that number. The first of equal elements counts.
  }];
  let results = (outs Graph_IndexTensor:$result);
}

def Graph_AvgPoolOp : Graph_Pool<"avg_pool", Graph_FloatTensor,
    (ins UnitAttr:$count_include_pad),
    "(`count_include_pad` $count_include_pad^)?"> {
  let summary = "the mean of every window";
  let description = [{
    As max_pool. The divisor counts input elements, with `count_include_pad`
    padding too (but never the overhang that `ceil` adds).
  }];
  let results = (outs Graph_FloatTensor:$result);
}

def Graph_LpPoolOp : Graph_Pool<"lp_pool", Graph_FloatTensor,
    (ins I64Attr:$p), "`p` `=` $p"> {
  let summary = "the p-norm of every window";
  let results = (outs Graph_FloatTensor:$result);
}

def Graph_LrnOp : Graph_Primitive<"lrn"> {
  let summary = "local response normalization across channels (axis 1)";
  let description = [{
    x / (bias + alpha / size * s) ^ beta, where s is the sum of squares over
    the channels from c - floor((size - 1) / 2) to c + ceil((size - 1) / 2).
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
