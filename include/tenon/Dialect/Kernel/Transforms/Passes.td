//===- Passes.td - passes on targets --------------------------*- tablegen -*-===//
//
// Part of the Tenon project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef TENON_KERNEL_PASSES_TD
#define TENON_KERNEL_PASSES_TD

include "mlir/Pass/PassBase.td"

def KernelSetTarget : Pass<"kernel-set-target", "::mlir::ModuleOp"> {
  let summary = "Say what a module is compiled for";
  let description = [{
    Input: a module. Output: the same with `kernel.target`, and with
    `graph.version`, the version of Tenon's dialects. What the options do
    not state stays as the module says, or is the default: the CPUs
    `cpu:x86-64-v3` and `cpu:x86-64-v4`, `fp = reassociate` and
    `precision = f32`. Fails if a target is unknown, if the targets and the
    precision exclude each other, or if kernels were placed for another kind of
    device or other numerics.

    Example, with `--kernel-set-target=targets=cuda:sm_90`:

    ```mlir
    module {
    }
    ```

    becomes

    ```mlir
    module attributes {
      graph.version = #graph.version<1>,
      kernel.target = #kernel.target<[#kernel.cuda<"sm_90">],
          #kernel.numerics<fp = reassociate, precision = f32>>
    } {
    }
    ```
  }];
  let options = [
    Option<"targets", "targets", "std::string", /*default=*/"",
           "A list, such as cpu:x86-64-v3,cuda:sm_90; default: as the module "
           "says">,
    Option<"fp", "fp", "std::string", /*default=*/"",
           "strict, reassociate or finite; default: as the module says">,
    Option<"precision", "precision", "std::string", /*default=*/"",
           "f32, tf32, f16 or bf16; default: as the module says">
  ];
  let dependentDialects = ["::tenon::kernel::KernelDialect"];
}

def KernelOrderCalls : Pass<"kernel-order-calls", "::mlir::func::FuncOp"> {
  let summary = "Move calls to where the lives of tensors are short";
  let description = [{
    Input: a function of `kernel.call` ops. Output: the same calls, in an order in
    which no step has more live bytes than before: a call moves up, behind what
    it reads and behind the other readers of the tensors that it is the last to
    read, if these are larger than its results. What is returned has memory of the
    caller; sizes that are symbols count as 128. Never fails.

    Example, with `--kernel-order-calls`:

    ```mlir
    func.func @main(%x: tensor<4x8xf32>) -> (tensor<8xf32>, tensor<4x8xf32>) {
      %0 = kernel.call "cpu" "exp" (%x) {
      ^bb0(%a0: tensor<4x8xf32>):
        %e = graph.exp %a0 : tensor<4x8xf32>
        kernel.yield %e : tensor<4x8xf32>
      } : (tensor<4x8xf32>) -> tensor<4x8xf32>
      %1 = kernel.call "cpu" "neg" (%x) {
      ^bb0(%a0: tensor<4x8xf32>):
        %e = graph.neg %a0 : tensor<4x8xf32>
        kernel.yield %e : tensor<4x8xf32>
      } : (tensor<4x8xf32>) -> tensor<4x8xf32>
      %2 = kernel.call "cpu" "sum" (%0) {
      ^bb0(%a0: tensor<4x8xf32>):
        %e = graph.reduce_sum %a0 axes = [0] : (tensor<4x8xf32>) -> tensor<8xf32>
        kernel.yield %e : tensor<8xf32>
      } : (tensor<4x8xf32>) -> tensor<8xf32>
      return %2, %1 : tensor<8xf32>, tensor<4x8xf32>
    }
    ```

    becomes

    ```mlir
    func.func @main(%x: tensor<4x8xf32>) -> (tensor<8xf32>, tensor<4x8xf32>) {
      %0 = kernel.call "cpu" "exp" (%x) {
      ^bb0(%a0: tensor<4x8xf32>):
        %e = graph.exp %a0 : tensor<4x8xf32>
        kernel.yield %e : tensor<4x8xf32>
      } : (tensor<4x8xf32>) -> tensor<4x8xf32>
      %1 = kernel.call "cpu" "sum" (%0) {
      ^bb0(%a0: tensor<4x8xf32>):
        %e = graph.reduce_sum %a0 axes = [0] : (tensor<4x8xf32>) -> tensor<8xf32>
        kernel.yield %e : tensor<8xf32>
      } : (tensor<4x8xf32>) -> tensor<8xf32>
      %2 = kernel.call "cpu" "neg" (%x) {
      ^bb0(%a0: tensor<4x8xf32>):
        %e = graph.neg %a0 : tensor<4x8xf32>
        kernel.yield %e : tensor<4x8xf32>
      } : (tensor<4x8xf32>) -> tensor<4x8xf32>
      return %1, %2 : tensor<8xf32>, tensor<4x8xf32>
    }
    ```
  }];
  let statistics = [
    Statistic<"numMoved", "num-moved", "Calls that moved up">
  ];
}

#endif // TENON_KERNEL_PASSES_TD
