// RUN: tenon-opt %s --graph-to-linalg --canonicalize --split-input-file | FileCheck %s

// The weight is an operand, the padded input is extracted under its guard; the
// batch is the size of the argument.
// CHECK-LABEL: func.func @conv(
// CHECK-SAME: %[[X:.*]]: tensor<?x3x8x8xf32>, %[[W:.*]]: tensor<4x3x3x3xf32> {graph.name = "w"}) -> tensor<?x4x8x8xf32>
// CHECK: %[[N:.*]] = tensor.dim %[[X]]
// CHECK: %[[EMPTY:.*]] = tensor.empty(%[[N]]) : tensor<?x4x8x8xf32>
// CHECK: %[[ZERO:.*]] = linalg.fill {{.*}} outs(%[[EMPTY]]
// CHECK: linalg.generic
// CHECK-SAME: iterator_types = ["parallel", "parallel", "parallel", "parallel", "reduction", "reduction", "reduction"]
// CHECK-SAME: ins(%[[W]] : tensor<4x3x3x3xf32>) outs(%[[ZERO]]
// CHECK: scf.if
// CHECK: tensor.extract %[[X]]
// CHECK: arith.mulf
// CHECK: arith.addf
func.func @conv(%x: tensor<?x3x8x8xf32, #graph.dims<n, 3, 8, 8>>) -> tensor<?x4x8x8xf32, #graph.dims<n, 4, 8, 8>> {
  %w = graph.parameter @w : tensor<4x3x3x3xf32>
  %0 = graph.conv %x, %w strides = [1, 1] pads = [1, 1, 1, 1] dilations = [1, 1] groups = 1 channels_first : (tensor<?x3x8x8xf32, #graph.dims<n, 3, 8, 8>>, tensor<4x3x3x3xf32>) -> tensor<?x4x8x8xf32, #graph.dims<n, 4, 8, 8>>
  return %0 : tensor<?x4x8x8xf32, #graph.dims<n, 4, 8, 8>>
}

// -----

// Both operands of a matmul run along loops.
// CHECK-DAG: #[[$A:.*]] = affine_map<(d0, d1, d2) -> (d0, d2)>
// CHECK-DAG: #[[$B:.*]] = affine_map<(d0, d1, d2) -> (d2, d1)>
// CHECK-DAG: #[[$C:.*]] = affine_map<(d0, d1, d2) -> (d0, d1)>
// CHECK-LABEL: func.func @matmul
// CHECK: linalg.generic {indexing_maps = [#[[$A]], #[[$B]], #[[$C]]], iterator_types = ["parallel", "parallel", "reduction"]}
func.func @matmul(%a: tensor<2x3xf32>, %b: tensor<3x4xf32>) -> tensor<2x4xf32> {
  %0 = graph.matmul %a, %b : (tensor<2x3xf32>, tensor<3x4xf32>) -> tensor<2x4xf32>
  return %0 : tensor<2x4xf32>
}

// -----

// Unsigned integers become signless; the operation knows.
// CHECK-LABEL: func.func @unsigned(
// CHECK-SAME: tensor<4xi8>
// CHECK: arith.divui
func.func @unsigned(%a: tensor<4xui8>, %b: tensor<4xui8>) -> tensor<4xui8> {
  %0 = graph.div %a, %b : tensor<4xui8>
  return %0 : tensor<4xui8>
}

// -----

// A window that no operand runs along gets its range from an empty one.
// CHECK-LABEL: func.func @pool
// CHECK: %[[WINDOW:.*]] = tensor.empty() : tensor<2x2xf32>
// CHECK: linalg.generic {{.*}} ins(%[[WINDOW]] : tensor<2x2xf32>)
func.func @pool(%x: tensor<1x1x4x4xf32>) -> tensor<1x1x2x2xf32> {
  %0 = graph.max_pool %x kernel = [2, 2] strides = [2, 2] pads = [0, 0, 0, 0] dilations = [1, 1] channels_first : (tensor<1x1x4x4xf32>) -> tensor<1x1x2x2xf32>
  return %0 : tensor<1x1x2x2xf32>
}
