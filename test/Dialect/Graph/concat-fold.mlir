// RUN: tenon-opt %s --canonicalize | FileCheck %s

// CHECK-LABEL: func.func @one
//  CHECK-SAME: (%[[X:.*]]: tensor
//       CHECK: return %[[X]]
func.func @one(%x: tensor<2xf32>) -> tensor<2xf32> {
  %0 = graph.concat %x axis = 0 : (tensor<2xf32>) -> tensor<2xf32>
  return %0 : tensor<2xf32>
}

// CHECK-LABEL: func.func @one_and_empty
//  CHECK-SAME: (%[[X:.*]]: tensor<2xf32>
//       CHECK: return %[[X]]
func.func @one_and_empty(%x: tensor<2xf32>, %e: tensor<0xf32>) -> tensor<2xf32> {
  %0 = graph.concat %e, %x, %e axis = 0 : (tensor<0xf32>, tensor<2xf32>, tensor<0xf32>) -> tensor<2xf32>
  return %0 : tensor<2xf32>
}

// CHECK-LABEL: func.func @drop_empty
//  CHECK-SAME: (%[[X:.*]]: tensor<2xf32>
//       CHECK: graph.concat %[[X]], %[[X]] axis = 0
func.func @drop_empty(%x: tensor<2xf32>, %e: tensor<0xf32>) -> tensor<4xf32> {
  %0 = graph.concat %x, %e, %x axis = 0 : (tensor<2xf32>, tensor<0xf32>, tensor<2xf32>) -> tensor<4xf32>
  return %0 : tensor<4xf32>
}

// CHECK-LABEL: func.func @nested
//  CHECK-SAME: (%[[A:.*]]: tensor<2xf32>, %[[B:.*]]: tensor<?xf32
//       CHECK: graph.concat %[[A]], %[[B]], %[[A]] axis = 0
//   CHECK-NOT: graph.concat
func.func @nested(%a: tensor<2xf32>, %b: tensor<?xf32, #graph.dims<n>>) -> tensor<?xf32, #graph.dims<n + 4>> {
  %0 = graph.concat %a, %b axis = 0 : (tensor<2xf32>, tensor<?xf32, #graph.dims<n>>) -> tensor<?xf32, #graph.dims<n + 2>>
  %1 = graph.concat %0, %a axis = 0 : (tensor<?xf32, #graph.dims<n + 2>>, tensor<2xf32>) -> tensor<?xf32, #graph.dims<n + 4>>
  return %1 : tensor<?xf32, #graph.dims<n + 4>>
}

// CHECK-LABEL: func.func @nested_on_another_axis
//       CHECK: graph.concat %{{.*}} axis = 0
//       CHECK: graph.concat %{{.*}} axis = 1
func.func @nested_on_another_axis(%a: tensor<2x2xf32>, %b: tensor<4x1xf32>) -> tensor<4x3xf32> {
  %0 = graph.concat %a, %a axis = 0 : (tensor<2x2xf32>, tensor<2x2xf32>) -> tensor<4x2xf32>
  %1 = graph.concat %0, %b axis = 1 : (tensor<4x2xf32>, tensor<4x1xf32>) -> tensor<4x3xf32>
  return %1 : tensor<4x3xf32>
}

// The inner result is needed anyway: flattening would copy its inputs twice.
// CHECK-LABEL: func.func @nested_and_shared
//       CHECK: %[[I:.*]] = graph.concat
//       CHECK: graph.concat %[[I]],
func.func @nested_and_shared(%a: tensor<2xf32>) -> (tensor<4xf32>, tensor<6xf32>) {
  %0 = graph.concat %a, %a axis = 0 : (tensor<2xf32>, tensor<2xf32>) -> tensor<4xf32>
  %1 = graph.concat %0, %a axis = 0 : (tensor<4xf32>, tensor<2xf32>) -> tensor<6xf32>
  return %0, %1 : tensor<4xf32>, tensor<6xf32>
}

// CHECK-LABEL: func.func @of_split
//  CHECK-SAME: (%[[X:.*]]: tensor
//       CHECK: return %[[X]]
func.func @of_split(%x: tensor<4xf32>) -> tensor<4xf32> {
  %0:2 = graph.split %x axis = 0 sizes = [1, 3] : (tensor<4xf32>) -> (tensor<1xf32>, tensor<3xf32>)
  %1 = graph.concat %0#0, %0#1 axis = 0 : (tensor<1xf32>, tensor<3xf32>) -> tensor<4xf32>
  return %1 : tensor<4xf32>
}

// CHECK-LABEL: func.func @of_split_in_another_order
//       CHECK: graph.split
//       CHECK: graph.concat
func.func @of_split_in_another_order(%x: tensor<4xf32>) -> tensor<4xf32> {
  %0:2 = graph.split %x axis = 0 sizes = [2, 2] : (tensor<4xf32>) -> (tensor<2xf32>, tensor<2xf32>)
  %1 = graph.concat %0#1, %0#0 axis = 0 : (tensor<2xf32>, tensor<2xf32>) -> tensor<4xf32>
  return %1 : tensor<4xf32>
}

// CHECK-LABEL: func.func @constant
//       CHECK: graph.constant dense<{{\[\[}}1, 3], [2, 4]]> : tensor<2x2xi64>
func.func @constant() -> tensor<2x2xi64> {
  %0 = graph.constant dense<[[1], [2]]> : tensor<2x1xi64>
  %1 = graph.constant dense<[[3], [4]]> : tensor<2x1xi64>
  %2 = graph.concat %0, %1 axis = 1 : (tensor<2x1xi64>, tensor<2x1xi64>) -> tensor<2x2xi64>
  return %2 : tensor<2x2xi64>
}

// Different splats do not make a splat.
// CHECK-LABEL: func.func @splats
//       CHECK: graph.constant dense<[1, 1, 2, 2]> : tensor<4xi64>
func.func @splats() -> tensor<4xi64> {
  %0 = graph.constant dense<1> : tensor<2xi64>
  %1 = graph.constant dense<2> : tensor<2xi64>
  %2 = graph.concat %0, %1 axis = 0 : (tensor<2xi64>, tensor<2xi64>) -> tensor<4xi64>
  return %2 : tensor<4xi64>
}
