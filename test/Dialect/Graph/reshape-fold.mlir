// RUN: tenon-opt %s --canonicalize | FileCheck %s

// CHECK-LABEL: func.func @same_type
//  CHECK-SAME: (%[[X:.*]]: tensor
//       CHECK: return %[[X]]
func.func @same_type(%x: tensor<?x3xf32, #graph.dims<n, 3>>) -> tensor<?x3xf32, #graph.dims<n, 3>> {
  %0 = graph.reshape %x shape = [n, 3] : (tensor<?x3xf32, #graph.dims<n, 3>>) -> tensor<?x3xf32, #graph.dims<n, 3>>
  return %0 : tensor<?x3xf32, #graph.dims<n, 3>>
}

// Nothing says that two sizes without a name keep their places.
// CHECK-LABEL: func.func @nameless
//       CHECK: graph.reshape
func.func @nameless(%x: tensor<?x?xf32>) -> tensor<?x?xf32> {
  %0 = graph.reshape %x shape = [n, m] : (tensor<?x?xf32>) -> tensor<?x?xf32>
  return %0 : tensor<?x?xf32>
}

// CHECK-LABEL: func.func @twice
//  CHECK-SAME: (%[[X:.*]]: tensor
//       CHECK: %[[R:.*]] = graph.reshape %[[X]] shape = [2 * n, 3]
//       CHECK: return %[[R]]
func.func @twice(%x: tensor<?x6xf32, #graph.dims<n, 6>>) -> tensor<?x3xf32, #graph.dims<2 * n, 3>> {
  %0 = graph.reshape %x shape = [6 * n] : (tensor<?x6xf32, #graph.dims<n, 6>>) -> tensor<?xf32, #graph.dims<6 * n>>
  %1 = graph.reshape %0 shape = [?, 3] : (tensor<?xf32, #graph.dims<6 * n>>) -> tensor<?x3xf32, #graph.dims<2 * n, 3>>
  return %1 : tensor<?x3xf32, #graph.dims<2 * n, 3>>
}

// CHECK-LABEL: func.func @not_across_transposes
//       CHECK: graph.reshape
//       CHECK: graph.transpose
//       CHECK: graph.reshape
func.func @not_across_transposes(%x: tensor<2x6xf32>) -> tensor<12xf32> {
  %0 = graph.reshape %x shape = [4, 3] : (tensor<2x6xf32>) -> tensor<4x3xf32>
  %1 = graph.transpose %0 perm = [1, 0] : (tensor<4x3xf32>) -> tensor<3x4xf32>
  %2 = graph.reshape %1 shape = [12] : (tensor<3x4xf32>) -> tensor<12xf32>
  return %2 : tensor<12xf32>
}

// CHECK-LABEL: func.func @constant
//       CHECK: graph.constant dense<{{\[\[}}1, 2], [3, 4], [5, 6]]> : tensor<3x2xi32>
func.func @constant() -> tensor<3x2xi32> {
  %0 = graph.constant dense<[[1, 2, 3], [4, 5, 6]]> : tensor<2x3xi32>
  %1 = graph.reshape %0 shape = [3, 2] : (tensor<2x3xi32>) -> tensor<3x2xi32>
  return %1 : tensor<3x2xi32>
}

// No elements: they say nothing of the size without a name.
// CHECK-LABEL: func.func @nameless_and_empty
//       CHECK: graph.reshape
func.func @nameless_and_empty(%x: tensor<0x?xf32>) -> tensor<0x?xf32> {
  %0 = graph.reshape %x shape = [0, 7] : (tensor<0x?xf32>) -> tensor<0x?xf32>
  return %0 : tensor<0x?xf32>
}

// CHECK-LABEL: func.func @one_nameless
//  CHECK-SAME: (%[[X:.*]]: tensor
//       CHECK: return %[[X]]
func.func @one_nameless(%x: tensor<3x?xf32>) -> tensor<3x?xf32> {
  %0 = graph.reshape %x shape = [3, ?] : (tensor<3x?xf32>) -> tensor<3x?xf32>
  return %0 : tensor<3x?xf32>
}
