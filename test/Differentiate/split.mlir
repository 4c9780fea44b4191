// RUN: tenon-opt "--graph-differentiate=function=stage split" %s | FileCheck %s

// A stage of a pipeline: its backward pass for inputs, which the stage before
// waits for, and that for weights, which nothing waits for. Each computes only
// what it needs.

// CHECK-LABEL: func.func @stage(

// CHECK-LABEL: func.func @stage_backward_inputs
// CHECK-SAME: (%{{.*}}: tensor<2x4xf32>, %[[DY:.*]]: tensor<2x5xf32>) -> tensor<2x4xf32> {
// CHECK-NOT: transpose_a
// CHECK: graph.matmul %{{.*}}, %{{.*}} transpose_b
// CHECK-NOT: transpose_a
// CHECK: return

// CHECK-LABEL: func.func @stage_backward_weights
// CHECK-SAME: (%{{.*}}: tensor<2x4xf32>, %[[DY:.*]]: tensor<2x5xf32>) -> (tensor<4x5xf32> {graph.name = "w_gradient"}) {
// CHECK-NOT: transpose_b
// CHECK: graph.matmul %{{.*}}, %{{.*}} transpose_a
// CHECK-NOT: transpose_b
// CHECK: return
func.func @stage(%x: tensor<2x4xf32>) -> tensor<2x5xf32> {
  %w = graph.parameter @w : tensor<4x5xf32>
  %0 = graph.matmul %x, %w : (tensor<2x4xf32>, tensor<4x5xf32>) -> tensor<2x5xf32>
  %1 = graph.tanh %0 : tensor<2x5xf32>
  return %1 : tensor<2x5xf32>
}
