// RUN: tenon-opt %s --tosa-to-graph --split-input-file | FileCheck %s

// CHECK-LABEL: func.func @convolutions
// CHECK-SAME: %[[X:.*]]: tensor<?x8x8x3xf32, #graph.dims<d0, 8, 8, 3>>
// CHECK-SAME: -> (tensor<?x8x8x4xf32, #graph.dims<d0, 8, 8, 4>>, tensor<?x16xf32, #graph.dims<d0, 16>>)
func.func @convolutions(%x: tensor<?x8x8x3xf32>, %w: tensor<4x3x3x3xf32>, %b: tensor<4xf32>, %dw: tensor<3x3x4x2xf32>, %db: tensor<8xf32>) -> (tensor<?x8x8x4xf32>, tensor<?x16xf32>) {
  %zp = "tosa.const"() <{values = dense<0.0> : tensor<1xf32>}> : () -> tensor<1xf32>
  // CHECK: %[[W:.*]] = graph.transpose %{{.*}} perm = [0, 3, 1, 2]
  // CHECK: %[[Y:.*]] = graph.conv %[[X]], %[[W]] strides = [1, 2] pads = [1, 0, 1, 1] dilations = [1, 1] groups = 1 channels_last : {{.*}} -> tensor<?x8x4x4xf32, #graph.dims<d0, 8, 4, 4>>
  // CHECK: %[[B:.*]] = graph.broadcast %{{.*}} shape = [d0, 8, 4, 4]
  // CHECK: graph.add %[[Y]], %[[B]]
  %c = tosa.conv2d %x, %w, %b, %zp, %zp {acc_type = f32, dilation = array<i64: 1, 1>, pad = array<i64: 1, 1, 0, 1>, stride = array<i64: 1, 2>} : (tensor<?x8x8x3xf32>, tensor<4x3x3x3xf32>, tensor<4xf32>, tensor<1xf32>, tensor<1xf32>) -> tensor<?x8x4x4xf32>
  %0 = tosa.conv2d %x, %w, %b, %zp, %zp {acc_type = f32, dilation = array<i64: 1, 1>, pad = array<i64: 1, 1, 1, 1>, stride = array<i64: 1, 1>} : (tensor<?x8x8x3xf32>, tensor<4x3x3x3xf32>, tensor<4xf32>, tensor<1xf32>, tensor<1xf32>) -> tensor<?x8x8x4xf32>
  // CHECK: graph.clip %{{.*}} low = 0.000000e+00, high = 6.000000e+00
  %1 = tosa.clamp %0 {min_val = 0.0 : f32, max_val = 6.0 : f32} : (tensor<?x8x8x4xf32>) -> tensor<?x8x8x4xf32>
  // CHECK: graph.transpose %{{.*}} perm = [2, 3, 0, 1]
  // CHECK: graph.reshape %{{.*}} shape = [8, 1, 3, 3]
  // CHECK: graph.conv {{.*}} groups = 4 channels_last
  %2 = tosa.depthwise_conv2d %1, %dw, %db, %zp, %zp {acc_type = f32, dilation = array<i64: 1, 1>, pad = array<i64: 0, 0, 0, 0>, stride = array<i64: 1, 1>} : (tensor<?x8x8x4xf32>, tensor<3x3x4x2xf32>, tensor<8xf32>, tensor<1xf32>, tensor<1xf32>) -> tensor<?x6x6x8xf32>
  // CHECK: graph.max_pool %{{.*}} kernel = [3, 3] strides = [3, 3] pads = [0, 0, 0, 0] dilations = [1, 1] channels_last
  %3 = tosa.max_pool2d %2 {kernel = array<i64: 3, 3>, stride = array<i64: 3, 3>, pad = array<i64: 0, 0, 0, 0>} : (tensor<?x6x6x8xf32>) -> tensor<?x2x2x8xf32>
  // CHECK: graph.reshape %{{.*}} shape = [d0, 32]
  %s = tosa.const_shape {values = dense<[-1, 32]> : tensor<2xindex>} : () -> !tosa.shape<2>
  %4 = tosa.reshape %3, %s : (tensor<?x2x2x8xf32>, !tosa.shape<2>) -> tensor<?x32xf32>
  // CHECK: graph.slice %{{.*}} starts = [0, 8] sizes = [d0, 16] steps = [1, 1]
  %st = tosa.const_shape {values = dense<[0, 8]> : tensor<2xindex>} : () -> !tosa.shape<2>
  %sz = tosa.const_shape {values = dense<[-1, 16]> : tensor<2xindex>} : () -> !tosa.shape<2>
  %5 = tosa.slice %4, %st, %sz : (tensor<?x32xf32>, !tosa.shape<2>, !tosa.shape<2>) -> tensor<?x16xf32>
  return %1, %5 : tensor<?x8x8x4xf32>, tensor<?x16xf32>
}

// -----

// CHECK-LABEL: func.func @elementwise
func.func @elementwise(%x: tensor<4x1xf32>, %y: tensor<1x3xf32>, %i: tensor<4x3xi32>, %f: tensor<4x3xf32>) -> (tensor<4x3xf32>, tensor<4x3xi1>, tensor<4x3xi32>, tensor<4x3xi32>) {
  %shift = "tosa.const"() <{values = dense<0> : tensor<1xi8>}> : () -> tensor<1xi8>
  // CHECK: %[[A:.*]] = graph.broadcast %arg0 shape = [4, 3]
  // CHECK: %[[B:.*]] = graph.broadcast %arg1 shape = [4, 3]
  // CHECK: graph.mul %[[A]], %[[B]]
  %0 = tosa.mul %x, %y, %shift : (tensor<4x1xf32>, tensor<1x3xf32>, tensor<1xi8>) -> tensor<4x3xf32>
  // CHECK: graph.less %arg3, %{{.*}}
  %1 = tosa.greater %0, %f : (tensor<4x3xf32>, tensor<4x3xf32>) -> tensor<4x3xi1>
  // CHECK: graph.maximum
  // CHECK: graph.minimum
  %2 = tosa.clamp %i {min_val = -3 : i32, max_val = 5 : i32} : (tensor<4x3xi32>) -> tensor<4x3xi32>
  // To integers tosa rounds to nearest.
  // CHECK: %[[R:.*]] = graph.round %arg3
  // CHECK: graph.cast %[[R]] to i32
  %3 = tosa.cast %f : (tensor<4x3xf32>) -> tensor<4x3xi32>
  return %0, %1, %2, %3 : tensor<4x3xf32>, tensor<4x3xi1>, tensor<4x3xi32>, tensor<4x3xi32>
}

// -----

// CHECK-LABEL: func.func @movement
func.func @movement(%v: tensor<2x5x3xf32>, %i: tensor<2x4xi32>, %p: tensor<4x3xf32>) -> (tensor<2x4x3xf32>, tensor<5x8xf32>, tensor<4x1xf32>, tensor<4xi32>) {
  // CHECK: %[[I:.*]] = graph.reshape %arg1 shape = [2, 4, 1]
  // CHECK: graph.gather_nd %arg0, %[[I]] batch_dims = 1
  %0 = tosa.gather %v, %i : (tensor<2x5x3xf32>, tensor<2x4xi32>) -> tensor<2x4x3xf32>
  // CHECK: graph.pad %arg2 low = [0, 2] high = [1, 3] constant value = 1.500000e+00
  %pad = tosa.const_shape {values = dense<[0, 1, 2, 3]> : tensor<4xindex>} : () -> !tosa.shape<4>
  %c = "tosa.const"() <{values = dense<1.5> : tensor<1xf32>}> : () -> tensor<1xf32>
  %1 = tosa.pad %p, %pad, %c : (tensor<4x3xf32>, !tosa.shape<4>, tensor<1xf32>) -> tensor<5x8xf32>
  // CHECK: graph.reduce_sum %arg2 axes = [1] keepdims
  %2 = tosa.reduce_sum %p {axis = 1 : i32} : (tensor<4x3xf32>) -> tensor<4x1xf32>
  // CHECK: graph.argmax %arg2 axis = 1
  // CHECK: graph.cast %{{.*}} to i32
  %3 = tosa.argmax %p {axis = 1 : i32} : (tensor<4x3xf32>) -> tensor<4xi32>
  return %0, %1, %2, %3 : tensor<2x4x3xf32>, tensor<5x8xf32>, tensor<4x1xf32>, tensor<4xi32>
}

// -----

// CHECK-LABEL: func.func @resize
func.func @resize(%x: tensor<1x4x4x2xf32>) -> tensor<1x8x8x2xf32> {
  %scale = tosa.const_shape {values = dense<[4, 2, 4, 2]> : tensor<4xindex>} : () -> !tosa.shape<4>
  %offset = tosa.const_shape {values = dense<[-1, -1]> : tensor<2xindex>} : () -> !tosa.shape<2>
  %border = tosa.const_shape {values = dense<[1, 1]> : tensor<2xindex>} : () -> !tosa.shape<2>
  // CHECK: graph.resize %arg0 shape = [1, 8, 8, 2] scales = [1.000000e+00, 2.000000e+00, 2.000000e+00, 1.000000e+00] linear half_pixel
  %0 = tosa.resize %x, %scale, %offset, %border {mode = BILINEAR} : (tensor<1x4x4x2xf32>, !tosa.shape<4>, !tosa.shape<2>, !tosa.shape<2>) -> tensor<1x8x8x2xf32>
  return %0 : tensor<1x8x8x2xf32>
}
