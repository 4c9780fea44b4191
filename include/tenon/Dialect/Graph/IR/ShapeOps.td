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
  let description = [{
    `result[i]` is `x[j]`, where `j[perm[a]] = i[a]` for every axis `a`.

    Constraints:

    1. `perm` is constant and holds every axis of `x` once.
    2. Axis `a` of `result` has the size of axis `perm[a]` of `x`.
    3. `result` has the element type of `x`.

    Example:

    ```mlir
    func.func @transpose(%x: tensor<2x3x4xf32>) -> tensor<4x2x3xf32> {
      %0 = graph.transpose %x perm = [2, 0, 1] : (tensor<2x3x4xf32>) -> tensor<4x2x3xf32>
      return %0 : tensor<4x2x3xf32>
    }
    ```
  }];
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
  let description = [{
    Element number `p` of `result`, counted in row-major order, is element number
    `p` of `x`. One size of `shape` may be `?`: it follows from the others.

    Constraints:

    1. `shape` has sizes of at least 0, and the product of the sizes of `x`.
    2. If a size is `?`, the others have a product of at least 1, which divides
       the number of elements.
    3. `result` has this shape and the element type of `x`.

    Example:

    ```mlir
    func.func @reshape(%x: tensor<2x6xf32>) -> tensor<3x4xf32> {
      %0 = graph.reshape %x shape = [3, 4] : (tensor<2x6xf32>) -> tensor<3x4xf32>
      return %0 : tensor<3x4xf32>
    }
    ```
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

def Graph_OptimizationBarrierOp : Graph_Composite<"optimization_barrier"> {
  let summary = "x, for use once another value is computed";
  let description = [{
    `result[i] = x[i]`. What uses `result` is neither merged with what uses `x`,
    nor computed before `gate`: passes that merge, fold or move computations
    treat the op as opaque. So values that are computed a second time
    (`--recompute` of `tenon-compile`) need no memory before then. The op costs
    nothing, because `result` aliases `x`. The elements of `gate` do not matter.
    ONNX has no such op; the export gives `x`.

    Constraints:

    1. `result` has the type of `x`.

    Example:

    ```mlir
    func.func @optimization_barrier(%x: tensor<4x8xf32>, %g: tensor<4xf32>) -> tensor<4x8xf32> {
      %0 = graph.optimization_barrier %x after %g : tensor<4x8xf32>, tensor<4xf32>
      return %0 : tensor<4x8xf32>
    }
    ```
  }];
  let arguments = (ins Graph_Tensor:$x, Graph_Tensor:$gate);
  let results = (outs Graph_Tensor:$result);
  let assemblyFormat = [{
    $x `after` $gate attr-dict custom<OperandTypes>(ref($x), type($x), ref($gate), type($gate))
  }];
}

def Graph_BroadcastOp : Graph_Primitive<"broadcast"> {
  let summary = "repeats along missing axes and axes of size 1";
  let description = [{
    Axes are aligned at the right, as numpy does: `result[m..., i...]` is `x[j...]`,
    where `m...` are the axes that `x` does not have, and `j` is 0 along axes
    of `x` of size 1, else `i`.

    Constraints:

    1. `shape` has at least as many sizes as `x`, which are at least 0.
    2. An axis of `x` has size 1 or the size of its axis of `shape`.
    3. `result` has this shape and the element type of `x`.

    Example:

    ```mlir
    func.func @broadcast(%x: tensor<3x1xf32>) -> tensor<2x3x4xf32> {
      %0 = graph.broadcast %x shape = [2, 3, 4] : (tensor<3x1xf32>) -> tensor<2x3x4xf32>
      return %0 : tensor<2x3x4xf32>
    }
    ```
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
  let description = [{
    `result[i]` is `x[j]`, where `j` is `i` modulo the size of `x` on every axis.

    Constraints:

    1. `repeats` has one entry per axis of `x`, at least 0.
    2. The size of an axis of `result` is that of `x` times `repeats`.
    3. `result` has the element type of `x`.

    Example:

    ```mlir
    func.func @tile(%x: tensor<2x3xf32>) -> tensor<4x3xf32> {
      %0 = graph.tile %x repeats = [2, 1] : (tensor<2x3xf32>) -> tensor<4x3xf32>
      return %0 : tensor<4x3xf32>
    }
    ```
  }];
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
    `result[i] = x[starts + i * steps]`, axis by axis. Steps below 0 go backwards.

    Constraints:

    1. `starts`, `sizes` and `steps` have one entry per axis of `x`.
    2. Sizes are at least 0, and steps are not 0.
    3. If a size is not 0, the first and the last position of its axis,
       `start` and `start + (size - 1) * step`, are in `[0, size of x)`.
    4. `result` has shape `sizes` and the element type of `x`.

    Example:

    ```mlir
    func.func @slice(%x: tensor<6x8xf32>) -> tensor<3x8xf32> {
      %0 = graph.slice %x starts = [5, 0] sizes = [3, 8] steps = [-2, 1] : (tensor<6x8xf32>) -> tensor<3x8xf32>
      return %0 : tensor<3x8xf32>
    }
    ```
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
  let description = [{
    Along `axis`, `result` holds the elements of the first input, then those of
    the second, and so on. Empty inputs contribute nothing.

    Constraints:

    1. There is at least 1 input; all inputs have one element type and rank.
    2. `axis` is in `[0, rank)`.
    3. The inputs have equal sizes on all other axes.
    4. `result` has these sizes, the sum of the sizes of `axis`, and the element
       type of the inputs.

    Example:

    ```mlir
    func.func @concat(%x: tensor<2x3xf32>, %y: tensor<2x1xf32>) -> tensor<2x4xf32> {
      %0 = graph.concat %x, %y axis = 1 : (tensor<2x3xf32>, tensor<2x1xf32>) -> tensor<2x4xf32>
      return %0 : tensor<2x4xf32>
    }
    ```
  }];
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
  let description = [{
    Part number `p` holds the elements of `x` from position `o` to before
    `o + sizes[p]` along `axis`, where `o` is the sum of the sizes before.

    Constraints:

    1. `axis` is in `[0, rank of x)`.
    2. There is at least 1 size; sizes are at least 0, and their sum is the size
       of `axis`.
    3. There is one result per size, with the sizes of `x` but this one along
       `axis`, and the element type of `x`.

    Example:

    ```mlir
    func.func @split(%x: tensor<2x4xf32>) -> (tensor<2x3xf32>, tensor<2x1xf32>) {
      %0, %1 = graph.split %x axis = 1 sizes = [3, 1] : (tensor<2x4xf32>) -> (tensor<2x3xf32>, tensor<2x1xf32>)
      return %0, %1 : tensor<2x3xf32>, tensor<2x1xf32>
    }
    ```
  }];
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
    `result[i]` is `x[i - low]` where that exists. Elsewhere, by `mode`:

    - `constant`: `value`, rounded to the element type.
    - `reflect`: `x` mirrored at its first or last element, which is not repeated.
    - `edge`: the first or last element along the axis.
    - `wrap`: `x[(i - low) mod size]`.

    Constraints:

    1. `low` and `high` have one entry per axis of `x`, at least 0.
    2. For `reflect`, an entry that is not 0 is below the size of its axis; for
       `edge` and `wrap`, this size is not 0.
    3. The size of an axis of `result` is `low + size of x + high`.
    4. `result` has the element type of `x`.

    Example:

    ```mlir
    func.func @pad(%x: tensor<2x3xf32>) -> tensor<2x6xf32> {
      %0 = graph.pad %x low = [0, 1] high = [0, 2] reflect value = 0.0 : (tensor<2x3xf32>) -> tensor<2x6xf32>
      return %0 : tensor<2x6xf32>
    }
    ```
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
  let description = [{
    `result[i]` is `x[j]`, where `j` is `size - 1 - i` along `axes`, and `i` along
    the others.

    Constraints:

    1. `axes` are constant, distinct, and in `[0, rank of x)`.
    2. `result` has the type of `x`.

    Example:

    ```mlir
    func.func @reverse(%x: tensor<2x3xf32>) -> tensor<2x3xf32> {
      %0 = graph.reverse %x axes = [1] : tensor<2x3xf32>
      return %0 : tensor<2x3xf32>
    }
    ```
  }];
  let arguments = (ins Graph_Tensor:$x, Graph_Ints:$axes);
  let results = (outs Graph_Tensor:$result);
  let assemblyFormat = "$x `axes` `=` custom<Ints>($axes) attr-dict custom<OperandTypes>(ref($x), type($x))";
  let hasFolder = 1;
}

def Graph_IotaOp : Graph_Primitive<"iota"> {
  let summary = "every element is its own position along an axis";
  let description = [{
    `result[i]` is the position of `i` along `axis`, converted to `element`;
    integers wrap.

    Constraints:

    1. `element` is f64, f32, f16, bf16, i64, i32, i8 or ui8.
    2. `axis` is in `[0, number of sizes in shape)`; sizes are at least 0.
    3. `result` has shape `shape` and elements of type `element`.

    Example:

    ```mlir
    func.func @iota() -> tensor<2x3xi64> {
      %0 = graph.iota shape = [2, 3] axis = 1 of i64 : () -> tensor<2x3xi64>
      return %0 : tensor<2x3xi64>
    }
    ```
  }];
  let arguments = (ins Graph_Ints:$shape, I64Attr:$axis, TypeAttr:$element);
  let results = (outs Graph_NumTensor:$result);
  let assemblyFormat = [{
    `shape` `=` custom<Ints>($shape) `axis` `=` $axis `of` $element
    attr-dict custom<Signature>(type($result))
  }];
}

#endif // TENON_GRAPH_SHAPE_OPS_TD
