// The device of the module's policy.
// RUN: tenon-opt %s --graph-place=plan=all:cuda | FileCheck %s
// RUN: tenon-opt %s "--graph-place=plan=all:cpu device=cpu" | FileCheck %s --check-prefix=CPU
// RUN: not tenon-opt %s --graph-place=plan=all:cpu 2>&1 | FileCheck %s --check-prefix=OTHER

// CHECK: kernel.call "cuda" "matmul"
// CPU: kernel.call "cpu" "matmul"
// OTHER: error: expected the plan 'mixed', or 'all:' and one of cuda
module attributes {kernel.target = #kernel.target<device = cuda, archs = ["sm_80"]>} {
  func.func @main(%x: tensor<64x64xf32>) -> tensor<64x64xf32> {
    %0 = graph.matmul %x, %x : (tensor<64x64xf32>, tensor<64x64xf32>) -> tensor<64x64xf32>
    return %0 : tensor<64x64xf32>
  }
}
