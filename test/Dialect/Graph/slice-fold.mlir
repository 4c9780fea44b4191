// RUN: tenon-opt %s --canonicalize | FileCheck %s

// CHECK-LABEL: func.func @whole
//  CHECK-SAME: (%[[X:.*]]: tensor
//       CHECK: return %[[X]]
func.func @whole(%x: tensor<?x3xf32, #graph.dims<n, 3>>) -> tensor<?x3xf32, #graph.dims<n, 3>> {
  %0 = graph.slice %x starts = [0, 0] sizes = [n, 3] steps = [1, 1] : (tensor<?x3xf32, #graph.dims<n, 3>>) -> tensor<?x3xf32, #graph.dims<n, 3>>
  return %0 : tensor<?x3xf32, #graph.dims<n, 3>>
}

// CHECK-LABEL: func.func @backwards
//       CHECK: graph.slice
func.func @backwards(%x: tensor<3xf32>) -> tensor<3xf32> {
  %0 = graph.slice %x starts = [2] sizes = [3] steps = [-1] : (tensor<3xf32>) -> tensor<3xf32>
  return %0 : tensor<3xf32>
}

// CHECK-LABEL: func.func @twice
//       CHECK: graph.slice %{{.*}} starts = [7, p + q] sizes = [2, 2] steps = [-4, 1] :
//   CHECK-NOT: graph.slice
func.func @twice(%x: tensor<10x?xf32, #graph.dims<10, n>>) -> tensor<2x2xf32> {
  %0 = graph.slice %x starts = [1, p] sizes = [4, 9] steps = [2, 1] : (tensor<10x?xf32, #graph.dims<10, n>>) -> tensor<4x9xf32>
  %1 = graph.slice %0 starts = [3, q] sizes = [2, 2] steps = [-2, 1] : (tensor<4x9xf32>) -> tensor<2x2xf32>
  return %1 : tensor<2x2xf32>
}

// CHECK-LABEL: func.func @constant
//       CHECK: graph.constant dense<[4.000000e+00, 2.000000e+00]> : tensor<2xf16>
func.func @constant() -> tensor<2xf16> {
  %0 = graph.constant dense<[1.0, 2.0, 3.0, 4.0]> : tensor<4xf16>
  %1 = graph.slice %0 starts = [3] sizes = [2] steps = [-2] : (tensor<4xf16>) -> tensor<2xf16>
  return %1 : tensor<2xf16>
}

// CHECK-LABEL: func.func @reverse
//  CHECK-SAME: (%[[X:.*]]: tensor
//       CHECK: %[[C:.*]] = graph.constant dense<[2, 1]> : tensor<2xi8>
//       CHECK: return %[[X]], %[[C]]
func.func @reverse(%x: tensor<2xf32>) -> (tensor<2xf32>, tensor<2xi8>) {
  %0 = graph.reverse %x axes = [] : tensor<2xf32>
  %1 = graph.constant dense<[1, 2]> : tensor<2xi8>
  %2 = graph.reverse %1 axes = [0] : tensor<2xi8>
  return %0, %2 : tensor<2xf32>, tensor<2xi8>
}

// CHECK-LABEL: func.func @split_of_one
//  CHECK-SAME: (%[[X:.*]]: tensor
//       CHECK: return %[[X]]
func.func @split_of_one(%x: tensor<4xf32>) -> tensor<4xf32> {
  %0 = graph.split %x axis = 0 sizes = [4] : (tensor<4xf32>) -> tensor<4xf32>
  return %0 : tensor<4xf32>
}

// CHECK-LABEL: func.func @split_at_seams
//  CHECK-SAME: (%[[A:.*]]: tensor<1xf32>, %[[B:.*]]: tensor<3xf32>)
//       CHECK: return %[[A]], %[[B]]
func.func @split_at_seams(%a: tensor<1xf32>, %b: tensor<3xf32>) -> (tensor<1xf32>, tensor<3xf32>) {
  %0 = graph.concat %a, %b axis = 0 : (tensor<1xf32>, tensor<3xf32>) -> tensor<4xf32>
  %1:2 = graph.split %0 axis = 0 sizes = [1, 3] : (tensor<4xf32>) -> (tensor<1xf32>, tensor<3xf32>)
  return %1#0, %1#1 : tensor<1xf32>, tensor<3xf32>
}

// CHECK-LABEL: func.func @split_beside_seams
//       CHECK: graph.concat
//       CHECK: graph.split
func.func @split_beside_seams(%a: tensor<1xf32>, %b: tensor<3xf32>) -> (tensor<2xf32>, tensor<2xf32>) {
  %0 = graph.concat %a, %b axis = 0 : (tensor<1xf32>, tensor<3xf32>) -> tensor<4xf32>
  %1:2 = graph.split %0 axis = 0 sizes = [2, 2] : (tensor<4xf32>) -> (tensor<2xf32>, tensor<2xf32>)
  return %1#0, %1#1 : tensor<2xf32>, tensor<2xf32>
}
