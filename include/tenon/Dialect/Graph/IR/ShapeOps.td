//===- ShapeOps.td - ops that move data -----------------------*- tablegen -*-===//
//
// Part of the Tenon project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef TENON_GRAPH_SHAPE_OPS_TD
#define TENON_GRAPH_SHAPE_OPS_TD

include "tenon/Dialect/Graph/IR/GraphOpsBase.td"

def Graph_TransposeOp : Graph_Primitive<"transpose"> {
  let summary = "permutes axes: axis i of the result is axis perm[i] of x";
  let arguments = (ins Graph_Tensor:$x, Graph_Ints:$perm);
  let results = (outs Graph_Tensor:$result);
  let assemblyFormat = [{
    $x `perm` `=` custom<Ints>($perm) attr-dict
    custom<Signature>(ref($x), type($x), type($result))
  }];
  let hasFolder = 1;
  let hasCanonicalizer = 1;
}

def Graph_ReshapeOp : Graph_Primitive<"reshape"> {
  let summary = "the same elements in row-major order under another shape";
  let arguments = (ins Graph_Tensor:$x, Graph_Ints:$shape);
  let results = (outs Graph_Tensor:$result);
  let assemblyFormat = [{
    $x `shape` `=` custom<Ints>($shape) attr-dict
    custom<Signature>(ref($x), type($x), type($result))
  }];
  let hasFolder = 1;
  let hasCanonicalizer = 1;
}

def Graph_BroadcastOp : Graph_Primitive<"broadcast"> {
  let summary = "repeats along missing axes and axes of size 1";
  let description = [{
    Axes are aligned at the right, as numpy does: axis i of x is axis
    i + (rank of result - rank of x) of the result and has its size, or size 1.
  }];
  let arguments = (ins Graph_Tensor:$x, Graph_Ints:$shape);
  let results = (outs Graph_Tensor:$result);
  let assemblyFormat = [{
    $x `shape` `=` custom<Ints>($shape) attr-dict
    custom<Signature>(ref($x), type($x), type($result))
  }];
  let hasFolder = 1;
  let hasCanonicalizer = 1;
}

def Graph_TileOp : Graph_Primitive<"tile"> {
  let summary = "the whole of x repeated repeats[i] times along axis i";
  let arguments = (ins Graph_Tensor:$x, Graph_Ints:$repeats);
  let results = (outs Graph_Tensor:$result);
  let assemblyFormat = [{
    $x `repeats` `=` custom<Ints>($repeats) attr-dict
    custom<Signature>(ref($x), type($x), type($result))
  }];
  let hasFolder = 1;
}

def Graph_SliceOp : Graph_Primitive<"slice"> {
  let summary = "elements start + i * step, for i in [0, size), of every axis";
  let description = [{
    Steps are not 0 and may be negative; every element read lies inside x.
  }];
  let arguments = (ins Graph_Tensor:$x, Graph_Ints:$starts, Graph_Ints:$sizes,
                       Graph_Ints:$steps);
  let results = (outs Graph_Tensor:$result);
  let assemblyFormat = [{
    $x `starts` `=` custom<Ints>($starts) `sizes` `=` custom<Ints>($sizes)
    `steps` `=` custom<Ints>($steps) attr-dict
    custom<Signature>(ref($x), type($x), type($result))
  }];
  let hasFolder = 1;
  let hasCanonicalizer = 1;
}

def Graph_ConcatOp : Graph_Primitive<"concat"> {
  let summary = "joins tensors along an axis";
  let arguments = (ins Variadic<Graph_Tensor>:$inputs, I64Attr:$axis);
  let results = (outs Graph_Tensor:$result);
  let assemblyFormat = [{
    $inputs `axis` `=` $axis attr-dict
    custom<Signature>(ref($inputs), type($inputs), type($result))
  }];
  let hasFolder = 1;
  let hasCanonicalizer = 1;
}

def Graph_SplitOp : Graph_Primitive<"split"> {
  let summary = "cuts a tensor along an axis into parts of the given sizes";
  let arguments = (ins Graph_Tensor:$x, I64Attr:$axis, Graph_Ints:$sizes);
  let results = (outs Variadic<Graph_Tensor>:$parts);
  let assemblyFormat = [{
    $x `axis` `=` $axis `sizes` `=` custom<Ints>($sizes) attr-dict
    custom<Signature>(ref($x), type($x), type($parts))
  }];
  let hasCanonicalizer = 1;
}

def Graph_PadMode : I32EnumAttr<"PadMode", "what padding repeats", [
    I32EnumAttrCase<"Constant", 0, "constant">,
    I32EnumAttrCase<"Reflect", 1, "reflect">,
    I32EnumAttrCase<"Edge", 2, "edge">,
    I32EnumAttrCase<"Wrap", 3, "wrap">]> {
  let cppNamespace = "::tenon::graph";
  let genSpecializedAttr = 0;
}
def Graph_PadModeAttr : EnumAttr<Graph_Dialect, Graph_PadMode, "pad_mode">;

def Graph_PadOp : Graph_Primitive<"pad"> {
  let summary = "adds low[i] elements before and high[i] after along axis i";
  let description = [{
    `constant` fills with `value`; `reflect` mirrors without the edge
    (padding is below the size), `edge` repeats the last element, `wrap` goes
    round. Paddings are not negative.
  }];
  let arguments = (ins Graph_Tensor:$x, Graph_Ints:$low, Graph_Ints:$high,
                       Graph_PadModeAttr:$mode, F64Attr:$value);
  let results = (outs Graph_Tensor:$result);
  let assemblyFormat = [{
    $x `low` `=` custom<Ints>($low) `high` `=` custom<Ints>($high) $mode
    `value` `=` $value attr-dict custom<Signature>(ref($x), type($x), type($result))
  }];
  let hasFolder = 1;
  let hasCanonicalizer = 1;
}

def Graph_ReverseOp : Graph_Primitive<"reverse"> {
  let summary = "reverses the order along axes";
  let arguments = (ins Graph_Tensor:$x, Graph_Ints:$axes);
  let results = (outs Graph_Tensor:$result);
  let assemblyFormat = "$x `axes` `=` custom<Ints>($axes) attr-dict custom<OperandTypes>(ref($x), type($x))";
  let hasFolder = 1;
}

def Graph_ResizeMode : I32EnumAttr<"ResizeMode", "how resize interpolates", [
    I32EnumAttrCase<"Nearest", 0, "nearest">,
    I32EnumAttrCase<"Linear", 1, "linear">,
    I32EnumAttrCase<"Cubic", 2, "cubic">]> {
  let cppNamespace = "::tenon::graph";
  let genSpecializedAttr = 0;
}
def Graph_ResizeModeAttr : EnumAttr<Graph_Dialect, Graph_ResizeMode, "resize_mode">;

def Graph_ResizeCoordinates : I32EnumAttr<"ResizeCoordinates",
    "where an output element lies in the input (ONNX Resize)", [
    I32EnumAttrCase<"HalfPixel", 0, "half_pixel">,
    I32EnumAttrCase<"HalfPixelSymmetric", 1, "half_pixel_symmetric">,
    I32EnumAttrCase<"PytorchHalfPixel", 2, "pytorch_half_pixel">,
    I32EnumAttrCase<"AlignCorners", 3, "align_corners">,
    I32EnumAttrCase<"Asymmetric", 4, "asymmetric">]> {
  let cppNamespace = "::tenon::graph";
  let genSpecializedAttr = 0;
}
def Graph_ResizeCoordinatesAttr
    : EnumAttr<Graph_Dialect, Graph_ResizeCoordinates, "resize_coordinates">;

def Graph_ResizeRounding : I32EnumAttr<"ResizeRounding",
    "which neighbour nearest takes (ONNX Resize)", [
    I32EnumAttrCase<"RoundPreferFloor", 0, "round_prefer_floor">,
    I32EnumAttrCase<"RoundPreferCeil", 1, "round_prefer_ceil">,
    I32EnumAttrCase<"Floor", 2, "floor">,
    I32EnumAttrCase<"Ceil", 3, "ceil">]> {
  let cppNamespace = "::tenon::graph";
  let genSpecializedAttr = 0;
}
def Graph_ResizeRoundingAttr
    : EnumAttr<Graph_Dialect, Graph_ResizeRounding, "resize_rounding">;

def Graph_ResizeOp : Graph_Primitive<"resize"> {
  let summary = "resamples to other sizes by interpolation along each axis";
  let description = [{
    As ONNX Resize: `scales` (one per axis, output over input; where it is 1
    the axis is copied) place the samples, `shape` is the result's. Cubic uses
    `cubic_coeff`; `exclude_outside` gives samples outside weight 0.
  }];
  let arguments = (ins Graph_NumTensor:$x, Graph_Ints:$shape,
                       DenseF64ArrayAttr:$scales, Graph_ResizeModeAttr:$mode,
                       Graph_ResizeCoordinatesAttr:$coordinates,
                       Graph_ResizeRoundingAttr:$rounding,
                       F64Attr:$cubic_coeff, UnitAttr:$exclude_outside);
  let results = (outs Graph_NumTensor:$result);
  let assemblyFormat = [{
    $x `shape` `=` custom<Ints>($shape) `scales` `=` $scales $mode
    $coordinates $rounding `cubic_coeff` `=` $cubic_coeff
    (`exclude_outside` $exclude_outside^)? attr-dict
    custom<Signature>(ref($x), type($x), type($result))
  }];
}

//===----------------------------------------------------------------------===//
// Data-dependent addressing. Negative indices count from the end, as in ONNX;
// an index out of range is clamped into it.
//===----------------------------------------------------------------------===//

def Graph_GatherOp : Graph_Primitive<"gather"> {
  let summary = "slices of x along an axis, chosen by indices";
  let description = [{
    result[a..., i..., b...] = x[a..., indices[i...], b...].
  }];
  let arguments = (ins Graph_Tensor:$x, Graph_IndexTensor:$indices,
                       I64Attr:$axis);
  let results = (outs Graph_Tensor:$result);
  let assemblyFormat = [{
    $x `,` $indices `axis` `=` $axis attr-dict
    custom<Signature>(ref($x), type($x), ref($indices), type($indices), type($result))
  }];
  let hasFolder = 1;
  let hasCanonicalizer = 1;
}

def Graph_GatherElementsOp : Graph_Primitive<"gather_elements"> {
  let summary = "result[i] = x[i with i[axis] replaced by indices[i]]";
  let arguments = (ins Graph_Tensor:$x, Graph_IndexTensor:$indices,
                       I64Attr:$axis);
  let results = (outs Graph_Tensor:$result);
  let assemblyFormat = [{
    $x `,` $indices `axis` `=` $axis attr-dict
    custom<Signature>(ref($x), type($x), ref($indices), type($indices), type($result))
  }];
}

def Graph_GatherNdOp : Graph_Primitive<"gather_nd"> {
  let summary = "slices of x chosen by index tuples in the last axis of indices";
  let arguments = (ins Graph_Tensor:$x, Graph_IndexTensor:$indices,
                       I64Attr:$batch_dims);
  let results = (outs Graph_Tensor:$result);
  let assemblyFormat = [{
    $x `,` $indices `batch_dims` `=` $batch_dims attr-dict
    custom<Signature>(ref($x), type($x), ref($indices), type($indices), type($result))
  }];
}

def Graph_ScatterReduction : I32EnumAttr<"ScatterReduction",
    "how an update joins what is there", [
    I32EnumAttrCase<"None", 0, "none">, I32EnumAttrCase<"Add", 1, "add">,
    I32EnumAttrCase<"Mul", 2, "mul">, I32EnumAttrCase<"Max", 3, "max">,
    I32EnumAttrCase<"Min", 4, "min">]> {
  let cppNamespace = "::tenon::graph";
  let genSpecializedAttr = 0;
}
def Graph_ScatterReductionAttr
    : EnumAttr<Graph_Dialect, Graph_ScatterReduction, "scatter_reduction">;

def Graph_ScatterElementsOp : Graph_Primitive<"scatter_elements"> {
  let summary = "x with updates[i] put at i with i[axis] replaced by indices[i]";
  let description = [{
    Without a reduction, the last update (in row-major order) of an element
    wins. Updates whose index is out of range are dropped.
  }];
  let arguments = (ins Graph_Tensor:$x, Graph_IndexTensor:$indices,
                       Graph_Tensor:$updates, I64Attr:$axis,
                       Graph_ScatterReductionAttr:$reduction);
  let results = (outs Graph_Tensor:$result);
  let assemblyFormat = [{
    $x `,` $indices `,` $updates `axis` `=` $axis $reduction attr-dict
    custom<Signature>(ref($x), type($x), ref($indices), type($indices),
                      ref($updates), type($updates), type($result))
  }];
}

def Graph_ScatterNdOp : Graph_Primitive<"scatter_nd"> {
  let summary = "x with slices of updates put at the index tuples of indices";
  let description = "Ties and indices out of range as in scatter_elements.";
  let arguments = (ins Graph_Tensor:$x, Graph_IndexTensor:$indices,
                       Graph_Tensor:$updates,
                       Graph_ScatterReductionAttr:$reduction);
  let results = (outs Graph_Tensor:$result);
  let assemblyFormat = [{
    $x `,` $indices `,` $updates $reduction attr-dict
    custom<Signature>(ref($x), type($x), ref($indices), type($indices),
                      ref($updates), type($updates), type($result))
  }];
}

def Graph_IotaOp : Graph_Primitive<"iota"> {
  let summary = "every element is its own position along an axis";
  let arguments = (ins Graph_Ints:$shape, I64Attr:$axis, TypeAttr:$element);
  let results = (outs Graph_NumTensor:$result);
  let assemblyFormat = [{
    `shape` `=` custom<Ints>($shape) `axis` `=` $axis `of` $element
    attr-dict custom<Signature>(type($result))
  }];
}

#endif // TENON_GRAPH_SHAPE_OPS_TD
