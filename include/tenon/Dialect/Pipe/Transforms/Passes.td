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
  let summary = "Turn a program back into one function";
  let description = [{
    Input: a module with one `pipe.program`. Output: the module with a function
    `main` that does on one device what the program does on several.
    Fails when the module has no program.

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
