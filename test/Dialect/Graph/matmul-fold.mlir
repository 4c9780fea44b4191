// RUN: tenon-opt %s --canonicalize | FileCheck %s

// CHECK-LABEL: func.func @absorb_rhs
//  CHECK-SAME: (%[[A:.*]]: tensor<2x4x5xf32>, %[[B:.*]]: tensor<2x6x5xf32>)
//   CHECK-NOT: graph.transpose
//       CHECK: graph.matmul %[[A]], %[[B]] transpose_b :
func.func @absorb_rhs(%a: tensor<2x4x5xf32>, %b: tensor<2x6x5xf32>) -> tensor<2x4x6xf32> {
  %0 = graph.transpose %b perm = [0, 2, 1] : (tensor<2x6x5xf32>) -> tensor<2x5x6xf32>
  %1 = graph.matmul %a, %0 : (tensor<2x4x5xf32>, tensor<2x5x6xf32>) -> tensor<2x4x6xf32>
  return %1 : tensor<2x4x6xf32>
}

// CHECK-LABEL: func.func @absorb_both
//   CHECK-NOT: graph.transpose
//       CHECK: graph.matmul %{{.*}}, %{{[^ ]*}} transpose_b :
func.func @absorb_both(%a: tensor<4x5xf32>, %b: tensor<6x5xf32>) -> tensor<4x6xf32> {
  %0 = graph.transpose %a perm = [1, 0] : (tensor<4x5xf32>) -> tensor<5x4xf32>
  %1 = graph.transpose %b perm = [1, 0] : (tensor<6x5xf32>) -> tensor<5x6xf32>
  %2 = graph.matmul %0, %1 transpose_a : (tensor<5x4xf32>, tensor<5x6xf32>) -> tensor<4x6xf32>
  return %2 : tensor<4x6xf32>
}

// CHECK-LABEL: func.func @moves_a_batch_axis
//       CHECK: graph.transpose
//       CHECK: graph.matmul
func.func @moves_a_batch_axis(%a: tensor<4x2x5xf32>, %b: tensor<2x5x6xf32>) -> tensor<2x4x6xf32> {
  %0 = graph.transpose %a perm = [1, 0, 2] : (tensor<4x2x5xf32>) -> tensor<2x4x5xf32>
  %1 = graph.matmul %0, %b : (tensor<2x4x5xf32>, tensor<2x5x6xf32>) -> tensor<2x4x6xf32>
  return %1 : tensor<2x4x6xf32>
}

// CHECK-LABEL: func.func @absorb_broadcast
//  CHECK-SAME: (%[[A:.*]]: tensor<?x2x4x5xf32, {{.*}}>, %[[B:.*]]: tensor<1x5x6xf32>)
//       CHECK: graph.matmul %[[A]], %[[B]] :
func.func @absorb_broadcast(%a: tensor<?x2x4x5xf32, #graph.dims<n, 2, 4, 5>>, %b: tensor<1x5x6xf32>) -> tensor<?x2x4x6xf32, #graph.dims<n, 2, 4, 6>> {
  %0 = graph.broadcast %b shape = [n, 2, 5, 6] : (tensor<1x5x6xf32>) -> tensor<?x2x5x6xf32, #graph.dims<n, 2, 5, 6>>
  %1 = graph.matmul %a, %0 : (tensor<?x2x4x5xf32, #graph.dims<n, 2, 4, 5>>, tensor<?x2x5x6xf32, #graph.dims<n, 2, 5, 6>>) -> tensor<?x2x4x6xf32, #graph.dims<n, 2, 4, 6>>
  return %1 : tensor<?x2x4x6xf32, #graph.dims<n, 2, 4, 6>>
}

// One of two broadcasts makes the batches.
// CHECK-LABEL: func.func @batches_from_broadcasts
//  CHECK-SAME: (%[[A:.*]]: tensor<4x5xf32>, %[[B:.*]]: tensor<5x6xf32>)
//       CHECK: %[[R:.*]] = graph.broadcast %[[B]]
//       CHECK: graph.matmul %[[A]], %[[R]] :
func.func @batches_from_broadcasts(%a: tensor<4x5xf32>, %b: tensor<5x6xf32>) -> tensor<3x4x6xf32> {
  %0 = graph.broadcast %a shape = [3, 4, 5] : (tensor<4x5xf32>) -> tensor<3x4x5xf32>
  %1 = graph.broadcast %b shape = [3, 5, 6] : (tensor<5x6xf32>) -> tensor<3x5x6xf32>
  %2 = graph.matmul %0, %1 : (tensor<3x4x5xf32>, tensor<3x5x6xf32>) -> tensor<3x4x6xf32>
  return %2 : tensor<3x4x6xf32>
}

// CHECK-LABEL: func.func @repeats_a_row
//       CHECK: graph.broadcast
//       CHECK: graph.matmul
func.func @repeats_a_row(%a: tensor<1x5xf32>, %b: tensor<3x5x6xf32>) -> tensor<3x4x6xf32> {
  %0 = graph.broadcast %a shape = [3, 4, 5] : (tensor<1x5xf32>) -> tensor<3x4x5xf32>
  %1 = graph.matmul %0, %b : (tensor<3x4x5xf32>, tensor<3x5x6xf32>) -> tensor<3x4x6xf32>
  return %1 : tensor<3x4x6xf32>
}

// No other operand has the outer batch axis.
// CHECK-LABEL: func.func @rank_from_broadcast
//       CHECK: graph.broadcast
//       CHECK: graph.matmul
func.func @rank_from_broadcast(%a: tensor<4x5xf32>, %b: tensor<5x6xf32>) -> tensor<1x4x6xf32> {
  %0 = graph.broadcast %a shape = [1, 4, 5] : (tensor<4x5xf32>) -> tensor<1x4x5xf32>
  %1 = graph.matmul %0, %b : (tensor<1x4x5xf32>, tensor<5x6xf32>) -> tensor<1x4x6xf32>
  return %1 : tensor<1x4x6xf32>
}
