// RUN: tenon-opt --split-input-file --graph-differentiate --cse %s | FileCheck %s

// The weights of a linear layer, its input and the loss that is their function.
// CHECK-LABEL: func.func @main_gradient
// CHECK-SAME: (%[[X:.*]]: tensor<?x4xf32, #graph.dims<n, 4>> {graph.name = "x"}, %[[T:.*]]: tensor<?x5xf32, #graph.dims<n, 5>>) ->
// CHECK-SAME: (tensor<f32>, tensor<?x4xf32, #graph.dims<n, 4>> {graph.name = "x_gradient"}, tensor<?x5xf32, #graph.dims<n, 5>>, tensor<4x5xf32> {graph.name = "w_gradient"})
// CHECK: %[[W:.*]] = graph.parameter @w
// CHECK: %[[LOSS:.*]] = graph.mse_loss
// CHECK: %[[DX:.*]] = graph.matmul %[[DY:.*]], %[[W]] transpose_b
// CHECK: %[[DW:.*]] = graph.matmul %[[X]], %[[DY]] transpose_a
// CHECK: return %[[LOSS]], %[[DX]], %{{.*}}, %[[DW]]
func.func @main(%x: tensor<?x4xf32, #graph.dims<n, 4>> {graph.name = "x"}, %t: tensor<?x5xf32, #graph.dims<n, 5>>) -> tensor<f32> {
  %w = graph.parameter @w : tensor<4x5xf32>
  %0 = graph.matmul %x, %w : (tensor<?x4xf32, #graph.dims<n, 4>>, tensor<4x5xf32>) -> tensor<?x5xf32, #graph.dims<n, 5>>
  %1 = graph.mse_loss %0, %t sum : (tensor<?x5xf32, #graph.dims<n, 5>>, tensor<?x5xf32, #graph.dims<n, 5>>) -> tensor<f32>
  return %1 : tensor<f32>
}

// -----

// A result that is no scalar has a cotangent. A parameter that is read twice has
// one gradient, and an argument that is not used has the gradient 0.
// CHECK-LABEL: func.func @main_gradient
// CHECK-SAME: (%{{.*}}: tensor<4xf32>, %{{.*}}: tensor<2xi64>, %[[SEED:.*]]: tensor<4xf32>) -> (tensor<4xf32>, tensor<4xf32>, tensor<4xf32> {graph.name = "w_gradient"})
// CHECK-DAG: %[[ZERO:.*]] = graph.constant dense<0.0
// CHECK-DAG: %[[ZEROS:.*]] = graph.broadcast %[[ZERO]]
// CHECK-DAG: %[[A:.*]] = graph.mul %[[SEED]]
// CHECK-DAG: %[[B:.*]] = graph.mul %[[SEED]]
// CHECK: %[[SUM:.*]] = graph.add
// CHECK: return %{{.*}}, %[[ZEROS]], %[[SUM]]
func.func @main(%x: tensor<4xf32>, %i: tensor<2xi64>) -> tensor<4xf32> {
  %0 = graph.parameter @w : tensor<4xf32>
  %1 = graph.parameter @w : tensor<4xf32>
  %2 = graph.exp %0 : tensor<4xf32>
  %3 = graph.mul %2, %1 : tensor<4xf32>
  return %3 : tensor<4xf32>
}

// -----

// Only what the gradients need is left: no derivative of what does not depend on
// the parameters, and nothing for integers.
// CHECK-LABEL: func.func @main_gradient
// CHECK-NOT: graph.sin
// CHECK: %[[COS:.*]] = graph.cos
// CHECK-NOT: graph.sin
// CHECK: graph.scatter_nd
// CHECK: return
func.func @main(%i: tensor<3xi64>) -> tensor<f32> {
  %w = graph.parameter @w : tensor<4xf32>
  %0 = graph.gather %w, %i axis = 0 : (tensor<4xf32>, tensor<3xi64>) -> tensor<3xf32>
  %f = graph.cast %i to f32 : tensor<3xi64>
  %1 = graph.cos %f : tensor<3xf32>
  %2 = graph.mul %0, %1 : tensor<3xf32>
  %3 = graph.reduce_sum %2 axes = [0] : (tensor<3xf32>) -> tensor<f32>
  return %3 : tensor<f32>
}
