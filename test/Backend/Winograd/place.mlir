// The convolutions that winograd takes and those that it leaves to others.
// RUN: tenon-compile %s --stop-after=place --place=all:winograd | FileCheck %s
// RUN: tenon-compile %s --stop-after=place --without=winograd | FileCheck %s --check-prefix=WITHOUT
// RUN: tenon-compile %s --stop-after=place --fp=strict | FileCheck %s --check-prefix=WITHOUT
// An edited plan: calls of oneDNN that winograd does not support.
// RUN: tenon-compile %s --stop-after=place --place=all:onednn | sed 's/"onednn"/"winograd"/' > %t.edited.mlir
// RUN: not tenon-compile %t.edited.mlir -o %t.so 2>&1 | FileCheck %s --check-prefix=EDITED
// RUN: tenon-compile %s --stop-after=place --place=all:onednn | sed 's/"onednn" "matmul"/"winograd" "matmul"/' > %t.matmul.mlir
// RUN: not tenon-compile %t.matmul.mlir -o %t.so 2>&1 | FileCheck %s --check-prefix=MATMUL

// WITHOUT-NOT: winograd

!x = tensor<1x12x12x32xf32>
!s = tensor<1x6x6x32xf32>

// Functions behind a convolution are generated code's.
// CHECK-LABEL: func.func @functions
// CHECK: kernel.call "winograd" "conv+relu"
// CHECK: kernel.call "cpu" "tanh"
func.func @functions(%x: !x) -> !x attributes {entry.name = "functions"} {
  %k = graph.parameter @k : tensor<32x32x3x3xf32>
  %0 = graph.conv %x, %k strides = [1, 1] pads = [1, 1, 1, 1] dilations = [1, 1] groups = 1 channels_last : (!x, tensor<32x32x3x3xf32>) -> !x
  %1 = graph.relu %0 : !x
  %2 = graph.tanh %1 : !x
  return %2 : !x
}

// CHECK-LABEL: func.func @main
func.func @main(%x: !x, %w: tensor<32x32x3x3xf32>, %m: tensor<32x32xf32>) -> (!x, !x, !x, !s, !s, !x, !x, !x, !x, !x) {
  %k = graph.parameter @k : tensor<32x32x3x3xf32>
  // CHECK: kernel.call "winograd" "conv+relu"
  %0 = graph.conv %x, %k strides = [1, 1] pads = [1, 1, 1, 1] dilations = [1, 1] groups = 1 channels_last : (!x, tensor<32x32x3x3xf32>) -> !x
  %a = graph.relu %0 : !x
  // Sixteen channels a group: as many as it takes.
  // CHECK: kernel.call "winograd" "conv"
  %kg = graph.parameter @kg : tensor<32x16x3x3xf32>
  %b = graph.conv %x, %kg strides = [1, 1] pads = [1, 1, 1, 1] dilations = [1, 1] groups = 2 channels_last : (!x, tensor<32x16x3x3xf32>) -> !x
  // CHECK: kernel.call "winograd" "conv"
  %kf = graph.parameter @kf : tensor<32x32x5x5xf32>
  %g = graph.conv %x, %kf strides = [1, 1] pads = [2, 2, 2, 2] dilations = [1, 1] groups = 1 channels_last : (!x, tensor<32x32x5x5xf32>) -> !x
  // CHECK-NOT: winograd
  %kh = graph.parameter @kh : tensor<32x8x3x3xf32>
  %c = graph.conv %x, %kh strides = [1, 1] pads = [1, 1, 1, 1] dilations = [1, 1] groups = 4 channels_last : (!x, tensor<32x8x3x3xf32>) -> !x
  %d = graph.conv %x, %k strides = [2, 2] pads = [1, 1, 1, 1] dilations = [1, 1] groups = 1 channels_last : (!x, tensor<32x32x3x3xf32>) -> !s
  %ke = graph.parameter @ke : tensor<32x32x1x1xf32>
  %e = graph.conv %x, %ke strides = [2, 2] pads = [0, 0, 0, 0] dilations = [1, 1] groups = 1 channels_last : (!x, tensor<32x32x1x1xf32>) -> !s
  %f = graph.conv %x, %k strides = [1, 1] pads = [2, 2, 2, 2] dilations = [2, 2] groups = 1 channels_last : (!x, tensor<32x32x3x3xf32>) -> !x
  %k7 = graph.parameter @k7 : tensor<32x32x7x7xf32>
  %j = graph.conv %x, %k7 strides = [1, 1] pads = [3, 3, 3, 3] dilations = [1, 1] groups = 1 channels_last : (!x, tensor<32x32x7x7xf32>) -> !x
  // The weight is an input.
  %h = graph.conv %x, %w strides = [1, 1] pads = [1, 1, 1, 1] dilations = [1, 1] groups = 1 channels_last : (!x, tensor<32x32x3x3xf32>) -> !x
  %i = graph.matmul %x, %m : (!x, tensor<32x32xf32>) -> !x
  return %a, %b, %c, %d, %e, %f, %g, %h, %i, %j : !x, !x, !x, !s, !s, !x, !x, !x, !x, !x
}

// EDITED: error: 'graph.conv' op is not supported by winograd: expected
// MATMUL: error: 'kernel.call' op has a region that winograd does not support: expected one convolution and a supported epilogue
