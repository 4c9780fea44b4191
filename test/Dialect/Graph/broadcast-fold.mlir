// RUN: tenon-opt %s --canonicalize | FileCheck %s

// CHECK-LABEL: func.func @same_type
//  CHECK-SAME: (%[[X:.*]]: tensor
//       CHECK: return %[[X]]
func.func @same_type(%x: tensor<2x3xf32>) -> tensor<2x3xf32> {
  %0 = graph.broadcast %x shape = [2, 3] : (tensor<2x3xf32>) -> tensor<2x3xf32>
  return %0 : tensor<2x3xf32>
}

// CHECK-LABEL: func.func @twice
//  CHECK-SAME: (%[[X:.*]]: tensor
//       CHECK: graph.broadcast %[[X]] shape = [n, 2, 3, 4]
//   CHECK-NOT: graph.broadcast
func.func @twice(%x: tensor<3x1xf32>) -> tensor<?x2x3x4xf32, #graph.dims<n, 2, 3, 4>> {
  %0 = graph.broadcast %x shape = [2, 3, 1] : (tensor<3x1xf32>) -> tensor<2x3x1xf32>
  %1 = graph.broadcast %0 shape = [n, 2, 3, 4] : (tensor<2x3x1xf32>) -> tensor<?x2x3x4xf32, #graph.dims<n, 2, 3, 4>>
  return %1 : tensor<?x2x3x4xf32, #graph.dims<n, 2, 3, 4>>
}

// CHECK-LABEL: func.func @leading_ones
//   CHECK-NOT: graph.reshape
//       CHECK: graph.broadcast %{{.*}} shape = [2, 4, 3]
func.func @leading_ones(%x: tensor<3xf32>) -> tensor<2x4x3xf32> {
  %0 = graph.reshape %x shape = [1, 1, 3] : (tensor<3xf32>) -> tensor<1x1x3xf32>
  %1 = graph.broadcast %0 shape = [2, 4, 3] : (tensor<1x1x3xf32>) -> tensor<2x4x3xf32>
  return %1 : tensor<2x4x3xf32>
}

// CHECK-LABEL: func.func @trailing_ones
//       CHECK: graph.reshape
//       CHECK: graph.broadcast
func.func @trailing_ones(%x: tensor<3xf32>) -> tensor<3x4xf32> {
  %0 = graph.reshape %x shape = [3, 1] : (tensor<3xf32>) -> tensor<3x1xf32>
  %1 = graph.broadcast %0 shape = [3, 4] : (tensor<3x1xf32>) -> tensor<3x4xf32>
  return %1 : tensor<3x4xf32>
}

// CHECK-LABEL: func.func @constant
//       CHECK: graph.constant dense<{{\[\[}}1, 1], [2, 2]]> : tensor<2x2xi8>
func.func @constant() -> tensor<2x2xi8> {
  %0 = graph.constant dense<[[1], [2]]> : tensor<2x1xi8>
  %1 = graph.broadcast %0 shape = [2, 2] : (tensor<2x1xi8>) -> tensor<2x2xi8>
  return %1 : tensor<2x2xi8>
}

// More than 4096 elements are not folded.
// CHECK-LABEL: func.func @large_constant
//       CHECK: graph.broadcast
func.func @large_constant() -> tensor<2x4096xi8> {
  %0 = graph.constant dense<[[1], [2]]> : tensor<2x1xi8>
  %1 = graph.broadcast %0 shape = [2, 4096] : (tensor<2x1xi8>) -> tensor<2x4096xi8>
  return %1 : tensor<2x4096xi8>
}

// CHECK-LABEL: func.func @tile
//  CHECK-SAME: (%[[X:.*]]: tensor
//       CHECK: %[[C:.*]] = graph.constant dense<[1, 2, 1, 2]> : tensor<4xi8>
//       CHECK: return %[[X]], %[[C]]
func.func @tile(%x: tensor<2x3xf32>) -> (tensor<2x3xf32>, tensor<4xi8>) {
  %0 = graph.tile %x repeats = [1, 1] : (tensor<2x3xf32>) -> tensor<2x3xf32>
  %1 = graph.constant dense<[1, 2]> : tensor<2xi8>
  %2 = graph.tile %1 repeats = [2] : (tensor<2xi8>) -> tensor<4xi8>
  return %0, %2 : tensor<2x3xf32>, tensor<4xi8>
}
