// Every entry is placed, and states stay arguments and results.
// RUN: tenon-opt %s --graph-functionalize-state --graph-decompose --graph-place | FileCheck %s

// CHECK: graph.state @sum : tensor<4xf32>
graph.state @sum : tensor<4xf32>

// CHECK-LABEL: func.func @push(
// CHECK-SAME:    %[[X:[^:]*]]: tensor<4xf32>, %[[S:[^:]*]]: tensor<4xf32> {graph.state = @sum})
// CHECK-SAME:    -> (tensor<4xf32> {graph.state = @sum})
// CHECK:         %[[N:.*]] = kernel.call "cpu" {{.*}}%[[S]]
// CHECK:         return %[[N]]
func.func @push(%x: tensor<4xf32>) {
  %0 = graph.read_state @sum : tensor<4xf32>
  %1 = graph.add %0, %x : tensor<4xf32>
  graph.write_state @sum, %1 : tensor<4xf32>
  return
}

// CHECK-LABEL: func.func @mean(
// CHECK-SAME:    %[[S:[^:]*]]: tensor<4xf32> {graph.state = @sum}) -> tensor<f32>
// CHECK:         kernel.call "cpu" {{.*}}%[[S]]
func.func @mean() -> tensor<f32> {
  %0 = graph.read_state @sum : tensor<4xf32>
  %1 = graph.reduce_mean %0 axes = [0] : (tensor<4xf32>) -> tensor<f32>
  return %1 : tensor<f32>
}
