//===- CollectiveOps.td - what ranks compute together ---------*- tablegen -*-===//
//
// Part of the Tenon project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef TENON_GRAPH_COLLECTIVE_OPS_TD
#define TENON_GRAPH_COLLECTIVE_OPS_TD

include "tenon/Dialect/Graph/IR/GraphOpsBase.td"

def Graph_AllReduceOp : Graph_Op<"all_reduce",
    [DeclareOpInterfaceMethods<Graph_CollectiveInterface>,
     SameOperandsAndResultType]> {
  let summary = "the sum over ranks";
  let description = [{
    A function with a mesh is run by each position of it, the ranks. Each element
    of `result` is the sum of the elements of `x` at the same index, of all ranks
    that differ along `axes` of the mesh only: with r the coordinates along
    `axes`, s the other ones, and i the index, result[r, s, i] is the sum over q
    of x[q, s, i]. So these ranks have equal results. Integers wrap.

    Constraints:

    1. There is an axis; axes are distinct, and their names not empty.
    2. If the function has a mesh (`pipe.mesh`), this has them.

    Example:

    ```mlir
    func.func @norm(%x: tensor<4xf32>) -> tensor<f32> {
      %0 = graph.mul %x, %x : tensor<4xf32>
      %1 = graph.reduce_sum %0 axes = [0] : (tensor<4xf32>) -> tensor<f32>
      %2 = graph.all_reduce %1 over ["data"] : tensor<f32>
      return %2 : tensor<f32>
    }
    ```
  }];
  let arguments = (ins Graph_NumTensor:$x, StrArrayAttr:$axes);
  let results = (outs Graph_NumTensor:$result);
  let assemblyFormat = [{
    $x `over` $axes attr-dict custom<OperandTypes>(ref($x), type($x))
  }];
  let hasVerifier = 1;
}

#endif // TENON_GRAPH_COLLECTIVE_OPS_TD
