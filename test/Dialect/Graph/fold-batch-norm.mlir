// RUN: tenon-opt %s --graph-fold-batch-norm --split-input-file | FileCheck %s
// RUN: tenon-opt %s --split-input-file | FileCheck %s --check-prefix=BEFORE

// BEFORE: graph.batch_norm

// CHECK-LABEL: func.func @conv
// CHECK: %[[W:.*]] = graph.parameter @w
// CHECK-NOT: graph.batch_norm
// CHECK: %[[SCALED:.*]] = graph.mul %[[W]],
// CHECK: %[[Y:.*]] = graph.conv %{{.*}}, %[[SCALED]]
// CHECK: graph.add %[[Y]],
func.func @conv(%x: tensor<1x3x8x8xf32>) -> tensor<1x4x8x8xf32> {
  %w = graph.parameter @w : tensor<4x3x1x1xf32>
  %s = graph.parameter @s : tensor<4xf32>
  %b = graph.parameter @b : tensor<4xf32>
  %m = graph.parameter @m : tensor<4xf32>
  %v = graph.parameter @v : tensor<4xf32>
  %0 = graph.conv %x, %w strides = [1, 1] pads = [0, 0, 0, 0] dilations = [1, 1] groups = 1 channels_first : (tensor<1x3x8x8xf32>, tensor<4x3x1x1xf32>) -> tensor<1x4x8x8xf32>
  %1 = graph.batch_norm %0, %s, %b, %m, %v axis = 1 epsilon = 1.0e-5 : (tensor<1x4x8x8xf32>, tensor<4xf32>, tensor<4xf32>, tensor<4xf32>, tensor<4xf32>) -> tensor<1x4x8x8xf32>
  return %1 : tensor<1x4x8x8xf32>
}

// -----

// Statistics that are computed stay a batch norm.
// CHECK-LABEL: func.func @computed
// CHECK: graph.batch_norm
func.func @computed(%x: tensor<1x4x8x8xf32>, %s: tensor<4xf32>) -> tensor<1x4x8x8xf32> {
  %0 = graph.batch_norm %x, %s, %s, %s, %s axis = 1 epsilon = 1.0e-5 : (tensor<1x4x8x8xf32>, tensor<4xf32>, tensor<4xf32>, tensor<4xf32>, tensor<4xf32>) -> tensor<1x4x8x8xf32>
  return %0 : tensor<1x4x8x8xf32>
}

// -----

// Without a convolution: one multiplication and one addition.
// CHECK-LABEL: func.func @alone
// CHECK: %[[P:.*]] = graph.mul %arg0,
// CHECK: graph.add %[[P]],
func.func @alone(%x: tensor<1x4x8x8xf32>) -> tensor<1x4x8x8xf32> {
  %s = graph.parameter @s : tensor<4xf32>
  %0 = graph.batch_norm %x, %s, %s, %s, %s axis = 1 epsilon = 1.0e-5 : (tensor<1x4x8x8xf32>, tensor<4xf32>, tensor<4xf32>, tensor<4xf32>, tensor<4xf32>) -> tensor<1x4x8x8xf32>
  return %0 : tensor<1x4x8x8xf32>
}

graph.state @m : tensor<4xf32>

// A state may differ in each run: nothing could be folded at load.
// CHECK-LABEL: @state_is_no_weight
// CHECK: graph.conv
// CHECK-NEXT: graph.batch_norm
func.func @state_is_no_weight(%x: tensor<1x3x8x8xf32> {graph.name = "x"}, %d: tensor<4xf32> {graph.name = "d"}) -> (tensor<1x4x8x8xf32> {graph.name = "y"}) {
  %k = graph.parameter @k : tensor<4x3x3x3xf32>
  %s = graph.parameter @s : tensor<4xf32>
  %m = graph.read_state @m : tensor<4xf32>
  %0 = graph.conv %x, %k strides = [1, 1] pads = [1, 1, 1, 1] dilations = [1, 1] groups = 1 channels_first : (tensor<1x3x8x8xf32>, tensor<4x3x3x3xf32>) -> tensor<1x4x8x8xf32>
  %1 = graph.batch_norm %0, %s, %s, %m, %s axis = 1 epsilon = 1.0e-05 : (tensor<1x4x8x8xf32>, tensor<4xf32>, tensor<4xf32>, tensor<4xf32>, tensor<4xf32>) -> tensor<1x4x8x8xf32>
  %n = graph.add %m, %d : tensor<4xf32>
  graph.write_state @m, %n : tensor<4xf32>
  return %1 : tensor<1x4x8x8xf32>
}
