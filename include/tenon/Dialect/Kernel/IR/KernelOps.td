//===- KernelOps.td - ops of the kernel dialect ---------------*- tablegen -*-===//
//
// Part of the Tenon project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef TENON_KERNEL_OPS_TD
#define TENON_KERNEL_OPS_TD

include "tenon/Dialect/Kernel/IR/TargetAttrs.td"

include "mlir/IR/OpBase.td"
include "mlir/IR/SymbolInterfaces.td"
include "mlir/Interfaces/SideEffectInterfaces.td"

def Kernel_CallOp : Op<Kernel_Dialect, "call",
    [Pure, IsolatedFromAbove, SingleBlock,
     SingleBlockImplicitTerminator<"YieldOp">]> {
  let summary = "runs a subgraph on a backend";
  let description = [{
    The block's arguments represent the operands, and the yielded values are the
    results. `pattern` names the subgraph for display and for cost databases.
    The semantics of the op are those of its region.

    Constraints:

    1. The region has one block, whose arguments have the types of the operands.
    2. It holds ops of the graph dialect and ends in `kernel.yield`, whose values
       have the types of the results.
    3. It uses no values from outside.

    Example:

    ```mlir
    func.func @main(%x: tensor<2x3xf32>, %w: tensor<3x4xf32>) -> tensor<2x4xf32> {
      %0 = kernel.call "onednn" "matmul+relu" (%x, %w) {
      ^bb0(%a: tensor<2x3xf32>, %b: tensor<3x4xf32>):
        %1 = graph.matmul %a, %b : (tensor<2x3xf32>, tensor<3x4xf32>) -> tensor<2x4xf32>
        %2 = graph.relu %1 : tensor<2x4xf32>
        kernel.yield %2 : tensor<2x4xf32>
      } : (tensor<2x3xf32>, tensor<3x4xf32>) -> tensor<2x4xf32>
      return %0 : tensor<2x4xf32>
    }
    ```
  }];
  let arguments = (ins StrAttr:$backend, StrAttr:$pattern,
                       Variadic<AnyRankedTensor>:$inputs);
  let results = (outs Variadic<AnyRankedTensor>:$outputs);
  let regions = (region SizedRegion<1>:$body);
  let assemblyFormat = [{
    $backend $pattern `(` $inputs `)` $body attr-dict
    `:` functional-type($inputs, $outputs)
  }];
  let hasRegionVerifier = 1;
  let extraClassDeclaration = [{
    ::mlir::Block &getBodyBlock() { return getBody().front(); }
    ::mlir::ValueRange getYielded();
  }];
}

def Kernel_YieldOp : Op<Kernel_Dialect, "yield",
    [Pure, Terminator, HasParent<"CallOp">]> {
  let summary = "ends a kernel's region with its results";
  let description = [{
    Constraints:

    1. The op ends the region of a `kernel.call`.
    2. The values have the types of the call's results.

    Example:

    ```mlir
    func.func @main(%x: tensor<4xf32>) -> tensor<4xf32> {
      %0 = kernel.call "cpu" "neg" (%x) {
      ^bb0(%a: tensor<4xf32>):
        %1 = graph.neg %a : tensor<4xf32>
        kernel.yield %1 : tensor<4xf32>
      } : (tensor<4xf32>) -> tensor<4xf32>
      return %0 : tensor<4xf32>
    }
    ```
  }];
  let arguments = (ins Variadic<AnyRankedTensor>:$values);
  let assemblyFormat = "($values^ `:` type($values))? attr-dict";
  let builders = [OpBuilder<(ins), [{
    build($_builder, $_state, ::mlir::ValueRange());
  }]>];
}

#endif // TENON_KERNEL_OPS_TD
