// RUN: tenon-interpret %s --domain=f32 | FileCheck %s
// RUN: tenon-interpret %s --domain=f32 --naive | FileCheck %s
// RUN: tenon-opt %s --canonicalize -o %t.mlir
// RUN: tenon-interpret %t.mlir --domain=f32 | FileCheck %s

func.func @main() -> (tensor<1x1x3xf32>, tensor<1x1x3xi64>, tensor<1x1x2xf32>, tensor<1x1x1xui8>, tensor<1x1x1x2xi64>, tensor<1x1x2xf32>, tensor<1x1x2xf32>, tensor<1x1x5xf32>, tensor<1x1x1xf32>, tensor<1x3x1xf32>) {
  // NaN wins; the last window of ceil hangs over the end.
  %v0_0 = graph.constant dense<[[[1.0, 3.0, 3.0, 2.0, 0x7FC00000, 5.0, 4.0]]]> : tensor<1x1x7xf32>
  // CHECK: result0 = f32 1x1x3 [3, nan, 4]
  %0 = graph.max_pool %v0_0 kernel = [2] strides = [3] pads = [0, 0] dilations = [1] ceil channels_first : (tensor<1x1x7xf32>) -> tensor<1x1x3xf32>
  // The first of equal elements, and NaN, is where the maximum is.
  %v1_0 = graph.constant dense<[[[1.0, 3.0, 3.0, 2.0, 0x7FC00000, 5.0, 4.0]]]> : tensor<1x1x7xf32>
  // CHECK: result1 = i64 1x1x3 [1, 4, 4]
  %1 = graph.argmax_pool %v1_0 kernel = [3] strides = [2] pads = [0, 0] dilations = [1] channels_first : (tensor<1x1x7xf32>) -> tensor<1x1x3xi64>
  // Padding never wins, not against negative elements either.
  %v2_0 = graph.constant dense<[[[-5.0, -3.0]]]> : tensor<1x1x2xf32>
  // CHECK: result2 = f32 1x1x2 [-3, -3]
  %2 = graph.max_pool %v2_0 kernel = [3] strides = [1] pads = [1, 1] dilations = [1] channels_first : (tensor<1x1x2xf32>) -> tensor<1x1x2xf32>
  // Of unsigned elements, 200 is more than 100.
  %v3_0 = graph.constant dense<[[[200, 100]]]> : tensor<1x1x2xui8>
  // CHECK: result3 = u8 1x1x1 [200]
  %3 = graph.max_pool %v3_0 kernel = [2] strides = [1] pads = [0, 0] dilations = [1] channels_first : (tensor<1x1x2xui8>) -> tensor<1x1x1xui8>
  // column_major swaps the spatial axes in the number only.
  %v4_0 = graph.constant dense<[[[[1.0, 2.0, 9.0], [3.0, 4.0, 5.0]]]]> : tensor<1x1x2x3xf32>
  // CHECK: result4 = i64 1x1x1x2 [3, 4]
  %4 = graph.argmax_pool %v4_0 kernel = [2, 2] strides = [1, 1] pads = [0, 0, 0, 0] dilations = [1, 1] channels_first column_major : (tensor<1x1x2x3xf32>) -> tensor<1x1x1x2xi64>
  // The mean of what is there.
  %v5_0 = graph.constant dense<[[[2.0, 4.0, 6.0]]]> : tensor<1x1x3xf32>
  // CHECK: result5 = f32 1x1x2 [2, 5]
  %5 = graph.avg_pool %v5_0 kernel = [2] strides = [2] pads = [1, 0] dilations = [1] ceil channels_first : (tensor<1x1x3xf32>) -> tensor<1x1x2xf32>
  // With padding, but not with the overhang of ceil.
  %v6_0 = graph.constant dense<[[[2.0, 4.0, 6.0]]]> : tensor<1x1x3xf32>
  // CHECK: result6 = f32 1x1x2 [2, 3.3333{{[0-9]*}}]
  %6 = graph.avg_pool %v6_0 kernel = [3] strides = [2] pads = [1, 1] dilations = [1] ceil channels_first count_include_pad : (tensor<1x1x3xf32>) -> tensor<1x1x2xf32>
  // A window of dilation 2 that only partly lies inside.
  %v7_0 = graph.constant dense<[[[2.0, 4.0, 6.0]]]> : tensor<1x1x3xf32>
  // CHECK: result7 = f32 1x1x5 [2, 4, 4, 4, 6]
  %7 = graph.avg_pool %v7_0 kernel = [2] strides = [1] pads = [2, 2] dilations = [2] channels_first : (tensor<1x1x3xf32>) -> tensor<1x1x5xf32>
  // The 1-norm.
  %v8_0 = graph.constant dense<[[[-3.0, 4.0, 5.0]]]> : tensor<1x1x3xf32>
  // CHECK: result8 = f32 1x1x1 [12]
  %8 = graph.lp_pool %v8_0 kernel = [3] strides = [1] pads = [0, 0] dilations = [1] channels_first p = 1 : (tensor<1x1x3xf32>) -> tensor<1x1x1xf32>
  // One more channel above than below, where the size is even.
  %v9_0 = graph.constant dense<[[[1.0], [2.0], [4.0]]]> : tensor<1x3x1xf32>
  // CHECK: result9 = f32 1x3x1 [0.1666{{[0-9]*}}, 0.0952{{[0-9]*}}, 0.2352{{[0-9]*}}]
  %9 = graph.lrn %v9_0 size = 2 alpha = 2.0 beta = 1.0 bias = 1.0 : tensor<1x3x1xf32>
  return %0, %1, %2, %3, %4, %5, %6, %7, %8, %9 : tensor<1x1x3xf32>, tensor<1x1x3xi64>, tensor<1x1x2xf32>, tensor<1x1x1xui8>, tensor<1x1x1x2xi64>, tensor<1x1x2xf32>, tensor<1x1x2xf32>, tensor<1x1x5xf32>, tensor<1x1x1xf32>, tensor<1x3x1xf32>
}
