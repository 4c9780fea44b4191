// RUN: tenon-opt %s | tenon-opt | FileCheck %s
// RUN: tenon-opt --mlir-print-op-generic %s | tenon-opt | FileCheck %s
// RUN: tenon-opt --emit-bytecode %s | tenon-opt | FileCheck %s

// CHECK-LABEL: func.func @max
func.func @max(%x: tensor<1x2x7x7xf32>) {
  // CHECK: graph.max_pool %{{.*}} kernel = [3, 2] strides = [2, 1] pads = [1, 0, 1, 0] dilations = [1, 2] channels_first : (tensor<1x2x7x7xf32>) -> tensor<1x2x4x5xf32>
  %0 = graph.max_pool %x kernel = [3, 2] strides = [2, 1] pads = [1, 0, 1, 0] dilations = [1, 2] channels_first : (tensor<1x2x7x7xf32>) -> tensor<1x2x4x5xf32>
  return
}

// CHECK-LABEL: func.func @max_ceil
func.func @max_ceil(%x: tensor<1x2x7xi8>) {
  // CHECK: graph.max_pool %{{.*}} kernel = [2] strides = [2] pads = [0, 0] dilations = [1] ceil channels_first : (tensor<1x2x7xi8>) -> tensor<1x2x4xi8>
  %0 = graph.max_pool %x kernel = [2] strides = [2] pads = [0, 0] dilations = [1] ceil channels_first : (tensor<1x2x7xi8>) -> tensor<1x2x4xi8>
  return
}

// CHECK-LABEL: func.func @max_ceil_starts_inside
func.func @max_ceil_starts_inside(%x: tensor<1x2x6xf32>) {
  // CHECK: graph.max_pool %{{.*}} kernel = [1] strides = [4] pads = [0, 0] dilations = [1] ceil channels_first : (tensor<1x2x6xf32>) -> tensor<1x2x2xf32>
  %0 = graph.max_pool %x kernel = [1] strides = [4] pads = [0, 0] dilations = [1] ceil channels_first : (tensor<1x2x6xf32>) -> tensor<1x2x2xf32>
  return
}

// CHECK-LABEL: func.func @max_symbolic
func.func @max_symbolic(%x: tensor<?x?x2xf32, #graph.dims<n, w, 2>>) {
  // CHECK: graph.max_pool %{{.*}} kernel = [k] strides = [1] pads = [0, 0] dilations = [1] channels_last : (tensor<?x?x2xf32, #graph.dims<n, w, 2>>) -> tensor<?x?x2xf32, #graph.dims<n, -k + w + 1, 2>>
  %0 = graph.max_pool %x kernel = [k] strides = [1] pads = [0, 0] dilations = [1] channels_last : (tensor<?x?x2xf32, #graph.dims<n, w, 2>>) -> tensor<?x?x2xf32, #graph.dims<n, -k + w + 1, 2>>
  return
}

// CHECK-LABEL: func.func @argmax
func.func @argmax(%x: tensor<1x2x7x7xf32>) {
  // CHECK: graph.argmax_pool %{{.*}} kernel = [3, 3] strides = [2, 2] pads = [0, 0, 0, 0] dilations = [1, 1] channels_first column_major : (tensor<1x2x7x7xf32>) -> tensor<1x2x3x3xi64>
  %0 = graph.argmax_pool %x kernel = [3, 3] strides = [2, 2] pads = [0, 0, 0, 0] dilations = [1, 1] channels_first column_major : (tensor<1x2x7x7xf32>) -> tensor<1x2x3x3xi64>
  return
}

// CHECK-LABEL: func.func @avg
func.func @avg(%x: tensor<1x2x7xbf16>) {
  // CHECK: graph.avg_pool %{{.*}} kernel = [3] strides = [2] pads = [1, 1] dilations = [1] channels_first count_include_pad : (tensor<1x2x7xbf16>) -> tensor<1x2x4xbf16>
  %0 = graph.avg_pool %x kernel = [3] strides = [2] pads = [1, 1] dilations = [1] channels_first count_include_pad : (tensor<1x2x7xbf16>) -> tensor<1x2x4xbf16>
  return
}

// CHECK-LABEL: func.func @lp
func.func @lp(%x: tensor<1x2x7xf64>) {
  // CHECK: graph.lp_pool %{{.*}} kernel = [3] strides = [2] pads = [0, 0] dilations = [1] channels_first p = 2 : (tensor<1x2x7xf64>) -> tensor<1x2x3xf64>
  %0 = graph.lp_pool %x kernel = [3] strides = [2] pads = [0, 0] dilations = [1] channels_first p = 2 : (tensor<1x2x7xf64>) -> tensor<1x2x3xf64>
  return
}

// CHECK-LABEL: func.func @lrn
func.func @lrn(%x: tensor<?x5x2xf32, #graph.dims<n, 5, 2>>) {
  // CHECK: graph.lrn %{{.*}} size = 3 alpha = 5.000000e-01 beta = 7.500000e-01 bias = 1.000000e+00 : tensor<?x5x2xf32, #graph.dims<n, 5, 2>>
  %0 = graph.lrn %x size = 3 alpha = 5.000000e-01 beta = 7.500000e-01 bias = 1.000000e+00 : tensor<?x5x2xf32, #graph.dims<n, 5, 2>>
  return
}
