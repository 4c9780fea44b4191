// RUN: tenon-opt %s --canonicalize | FileCheck %s

// CHECK-LABEL: func.func @identity
//  CHECK-SAME: (%[[X:.*]]: tensor
//       CHECK: return %[[X]]
func.func @identity(%x: tensor<2x3xf32>) -> tensor<2x3xf32> {
  %0 = graph.transpose %x perm = [0, 1] : (tensor<2x3xf32>) -> tensor<2x3xf32>
  return %0 : tensor<2x3xf32>
}

// CHECK-LABEL: func.func @square_is_not_identity
//       CHECK: graph.transpose
func.func @square_is_not_identity(%x: tensor<3x3xf32>) -> tensor<3x3xf32> {
  %0 = graph.transpose %x perm = [1, 0] : (tensor<3x3xf32>) -> tensor<3x3xf32>
  return %0 : tensor<3x3xf32>
}

// CHECK-LABEL: func.func @twice
//  CHECK-SAME: (%[[X:.*]]: tensor
//       CHECK: %[[T:.*]] = graph.transpose %[[X]] perm = [1, 2, 0]
//       CHECK: return %[[T]]
func.func @twice(%x: tensor<2x3x4xf32>) -> tensor<3x4x2xf32> {
  %0 = graph.transpose %x perm = [2, 0, 1] : (tensor<2x3x4xf32>) -> tensor<4x2x3xf32>
  %1 = graph.transpose %0 perm = [2, 0, 1] : (tensor<4x2x3xf32>) -> tensor<3x4x2xf32>
  return %1 : tensor<3x4x2xf32>
}

// CHECK-LABEL: func.func @there_and_back
//  CHECK-SAME: (%[[X:.*]]: tensor
//       CHECK: return %[[X]]
func.func @there_and_back(%x: tensor<?x3x4xf32, #graph.dims<n, 3, 4>>) -> tensor<?x3x4xf32, #graph.dims<n, 3, 4>> {
  %0 = graph.transpose %x perm = [2, 0, 1] : (tensor<?x3x4xf32, #graph.dims<n, 3, 4>>) -> tensor<4x?x3xf32, #graph.dims<4, n, 3>>
  %1 = graph.transpose %0 perm = [1, 2, 0] : (tensor<4x?x3xf32, #graph.dims<4, n, 3>>) -> tensor<?x3x4xf32, #graph.dims<n, 3, 4>>
  return %1 : tensor<?x3x4xf32, #graph.dims<n, 3, 4>>
}

// CHECK-LABEL: func.func @moves_only_axes_of_size_one
//       CHECK: graph.reshape %{{.*}} shape = [n, 3, 1]
func.func @moves_only_axes_of_size_one(%x: tensor<?x1x3xf32, #graph.dims<n, 1, 3>>) -> tensor<?x3x1xf32, #graph.dims<n, 3, 1>> {
  %0 = graph.transpose %x perm = [0, 2, 1] : (tensor<?x1x3xf32, #graph.dims<n, 1, 3>>) -> tensor<?x3x1xf32, #graph.dims<n, 3, 1>>
  return %0 : tensor<?x3x1xf32, #graph.dims<n, 3, 1>>
}

// CHECK-LABEL: func.func @size_may_not_be_one
//       CHECK: graph.transpose
func.func @size_may_not_be_one(%x: tensor<?x3xf32, #graph.dims<n, 3>>) -> tensor<3x?xf32, #graph.dims<3, n>> {
  %0 = graph.transpose %x perm = [1, 0] : (tensor<?x3xf32, #graph.dims<n, 3>>) -> tensor<3x?xf32, #graph.dims<3, n>>
  return %0 : tensor<3x?xf32, #graph.dims<3, n>>
}

// CHECK-LABEL: func.func @constant
//       CHECK: graph.constant dense<{{\[\[}}1, 4], [2, 5], [3, 6]]> : tensor<3x2xi32>
func.func @constant() -> tensor<3x2xi32> {
  %0 = graph.constant dense<[[1, 2, 3], [4, 5, 6]]> : tensor<2x3xi32>
  %1 = graph.transpose %0 perm = [1, 0] : (tensor<2x3xi32>) -> tensor<3x2xi32>
  return %1 : tensor<3x2xi32>
}

// A splat is folded at any size.
// CHECK-LABEL: func.func @splat
//       CHECK: graph.constant dense<1.000000e+00> : tensor<300x200xf32>
func.func @splat() -> tensor<300x200xf32> {
  %0 = graph.constant dense<1.0> : tensor<200x300xf32>
  %1 = graph.transpose %0 perm = [1, 0] : (tensor<200x300xf32>) -> tensor<300x200xf32>
  return %1 : tensor<300x200xf32>
}
