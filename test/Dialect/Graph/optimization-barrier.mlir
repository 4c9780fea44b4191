// No pass looks through a barrier, and none loses it.
// RUN: tenon-opt %s --cse --canonicalize --graph-decompose | FileCheck %s
// RUN: tenon-opt %s --graph-channels-last --canonicalize | FileCheck %s --check-prefix=LAST
// RUN: tenon-opt %s --graph-set-precision=precision=bf16 | FileCheck %s --check-prefix=HALF
// RUN: tenon-opt %s --graph-print-axis-flow -o /dev/null | FileCheck %s --check-prefix=FLOW
// RUN: tenon-interpret %s --entry again --input random:1 --input random:2 | FileCheck %s --check-prefix=VALUE

// RUN: tenon-compile %S/Inputs/barrier.mlir --emit=onnx -o %t.onnx
// RUN: tenon-import %t.onnx -o - | FileCheck %s --check-prefix=ONNX
// ONNX: %[[E:.*]] = graph.exp %arg0
// ONNX-NEXT: return %[[E]], %arg1

// Equal ops with and without it stay two.
// CHECK-LABEL: func.func @again
// CHECK: graph.exp %arg0
// CHECK: %[[HELD:.*]] = graph.optimization_barrier %arg0 after %arg1 : tensor<4xf32>, tensor<2xf32>
// CHECK: graph.exp %[[HELD]]
// FLOW: graph.optimization_barrier
// FLOW-NEXT: axis 0: x0 axis 0
// The difference of equal values.
// VALUE: f32 4 [0, 0, 0, 0]
func.func @again(%x: tensor<4xf32>, %g: tensor<2xf32>) -> tensor<4xf32> {
  %0 = graph.exp %x : tensor<4xf32>
  %1 = graph.optimization_barrier %x after %g : tensor<4xf32>, tensor<2xf32>
  %2 = graph.exp %1 : tensor<4xf32>
  %3 = graph.sub %0, %2 : tensor<4xf32>
  return %3 : tensor<4xf32>
}

// Transposes meet behind it.
// LAST-LABEL: func.func @conv
// LAST: %[[X:.*]] = graph.transpose %arg0
// LAST: %[[A:.*]] = graph.conv %[[X]]
// LAST: %[[H:.*]] = graph.optimization_barrier %[[A]] after %arg2
// LAST-NEXT: %[[B:.*]] = graph.conv %[[H]]
// LAST-NEXT: graph.transpose %[[B]]
// LAST-NEXT: return
func.func @conv(%x: tensor<1x4x8x8xf32>, %w: tensor<4x4x3x3xf32>, %g: tensor<2xf32>) -> tensor<1x4x8x8xf32> {
  %0 = graph.conv %x, %w strides = [1, 1] pads = [1, 1, 1, 1] dilations = [1, 1] groups = 1 channels_first : (tensor<1x4x8x8xf32>, tensor<4x4x3x3xf32>) -> tensor<1x4x8x8xf32>
  %1 = graph.optimization_barrier %0 after %g : tensor<1x4x8x8xf32>, tensor<2xf32>
  %2 = graph.conv %1, %w strides = [1, 1] pads = [1, 1, 1, 1] dilations = [1, 1] groups = 1 channels_first : (tensor<1x4x8x8xf32>, tensor<4x4x3x3xf32>) -> tensor<1x4x8x8xf32>
  return %2 : tensor<1x4x8x8xf32>
}

// In 16 bits between ops of 16 bits; the gate is what it is.
// HALF-LABEL: func.func @matmul
// HALF: graph.optimization_barrier %{{.*}} after %arg2 : tensor<4x4xbf16>, tensor<2xf32>
// HALF: graph.cos %{{.*}} : tensor<4x4xbf16>
func.func @matmul(%x: tensor<4x4xf32>, %w: tensor<4x4xf32>, %g: tensor<2xf32>) -> tensor<4x4xf32> {
  %0 = graph.matmul %x, %w : (tensor<4x4xf32>, tensor<4x4xf32>) -> tensor<4x4xf32>
  %1 = graph.optimization_barrier %0 after %g : tensor<4x4xf32>, tensor<2xf32>
  %2 = graph.cos %1 : tensor<4x4xf32>
  %3 = graph.matmul %2, %w : (tensor<4x4xf32>, tensor<4x4xf32>) -> tensor<4x4xf32>
  return %3 : tensor<4x4xf32>
}
