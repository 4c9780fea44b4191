// RUN: tenon-opt %s | tenon-opt | FileCheck %s
// RUN: tenon-opt --mlir-print-op-generic %s | tenon-opt | FileCheck %s
// RUN: tenon-opt --emit-bytecode %s | tenon-opt | FileCheck %s

// CHECK-LABEL: func.func @same
func.func @same(%x: tensor<1x8x9x9xf32>, %w: tensor<6x8x3x3xf32>) {
  // CHECK: graph.conv %{{.*}}, %{{.*}} strides = [1, 1] pads = [1, 1, 1, 1] dilations = [1, 1] groups = 1 channels_first : (tensor<1x8x9x9xf32>, tensor<6x8x3x3xf32>) -> tensor<1x6x9x9xf32>
  %0 = graph.conv %x, %w strides = [1, 1] pads = [1, 1, 1, 1] dilations = [1, 1] groups = 1 channels_first : (tensor<1x8x9x9xf32>, tensor<6x8x3x3xf32>) -> tensor<1x6x9x9xf32>
  return
}

// CHECK-LABEL: func.func @one_spatial_axis
func.func @one_spatial_axis(%x: tensor<2x4x10xf32>, %w: tensor<4x1x3xf32>) {
  // CHECK: graph.conv %{{.*}}, %{{.*}} strides = [2] pads = [0, 1] dilations = [2] groups = 4 channels_first : (tensor<2x4x10xf32>, tensor<4x1x3xf32>) -> tensor<2x4x4xf32>
  %0 = graph.conv %x, %w strides = [2] pads = [0, 1] dilations = [2] groups = 4 channels_first : (tensor<2x4x10xf32>, tensor<4x1x3xf32>) -> tensor<2x4x4xf32>
  return
}

// CHECK-LABEL: func.func @channels_last
func.func @channels_last(%x: tensor<1x5x6x7x8xf16>, %w: tensor<6x8x3x3x3xf16>) {
  // CHECK: graph.conv %{{.*}}, %{{.*}} strides = [1, 1, 1] pads = [0, 0, 0, 0, 0, 0] dilations = [1, 1, 1] groups = 1 channels_last : (tensor<1x5x6x7x8xf16>, tensor<6x8x3x3x3xf16>) -> tensor<1x3x4x5x6xf16>
  %0 = graph.conv %x, %w strides = [1, 1, 1] pads = [0, 0, 0, 0, 0, 0] dilations = [1, 1, 1] groups = 1 channels_last : (tensor<1x5x6x7x8xf16>, tensor<6x8x3x3x3xf16>) -> tensor<1x3x4x5x6xf16>
  return
}

// CHECK-LABEL: func.func @symbolic_sizes
func.func @symbolic_sizes(%x: tensor<?x3x?x?xf32, #graph.dims<n, 3, h, w>>, %w: tensor<8x3x3x3xf32>) {
  // CHECK: graph.conv %{{.*}}, %{{.*}} strides = [2, 1] pads = [1, 1, 1, 1] dilations = [1, 1] groups = 1 channels_first : (tensor<?x3x?x?xf32, #graph.dims<n, 3, h, w>>, tensor<8x3x3x3xf32>) -> tensor<?x8x?x?xf32, #graph.dims<n, 8, ((h + 1) floordiv (2)), w>>
  %0 = graph.conv %x, %w strides = [2, 1] pads = [1, 1, 1, 1] dilations = [1, 1] groups = 1 channels_first : (tensor<?x3x?x?xf32, #graph.dims<n, 3, h, w>>, tensor<8x3x3x3xf32>) -> tensor<?x8x?x?xf32, #graph.dims<n, 8, ((h + 1) floordiv (2)), w>>
  return
}

// CHECK-LABEL: func.func @symbolic_parameters
func.func @symbolic_parameters(%x: tensor<?x?x?xf32, #graph.dims<n, c * g, w>>, %w: tensor<?x?x?xf32, #graph.dims<o * g, c, k>>) {
  // CHECK: graph.conv %{{.*}}, %{{.*}} strides = [1] pads = [p, p] dilations = [d] groups = g channels_first : (tensor<?x?x?xf32, #graph.dims<n, c * g, w>>, tensor<?x?x?xf32, #graph.dims<g * o, c, k>>) -> tensor<?x?x?xf32, #graph.dims<n, g * o, d - d * k + 2 * p + w>>
  %0 = graph.conv %x, %w strides = [1] pads = [p, p] dilations = [d] groups = g channels_first : (tensor<?x?x?xf32, #graph.dims<n, c * g, w>>, tensor<?x?x?xf32, #graph.dims<g * o, c, k>>) -> tensor<?x?x?xf32, #graph.dims<n, g * o, d - d * k + 2 * p + w>>
  return
}

// CHECK-LABEL: func.func @transposed
func.func @transposed(%x: tensor<1x4x5xf32>, %w: tensor<4x3x3xf32>) {
  // CHECK: graph.conv_transpose %{{.*}}, %{{.*}} strides = [2] pads = [1, 1] dilations = [1] output_padding = [1] groups = 2 : (tensor<1x4x5xf32>, tensor<4x3x3xf32>) -> tensor<1x6x10xf32>
  %0 = graph.conv_transpose %x, %w strides = [2] pads = [1, 1] dilations = [1] output_padding = [1] groups = 2 : (tensor<1x4x5xf32>, tensor<4x3x3xf32>) -> tensor<1x6x10xf32>
  return
}

// CHECK-LABEL: func.func @transposed_symbolic
func.func @transposed_symbolic(%x: tensor<?x4x?xf32, #graph.dims<n, 4, w>>, %w: tensor<4x3x2xf32>) {
  // CHECK: graph.conv_transpose %{{.*}}, %{{.*}} strides = [2] pads = [0, 0] dilations = [1] output_padding = [0] groups = 1 : (tensor<?x4x?xf32, #graph.dims<n, 4, w>>, tensor<4x3x2xf32>) -> tensor<?x3x?xf32, #graph.dims<n, 3, 2 * w>>
  %0 = graph.conv_transpose %x, %w strides = [2] pads = [0, 0] dilations = [1] output_padding = [0] groups = 1 : (tensor<?x4x?xf32, #graph.dims<n, 4, w>>, tensor<4x3x2xf32>) -> tensor<?x3x?xf32, #graph.dims<n, 3, 2 * w>>
  return
}

// CHECK-LABEL: func.func @transposed_last
func.func @transposed_last(%x: tensor<1x5x7x4xf32>, %w: tensor<4x3x3x2xf32>) {
  // CHECK: graph.conv_transpose %{{.*}}, %{{.*}} strides = [2, 1] pads = [1, 0, 1, 0] dilations = [1, 1] output_padding = [1, 0] groups = 2 channels_last : (tensor<1x5x7x4xf32>, tensor<4x3x3x2xf32>) -> tensor<1x10x8x6xf32>
  %0 = graph.conv_transpose %x, %w strides = [2, 1] pads = [1, 0, 1, 0] dilations = [1, 1] output_padding = [1, 0] groups = 2 channels_last : (tensor<1x5x7x4xf32>, tensor<4x3x3x2xf32>) -> tensor<1x10x8x6xf32>
  return
}

// CHECK-LABEL: func.func @backward_weight
func.func @backward_weight(%x: tensor<2x4x9xf32>, %y: tensor<2x6x4xf32>, %l: tensor<2x9x8x4xf16>, %m: tensor<2x4x8x6xf16>,
    %s: tensor<?x?x?xf32, #graph.dims<n, g * c, w>>, %t: tensor<?x?x?xf32, #graph.dims<n, g * o, m>>) {
  // CHECK: graph.conv_backward_weight %{{.*}}, %{{.*}} kernel = [3] strides = [2] pads = [1] dilations = [1] groups = 2 : (tensor<2x4x9xf32>, tensor<2x6x4xf32>) -> tensor<6x2x3xf32>
  %0 = graph.conv_backward_weight %x, %y kernel = [3] strides = [2] pads = [1] dilations = [1] groups = 2 : (tensor<2x4x9xf32>, tensor<2x6x4xf32>) -> tensor<6x2x3xf32>
  // CHECK: graph.conv_backward_weight %{{.*}}, %{{.*}} kernel = [3, 1] strides = [2, 1] pads = [0, 0] dilations = [1, 2] groups = 1 channels_last : (tensor<2x9x8x4xf16>, tensor<2x4x8x6xf16>) -> tensor<6x4x3x1xf16>
  %1 = graph.conv_backward_weight %l, %m kernel = [3, 1] strides = [2, 1] pads = [0, 0] dilations = [1, 2] groups = 1 channels_last : (tensor<2x9x8x4xf16>, tensor<2x4x8x6xf16>) -> tensor<6x4x3x1xf16>
  // CHECK: graph.conv_backward_weight %{{.*}}, %{{.*}} kernel = [k] strides = [s] pads = [p] dilations = [d] groups = g : ({{.*}}) -> tensor<?x?x?xf32, #graph.dims<g * o, c, k>>
  %2 = graph.conv_backward_weight %s, %t kernel = [k] strides = [s] pads = [p] dilations = [d] groups = g : (tensor<?x?x?xf32, #graph.dims<n, g * c, w>>, tensor<?x?x?xf32, #graph.dims<n, g * o, m>>) -> tensor<?x?x?xf32, #graph.dims<g * o, c, k>>
  return
}
