// RUN: tenon-opt %s --graph-place --split-input-file | FileCheck %s
// RUN: tenon-opt %s --graph-place=without=onednn --split-input-file | FileCheck %s --check-prefix=OWN

// A matmul takes bias, activation and residual along.
// CHECK-LABEL: func.func @chain
// CHECK: kernel.call "onednn" "matmul+add+relu+add"
// CHECK-NOT: kernel.call
// OWN-LABEL: func.func @chain
// OWN-NOT: onednn
func.func @chain(%x: tensor<32x64xf32>, %w: tensor<64x48xf32>, %b: tensor<48xf32>, %r: tensor<32x48xf32>) -> tensor<32x48xf32> {
  %0 = graph.matmul %x, %w : (tensor<32x64xf32>, tensor<64x48xf32>) -> tensor<32x48xf32>
  %1 = graph.broadcast %b shape = [32, 48] : (tensor<48xf32>) -> tensor<32x48xf32>
  %2 = graph.add %0, %1 : tensor<32x48xf32>
  %3 = graph.relu %2 : tensor<32x48xf32>
  %4 = graph.add %3, %r : tensor<32x48xf32>
  return %4 : tensor<32x48xf32>
}

// -----

// What others read ends the chain; a small product is not worth a call.
// CHECK-LABEL: func.func @shared
// CHECK: kernel.call "onednn" "matmul"(
// CHECK: kernel.call "cpu" "relu"
// CHECK: kernel.call "cpu" "matmul"
func.func @shared(%x: tensor<32x64xf32>, %w: tensor<64x48xf32>, %a: tensor<2x2xf32>) -> (tensor<32x48xf32>, tensor<32x48xf32>, tensor<2x2xf32>) {
  %0 = graph.matmul %x, %w : (tensor<32x64xf32>, tensor<64x48xf32>) -> tensor<32x48xf32>
  %1 = graph.relu %0 : tensor<32x48xf32>
  %2 = graph.matmul %a, %a : (tensor<2x2xf32>, tensor<2x2xf32>) -> tensor<2x2xf32>
  return %0, %1, %2 : tensor<32x48xf32>, tensor<32x48xf32>, tensor<2x2xf32>
}

// -----

// Reductions and what is computed from them share their rows in one kernel.
// CHECK-LABEL: func.func @softmax
// CHECK: kernel.call "cpu"
// CHECK-NOT: kernel.call
func.func @softmax(%x: tensor<64x128xf32>) -> tensor<64x128xf32> {
  %0 = graph.reduce_max %x axes = [1] keepdims : (tensor<64x128xf32>) -> tensor<64x1xf32>
  %1 = graph.broadcast %0 shape = [64, 128] : (tensor<64x1xf32>) -> tensor<64x128xf32>
  %2 = graph.sub %x, %1 : tensor<64x128xf32>
  %3 = graph.exp %2 : tensor<64x128xf32>
  %4 = graph.reduce_sum %3 axes = [1] keepdims : (tensor<64x128xf32>) -> tensor<64x1xf32>
  %5 = graph.broadcast %4 shape = [64, 128] : (tensor<64x1xf32>) -> tensor<64x128xf32>
  %6 = graph.div %3, %5 : tensor<64x128xf32>
  return %6 : tensor<64x128xf32>
}

// -----

// Generated code takes integers; reshapes move nothing.
// CHECK-LABEL: func.func @integers
// CHECK: kernel.call "cpu" "matmul"
// CHECK: graph.reshape
func.func @integers(%x: tensor<64x64xi32>) -> tensor<4096xi32> {
  %0 = graph.matmul %x, %x : (tensor<64x64xi32>, tensor<64x64xi32>) -> tensor<64x64xi32>
  %1 = graph.reshape %0 shape = [4096] : (tensor<64x64xi32>) -> tensor<4096xi32>
  return %1 : tensor<4096xi32>
}

// -----

// Transposes of heads are read and written by the product itself.
// CHECK-LABEL: func.func @heads
// CHECK: kernel.call "onednn" "transpose+transpose+matmul+transpose"
// CHECK-NOT: kernel.call
func.func @heads(%q: tensor<2x16x4x32xf32>, %k: tensor<2x16x4x32xf32>) -> tensor<2x16x4x16xf32> {
  %0 = graph.transpose %q perm = [0, 2, 1, 3] : (tensor<2x16x4x32xf32>) -> tensor<2x4x16x32xf32>
  %1 = graph.transpose %k perm = [0, 2, 1, 3] : (tensor<2x16x4x32xf32>) -> tensor<2x4x16x32xf32>
  %2 = graph.matmul %0, %1 transpose_b : (tensor<2x4x16x32xf32>, tensor<2x4x16x32xf32>) -> tensor<2x4x16x16xf32>
  %3 = graph.transpose %2 perm = [0, 2, 1, 3] : (tensor<2x4x16x16xf32>) -> tensor<2x16x4x16xf32>
  return %3 : tensor<2x16x4x16xf32>
}

// -----

// A subgraph that has grown too far since it was last planned is divided again.
// CHECK-LABEL: func.func @grows
// CHECK: kernel.call "cpu" "neg+tanh+neg+tanh+neg+tanh+neg+tanh"
// CHECK: kernel.call "cpu" "reduce_sum"
// CHECK: kernel.call "cpu" "broadcast+sub"
func.func @grows(%x: tensor<1x200000xf32>) -> tensor<1x200000xf32> {
  %0 = graph.neg %x : tensor<1x200000xf32>
  %1 = graph.tanh %0 : tensor<1x200000xf32>
  %2 = graph.neg %1 : tensor<1x200000xf32>
  %3 = graph.tanh %2 : tensor<1x200000xf32>
  %4 = graph.neg %3 : tensor<1x200000xf32>
  %5 = graph.tanh %4 : tensor<1x200000xf32>
  %6 = graph.neg %5 : tensor<1x200000xf32>
  %7 = graph.tanh %6 : tensor<1x200000xf32>
  %8 = graph.reduce_sum %7 axes = [1] keepdims : (tensor<1x200000xf32>) -> tensor<1x1xf32>
  %b = graph.broadcast %8 shape = [1, 200000] : (tensor<1x1xf32>) -> tensor<1x200000xf32>
  %9 = graph.sub %7, %b : tensor<1x200000xf32>
  return %9 : tensor<1x200000xf32>
}
