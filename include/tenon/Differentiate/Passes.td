//===- Passes.td - differentiation ----------------------------*- tablegen -*-===//
//
// Part of the Tenon project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef TENON_DIFFERENTIATE_PASSES_TD
#define TENON_DIFFERENTIATE_PASSES_TD

include "mlir/Pass/PassBase.td"

def GraphDifferentiate : Pass<"graph-differentiate", "::mlir::ModuleOp"> {
  let summary = "Add the gradient of a function, in reverse mode";
  let description = [{
    Input: a module with graph functions. Output: the same, and for the function
    `function` a public function `NAME_gradient` that returns its results and
    then gradients. They are the derivatives of result number `of`, in the order
    of `wrt`, with the types of the values that they belong to. A result that
    is not a scalar has a further argument, its cotangent: the gradients are
    then the product of the cotangent and the Jacobian. With `split`, there are
    functions `NAME_backward_inputs` and `NAME_backward_weights` instead, of the
    same arguments: the first returns the gradients of arguments, the second
    those of parameters.

    Adjoints of linear ops are proved (rules/adjoints). Where a function is not
    differentiable, derivatives are those that training frameworks use: relu has
    0 at 0, equal operands of a maximum share the cotangent, and a max_pool
    gives it to the first of equal elements.

    Fails when: there is no such function, result or name; a name of `wrt` is
    that of an argument and of a parameter; an op between a
    value of `wrt` and the result has no derivative; the result does not depend
    on a value of `wrt` that was named; a size has no name; a state is read
    after such a value was written to it; a function that writes states is to be
    split.

    Example, with `--graph-differentiate`:

    ```mlir
    func.func @main(%x: tensor<4xf32>) -> tensor<f32> {
      %0 = graph.exp %x : tensor<4xf32>
      %1 = graph.reduce_sum %0 axes = [0] : (tensor<4xf32>) -> tensor<f32>
      return %1 : tensor<f32>
    }
    ```

    becomes

    ```mlir
    func.func @main(%x: tensor<4xf32>) -> tensor<f32> {
      %0 = graph.exp %x : tensor<4xf32>
      %1 = graph.reduce_sum %0 axes = [0] : (tensor<4xf32>) -> tensor<f32>
      return %1 : tensor<f32>
    }
    func.func @main_gradient(%x: tensor<4xf32>) -> (tensor<f32>, tensor<4xf32>) {
      %0 = graph.exp %x : tensor<4xf32>
      %1 = graph.reduce_sum %0 axes = [0] : (tensor<4xf32>) -> tensor<f32>
      %2 = graph.constant dense<1.000000e+00> : tensor<f32>
      %3 = graph.reshape %2 shape = [1] : (tensor<f32>) -> tensor<1xf32>
      %4 = graph.broadcast %3 shape = [4] : (tensor<1xf32>) -> tensor<4xf32>
      %5 = graph.mul %4, %0 : tensor<4xf32>
      return %1, %5 : tensor<f32>, tensor<4xf32>
    }
    ```
  }];
  let dependentDialects = ["::tenon::graph::GraphDialect"];
  let options = [
    Option<"function", "function", "std::string", "\"main\"",
           "The function to differentiate">,
    Option<"of", "of", "unsigned", "0", "The number of the result">,
    ListOption<"wrt", "wrt", "std::string",
               "Names of arguments and parameters, or '#N' for argument N; all "
               "that are floating-point where empty">,
    Option<"split", "split", "bool", "false",
           "Whether arguments and parameters get functions of their own">
  ];
  let statistics = [
    Statistic<"numGradients", "num-gradients", "Gradients computed">
  ];
}

#endif // TENON_DIFFERENTIATE_PASSES_TD
