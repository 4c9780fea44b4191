// The pass places under the policy of the module; its options say more.
// RUN: tenon-opt %s --split-input-file --graph-place=plan=all:onednn | FileCheck %s
// RUN: tenon-opt %s --split-input-file "--graph-place=plan=all:onednn strict" | FileCheck %s --check-prefix=STRICT
// RUN: tenon-opt %s --split-input-file "--graph-place=profile=h100 device=cuda" | FileCheck %s --check-prefix=CUDA
// RUN: not tenon-opt %s --split-input-file --graph-place=device=gpu 2>&1 | FileCheck %s --check-prefix=DEVICE

// DEVICE: error: expected the device cpu or cuda, but got 'gpu'

// CHECK-LABEL: module @usual
// CHECK: kernel.call "onednn" "matmul"
// STRICT-LABEL: module @usual
// STRICT: kernel.call "cpu" "matmul"
// CUDA-LABEL: module @usual
// CUDA: kernel.call "{{cublaslt|cuda}}" "matmul"
module @usual {
  func.func @main(%x: tensor<64x64xf32>) -> tensor<64x64xf32> {
    %0 = graph.matmul %x, %x : (tensor<64x64xf32>, tensor<64x64xf32>) -> tensor<64x64xf32>
    return %0 : tensor<64x64xf32>
  }
}

// -----

// CHECK-LABEL: module @strict
// CHECK: kernel.call "cpu" "matmul"
// STRICT-LABEL: module @strict
// STRICT: kernel.call "cpu" "matmul"
module @strict attributes {kernel.target = #kernel.target<fp = strict>} {
  func.func @main(%x: tensor<64x64xf32>) -> tensor<64x64xf32> {
    %0 = graph.matmul %x, %x : (tensor<64x64xf32>, tensor<64x64xf32>) -> tensor<64x64xf32>
    return %0 : tensor<64x64xf32>
  }
}
