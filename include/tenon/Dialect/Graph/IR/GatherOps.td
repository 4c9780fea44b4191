//===- GatherOps.td - reads and writes at indices -------------*- tablegen -*-===//
//
// Part of the Tenon project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Negative indices count from the end, as in ONNX.
//
//===----------------------------------------------------------------------===//

#ifndef TENON_GRAPH_GATHER_OPS_TD
#define TENON_GRAPH_GATHER_OPS_TD

include "tenon/Dialect/Graph/IR/GraphOpsBase.td"

def Graph_GatherOp : Graph_Primitive<"gather"> {
  let summary = "slices of x along an axis, chosen by indices";
  let description = [{
    `result[a..., i..., b...] = x[a..., indices[i...], b...]`, where the index
    stands at `axis`. An index below 0 counts from the end; one that is out of
    range is clamped into it.

    Constraints:

    1. `axis` is in `[0, rank of x)`; its size is at least 1, unless `indices` is
       empty.
    2. `result` has the sizes of `x` with those of `indices` in the place of
       `axis`, and the element type of `x`.

    Example:

    ```mlir
    func.func @gather(%x: tensor<5x4xf32>, %i: tensor<2x3xi64>) -> tensor<2x3x4xf32> {
      %0 = graph.gather %x, %i axis = 0 : (tensor<5x4xf32>, tensor<2x3xi64>) -> tensor<2x3x4xf32>
      return %0 : tensor<2x3x4xf32>
    }
    ```
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
  let description = [{
    `result[i]` is `x[j]`, where `j` is `indices[i]` along `axis`, and `i` along
    the others. An index below 0 counts from the end; one that is out of range
    is clamped into it.

    Constraints:

    1. `axis` is in `[0, rank of x)`; its size is at least 1, unless `indices` is
       empty.
    2. `indices` has the rank of `x`, and on the other axes at most its sizes.
    3. `result` has the shape of `indices` and the element type of `x`.

    Example:

    ```mlir
    func.func @gather_elements(%x: tensor<5x4xf32>, %i: tensor<2x4xi64>) -> tensor<2x4xf32> {
      %0 = graph.gather_elements %x, %i axis = 0 : (tensor<5x4xf32>, tensor<2x4xi64>) -> tensor<2x4xf32>
      return %0 : tensor<2x4xf32>
    }
    ```
  }];
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
  let description = [{
    `result[b..., i..., r...] = x[b..., indices[b..., i..., :]..., r...]`: the last
    axis of `indices` holds positions on as many axes of `x`, after
    `batch_dims` axes `b...` that both have. An index below 0 counts from the
    end; one that is out of range is clamped into it.

    Constraints:

    1. `batch_dims` is at least 0 and below the ranks of `x` and `indices`.
    2. The last axis of `indices` has a constant size, from 1 to the rank of `x`
       less `batch_dims`.
    3. The first `batch_dims` sizes of `x` and `indices` are equal.
    4. Axes of `x` that are indexed have at least 1 element, unless the result's
       `b..., i...` are empty.
    5. `result` has the sizes `b..., i..., r...` and the element type of `x`.

    Example:

    ```mlir
    func.func @gather_nd(%x: tensor<5x4x3xf32>, %i: tensor<7x2xi64>) -> tensor<7x3xf32> {
      %0 = graph.gather_nd %x, %i batch_dims = 0 : (tensor<5x4x3xf32>, tensor<7x2xi64>) -> tensor<7x3xf32>
      return %0 : tensor<7x3xf32>
    }
    ```
  }];
  let arguments = (ins Graph_Tensor:$x, Graph_IndexTensor:$indices,
                       I64Attr:$batch_dims);
  let results = (outs Graph_Tensor:$result);
  let assemblyFormat = [{
    $x `,` $indices `batch_dims` `=` $batch_dims attr-dict
    custom<Signature>(ref($x), type($x), ref($indices), type($indices), type($result))
  }];
}

def Graph_ScatterReduction : I32EnumAttr<"ScatterReduction",
    "how updates combine with existing elements", [
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
    `result` is `x`, but for every `i` in `indices`, the element at `j`, which is
    `indices[i]` along `axis` and `i` along the others, is combined with
    `updates[i]`: replaced for `none`, else added, multiplied, or the larger or
    smaller of both. If several updates replace one element, the last one in
    row-major order wins. An index below 0 counts from the end; updates whose
    index is out of range are dropped.

    Constraints:

    1. `axis` is in `[0, rank of x)`.
    2. `indices` and `updates` have one shape, of the rank of `x` and on the other
       axes at most its sizes.
    3. `updates` has the element type of `x`; for i1, `reduction` is `none`.
    4. `result` has the type of `x`.

    Example:

    ```mlir
    func.func @scatter_elements(%x: tensor<5x4xf32>, %i: tensor<2x4xi64>, %u: tensor<2x4xf32>) -> tensor<5x4xf32> {
      %0 = graph.scatter_elements %x, %i, %u axis = 0 add : (tensor<5x4xf32>, tensor<2x4xi64>, tensor<2x4xf32>) -> tensor<5x4xf32>
      return %0 : tensor<5x4xf32>
    }
    ```
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
  let description = [{
    `result` is `x`, but for every `i...`, the slice
    `x[indices[i..., :]..., r...]` is combined with `updates[i..., r...]`. The last
    axis of `indices` holds positions on as many leading axes of `x`.
    Reductions, ties and indices out of range are those of
    `graph.scatter_elements`.

    Constraints:

    1. `x` and `indices` have rank 1 or more.
    2. The last axis of `indices` has a constant size, from 1 to the rank of `x`.
    3. `updates` has the sizes of `indices` without its last axis, then those of
       `x` that are not indexed.
    4. `updates` has the element type of `x`; for i1, `reduction` is `none`.
    5. `result` has the type of `x`.

    Example:

    ```mlir
    func.func @scatter_nd(%x: tensor<5x4xf32>, %i: tensor<2x1xi64>, %u: tensor<2x4xf32>) -> tensor<5x4xf32> {
      %0 = graph.scatter_nd %x, %i, %u none : (tensor<5x4xf32>, tensor<2x1xi64>, tensor<2x4xf32>) -> tensor<5x4xf32>
      return %0 : tensor<5x4xf32>
    }
    ```
  }];
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

#endif // TENON_GRAPH_GATHER_OPS_TD
