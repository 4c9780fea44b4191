// Results have distinct names: for an argument and a parameter of one name, and
// for the gradient of a gradient.
// RUN: tenon-opt --graph-differentiate=function=both %s | FileCheck %s --check-prefix=BOTH
// RUN: tenon-opt "--graph-differentiate=function=both wrt=#0" %s | FileCheck %s --check-prefix=NUMBER
// RUN: tenon-opt --graph-differentiate=function=buffer %s | FileCheck %s --check-prefix=BUFFER
// RUN: tenon-opt "--graph-differentiate=function=buffer wrt=mask" %s | FileCheck %s --check-prefix=MASK
// RUN: tenon-opt --graph-differentiate "--graph-differentiate=function=main_gradient of=1" %s | FileCheck %s --check-prefix=SECOND

// BOTH-LABEL: func.func @both_gradient
// BOTH-SAME: {graph.name = "w_gradient"}, tensor<2xf32> {graph.name = "w_gradient_2"})
// NUMBER-LABEL: func.func @both_gradient
// NUMBER-SAME: -> (tensor<2xf32>, tensor<2xf32> {graph.name = "w_gradient"})
func.func @both(%w: tensor<2xf32> {graph.name = "w"}) -> tensor<2xf32> {
  %p = graph.parameter @w : tensor<2xf32>
  %0 = graph.mul %w, %p : tensor<2xf32>
  return %0 : tensor<2xf32>
}

// SECOND-LABEL: func.func @main_gradient_gradient
// SECOND-SAME: {graph.name = "y"}, tensor<4xf32> {graph.name = "x_gradient"}, tensor<4xf32> {graph.name = "x_gradient_2"})
func.func @main(%x: tensor<4xf32> {graph.name = "x"}) -> (tensor<f32> {graph.name = "y"}) {
  %0 = graph.exp %x : tensor<4xf32>
  %1 = graph.reduce_sum %0 axes = [0] : (tensor<4xf32>) -> tensor<f32>
  return %1 : tensor<f32>
}

// A buffer has a gradient only if it is named.
// BUFFER-LABEL: func.func @buffer_gradient
// BUFFER-SAME: -> (tensor<2xf32>, tensor<2xf32> {graph.name = "x_gradient"}, tensor<2xf32> {graph.name = "w_gradient"})
// MASK-LABEL: func.func @buffer_gradient
// MASK-SAME: -> (tensor<2xf32>, tensor<2xf32> {graph.name = "mask_gradient"})
func.func @buffer(%x: tensor<2xf32> {graph.name = "x"}) -> tensor<2xf32> {
  %w = graph.parameter @w : tensor<2xf32>
  %mask = graph.parameter @mask buffer("a mask") : tensor<2xf32>
  %0 = graph.mul %x, %w : tensor<2xf32>
  %1 = graph.add %0, %mask : tensor<2xf32>
  return %1 : tensor<2xf32>
}
