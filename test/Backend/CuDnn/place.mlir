// The ops that cuDNN takes, and those that it leaves to generated code.
// RUN: tenon-opt %s --split-input-file --kernel-set-target=targets=cuda:sm_90 "--graph-place=plan=all:cudnn" | FileCheck %s
// RUN: tenon-opt %s --split-input-file --kernel-set-target=targets=cuda:sm_90 "--graph-place=without=cudnn" | FileCheck %s --check-prefix=WITHOUT
// RUN: tenon-opt %s --split-input-file "--kernel-set-target=targets=cuda:sm_90 fp=strict" --graph-place | FileCheck %s --check-prefix=WITHOUT
// RUN: tenon-opt %s --split-input-file --graph-place | FileCheck %s --check-prefix=CPU
// RUN: tenon-opt %s --split-input-file --kernel-set-target=targets=cuda:sm_90 --graph-place | FileCheck %s --check-prefix=MIXED

// WITHOUT-NOT: cudnn
// CPU-NOT: "{{cuda|cublaslt|cudnn}}"

!x = tensor<8x56x56x64xf32>

// A bias, what is added, and relu; of f16 as well.
// CHECK-LABEL: @chain
// CHECK: kernel.call "cudnn" "conv+add+add+relu"
// CHECK: kernel.call "cudnn" "conv"(
// MIXED-LABEL: @chain
// MIXED: kernel.call "cudnn" "conv+add+add+relu"
func.func @chain(%x: !x, %h: tensor<1x9x9x32xf16>) -> (!x, tensor<1x4x4x8xf16>) {
  %k = graph.parameter @k : tensor<64x64x3x3xf32>
  %b = graph.parameter @b : tensor<64xf32>
  %0 = graph.conv %x, %k strides = [1, 1] pads = [1, 1, 1, 1] dilations = [1, 1] groups = 1 channels_last : (!x, tensor<64x64x3x3xf32>) -> !x
  %1 = graph.broadcast %b shape = [8, 56, 56, 64] : (tensor<64xf32>) -> !x
  %2 = graph.add %0, %1 : !x
  %3 = graph.add %2, %x : !x
  %4 = graph.relu %3 : !x
  // Strides, dilations and groups.
  %kh = graph.parameter @kh : tensor<8x8x3x3xf16>
  %5 = graph.conv %h, %kh strides = [2, 2] pads = [1, 1, 1, 1] dilations = [2, 2] groups = 4 channels_last : (tensor<1x9x9x32xf16>, tensor<8x8x3x3xf16>) -> tensor<1x4x4x8xf16>
  return %4, %5 : !x, tensor<1x4x4x8xf16>
}

// -----

!x = tensor<8x56x56x64xf32>

// Relu and a residual require a bias before them; cuDNN takes no other
// epilogues.
// CHECK-LABEL: @shorter
// CHECK: kernel.call "cudnn" "conv"(
// CHECK: kernel.call "cuda" "relu"
// CHECK: kernel.call "cudnn" "conv"(
// CHECK: kernel.call "cuda" "add"
// CHECK: kernel.call "cudnn" "conv"(
// CHECK: kernel.call "cuda" "broadcast+add+gelu"
func.func @shorter(%x: !x) -> !x {
  %k = graph.parameter @k : tensor<64x64x3x3xf32>
  %b = graph.parameter @b : tensor<64xf32>
  %0 = graph.conv %x, %k strides = [1, 1] pads = [1, 1, 1, 1] dilations = [1, 1] groups = 1 channels_last : (!x, tensor<64x64x3x3xf32>) -> !x
  %1 = graph.relu %0 : !x
  %2 = graph.conv %1, %k strides = [1, 1] pads = [1, 1, 1, 1] dilations = [1, 1] groups = 1 channels_last : (!x, tensor<64x64x3x3xf32>) -> !x
  %3 = graph.add %2, %x : !x
  %4 = graph.conv %3, %k strides = [1, 1] pads = [1, 1, 1, 1] dilations = [1, 1] groups = 1 channels_last : (!x, tensor<64x64x3x3xf32>) -> !x
  %5 = graph.broadcast %b shape = [8, 56, 56, 64] : (tensor<64xf32>) -> !x
  %6 = graph.add %4, %5 : !x
  %7 = graph.gelu %6 tanh : !x
  return %7 : !x
}

// -----

// Pads that differ, channels first, one spatial axis, a weight that is an input,
// doubles, and transposed convolutions.
// CHECK-LABEL: @none
// CHECK-NOT: cudnn
func.func @none(%x: tensor<1x8x8x16xf32>, %w: tensor<16x16x3x3xf32>, %f: tensor<1x16x8x8xf32>, %l: tensor<1x16x8xf32>, %d: tensor<1x8x8x16xf64>) -> (tensor<1x7x8x16xf32>, tensor<1x8x8x16xf32>, tensor<1x16x8x8xf32>, tensor<1x16x6xf32>, tensor<1x6x6x16xf64>, tensor<1x16x10x10xf32>) {
  %k = graph.parameter @k : tensor<16x16x3x3xf32>
  %k1 = graph.parameter @k1 : tensor<16x16x3xf32>
  %kd = graph.parameter @kd : tensor<16x16x3x3xf64>
  %0 = graph.conv %x, %k strides = [1, 1] pads = [0, 1, 1, 1] dilations = [1, 1] groups = 1 channels_last : (tensor<1x8x8x16xf32>, tensor<16x16x3x3xf32>) -> tensor<1x7x8x16xf32>
  %1 = graph.conv %x, %w strides = [1, 1] pads = [1, 1, 1, 1] dilations = [1, 1] groups = 1 channels_last : (tensor<1x8x8x16xf32>, tensor<16x16x3x3xf32>) -> tensor<1x8x8x16xf32>
  %2 = graph.conv %f, %k strides = [1, 1] pads = [1, 1, 1, 1] dilations = [1, 1] groups = 1 channels_first : (tensor<1x16x8x8xf32>, tensor<16x16x3x3xf32>) -> tensor<1x16x8x8xf32>
  %3 = graph.conv %l, %k1 strides = [1] pads = [0, 0] dilations = [1] groups = 1 channels_first : (tensor<1x16x8xf32>, tensor<16x16x3xf32>) -> tensor<1x16x6xf32>
  %4 = graph.conv %d, %kd strides = [1, 1] pads = [0, 0, 0, 0] dilations = [1, 1] groups = 1 channels_last : (tensor<1x8x8x16xf64>, tensor<16x16x3x3xf64>) -> tensor<1x6x6x16xf64>
  %5 = graph.conv_transpose %f, %k strides = [1, 1] pads = [0, 0, 0, 0] dilations = [1, 1] output_padding = [0, 0] groups = 1 : (tensor<1x16x8x8xf32>, tensor<16x16x3x3xf32>) -> tensor<1x16x10x10xf32>
  return %0, %1, %2, %3, %4, %5 : tensor<1x7x8x16xf32>, tensor<1x8x8x16xf32>, tensor<1x16x8x8xf32>, tensor<1x16x6xf32>, tensor<1x6x6x16xf64>, tensor<1x16x10x10xf32>
}
