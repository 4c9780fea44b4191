//===- Passes.td - lowering of graphs, programs and GPU code --*- tablegen -*-===//
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

def GpuSaturateIndices : Pass<"gpu-saturate-indices"> {
  let summary = "Keep large indices large when indices have 32 bits";
  let description = [{
    Input: any op. Output: the same, in which integers that 32 bits may not
    hold are brought into their range before they become an index: larger ones
    become the largest, and smaller ones the smallest. The compiler runs this
    pass where indices are computed in 32 bits, which truncate: an index of a
    model that is out of range stays so, and does not become another one.

    Example, with `--gpu-saturate-indices`:

    ```mlir
    func.func @main(%number: i64) -> index {
      %index = arith.index_cast %number : i64 to index
      return %index : index
    }
    ```

    becomes

    ```mlir
    func.func @main(%number: i64) -> index {
      %most = arith.constant 2147483647 : i64
      %below = arith.minsi %number, %most : i64
      %least = arith.constant -2147483648 : i64
      %inside = arith.maxsi %below, %least : i64
      %index = arith.index_cast %inside : i64 to index
      return %index : index
    }
    ```
  }];
  let statistics = [
    Statistic<"numSaturated", "num-saturated",
              "Integers that are brought into range">
  ];
  let dependentDialects = ["::mlir::arith::ArithDialect"];
}

def GpuExpandMath : Pass<"gpu-expand-math"> {
  let summary = "Expand math ops that need libdevice into arithmetic";
  let description = [{
    Input: any op. Output: the same, in which `math` ops of f32 are replaced by
    arithmetic if they would become calls of functions of libdevice, NVIDIA's
    library of math functions, that gpu-replace-libdevice cannot replace.
    Exponentials, logarithms, trigonometric and hyperbolic functions, erf and
    cbrt are replaced by upstream's polynomial approximations, and others
    (`math.powf`, `math.round`, `math.rsqrt`, ...) by upstream's expansions.
    Some ops of other types are expanded, too. Those that remain (such as
    `math.exp` of f64) become calls of libdevice, on which
    gpu-replace-libdevice fails. The compiler runs this pass if the CUDA
    toolkit has no libdevice.
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
  let summary = "Replace calls of libdevice by LLVM intrinsics";
  let description = [{
    Input: code in the LLVM dialect. Output: the same, in which calls of the
    libdevice functions for absolute values, square roots, rounding (floor,
    ceil, trunc, rint), fused multiply-adds, minima, maxima and copysign are
    replaced by LLVM intrinsics, for which GPUs have instructions. Fails on
    calls of other libdevice functions (`__nv_*`).

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

def ProgramLowerKernels
    : Pass<"program-lower-kernels", "::mlir::ModuleOp"> {
  let summary = "Lower the loops of kernels for CPUs to the LLVM dialect";
  let description = [{
    Input: a module of `program.target` ops whose kernels are functions of loops.
    Output: the same, whose kernels are in the LLVM dialect. Functions of f32 become
    polynomials, as wide as the vectors of the target's CPU; with `fp =
    reassociate` in the module's `kernel.target`, multiplications and additions
    may be fused. Kernels that are in the LLVM dialect, and those of GPUs, are
    not changed. Fails if an op has no form in it.
  }];
  let dependentDialects = [
    "::tenon::program::ProgramDialect", "::mlir::LLVM::LLVMDialect"
  ];
}

def ProgramExpandSplats : Pass<"program-expand-splats", "::mlir::ModuleOp"> {
  let summary = "Fill large constants of one repeated value at load";
  let description = [{
    Input: a module of `program.target` ops. Output: the same, in which
    constants of 64 KiB and more whose elements are all equal become prepared
    buffers, which a step of load fills from one element, so that the artifact
    is smaller. Where an entry copies one, it is filled there; scatters onto one
    read the one element. Other constants and targets for GPUs are not changed.
    Never fails.
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
    Input: a module of `program.target` and `program.ranks` ops. Output: the same,
    in which the buffers of the arena have offsets, for each `program.entry`,
    `program.prepare` and `program.rank` in which all of them have constant sizes.
    The runtime places other buffers, because it knows their sizes. Where all
    buffers have offsets, these stay. Never fails.

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
    Statistic<"numPlaced", "num-placed", "Buffers that were given an offset">
  ];
  let dependentDialects = ["::tenon::program::ProgramDialect"];
}

#endif // TENON_LOWER_PASSES_TD
