// RUN: tenon-opt "--graph-train=loss=cross-entropy optimizer=adam learning-rate=0.5 freeze=embed*" %s | FileCheck %s
// RUN: tenon-opt "--graph-train=loss=cross-entropy class-axis=-1 weight-decay=0.5 no-decay=*.bias freeze=embed*" %s | FileCheck %s --check-prefix=DECAY

// A softmax before the loss is not computed twice; a frozen parameter stays one,
// and both uses of "fc" belong to one state.
// CHECK: graph.state @fc : tensor<4x4xf32> = @fc
// CHECK-NEXT: graph.state @fc.bias : tensor<4xf32> = @fc.bias
// CHECK-NEXT: graph.state @optimizer.step : tensor<i64>
// CHECK-NEXT: graph.state @optimizer.first_moment.fc : tensor<4x4xf32>
// CHECK-NEXT: graph.state @optimizer.second_moment.fc : tensor<4x4xf32>
// CHECK-NEXT: graph.state @optimizer.first_moment.fc.bias : tensor<4xf32>
// CHECK-NEXT: graph.state @optimizer.second_moment.fc.bias : tensor<4xf32>
// CHECK-NOT: func.func @main
// CHECK: func.func @train_step
// CHECK-SAME: (%{{.*}}: tensor<?xi64, #graph.dims<n>> {graph.name = "i"}, %[[T:.*]]: tensor<?xi64, #graph.dims<n>> {graph.name = "target"}) -> (tensor<f32> {graph.name = "loss"}) {
// CHECK: graph.parameter @embed
// CHECK-NOT: graph.parameter
// CHECK: %[[BIAS:.*]] = graph.add
// CHECK-NEXT: %[[LOSS:.*]] = graph.softmax_cross_entropy %[[BIAS]], %[[T]] mean
// CHECK: graph.write_state @fc.bias,
// CHECK: graph.write_state @fc,
// CHECK: graph.write_state @optimizer.step,
// CHECK-NEXT: return %[[LOSS]]
// CHECK: func.func @evaluate
// CHECK-NOT: graph.write_state
// CHECK: graph.softmax_cross_entropy
// CHECK: func.func @predict
// CHECK-SAME: (%{{.*}}: tensor<?xi64, #graph.dims<n>> {graph.name = "i"}) -> (tensor<?x4xf32, #graph.dims<n, 4>> {graph.name = "p"}, tensor<?x4xf32, #graph.dims<n, 4>> {graph.name = "h"}) {
// CHECK: graph.softmax

// Without momentum, sgd has no states of parameters; its decay is that of fc alone.
// DECAY: graph.state @optimizer.step
// DECAY-NOT: graph.state
// DECAY: func.func @train_step
// DECAY-NOT: graph.constant dense<5.000000e-01>
// DECAY: graph.write_state @fc.bias,
// DECAY: graph.constant dense<5.000000e-01> : tensor<f32>
// DECAY: graph.write_state @fc,
func.func @main(%i: tensor<?xi64, #graph.dims<n>> {graph.name = "i"})
    -> (tensor<?x4xf32, #graph.dims<n, 4>> {graph.name = "p"}, tensor<?x4xf32, #graph.dims<n, 4>> {graph.name = "h"}) {
  %e = graph.parameter @embed.weight : tensor<9x4xf32>
  %w = graph.parameter @fc : tensor<4x4xf32>
  %b = graph.parameter @fc.bias : tensor<4xf32>
  %0 = graph.gather %e, %i axis = 0 : (tensor<9x4xf32>, tensor<?xi64, #graph.dims<n>>) -> tensor<?x4xf32, #graph.dims<n, 4>>
  %1 = graph.matmul %0, %w : (tensor<?x4xf32, #graph.dims<n, 4>>, tensor<4x4xf32>) -> tensor<?x4xf32, #graph.dims<n, 4>>
  %again = graph.parameter @fc : tensor<4x4xf32>
  %2 = graph.matmul %1, %again : (tensor<?x4xf32, #graph.dims<n, 4>>, tensor<4x4xf32>) -> tensor<?x4xf32, #graph.dims<n, 4>>
  %row = graph.reshape %b shape = [1, 4] : (tensor<4xf32>) -> tensor<1x4xf32>
  %all = graph.broadcast %row shape = [n, 4] : (tensor<1x4xf32>) -> tensor<?x4xf32, #graph.dims<n, 4>>
  %3 = graph.add %2, %all : tensor<?x4xf32, #graph.dims<n, 4>>
  %4 = graph.softmax %3 axis = 1 : tensor<?x4xf32, #graph.dims<n, 4>>
  return %4, %1 : tensor<?x4xf32, #graph.dims<n, 4>>, tensor<?x4xf32, #graph.dims<n, 4>>
}
