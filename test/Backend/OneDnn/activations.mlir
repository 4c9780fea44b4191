// Activations that oneDNN applies to its results, against the interpreter.
// REQUIRES: avx2
// RUN: rm -rf %t && mkdir %t && cd %t
// RUN: tenon-compile %s -o m.so
// RUN: tenon-compile %s --stop-after=place -o - | FileCheck %s
// RUN: tenon-interpret %s --params random:1 --input x=random:2 --output y=@y.npy
// RUN: tenon-run m.so --params random:1 --input x=random:2 --expect y=@y.npy --rtol 1e-4 --threads 2

// CHECK: kernel.call "onednn" "conv+hard_swish"
// CHECK: kernel.call "onednn" "conv+hard_sigmoid"
// CHECK: kernel.call "onednn" "conv+mish"
!x = tensor<1x32x28x28xf32>
func.func @main(%x: !x {graph.name = "x"}) -> (!x {graph.name = "y"}) {
  %w = graph.parameter @w : tensor<32x32x1x1xf32>
  %0 = graph.conv %x, %w strides = [1, 1] pads = [0, 0, 0, 0] dilations = [1, 1] groups = 1 channels_first : (!x, tensor<32x32x1x1xf32>) -> !x
  %1 = graph.hard_swish %0 : !x
  %2 = graph.conv %1, %w strides = [1, 1] pads = [0, 0, 0, 0] dilations = [1, 1] groups = 1 channels_first : (!x, tensor<32x32x1x1xf32>) -> !x
  %3 = graph.hard_sigmoid %2 alpha = 2.0e-01, beta = 0.5 : !x
  %4 = graph.conv %3, %w strides = [1, 1] pads = [0, 0, 0, 0] dilations = [1, 1] groups = 1 channels_first : (!x, tensor<32x32x1x1xf32>) -> !x
  %5 = graph.softplus %4 : !x
  %6 = graph.tanh %5 : !x
  %7 = graph.mul %4, %6 : !x
  %v = graph.parameter @v : tensor<32x32x3x3xf32>
  %8 = graph.conv %7, %v strides = [1, 1] pads = [1, 1, 1, 1] dilations = [1, 1] groups = 1 channels_first : (!x, tensor<32x32x3x3xf32>) -> !x
  return %8 : !x
}
