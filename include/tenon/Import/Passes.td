//===- Passes.td - conversion to the graph dialect ------------*- tablegen -*-===//
//
// Part of the Tenon project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef TENON_IMPORT_PASSES_TD
#define TENON_IMPORT_PASSES_TD

include "mlir/Pass/PassBase.td"

def TosaToGraph : Pass<"tosa-to-graph", "::mlir::ModuleOp"> {
  let summary = "Convert functions of tosa ops to the graph dialect";
  let description = [{
    Input: functions of tosa ops on floating-point and integer tensors.
    Output: the same functions of graph ops, with every broadcast explicit.
    Dynamic sizes of arguments without a name get names (d0, d1, ...); sizes of
    results follow from them. Layouts stay as tosa has them: channels last.
    Fails when an op is quantized (zero points that are not 0, rescale, table),
    has control flow, or has no counterpart; all such ops are reported in one
    run.

    Example, with `--tosa-to-graph`:

    ```mlir
    func.func @main(%x: tensor<2x3xf32>, %y: tensor<1x3xf32>) -> tensor<2x3xf32> {
      %0 = tosa.add %x, %y : (tensor<2x3xf32>, tensor<1x3xf32>) -> tensor<2x3xf32>
      return %0 : tensor<2x3xf32>
    }
    ```

    becomes

    ```mlir
    func.func @main(%x: tensor<2x3xf32>, %y: tensor<1x3xf32>) -> tensor<2x3xf32> {
      %0 = graph.broadcast %y shape = [2, 3] : (tensor<1x3xf32>) -> tensor<2x3xf32>
      %1 = graph.add %x, %0 : tensor<2x3xf32>
      return %1 : tensor<2x3xf32>
    }
    ```
  }];
  let dependentDialects = ["::tenon::graph::GraphDialect"];
  let statistics = [
    Statistic<"numConverted", "num-converted", "tosa ops converted">
  ];
}

#endif // TENON_IMPORT_PASSES_TD
