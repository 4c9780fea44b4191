// The ops that cuBLASLt takes, and those that it leaves to generated code.
// RUN: tenon-opt %s --split-input-file --kernel-set-target=targets=cuda:sm_90 "--graph-place=plan=all:cublaslt" | FileCheck %s
// RUN: tenon-opt %s --split-input-file --kernel-set-target=targets=cuda:sm_90 "--graph-place=without=cublaslt" | FileCheck %s --check-prefix=WITHOUT
// RUN: tenon-opt %s --split-input-file --kernel-set-target=targets=cuda:sm_90 "--graph-place=plan=all:cuda" | FileCheck %s --check-prefix=WITHOUT
// RUN: tenon-opt %s --split-input-file "--kernel-set-target=targets=cuda:sm_90 fp=strict" --graph-place | FileCheck %s --check-prefix=WITHOUT
// RUN: tenon-opt %s --split-input-file --graph-place | FileCheck %s --check-prefix=CPU
// RUN: tenon-opt %s --split-input-file --kernel-set-target=targets=cuda:sm_90 --graph-place | FileCheck %s --check-prefix=MIXED

// WITHOUT-NOT: cublaslt
// WITHOUT: kernel.call "cuda"
// WITHOUT-NOT: cublaslt
// CPU-NOT: "{{cuda|cublaslt|cudnn}}"

// A bias, what is added, and relu.
// CHECK-LABEL: @chain
// CHECK: kernel.call "cublaslt" "matmul+add+add+relu"
func.func @chain(%x: tensor<64x128xf32>, %w: tensor<96x128xf32>, %b: tensor<96xf32>, %r: tensor<64x96xf32>) -> tensor<64x96xf32> {
  %0 = graph.matmul %x, %w transpose_b : (tensor<64x128xf32>, tensor<96x128xf32>) -> tensor<64x96xf32>
  %1 = graph.broadcast %b shape = [64, 96] : (tensor<96xf32>) -> tensor<64x96xf32>
  %2 = graph.add %1, %0 : tensor<64x96xf32>
  %3 = graph.add %2, %r : tensor<64x96xf32>
  %4 = graph.relu %3 : tensor<64x96xf32>
  return %4 : tensor<64x96xf32>
}

// -----

// By the costs, large products go to the library; what is elementwise stays.
// MIXED-LABEL: @large
// MIXED: kernel.call "cublaslt" "matmul"(
// MIXED: kernel.call "cuda" "tanh+exp"
// CHECK-LABEL: @large
func.func @large(%x: tensor<4096x4096xf32>, %w: tensor<4096x4096xf32>) -> tensor<4096x4096xf32> {
  %0 = graph.matmul %x, %w : (tensor<4096x4096xf32>, tensor<4096x4096xf32>) -> tensor<4096x4096xf32>
  %1 = graph.tanh %0 : tensor<4096x4096xf32>
  %2 = graph.exp %1 : tensor<4096x4096xf32>
  return %2 : tensor<4096x4096xf32>
}

// -----

// Gelu by tanh is the library's, gelu by erf is not.
// CHECK-LABEL: @gelu
// CHECK: kernel.call "cublaslt" "matmul+gelu"
// CHECK: kernel.call "cublaslt" "matmul"(
// CHECK: kernel.call "cuda" "gelu"
func.func @gelu(%x: tensor<64x64xbf16>) -> tensor<64x64xbf16> {
  %0 = graph.matmul %x, %x : (tensor<64x64xbf16>, tensor<64x64xbf16>) -> tensor<64x64xbf16>
  %1 = graph.gelu %0 tanh : tensor<64x64xbf16>
  %2 = graph.matmul %1, %x : (tensor<64x64xbf16>, tensor<64x64xbf16>) -> tensor<64x64xbf16>
  %3 = graph.gelu %2 : tensor<64x64xbf16>
  return %3 : tensor<64x64xbf16>
}

// -----

// A number per row is no bias, and clip no epilogue.
// CHECK-LABEL: @others
// CHECK: kernel.call "cublaslt" "matmul"(
// CHECK: kernel.call "cuda" "broadcast+add+clip"
func.func @others(%x: tensor<64x64xf16>, %b: tensor<64x1xf16>) -> tensor<64x64xf16> {
  %0 = graph.matmul %x, %x : (tensor<64x64xf16>, tensor<64x64xf16>) -> tensor<64x64xf16>
  %1 = graph.broadcast %b shape = [64, 64] : (tensor<64x1xf16>) -> tensor<64x64xf16>
  %2 = graph.add %0, %1 : tensor<64x64xf16>
  %3 = graph.clip %2 low = 0.0, high = 6.0 : tensor<64x64xf16>
  return %3 : tensor<64x64xf16>
}

// -----

// Heads of one sequence are read and written where they lie ...
// CHECK-LABEL: @heads
// CHECK: kernel.call "cublaslt" "transpose+transpose+matmul+transpose"
// CHECK-NOT: kernel.call
func.func @heads(%q: tensor<1x16x8x32xf32>, %k: tensor<1x16x8x32xf32>) -> tensor<1x16x8x16xf32> {
  %0 = graph.transpose %q perm = [0, 2, 1, 3] : (tensor<1x16x8x32xf32>) -> tensor<1x8x16x32xf32>
  %1 = graph.transpose %k perm = [0, 2, 1, 3] : (tensor<1x16x8x32xf32>) -> tensor<1x8x16x32xf32>
  %2 = graph.matmul %0, %1 transpose_b : (tensor<1x8x16x32xf32>, tensor<1x8x16x32xf32>) -> tensor<1x8x16x16xf32>
  %3 = graph.transpose %2 perm = [0, 2, 1, 3] : (tensor<1x8x16x16xf32>) -> tensor<1x16x8x16xf32>
  return %3 : tensor<1x16x8x16xf32>
}

// -----

// ... of several they are not one stride apart.
// CHECK-LABEL: @several
// CHECK-DAG: kernel.call "cublaslt" "matmul"(
// CHECK-NOT: transpose+{{.*}}matmul
func.func @several(%q: tensor<2x16x8x32xf32>, %k: tensor<2x16x8x32xf32>) -> tensor<2x8x16x16xf32> {
  %0 = graph.transpose %q perm = [0, 2, 1, 3] : (tensor<2x16x8x32xf32>) -> tensor<2x8x16x32xf32>
  %1 = graph.transpose %k perm = [0, 2, 1, 3] : (tensor<2x16x8x32xf32>) -> tensor<2x8x16x32xf32>
  %2 = graph.matmul %0, %1 transpose_b : (tensor<2x8x16x32xf32>, tensor<2x8x16x32xf32>) -> tensor<2x8x16x16xf32>
  return %2 : tensor<2x8x16x16xf32>
}

// -----

// Batches of symbolic sizes; a sum over a symbolic size, which may be 0, takes
// nothing along but activations.
// CHECK-LABEL: @symbolic
// CHECK: kernel.call "cublaslt" "matmul+relu"
// CHECK: kernel.call "cublaslt" "matmul"(
// CHECK: kernel.call "cuda" "broadcast+add"
func.func @symbolic(%p: tensor<?x8x?x?xf32, #graph.dims<n, 8, s, s>>, %v: tensor<?x8x?x64xf32, #graph.dims<n, 8, s, 64>>, %b: tensor<64xf32>) -> (tensor<?x8x?x64xf32, #graph.dims<n, 8, s, 64>>, tensor<?x8x?x64xf32, #graph.dims<n, 8, s, 64>>) {
  %0 = graph.matmul %p, %v : (tensor<?x8x?x?xf32, #graph.dims<n, 8, s, s>>, tensor<?x8x?x64xf32, #graph.dims<n, 8, s, 64>>) -> tensor<?x8x?x64xf32, #graph.dims<n, 8, s, 64>>
  %1 = graph.relu %0 : tensor<?x8x?x64xf32, #graph.dims<n, 8, s, 64>>
  %2 = graph.matmul %p, %1 : (tensor<?x8x?x?xf32, #graph.dims<n, 8, s, s>>, tensor<?x8x?x64xf32, #graph.dims<n, 8, s, 64>>) -> tensor<?x8x?x64xf32, #graph.dims<n, 8, s, 64>>
  %3 = graph.broadcast %b shape = [n, 8, s, 64] : (tensor<64xf32>) -> tensor<?x8x?x64xf32, #graph.dims<n, 8, s, 64>>
  %4 = graph.add %2, %3 : tensor<?x8x?x64xf32, #graph.dims<n, 8, s, 64>>
  return %1, %4 : tensor<?x8x?x64xf32, #graph.dims<n, 8, s, 64>>, tensor<?x8x?x64xf32, #graph.dims<n, 8, s, 64>>
}

// -----

// Integers, doubles, and a matrix that is broadcast along one of two axes.
// CHECK-LABEL: @none
// CHECK-NOT: cublaslt
func.func @none(%i: tensor<64x64xi32>, %d: tensor<64x64xf64>, %p: tensor<4x8x16x16xf32>, %s: tensor<1x8x16x16xf32>) -> (tensor<64x64xi32>, tensor<64x64xf64>, tensor<4x8x16x16xf32>) {
  %0 = graph.matmul %i, %i : (tensor<64x64xi32>, tensor<64x64xi32>) -> tensor<64x64xi32>
  %1 = graph.matmul %d, %d : (tensor<64x64xf64>, tensor<64x64xf64>) -> tensor<64x64xf64>
  %2 = graph.matmul %p, %s : (tensor<4x8x16x16xf32>, tensor<1x8x16x16xf32>) -> tensor<4x8x16x16xf32>
  return %0, %1, %2 : tensor<64x64xi32>, tensor<64x64xf64>, tensor<4x8x16x16xf32>
}
