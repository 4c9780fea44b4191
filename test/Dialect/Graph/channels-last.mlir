// RUN: tenon-opt %s --graph-channels-last --split-input-file | FileCheck %s
// RUN: tenon-opt %s --graph-channels-last=reassociate=false --split-input-file \
// RUN:   | FileCheck %s --check-prefix=STRICT
// RUN: tenon-opt %s --graph-channels-last=others=false --split-input-file \
// RUN:   | FileCheck %s --check-prefix=GPU

// Between two convolutions no transpose is left, and the pooling reads what the
// last one wrote.
// CHECK-LABEL: func.func @two
// CHECK: %[[X:.*]] = graph.transpose %{{.*}} perm = [0, 2, 3, 1]
// CHECK: %[[A:.*]] = graph.conv %[[X]], {{.*}} channels_last
// CHECK: %[[B:.*]] = graph.broadcast %{{.*}} shape = [1, 8, 8, 4]
// CHECK: %[[C:.*]] = graph.add %[[A]], %[[B]]
// CHECK: %[[D:.*]] = graph.relu %[[C]]
// CHECK: %[[E:.*]] = graph.conv %[[D]], {{.*}} channels_last
// CHECK: graph.reduce_sum %[[E]] axes = [1, 2]
// CHECK-NOT: graph.transpose
func.func @two(%x: tensor<1x3x8x8xf32>, %v: tensor<4x3x1x1xf32>, %b: tensor<4x1x1xf32>, %w: tensor<5x4x1x1xf32>) -> tensor<1x5xf32> {
  %0 = graph.conv %x, %v strides = [1, 1] pads = [0, 0, 0, 0] dilations = [1, 1] groups = 1 channels_first : (tensor<1x3x8x8xf32>, tensor<4x3x1x1xf32>) -> tensor<1x4x8x8xf32>
  %1 = graph.broadcast %b shape = [1, 4, 8, 8] : (tensor<4x1x1xf32>) -> tensor<1x4x8x8xf32>
  %2 = graph.add %0, %1 : tensor<1x4x8x8xf32>
  %3 = graph.relu %2 : tensor<1x4x8x8xf32>
  %4 = graph.conv %3, %w strides = [1, 1] pads = [0, 0, 0, 0] dilations = [1, 1] groups = 1 channels_first : (tensor<1x4x8x8xf32>, tensor<5x4x1x1xf32>) -> tensor<1x5x8x8xf32>
  %5 = graph.reduce_sum %4 axes = [2, 3] : (tensor<1x5x8x8xf32>) -> tensor<1x5xf32>
  return %5 : tensor<1x5xf32>
}

// -----

// Concat changes its axis, pad its lists.
// CHECK-LABEL: func.func @concat
// CHECK: graph.concat {{.*}} axis = 3
// CHECK: graph.pad {{.*}} low = [0, 1, 2, 0] high = [0, 3, 4, 0]
// CHECK: graph.transpose {{.*}} perm = [0, 3, 1, 2]
func.func @concat(%x: tensor<1x2x4x4xf32>) -> tensor<1x4x8x10xf32> {
  %0 = graph.max_pool %x kernel = [1, 1] strides = [1, 1] pads = [0, 0, 0, 0] dilations = [1, 1] channels_first : (tensor<1x2x4x4xf32>) -> tensor<1x2x4x4xf32>
  %1 = graph.concat %0, %0 axis = 1 : (tensor<1x2x4x4xf32>, tensor<1x2x4x4xf32>) -> tensor<1x4x4x4xf32>
  %2 = graph.pad %1 low = [0, 0, 1, 2] high = [0, 0, 3, 4] constant value = 0.0 : (tensor<1x4x4x4xf32>) -> tensor<1x4x8x10xf32>
  return %2 : tensor<1x4x8x10xf32>
}

// -----

// An op that mixes axes ends the movement.
// CHECK-LABEL: func.func @reshape
// CHECK: graph.max_pool {{.*}} channels_last
// CHECK: graph.transpose
// CHECK: graph.reshape
func.func @reshape(%x: tensor<1x2x4x4xf32>) -> tensor<8x4xf32> {
  %0 = graph.max_pool %x kernel = [1, 1] strides = [1, 1] pads = [0, 0, 0, 0] dilations = [1, 1] channels_first : (tensor<1x2x4x4xf32>) -> tensor<1x2x4x4xf32>
  %1 = graph.reshape %0 shape = [8, 4] : (tensor<1x2x4x4xf32>) -> tensor<8x4xf32>
  return %1 : tensor<8x4xf32>
}

// -----

// Local response normalization is a pool along the last axis, unless arithmetic
// must not change.
// CHECK-LABEL: func.func @lrn
// CHECK: %[[P:.*]] = graph.max_pool
// CHECK: %[[Q:.*]] = graph.mul %[[P]], %[[P]]
// CHECK: graph.avg_pool %[[Q]] kernel = [1, 5] {{.*}} pads = [0, 2, 0, 2] {{.*}} channels_first count_include_pad
// CHECK: graph.pow
// CHECK: graph.div %[[P]]
// CHECK: graph.transpose {{.*}} perm = [0, 3, 1, 2]
// CHECK-NOT: graph.lrn
// STRICT-LABEL: func.func @lrn
// STRICT: graph.lrn
func.func @lrn(%x: tensor<1x8x4x4xf32>) -> tensor<1x8x2x2xf32> {
  %0 = graph.max_pool %x kernel = [2, 2] strides = [2, 2] pads = [0, 0, 0, 0] dilations = [1, 1] channels_first : (tensor<1x8x4x4xf32>) -> tensor<1x8x2x2xf32>
  %1 = graph.lrn %0 size = 5 alpha = 1.000000e-04 beta = 7.500000e-01 bias = 1.000000e+00 : tensor<1x8x2x2xf32>
  return %1 : tensor<1x8x2x2xf32>
}

// lrn rounds an element of a half type once: so do the ops that replace it.
// CHECK-LABEL: func.func @lrn_of_halves
// CHECK: %[[P:.*]] = graph.max_pool {{.*}}xf16>
// CHECK: %[[X:.*]] = graph.cast %[[P]] to f32
// CHECK: graph.mul %[[X]], %[[X]]
// CHECK: %[[R:.*]] = graph.div %[[X]]
// CHECK: graph.cast %[[R]] to f16
// CHECK-NOT: graph.lrn
func.func @lrn_of_halves(%x: tensor<1x8x4x4xf16>) -> tensor<1x8x2x2xf16> {
  %0 = graph.max_pool %x kernel = [2, 2] strides = [2, 2] pads = [0, 0, 0, 0] dilations = [1, 1] channels_first : (tensor<1x8x4x4xf16>) -> tensor<1x8x2x2xf16>
  %1 = graph.lrn %0 size = 5 alpha = 1.000000e-04 beta = 7.500000e-01 bias = 1.000000e+00 : tensor<1x8x2x2xf16>
  return %1 : tensor<1x8x2x2xf16>
}

// Only values that take any order of axes: the patterns of their transposes
// must not undo each other endlessly.
// CHECK-LABEL: @only_flexible
// CHECK-NOT: graph.transpose
// CHECK: graph.prelu
// CHECK-NOT: graph.transpose
func.func @only_flexible(%x: tensor<6x1x6xf64>) -> (tensor<1x6x6x3xf64>) {
  %0 = graph.broadcast %x shape = [3, 6, 1, 6] : (tensor<6x1x6xf64>) -> tensor<3x6x1x6xf64>
  %1 = graph.transpose %0 perm = [2, 1, 3, 0] : (tensor<3x6x1x6xf64>) -> tensor<1x6x6x3xf64>
  %2 = graph.constant dense<-1.125000e+00> : tensor<f64>
  %3 = graph.broadcast %2 shape = [1, 6, 6, 3] : (tensor<f64>) -> tensor<1x6x6x3xf64>
  %4 = graph.prelu %1, %3 : tensor<1x6x6x3xf64>
  return %4 : tensor<1x6x6x3xf64>
}

// -----

// Positions and weights of a resize are those of all channels, if these are
// last; one channel has no other layout.
// GPU-LABEL: func.func @resize
// GPU-NOT: graph.transpose
// GPU-LABEL: func.func @one_channel
// GPU-COUNT-1: graph.resize
// GPU-NOT: graph.resize
// GPU-LABEL: func.func @long_rows
// GPU-LABEL: func.func @group_norm
// GPU: graph.instance_norm
// CHECK-LABEL: func.func @resize
// CHECK: %[[X:.*]] = graph.transpose %{{.*}} perm = [0, 2, 3, 1]
// CHECK: graph.resize %[[X]] shape = [1, 8, 10, 3] scales = [1.000000e+00, 2.000000e+00, 2.000000e+00, 1.000000e+00]
// CHECK: graph.transpose {{.*}} perm = [0, 3, 1, 2]
// CHECK-LABEL: func.func @resize_one
// CHECK-NOT: graph.transpose
func.func @resize(%x: tensor<1x3x4x5xf32>) -> tensor<1x3x8x10xf32> {
  %0 = graph.resize %x shape = [1, 3, 8, 10] scales = [1.0, 1.0, 2.0, 2.0] linear half_pixel floor cubic_coeff = -7.5e-01 : (tensor<1x3x4x5xf32>) -> tensor<1x3x8x10xf32>
  return %0 : tensor<1x3x8x10xf32>
}
func.func @resize_one(%x: tensor<1x1x4x5xf32>, %y: tensor<1x4x4x5xf32>) -> (tensor<1x1x8x10xf32>, tensor<1x4x8x5xf32>) {
  %0 = graph.resize %x shape = [1, 1, 8, 10] scales = [1.0, 1.0, 2.0, 2.0] linear half_pixel floor cubic_coeff = -7.5e-01 : (tensor<1x1x4x5xf32>) -> tensor<1x1x8x10xf32>
  %1 = graph.resize %y shape = [1, 4, 8, 5] scales = [1.0, 1.0, 2.0, 1.0] linear half_pixel floor cubic_coeff = -7.5e-01 : (tensor<1x4x4x5xf32>) -> tensor<1x4x8x5xf32>
  return %0, %1 : tensor<1x1x8x10xf32>, tensor<1x4x8x5xf32>
}

// -----

// Along one axis after the other: one channel, and rows that are long, whose
// transpose then comes before there are more of them. A resize that ends with
// fewer rows, and one to the nearest element, stay whole, as do those whose
// roundings count.
// CHECK-LABEL: func.func @one_channel
// CHECK: %[[ROWS:.*]] = graph.resize %{{.*}} shape = [1, 1, 4, 10] scales = [1.000000e+00, 1.000000e+00, 1.000000e+00, 2.000000e+00]
// CHECK: graph.resize %[[ROWS]] shape = [1, 1, 8, 10] scales = [1.000000e+00, 1.000000e+00, 2.000000e+00, 1.000000e+00]
// CHECK-LABEL: func.func @long_rows
// CHECK: %[[X:.*]] = graph.transpose %arg0 perm = [0, 2, 3, 1]
// CHECK: %[[ROWS:.*]] = graph.resize %[[X]] shape = [1, 4, 40, 3] scales = [1.000000e+00, 1.000000e+00, 2.000000e+00, 1.000000e+00]
// CHECK: %[[BACK:.*]] = graph.transpose %[[ROWS]] perm = [0, 3, 1, 2]
// CHECK: graph.resize %[[BACK]] shape = [1, 3, 8, 40] scales = [1.000000e+00, 1.000000e+00, 2.000000e+00, 1.000000e+00]
// CHECK-LABEL: func.func @volume
// CHECK: graph.resize %{{.*}} shape = [1, 1, 4, 5, 12]
// CHECK: graph.resize %{{.*}} shape = [1, 1, 8, 10, 12]
// CHECK-LABEL: func.func @whole
// CHECK-COUNT-3: graph.resize
// CHECK-NOT: graph.resize
// STRICT-LABEL: func.func @one_channel
// STRICT-COUNT-1: graph.resize
// STRICT-NOT: graph.resize
// STRICT-LABEL: func.func @long_rows
// STRICT-COUNT-1: graph.resize
// STRICT-NOT: graph.resize
// STRICT-LABEL: func.func @volume
func.func @one_channel(%x: tensor<1x1x4x5xf32>) -> tensor<1x1x8x10xf32> {
  %0 = graph.resize %x shape = [1, 1, 8, 10] scales = [1.0, 1.0, 2.0, 2.0] linear half_pixel floor cubic_coeff = -7.5e-01 : (tensor<1x1x4x5xf32>) -> tensor<1x1x8x10xf32>
  return %0 : tensor<1x1x8x10xf32>
}
func.func @long_rows(%x: tensor<1x3x4x20xf32>) -> tensor<1x3x8x40xf32> {
  %0 = graph.resize %x shape = [1, 3, 8, 40] scales = [1.0, 1.0, 2.0, 2.0] cubic half_pixel floor cubic_coeff = -7.5e-01 : (tensor<1x3x4x20xf32>) -> tensor<1x3x8x40xf32>
  return %0 : tensor<1x3x8x40xf32>
}
func.func @volume(%x: tensor<1x1x4x5x6xf64>) -> tensor<1x1x8x10x12xf64> {
  %0 = graph.resize %x shape = [1, 1, 8, 10, 12] scales = [1.0, 1.0, 2.0, 2.0, 2.0] linear align_corners floor cubic_coeff = -7.5e-01 : (tensor<1x1x4x5x6xf64>) -> tensor<1x1x8x10x12xf64>
  return %0 : tensor<1x1x8x10x12xf64>
}
func.func @whole(%x: tensor<1x1x8x5xf32>, %h: tensor<1x1x4x5xf16>) -> (tensor<1x1x4x10xf32>, tensor<1x1x16x10xf32>, tensor<1x1x8x10xf16>) {
  %0 = graph.resize %x shape = [1, 1, 4, 10] scales = [1.0, 1.0, 0.5, 2.0] linear half_pixel floor cubic_coeff = -7.5e-01 : (tensor<1x1x8x5xf32>) -> tensor<1x1x4x10xf32>
  %1 = graph.resize %x shape = [1, 1, 16, 10] scales = [1.0, 1.0, 2.0, 2.0] nearest half_pixel floor cubic_coeff = -7.5e-01 : (tensor<1x1x8x5xf32>) -> tensor<1x1x16x10xf32>
  %2 = graph.resize %h shape = [1, 1, 8, 10] scales = [1.0, 1.0, 2.0, 2.0] linear half_pixel floor cubic_coeff = -7.5e-01 : (tensor<1x1x4x5xf16>) -> tensor<1x1x8x10xf16>
  return %0, %1, %2 : tensor<1x1x4x10xf32>, tensor<1x1x16x10xf32>, tensor<1x1x8x10xf16>
}

// -----

// A norm of groups between convolutions, as PyTorch's export writes it: means
// of channels, then of the groups, and no transpose.
// CHECK-LABEL: func.func @group_norm
// CHECK: graph.conv
// CHECK-NOT: graph.transpose
// CHECK: graph.reduce_mean %{{.*}} axes = [1, 2] keepdims : (tensor<2x4x4x6xf32>) -> tensor<2x1x1x6xf32>
// CHECK: graph.reduce_mean %{{.*}} axes = [2] keepdims : (tensor<2x3x2xf32>) -> tensor<2x3x1xf32>
// CHECK-NOT: graph.transpose
// CHECK: graph.conv
// STRICT-LABEL: func.func @group_norm
// STRICT: graph.instance_norm
func.func @group_norm(%x: tensor<2x6x4x4xf32>, %v: tensor<6x6x1x1xf32>) -> tensor<2x6xf32> {
  %one = graph.constant dense<1.0> : tensor<3xf32>
  %zero = graph.constant dense<0.0> : tensor<3xf32>
  %0 = graph.conv %x, %v strides = [1, 1] pads = [0, 0, 0, 0] dilations = [1, 1] groups = 1 channels_first : (tensor<2x6x4x4xf32>, tensor<6x6x1x1xf32>) -> tensor<2x6x4x4xf32>
  %1 = graph.reshape %0 shape = [2, 3, 32] : (tensor<2x6x4x4xf32>) -> tensor<2x3x32xf32>
  %2 = graph.instance_norm %1, %one, %zero epsilon = 1.0e-5 : (tensor<2x3x32xf32>, tensor<3xf32>, tensor<3xf32>) -> tensor<2x3x32xf32>
  %3 = graph.reshape %2 shape = [2, 6, 4, 4] : (tensor<2x3x32xf32>) -> tensor<2x6x4x4xf32>
  %4 = graph.conv %3, %v strides = [1, 1] pads = [0, 0, 0, 0] dilations = [1, 1] groups = 1 channels_first : (tensor<2x6x4x4xf32>, tensor<6x6x1x1xf32>) -> tensor<2x6x4x4xf32>
  %5 = graph.reduce_sum %4 axes = [2, 3] : (tensor<2x6x4x4xf32>) -> tensor<2x6xf32>
  return %5 : tensor<2x6xf32>
}

// -----

// A norm of instances needs no groups; one of values with channels first stays.
// CHECK-LABEL: func.func @instance_norm
// CHECK: graph.instance_norm
// CHECK-NOT: graph.instance_norm
// CHECK: graph.reduce_mean %{{.*}} axes = [1, 2] keepdims
func.func @instance_norm(%x: tensor<2x6x4x4xf32>, %v: tensor<6x6x1x1xf32>, %s: tensor<6xf32>) -> tensor<2x6x4x4xf32> {
  %0 = graph.instance_norm %x, %s, %s epsilon = 1.0e-5 : (tensor<2x6x4x4xf32>, tensor<6xf32>, tensor<6xf32>) -> tensor<2x6x4x4xf32>
  %1 = graph.conv %0, %v strides = [1, 1] pads = [0, 0, 0, 0] dilations = [1, 1] groups = 1 channels_first : (tensor<2x6x4x4xf32>, tensor<6x6x1x1xf32>) -> tensor<2x6x4x4xf32>
  %2 = graph.instance_norm %1, %s, %s epsilon = 1.0e-5 : (tensor<2x6x4x4xf32>, tensor<6xf32>, tensor<6xf32>) -> tensor<2x6x4x4xf32>
  return %2 : tensor<2x6x4x4xf32>
}
