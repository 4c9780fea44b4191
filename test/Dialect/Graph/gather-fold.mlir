// RUN: tenon-opt %s --canonicalize | FileCheck %s

// CHECK-LABEL: func.func @scalar_index
//       CHECK: %[[S:.*]] = graph.slice %{{.*}} starts = [0, 3] sizes = [n, 1] steps = [1, 1]
//       CHECK: %[[R:.*]] = graph.reshape %[[S]] shape = [n]
//       CHECK: return %[[R]]
func.func @scalar_index(%x: tensor<?x4xf32, #graph.dims<n, 4>>) -> tensor<?xf32, #graph.dims<n>> {
  %i = graph.constant dense<-1> : tensor<i64>
  %0 = graph.gather %x, %i axis = 1 : (tensor<?x4xf32, #graph.dims<n, 4>>, tensor<i64>) -> tensor<?xf32, #graph.dims<n>>
  return %0 : tensor<?xf32, #graph.dims<n>>
}

// CHECK-LABEL: func.func @every_other
//       CHECK: %[[S:.*]] = graph.slice %{{.*}} starts = [0] sizes = [3] steps = [2]
//       CHECK: return %[[S]]
func.func @every_other(%x: tensor<6xf32>) -> tensor<3xf32> {
  %i = graph.constant dense<[0, 2, 4]> : tensor<3xi32>
  %0 = graph.gather %x, %i axis = 0 : (tensor<6xf32>, tensor<3xi32>) -> tensor<3xf32>
  return %0 : tensor<3xf32>
}

// CHECK-LABEL: func.func @no_progression
//       CHECK: graph.gather
func.func @no_progression(%x: tensor<6xf32>) -> tensor<3xf32> {
  %i = graph.constant dense<[0, 2, 3]> : tensor<3xi64>
  %0 = graph.gather %x, %i axis = 0 : (tensor<6xf32>, tensor<3xi64>) -> tensor<3xf32>
  return %0 : tensor<3xf32>
}

// CHECK-LABEL: func.func @same_index_twice
//       CHECK: graph.gather
func.func @same_index_twice(%x: tensor<6xf32>) -> tensor<2xf32> {
  %i = graph.constant dense<3> : tensor<2xi64>
  %0 = graph.gather %x, %i axis = 0 : (tensor<6xf32>, tensor<2xi64>) -> tensor<2xf32>
  return %0 : tensor<2xf32>
}

// Index 3 may be clamped.
// CHECK-LABEL: func.func @symbolic_size
//       CHECK: graph.gather
func.func @symbolic_size(%x: tensor<?xf32, #graph.dims<n>>) -> tensor<1xf32> {
  %i = graph.constant dense<3> : tensor<1xi64>
  %0 = graph.gather %x, %i axis = 0 : (tensor<?xf32, #graph.dims<n>>, tensor<1xi64>) -> tensor<1xf32>
  return %0 : tensor<1xf32>
}

// Negative indices count from the end; those out of range are clamped.
// CHECK-LABEL: func.func @constant
//       CHECK: graph.constant dense<[40, 10, 40, 10]> : tensor<4xi64>
func.func @constant() -> tensor<4xi64> {
  %x = graph.constant dense<[10, 20, 30, 40]> : tensor<4xi64>
  %i = graph.constant dense<[-1, 0, 9, -9]> : tensor<4xi64>
  %0 = graph.gather %x, %i axis = 0 : (tensor<4xi64>, tensor<4xi64>) -> tensor<4xi64>
  return %0 : tensor<4xi64>
}
