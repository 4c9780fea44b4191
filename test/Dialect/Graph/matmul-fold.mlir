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
