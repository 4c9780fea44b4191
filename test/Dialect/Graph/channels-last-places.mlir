// RUN: tenon-opt %s --graph-channels-last --mlir-print-debuginfo --mlir-print-local-scope | FileCheck %s

// An operand that is laid out anew stays what its own op computes.

// CHECK-LABEL: func.func @main
func.func @main(%x: tensor<1x3x8x8xf32>, %w: tensor<4x3x1x1xf32>) -> tensor<1x4x8x8xf32> {
  // CHECK: %[[RELU:.*]] = graph.relu {{.*}} loc("producer")
  %0 = graph.relu %x : tensor<1x3x8x8xf32> loc("producer")
  // CHECK: graph.transpose %[[RELU]] {{.*}} loc("producer")
  // CHECK: graph.conv {{.*}} loc("reader")
  %1 = graph.conv %0, %w strides = [1, 1] pads = [0, 0, 0, 0] dilations = [1, 1] groups = 1 channels_first : (tensor<1x3x8x8xf32>, tensor<4x3x1x1xf32>) -> tensor<1x4x8x8xf32> loc("reader")
  return %1 : tensor<1x4x8x8xf32>
}
