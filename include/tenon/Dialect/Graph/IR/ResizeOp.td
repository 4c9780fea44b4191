//===- ResizeOp.td - interpolation ----------------------------*- tablegen -*-===//
//
// Part of the Tenon project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef TENON_GRAPH_RESIZE_OP_TD
#define TENON_GRAPH_RESIZE_OP_TD

include "tenon/Dialect/Graph/IR/GraphOpsBase.td"

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
    As ONNX Resize. Position `i` of an axis lies at coordinate `c` of `x`, with
    `n` and `m` the sizes of `x` and `result`. `l` is `m` if `scale` is the
    element of f32 or f64 that is nearest to `m / n`, else `n * scale`:

    - `half_pixel`: `(i + 1/2) / scale - 1/2`. `pytorch_half_pixel`: the same, or
      0 if `m` is 1. `half_pixel_symmetric`: the same plus `n / 2 * (1 - m / l)`.
    - `align_corners`: `i * (n - 1) / (l - 1)`, or 0 if `m` is 1.
    - `asymmetric`: `i / scale`.

    `nearest` takes the element at `c`, rounded as `rounding` says, `linear`
    weighs the two elements beside `c` by their distance, and `cubic` four by
    Keys's kernel with `cubic_coeff`; weights of several axes are multiplied.
    Positions outside of `x` are clamped into it; `exclude_outside` gives them
    weight 0 instead and divides by the sum of the others. Axes whose scale is
    1 are copied. Coordinates are computed in f64. Elements of i8 and ui8 are
    weighed in f32 and those of i32 and i64 in f64; the sum becomes an integer
    as `graph.cast` says.

    Constraints:

    1. `shape` and `scales` have one entry per axis of `x`; sizes are at least 0,
       and scales are positive and finite.
    2. If a scale is 1, the size of its axis stays; if not, the axis of `x` has
       at least 1 element, unless its axis of `result` has none.
    3. `result` has shape `shape` and the element type of `x`.

    Example:

    ```mlir
    func.func @resize(%x: tensor<1x2x4xf32>) -> tensor<1x2x8xf32> {
      %0 = graph.resize %x shape = [1, 2, 8] scales = [1.0, 1.0, 2.0] linear half_pixel round_prefer_floor cubic_coeff = -7.5e-01 : (tensor<1x2x4xf32>) -> tensor<1x2x8xf32>
      return %0 : tensor<1x2x8xf32>
    }
    ```
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

#endif // TENON_GRAPH_RESIZE_OP_TD
