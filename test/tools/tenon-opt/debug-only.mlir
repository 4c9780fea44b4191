// What passes say about themselves under --debug-only, a line an op.
// REQUIRES: debug-output
// RUN: %tenon_tools/tenon-opt %s --graph-fold-batch-norm --debug-only=graph-fold-batch-norm -o %t.folded.mlir 2>&1 | FileCheck %s --check-prefix=FOLD
// RUN: %tenon_tools/tenon-opt %s --graph-channels-last --debug-only=graph-channels-last -o %t.out 2>&1 | FileCheck %s --check-prefix=LAST
// RUN: %tenon_tools/tenon-opt %s --graph-set-precision --debug-only=graph-set-precision -o %t.out 2>&1 | FileCheck %s --check-prefix=PRECISION
// RUN: %tenon_tools/tenon-opt %s --graph-decompose --debug-only=graph-decompose -o %t.out 2>&1 | FileCheck %s --check-prefix=DECOMPOSE
// RUN: %tenon_tools/tenon-opt %t.folded.mlir --graph-decompose --graph-place=plan=all:cpu --debug-only=graph-place -o %t.out 2>&1 | FileCheck %s --check-prefix=PLACE
// Several passes, and none.
// RUN: %tenon_tools/tenon-opt %s --graph-decompose --graph-place=plan=all:cpu --debug-only=graph-place,graph-decompose -o %t.out 2>&1 | FileCheck %s --check-prefixes=DECOMPOSE,PLACE
// RUN: %tenon_tools/tenon-opt %s --graph-decompose --debug-only=graph-place -o %t.out 2>&1 | count 0
// RUN: %tenon_tools/tenon-opt %s --graph-decompose -o %t.out 2>&1 | count 0

// FOLD: [graph-fold-batch-norm {{.*}}] the batch norm at loc({{.*}}:[[# @LINE + 17]]:8) is folded into the weights of the convolution at loc({{.*}}:[[# @LINE + 16]]:8)
// FOLD-NOT: {{.}}

// LAST: [graph-channels-last {{.*}}] graph.conv at loc({{.*}}) becomes channels_last
// LAST-COUNT-2: a transpose is left at loc(

// PRECISION: [graph-set-precision {{.*}}] graph.conv at loc({{.*}}) computes in 16 bits
// PRECISION: graph.softmax at loc({{.*}}) computes in f32

// DECOMPOSE: [graph-decompose {{.*}}] graph.softmax at loc(

// PLACE: [graph-place {{.*}}] cpu {{.*}} at loc({{.*}}): {{.*}} us

func.func @main(%x: tensor<1x3x8x8xf32>) -> tensor<1x4x8x8xf32> {
  %k = graph.parameter @k : tensor<4x3x3x3xf32>
  %s = graph.parameter @s : tensor<4xf32>
  %0 = graph.conv %x, %k strides = [1, 1] pads = [1, 1, 1, 1] dilations = [1, 1] groups = 1 channels_first : (tensor<1x3x8x8xf32>, tensor<4x3x3x3xf32>) -> tensor<1x4x8x8xf32>
  %1 = graph.batch_norm %0, %s, %s, %s, %s axis = 1 epsilon = 1.0e-05 : (tensor<1x4x8x8xf32>, tensor<4xf32>, tensor<4xf32>, tensor<4xf32>, tensor<4xf32>) -> tensor<1x4x8x8xf32>
  %2 = graph.softmax %1 axis = 1 : tensor<1x4x8x8xf32>
  return %2 : tensor<1x4x8x8xf32>
}
