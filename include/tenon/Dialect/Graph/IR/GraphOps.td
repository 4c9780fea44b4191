//===- GraphOps.td - all ops of the graph dialect -------------*- tablegen -*-===//
//
// Part of the Tenon project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef TENON_GRAPH_OPS_TD
#define TENON_GRAPH_OPS_TD

include "tenon/Dialect/Graph/IR/ActivationOps.td"
include "tenon/Dialect/Graph/IR/AttentionOps.td"
include "tenon/Dialect/Graph/IR/CollectiveOps.td"
include "tenon/Dialect/Graph/IR/ElementwiseOps.td"
include "tenon/Dialect/Graph/IR/GatherOps.td"
include "tenon/Dialect/Graph/IR/LinearOps.td"
include "tenon/Dialect/Graph/IR/LogicOps.td"
include "tenon/Dialect/Graph/IR/LossOps.td"
include "tenon/Dialect/Graph/IR/NormOps.td"
include "tenon/Dialect/Graph/IR/PoolOps.td"
include "tenon/Dialect/Graph/IR/ReduceOps.td"
include "tenon/Dialect/Graph/IR/ResizeOp.td"
include "tenon/Dialect/Graph/IR/ShapeOps.td"

def Graph_ConstantOp : Graph_Op<"constant", [ConstantLike,
    DeclareOpInterfaceMethods<InferTypeOpInterface>]> {
  let summary = "a tensor written in the module";
  let description = [{
    `result` is `value`. It is meant for small data; weights are
    `graph.parameter`.

    Constraints:

    1. `value` is of a ranked tensor type with an element type of the dialect.
    2. `result` has this type.

    Example:

    ```mlir
    func.func @constant() -> tensor<2xf32> {
      %0 = graph.constant dense<[1.0, 2.0]> : tensor<2xf32>
      return %0 : tensor<2xf32>
    }
    ```
  }];
  let arguments = (ins ElementsAttr:$value);
  let results = (outs Graph_Tensor:$result);
  let assemblyFormat = "attr-dict $value";
  let hasFolder = 1;
}

def Graph_ParameterOp : Graph_Op<"parameter"> {
  let summary = "a weight, by its name in the safetensors file";
  let description = [{
    `result` is the tensor of this name in the file that the module's attribute
    `graph.params` names, or that the tool is given. Entries of one module that
    name the same weight share it.

    Training changes each weight of a floating-point type, except those with a
    `buffer`: the reason why the weight is not a parameter of the model, such
    as "a mask".

    Constraints:

    1. The name is not empty.
    2. `result` has a static shape.

    Example:

    ```mlir
    func.func @parameter() -> tensor<2x3xf32> {
      %0 = graph.parameter @weight : tensor<2x3xf32>
      return %0 : tensor<2x3xf32>
    }
    func.func @buffer() -> tensor<4x4xf32> {
      %0 = graph.parameter @mask buffer("a mask") : tensor<4x4xf32>
      return %0 : tensor<4x4xf32>
    }
    ```
  }];
  let arguments = (ins FlatSymbolRefAttr:$name,
                       OptionalAttr<StrAttr>:$buffer);
  let results = (outs Graph_Tensor:$result);
  let assemblyFormat = [{
    $name (`buffer` `(` $buffer^ `)`)? attr-dict `:` type($result)
  }];
  let extraClassDeclaration = [{
    /// Whether it is of a floating-point type and no buffer.
    bool isTrainable();
  }];
  let hasVerifier = 1;
}

#endif // TENON_GRAPH_OPS_TD
