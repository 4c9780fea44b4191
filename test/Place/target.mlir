// The pass places for the device of the module's target, by its profile.
// RUN: tenon-opt %s --split-input-file --graph-place=plan=all:onednn | FileCheck %s
// RUN: tenon-opt %s --split-input-file --kernel-set-target=targets=cuda:sm_90 --graph-place | FileCheck %s --check-prefix=CUDA
// RUN: not tenon-opt %s --split-input-file --kernel-set-target=targets=cuda:sm_90 --graph-place=plan=all:cpu 2>&1 | FileCheck %s --check-prefix=OTHER
// OTHER: error: expected the plan 'mixed', or 'all:' and one of cuda
// RUN: not tenon-opt %s --split-input-file --kernel-set-target=targets=cuda:sm_90 --graph-place=profile=cpu 2>&1 | FileCheck %s --check-prefix=PROFILE
// PROFILE: error: profile 'cpu' is of the device cpu, but the target is cuda
// RUN: not tenon-opt %s --split-input-file --graph-place=profile=h100 2>&1 | FileCheck %s --check-prefix=GPU-PROFILE
// GPU-PROFILE: error: profile 'h100' is of the device cuda, but the target is cpu
// RUN: not tenon-opt %s --split-input-file --kernel-set-target=targets=cuda:sm_90,cpu:x86-64-v3 --graph-place 2>&1 | FileCheck %s --check-prefix=BOTH
// BOTH: error: expected a module for CPUs or for GPUs, whose graphs are placed one at a time, but got both

// CHECK-LABEL: module @usual
// CHECK: kernel.call "onednn" "matmul"
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
module @strict attributes {kernel.target = #kernel.target<[#kernel.cpu<"x86-64-v3">], #kernel.numerics<fp = strict, precision = f32>>} {
  func.func @main(%x: tensor<64x64xf32>) -> tensor<64x64xf32> {
    %0 = graph.matmul %x, %x : (tensor<64x64xf32>, tensor<64x64xf32>) -> tensor<64x64xf32>
    return %0 : tensor<64x64xf32>
  }
}
