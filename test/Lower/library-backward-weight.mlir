// The gradients of convolution weights and transposed convolutions with extra
// rows in oneDNN, against the interpreter: both layouts, groups, strides that
// leave rows over, windows in the padding alone, rows behind the last window, a
// batch of 0, and one to three spatial axes.
// RUN: tenon-compile %s --optimize=off --place=all:onednn -o %t.so
// RUN: tenon-compile %s --optimize=off --stop-after=place --place=all:onednn | FileCheck %s
// DEFINE: %{n} = 2
// DEFINE: %{compare} = tenon-compare %t.so %s --input a=random:1:%{n}x9x8x4 --input b=random:2:%{n}x4x8x6 --input c=random:3:%{n}x4x7 --input d=random:4:%{n}x6x3 --input e=random:5:%{n}x6x2 --input f=random:6:%{n}x2x3x4x5 --input g=random:7:%{n}x4x2x2x3
// RUN: %{compare} --threads 1
// RUN: %{compare} --threads 2
// REDEFINE: %{n} = 1
// RUN: %{compare}
// REDEFINE: %{n} = 0
// RUN: %{compare}

// CHECK-DAG: kernel.call "onednn" "conv_backward_weight"
// CHECK-DAG: kernel.call "onednn" "conv_transpose"
func.func @main(%a: tensor<?x9x8x4xf32, #graph.dims<n, 9, 8, 4>> {graph.name = "a"}, %b: tensor<?x4x8x6xf32, #graph.dims<n, 4, 8, 6>> {graph.name = "b"},
    %c: tensor<?x4x7xf32, #graph.dims<n, 4, 7>> {graph.name = "c"}, %d: tensor<?x6x3xf32, #graph.dims<n, 6, 3>> {graph.name = "d"},
    %e: tensor<?x6x2xf32, #graph.dims<n, 6, 2>> {graph.name = "e"},
    %f: tensor<?x2x3x4x5xf32, #graph.dims<n, 2, 3, 4, 5>> {graph.name = "f"}, %g: tensor<?x4x2x2x3xf32, #graph.dims<n, 4, 2, 2, 3>> {graph.name = "g"})
    -> (tensor<6x4x3x1xf32>, tensor<6x2x3x1xf32>, tensor<6x1x2xf32>, tensor<6x4x1xf32>, tensor<6x2x2xf32>, tensor<6x4x2xf32>, tensor<4x2x2x2x3xf32>,
        tensor<?x9x9x4xf32, #graph.dims<n, 9, 9, 4>>, tensor<?x3x6xf32, #graph.dims<n, 3, 6>>) {
  %w = graph.constant dense<[[[[1.0, -2.0]]], [[[0.5, 3.0]]], [[[2.0, 1.0]]], [[[-1.0, 0.25]]], [[[4.0, 1.0]]], [[[0.0, 2.0]]]]> : tensor<6x1x1x2xf32>
  %w2 = graph.broadcast %w shape = [6, 2, 3, 2] : (tensor<6x1x1x2xf32>) -> tensor<6x2x3x2xf32>
  %w1 = graph.reshape %w shape = [6, 1, 2] : (tensor<6x1x1x2xf32>) -> tensor<6x1x2xf32>
  %w3 = graph.broadcast %w1 shape = [6, 3, 2] : (tensor<6x1x2xf32>) -> tensor<6x3x2xf32>
  %0 = graph.conv_backward_weight %a, %b kernel = [3, 1] strides = [2, 1] pads = [0, 0] dilations = [1, 1] groups = 1 channels_last : (tensor<?x9x8x4xf32, #graph.dims<n, 9, 8, 4>>, tensor<?x4x8x6xf32, #graph.dims<n, 4, 8, 6>>) -> tensor<6x4x3x1xf32>
  %1 = graph.conv_backward_weight %a, %b kernel = [3, 1] strides = [1, 1] pads = [2, 0] dilations = [2, 1] groups = 2 channels_last : (tensor<?x9x8x4xf32, #graph.dims<n, 9, 8, 4>>, tensor<?x4x8x6xf32, #graph.dims<n, 4, 8, 6>>) -> tensor<6x2x3x1xf32>
  %s = graph.slice %c starts = [0, 0, 0] sizes = [n, 3, 7] steps = [1, 1, 1] : (tensor<?x4x7xf32, #graph.dims<n, 4, 7>>) -> tensor<?x3x7xf32, #graph.dims<n, 3, 7>>
  %2 = graph.conv_backward_weight %s, %d kernel = [2] strides = [3] pads = [1] dilations = [1] groups = 3 : (tensor<?x3x7xf32, #graph.dims<n, 3, 7>>, tensor<?x6x3xf32, #graph.dims<n, 6, 3>>) -> tensor<6x1x2xf32>
  // Every second row is left over, and one behind the last.
  %3 = graph.conv_backward_weight %c, %d kernel = [1] strides = [2] pads = [0] dilations = [1] groups = 1 : (tensor<?x4x7xf32, #graph.dims<n, 4, 7>>, tensor<?x6x3xf32, #graph.dims<n, 6, 3>>) -> tensor<6x4x1xf32>
  // Five rows are behind the last window.
  %4 = graph.conv_backward_weight %c, %e kernel = [2] strides = [1] pads = [1] dilations = [1] groups = 2 : (tensor<?x4x7xf32, #graph.dims<n, 4, 7>>, tensor<?x6x2xf32, #graph.dims<n, 6, 2>>) -> tensor<6x2x2xf32>
  // All windows are in the padding.
  %5 = graph.conv_backward_weight %c, %e kernel = [2] strides = [1] pads = [3] dilations = [1] groups = 1 : (tensor<?x4x7xf32, #graph.dims<n, 4, 7>>, tensor<?x6x2xf32, #graph.dims<n, 6, 2>>) -> tensor<6x4x2xf32>
  %6 = graph.conv_backward_weight %f, %g kernel = [2, 2, 3] strides = [1, 2, 1] pads = [0, 0, 0] dilations = [1, 1, 1] groups = 1 : (tensor<?x2x3x4x5xf32, #graph.dims<n, 2, 3, 4, 5>>, tensor<?x4x2x2x3xf32, #graph.dims<n, 4, 2, 2, 3>>) -> tensor<4x2x2x2x3xf32>
  %7 = graph.conv_transpose %b, %w2 strides = [2, 1] pads = [0, 0, 1, 0] dilations = [1, 1] output_padding = [1, 0] groups = 2 channels_last : (tensor<?x4x8x6xf32, #graph.dims<n, 4, 8, 6>>, tensor<6x2x3x2xf32>) -> tensor<?x9x9x4xf32, #graph.dims<n, 9, 9, 4>>
  %8 = graph.conv_transpose %e, %w3 strides = [3] pads = [0, 1] dilations = [1] output_padding = [2] groups = 1 : (tensor<?x6x2xf32, #graph.dims<n, 6, 2>>, tensor<6x3x2xf32>) -> tensor<?x3x6xf32, #graph.dims<n, 3, 6>>
  return %0, %1, %2, %3, %4, %5, %6, %7, %8 : tensor<6x4x3x1xf32>, tensor<6x2x3x1xf32>, tensor<6x1x2xf32>, tensor<6x4x1xf32>, tensor<6x2x2xf32>, tensor<6x4x2xf32>, tensor<4x2x2x2x3xf32>,
      tensor<?x9x9x4xf32, #graph.dims<n, 9, 9, 4>>, tensor<?x3x6xf32, #graph.dims<n, 3, 6>>
}
