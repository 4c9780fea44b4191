// Results worked out by hand.
// RUN: tenon-interpret %s | FileCheck %s
// RUN: tenon-interpret %s --naive | FileCheck %s
// RUN: tenon-interpret %s --domain=f32 | FileCheck %s

func.func @main() -> (tensor<2x2xf32> {graph.name = "product"},
                      tensor<2x2xf32> {graph.name = "transposed"},
                      tensor<1x1x3x3xf32> {graph.name = "conv"},
                      tensor<1x2x1xf32> {graph.name = "grouped"},
                      tensor<1x1x4xf32> {graph.name = "spread"},
                      tensor<1x1x2x2xf32> {graph.name = "largest"},
                      tensor<1x1x3xf32> {graph.name = "mean"}) {
  %a = graph.constant dense<[[1.0, 2.0, 3.0], [4.0, 5.0, 6.0]]> : tensor<2x3xf32>
  %b = graph.constant dense<[[1.0, 0.0], [0.0, 1.0], [2.0, -1.0]]> : tensor<3x2xf32>
  %0 = graph.matmul %a, %b : (tensor<2x3xf32>, tensor<3x2xf32>) -> tensor<2x2xf32>
  %1 = graph.matmul %a, %a transpose_b : (tensor<2x3xf32>, tensor<2x3xf32>) -> tensor<2x2xf32>
  %x = graph.constant dense<[[[[1.0, 2.0, 3.0], [4.0, 5.0, 6.0], [7.0, 8.0, 9.0]]]]> : tensor<1x1x3x3xf32>
  %w = graph.constant dense<1.0> : tensor<1x1x3x3xf32>
  %2 = graph.conv %x, %w strides = [1, 1] pads = [1, 1, 1, 1] dilations = [1, 1] groups = 1 channels_first
    : (tensor<1x1x3x3xf32>, tensor<1x1x3x3xf32>) -> tensor<1x1x3x3xf32>
  %y = graph.constant dense<[[[1.0, 2.0], [3.0, 4.0]]]> : tensor<1x2x2xf32>
  %v = graph.constant dense<[[[1.0, 10.0]], [[100.0, 1000.0]]]> : tensor<2x1x2xf32>
  %3 = graph.conv %y, %v strides = [1] pads = [0, 0] dilations = [1] groups = 2 channels_first
    : (tensor<1x2x2xf32>, tensor<2x1x2xf32>) -> tensor<1x2x1xf32>
  %z = graph.constant dense<[[[1.0, 2.0]]]> : tensor<1x1x2xf32>
  %u = graph.constant dense<[[[1.0, 10.0]]]> : tensor<1x1x2xf32>
  %4 = graph.conv_transpose %z, %u strides = [2] pads = [0, 0] dilations = [1] output_padding = [0] groups = 1
    : (tensor<1x1x2xf32>, tensor<1x1x2xf32>) -> tensor<1x1x4xf32>
  %5 = graph.max_pool %x kernel = [2, 2] strides = [1, 1] pads = [0, 0, 0, 0] dilations = [1, 1] channels_first
    : (tensor<1x1x3x3xf32>) -> tensor<1x1x2x2xf32>
  %6 = graph.avg_pool %z kernel = [2] strides = [1] pads = [1, 1] dilations = [1] channels_first
    : (tensor<1x1x2xf32>) -> tensor<1x1x3xf32>
  return %0, %1, %2, %3, %4, %5, %6
    : tensor<2x2xf32>, tensor<2x2xf32>, tensor<1x1x3x3xf32>, tensor<1x2x1xf32>,
      tensor<1x1x4xf32>, tensor<1x1x2x2xf32>, tensor<1x1x3xf32>
}

// CHECK: product = f32 2x2 [7, -1, 16, -1]
// CHECK: transposed = f32 2x2 [14, 32, 32, 77]
// CHECK: conv = f32 1x1x3x3 [12, 21, 16, 27, 45, 33, 24, 39, 28]
// CHECK: grouped = f32 1x2x1 [21, 4300]
// CHECK: spread = f32 1x1x4 [1, 10, 2, 20]
// CHECK: largest = f32 1x1x2x2 [5, 6, 8, 9]
// CHECK: mean = f32 1x1x3 [1, 1.5, 2]
