//===- Passes.td - lowering to upstream dialects --------------*- tablegen -*-===//
//
// Part of the Tenon project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef TENON_LOWER_PASSES_TD
#define TENON_LOWER_PASSES_TD

include "mlir/Pass/PassBase.td"

def GpuStripTimes : Pass<"gpu-strip-times"> {
  let summary = "Remove the measured times from GPU objects";
  let description = [{
    Input: any op. Output: the same, in which the objects of `gpu.binary` ops
    have no properties that record how long their compilation took, so that
    equal sources produce equal bytes. Never fails.
  }];
  let statistics = [
    Statistic<"numStripped", "num-stripped", "Properties that were removed">
  ];
  let dependentDialects = ["::mlir::gpu::GPUDialect"];
}

def GpuExpandMath : Pass<"gpu-expand-math"> {
  let summary = "Turn functions of numbers into arithmetic";
  let description = [{
    Input: any op. Output: the same, in which `math` ops of f32 that have no
    GPU instruction (exponentials, logarithms, trigonometric and hyperbolic
    functions, powers, erf) are computed by upstream's polynomials. The pass is
    for systems without libdevice, NVIDIA's library of such functions. Never
    fails: ops of other types are not changed, and gpu-replace-libdevice fails
    on them.
  }];
  let statistics = [
    Statistic<"numExpanded", "num-expanded", "math ops that were replaced">
  ];
  let dependentDialects = [
    "::mlir::arith::ArithDialect", "::mlir::math::MathDialect",
    "::mlir::vector::VectorDialect"
  ];
}

def GpuReplaceLibdevice : Pass<"gpu-replace-libdevice"> {
  let summary = "Turn calls of libdevice into instructions";
  let description = [{
    Input: code in the LLVM dialect. Output: the same, in which calls of
    libdevice's functions that a GPU has an instruction for (absolute values,
    roots, rounding, fused multiply-adds, minima, maxima) are the corresponding
    LLVM intrinsics. Fails on calls of other functions of libdevice.

    Example, with `--gpu-replace-libdevice`:

    ```mlir
    llvm.func @__nv_sqrtf(f32) -> f32
    llvm.func @main(%x: f32) -> f32 {
      %0 = llvm.call @__nv_sqrtf(%x) : (f32) -> f32
      llvm.return %0 : f32
    }
    ```

    becomes

    ```mlir
    llvm.func @__nv_sqrtf(f32) -> f32
    llvm.func @main(%x: f32) -> f32 {
      %0 = llvm.intr.sqrt(%x) : (f32) -> f32
      llvm.return %0 : f32
    }
    ```
  }];
  let statistics = [
    Statistic<"numReplaced", "num-replaced", "Calls that were replaced">
  ];
  let dependentDialects = ["::mlir::LLVM::LLVMDialect"];
}

def GraphToLinalg : Pass<"graph-to-linalg", "::mlir::ModuleOp"> {
  let summary = "Turn graph functions into linalg on tensors";
  let description = [{
    Input: functions of primitive graph ops. Output: the same functions over
    tensors without named dimensions and with signless integers. Every op
    becomes a `linalg.generic`, built from its index form. Loads through
    permutations of the loops are its operands, and other loads are
    `tensor.extract` ops in its body. A reduction at the root has reduction
    loops. Parameters become arguments of the same name. Fails if an op is
    opaque or a composite (run --graph-decompose), or if a size is not
    determined by the arguments' shapes.

    Example, with `--graph-to-linalg`:

    ```mlir
    func.func @main(%x: tensor<4xf32>) -> tensor<4xf32> {
      %0 = graph.exp %x : tensor<4xf32>
      return %0 : tensor<4xf32>
    }
    ```

    becomes

    ```mlir
    func.func @main(%x: tensor<4xf32>) -> tensor<4xf32> {
      %0 = tensor.empty() : tensor<4xf32>
      %1 = linalg.generic {indexing_maps = [affine_map<(d0) -> (d0)>, affine_map<(d0) -> (d0)>], iterator_types = ["parallel"]} ins(%x : tensor<4xf32>) outs(%0 : tensor<4xf32>) {
      ^bb0(%in: f32, %out: f32):
        %2 = linalg.index 0 : index
        %3 = math.exp %in fastmath<contract> : f32
        linalg.yield %3 : f32
      } -> tensor<4xf32>
      return %1 : tensor<4xf32>
    }
    ```
  }];
  let statistics = [
    Statistic<"numConverted", "num-converted", "graph ops that were converted">
  ];
  let dependentDialects = [
    "::mlir::arith::ArithDialect", "::mlir::linalg::LinalgDialect",
    "::mlir::math::MathDialect", "::mlir::scf::SCFDialect",
    "::mlir::tensor::TensorDialect"
  ];
}

def ProgramExpandSplats : Pass<"program-expand-splats", "::mlir::ModuleOp"> {
  let summary = "Fill large constants of one repeated value at load";
  let description = [{
    Input: a module of program.targets. Output: the same, in which constants of
    64 KiB and more whose elements are all equal become prepared buffers, which
    a step of load fills from one element, so that the artifact is smaller.
    Other constants and targets for GPUs are not changed. Never fails.
  }];
  let statistics = [
    Statistic<"numExpanded", "num-expanded", "Constants that are filled">
  ];
  let dependentDialects = [
    "::tenon::program::ProgramDialect", "::mlir::LLVM::LLVMDialect"
  ];
}

def ProgramPlanArena : Pass<"program-plan-arena", "::mlir::ModuleOp"> {
  let summary = "Place the buffers of the arena";
  let description = [{
    Input: a module of program.targets. Output: the same, in which every buffer
    of the arena has an offset, for entries (and the load) whose buffers all
    have constant sizes. The runtime places other buffers, because it knows
    their sizes. Never fails.

    Example, with `--program-plan-arena`:

    ```mlir
    program.target cpu {
      program.entry @main {
        %x = program.input "x" : tensor<4xf32>
        %y = program.output "y" : tensor<4xf32>
        %a = program.arena : tensor<4xf32> live 0 to 1
        %b = program.arena : tensor<4xf32> live 1 to 2
        program.run {
          program.copy "copy to a" %x to %a
          program.copy "copy to b" %a to %b
          program.copy "copy to y" %b to %y
        }
      }
    }
    ```

    becomes

    ```mlir
    program.target cpu {
      program.entry @main {
        %x = program.input "x" : tensor<4xf32>
        %y = program.output "y" : tensor<4xf32>
        %a = program.arena : tensor<4xf32> live 0 to 1 at 0
        %b = program.arena : tensor<4xf32> live 1 to 2 at 64
        program.run {
          program.copy "copy to a" %x to %a
          program.copy "copy to b" %a to %b
          program.copy "copy to y" %b to %y
        }
      }
    }
    ```
  }];
  let statistics = [
    Statistic<"numPlaced", "num-placed", "Buffers that got a place">
  ];
  let dependentDialects = ["::tenon::program::ProgramDialect"];
}

#endif // TENON_LOWER_PASSES_TD
