// A placed or lowered model keeps the mode that its kernels were chosen for.
// RUN: tenon-compile %s --stop-after=place -o %t.placed.mlir
// RUN: tenon-compile %s --stop-after=lower -o %t.lowered.mlir
// RUN: not tenon-compile %t.placed.mlir --fp=strict --stop-after=place -o - 2>&1 | FileCheck %s
// RUN: not tenon-compile %t.placed.mlir --fp=strict -o %t.so 2>&1 | FileCheck %s
// RUN: not tenon-compile %t.lowered.mlir --fp=strict -o %t.so 2>&1 | FileCheck %s
// CHECK: error: --fp: expected reassociate, which the kernels of this placed model were chosen for, but got strict
// RUN: tenon-compile %t.placed.mlir --fp=reassociate -o %t.so
// RUN: tenon-compile %t.lowered.mlir --fp=reassociate -o %t.so --force
func.func @main(%x: tensor<64x64xf32>) -> tensor<64x64xf32> {
  %0 = graph.matmul %x, %x : (tensor<64x64xf32>, tensor<64x64xf32>) -> tensor<64x64xf32>
  return %0 : tensor<64x64xf32>
}
