// The backward task of a batch norm is given what the norm scales, and neither
// its operand nor the mean, from which it could be computed again.
// RUN: tenon-opt %s "--graph-train=tasks loss=mean-squared batch-norm-momentum=0.1" | FileCheck %s

// CHECK-LABEL: func.func @forward(
// CHECK-SAME: -> (tensor<2x4x6xf32> {graph.name = "y"}, tensor<f32> {graph.name = "task.loss"},
// CHECK-SAME: tensor<2x4x6xf32> {graph.name = "saved.0"}, tensor<4xf32> {graph.name = "saved.1"})
// CHECK: %[[MUL:.*]] = graph.matmul
// CHECK: %[[SUB:.*]] = graph.sub %[[MUL]], %{{.*}} : tensor<2x4x6xf32>
// CHECK: %[[VARIANCE:.*]] = graph.reduce_mean
// CHECK: return %{{.*}}, %{{.*}}, %[[SUB]], %[[VARIANCE]]
// CHECK-LABEL: func.func @backward(
// CHECK-NOT: graph.sub %arg{{[0-9]+}}, %{{[0-9]+}} : tensor<2x4x6xf32>
func.func @main(%x: tensor<2x4x3xf32> {graph.name = "x"}) -> (tensor<2x4x6xf32> {graph.name = "y"}) {
  %w = graph.parameter @w : tensor<3x6xf32>
  %g = graph.parameter @g : tensor<4xf32>
  %b = graph.parameter @b : tensor<4xf32>
  %m = graph.parameter @m : tensor<4xf32>
  %v = graph.parameter @v : tensor<4xf32>
  %0 = graph.matmul %x, %w : (tensor<2x4x3xf32>, tensor<3x6xf32>) -> tensor<2x4x6xf32>
  %1 = graph.batch_norm %0, %g, %b, %m, %v axis = 1 epsilon = 1.0e-5 : (tensor<2x4x6xf32>, tensor<4xf32>, tensor<4xf32>, tensor<4xf32>, tensor<4xf32>) -> tensor<2x4x6xf32>
  return %1 : tensor<2x4x6xf32>
}
