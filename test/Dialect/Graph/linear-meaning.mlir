// RUN: tenon-interpret %s --domain=f32 | FileCheck %s
// RUN: tenon-interpret %s --domain=f32 --naive | FileCheck %s
// RUN: tenon-opt %s --canonicalize -o %t.mlir
// RUN: tenon-interpret %t.mlir --domain=f32 | FileCheck %s

// What the standard says in words, or leaves to the reader.
func.func @main() -> (tensor<1x4x3xf32>, tensor<1x1x3x2xf32>, tensor<1x1x8xf32>, tensor<1x4x4xf32>, tensor<1x1xf16>, tensor<1x1xi8>, tensor<2x1xf32>) {
  // Groups, a stride, a dilation and padding at once.
  %v0_0 = graph.constant dense<[[[1.0, 2.0, 3.0, 4.0, 5.0], [6.0, 7.0, 8.0, 9.0, 10.0], [11.0, 12.0, 13.0, 14.0, 15.0], [16.0, 17.0, 18.0, 19.0, 20.0]]]> : tensor<1x4x5xf32>
  %v0_1 = graph.constant dense<[[[1.0, 2.0], [0.0, 1.0]], [[1.0, 0.0], [0.0, 1.0]], [[1.0, 1.0], [1.0, 1.0]], [[0.0, -1.0], [2.0, 0.0]]]> : tensor<4x2x2xf32>
  // CHECK: result0 = f32 1x4x3 [11, 19, 4, 7, 11, 4, 29, 62, 33, -12, 20, 38]
  %0 = graph.conv %v0_0, %v0_1 strides = [2] pads = [1, 1] dilations = [2] groups = 2 channels_first : (tensor<1x4x5xf32>, tensor<4x2x2xf32>) -> tensor<1x4x3xf32>
  // Pads are all begins, then all ends.
  %v1_0 = graph.constant dense<[[[[1.0, 2.0, 3.0, 4.0], [5.0, 6.0, 7.0, 8.0], [9.0, 10.0, 11.0, 12.0]]]]> : tensor<1x1x3x4xf32>
  %v1_1 = graph.constant dense<[[[[1.0, 0.0], [0.0, 2.0]]]]> : tensor<1x1x2x2xf32>
  // CHECK: result1 = f32 1x1x3x2 [4, 8, 13, 19, 25, 31]
  %1 = graph.conv %v1_0, %v1_1 strides = [1, 2] pads = [1, 0, 0, 1] dilations = [1, 1] groups = 1 channels_first : (tensor<1x1x3x4xf32>, tensor<1x1x2x2xf32>) -> tensor<1x1x3x2xf32>
  // Between the elements of a wide stride, only some taps reach; output_padding
  // reaches none.
  %v2_0 = graph.constant dense<[[[1.0, 2.0, 3.0], [4.0, 5.0, 6.0]]]> : tensor<1x2x3xf32>
  %v2_1 = graph.constant dense<[[[1.0, 10.0, 100.0]], [[2.0, 0.0, 1.0]]]> : tensor<2x1x3xf32>
  // CHECK: result2 = f32 1x1x8 [9, 10, 116, 20, 220, 30, 306, 0]
  %2 = graph.conv_transpose %v2_0, %v2_1 strides = [2] pads = [0, 0] dilations = [1] output_padding = [1] groups = 1 : (tensor<1x2x3xf32>, tensor<2x1x3xf32>) -> tensor<1x1x8xf32>
  // Groups and dilation; the weight is [c, o / groups, kernel].
  %v3_0 = graph.constant dense<[[[1.0, 2.0, 3.0], [4.0, 5.0, 6.0]]]> : tensor<1x2x3xf32>
  %v3_1 = graph.constant dense<[[[1.0, 10.0], [0.0, 1.0]], [[2.0, 3.0], [1.0, 0.0]]]> : tensor<2x2x2xf32>
  // CHECK: result3 = f32 1x4x4 [2, 13, 20, 30, 0, 1, 2, 3, 10, 24, 15, 18, 5, 6, 0, 0]
  %3 = graph.conv_transpose %v3_0, %v3_1 strides = [1] pads = [1, 0] dilations = [2] output_padding = [0] groups = 2 : (tensor<1x2x3xf32>, tensor<2x2x2xf32>) -> tensor<1x4x4xf32>
  // Sums of f16 are formed in f32: 2048 + 1 is 2048 in f16.
  %v4_0 = graph.constant dense<[[2048.0, 1.0, 1.0]]> : tensor<1x3xf16>
  %v4_1 = graph.constant dense<[[1.0], [1.0], [1.0]]> : tensor<3x1xf16>
  // CHECK: result4 = f16 1x1 [2050]
  %4 = graph.matmul %v4_0, %v4_1 : (tensor<1x3xf16>, tensor<3x1xf16>) -> tensor<1x1xf16>
  // Integers wrap.
  %v5_0 = graph.constant dense<[[100, 100]]> : tensor<1x2xi8>
  %v5_1 = graph.constant dense<[[1], [1]]> : tensor<2x1xi8>
  // CHECK: result5 = i8 1x1 [-56]
  %5 = graph.matmul %v5_0, %v5_1 : (tensor<1x2xi8>, tensor<2x1xi8>) -> tensor<1x1xi8>
  // An empty sum is 0.
  %v6_0 = graph.constant dense<0.0> : tensor<2x0xf32>
  %v6_1 = graph.constant dense<0.0> : tensor<0x1xf32>
  // CHECK: result6 = f32 2x1 [0, 0]
  %6 = graph.matmul %v6_0, %v6_1 : (tensor<2x0xf32>, tensor<0x1xf32>) -> tensor<2x1xf32>
  return %0, %1, %2, %3, %4, %5, %6 : tensor<1x4x3xf32>, tensor<1x1x3x2xf32>, tensor<1x1x8xf32>, tensor<1x4x4xf32>, tensor<1x1xf16>, tensor<1x1xi8>, tensor<2x1xf32>
}
