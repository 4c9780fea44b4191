//===- Passes.td - passes on pipelined programs ---------------*- tablegen -*-===//
//
// Part of the Tenon project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef TENON_PIPE_PASSES_TD
#define TENON_PIPE_PASSES_TD

include "mlir/Pass/PassBase.td"

def PipeInline : Pass<"pipe-inline", "::mlir::ModuleOp"> {
  let summary = "Turn what several ranks do into one function";
  let description = [{
    Input: a module with one `pipe.program`, or with functions that have a mesh.
    Output: the module with a function `main` that does on one device what the
    program does on several, and without what its ranks run (`program.ranks`) and
    their tasks; or with functions that do what all ranks do, whose
    inputs and outputs have those of the ranks along a new first axis: over
    `#pipe.mesh<"data" = 2>`, one from `tensor<3xf32>` to `tensor<f32>` becomes one
    from `tensor<2x3xf32>` to `tensor<2xf32>`.
    Fails when the module has neither, or functions with a mesh have other ops
    than graph ops, states, or unknown sizes.

    Example, with `--pipe-inline`:

    ```mlir
    pipe.program @main(%x: tensor<4xf32>) -> tensor<4xf32>
        inputs ["x"] outputs ["y"] ranks 2 {
      %0 = pipe.stage @first on 0 (%a = %x : tensor<4xf32>) -> tensor<4xf32> {
        %1 = graph.relu %a : tensor<4xf32>
        pipe.yield %1 : tensor<4xf32>
      }
      %2 = pipe.stage @second on 1 (%a = %0 : tensor<4xf32>) -> tensor<4xf32> {
        %1 = graph.neg %a : tensor<4xf32>
        pipe.yield %1 : tensor<4xf32>
      }
      pipe.yield %2 : tensor<4xf32>
    }
    ```

    becomes

    ```mlir
    func.func @main(%x: tensor<4xf32> {graph.name = "x"}) -> (tensor<4xf32> {graph.name = "y"}) {
      %0 = graph.relu %x : tensor<4xf32>
      %1 = graph.neg %0 : tensor<4xf32>
      return %1 : tensor<4xf32>
    }
    ```
  }];
  let dependentDialects = ["::mlir::func::FuncDialect"];
  let statistics = [
    Statistic<"numInlined", "num-inlined", "Stages that were inlined">
  ];
}

#endif // TENON_PIPE_PASSES_TD
