// RUN: tenon-opt %s --graph-apply-rules="rules=%tenon_src/rules/matmul.mlir" | FileCheck %s
// RUN: tenon-opt %s --graph-apply-rules="rules=%tenon_src/rules/matmul.mlir fp=strict" | FileCheck %s --check-prefix=STRICT
// RUN: tenon-opt %s --graph-apply-rules="rules=%tenon_src/rules names=merge_matmuls_sharing_lhs" | FileCheck %s --check-prefix=PAIRS

// CHECK-LABEL: func.func @projections(
// CHECK-SAME:    %[[X:.*]]: tensor<4x8x16xf32>
// CHECK-SAME:    rule.log = [{leading_axes = 1 : i64, rule = "merge_three_matmuls_sharing_lhs", statement = "{{[0-9a-f]+}}", symbols = {k = "16", m = "8", n = "5", p = "6", q = "7"}}]
// CHECK:         %[[W:.*]] = graph.concat %{{.*}}, %{{.*}}, %{{.*}} axis = 1 : (tensor<16x5xf32>, tensor<16x6xf32>, tensor<16x7xf32>) -> tensor<16x18xf32>
// CHECK-NEXT:    %[[Y:.*]] = graph.matmul %[[X]], %[[W]] : (tensor<4x8x16xf32>, tensor<16x18xf32>) -> tensor<4x8x18xf32>
// CHECK-NEXT:    %[[S:.*]]:3 = graph.split %[[Y]] axis = 2 sizes = [5, 6, 7]
// CHECK:         graph.relu %[[S]]#0
// CHECK-NOT:     graph.matmul
// CHECK:         return
//
// PAIRS-LABEL: func.func @projections(
// PAIRS-SAME:    rule.log = [{{.*}}merge_matmuls_sharing_lhs{{.*}}merge_matmuls_sharing_lhs
// PAIRS:         graph.matmul
// PAIRS-NOT:     graph.matmul
// PAIRS:         return
func.func @projections(%x: tensor<4x8x16xf32>) -> (tensor<4x8x5xf32>, tensor<4x8x6xf32>, tensor<4x8x7xf32>) {
  %wq = graph.parameter @q : tensor<16x5xf32>
  %q = graph.matmul %x, %wq : (tensor<4x8x16xf32>, tensor<16x5xf32>) -> tensor<4x8x5xf32>
  // A user that stands before the other matmuls.
  %r = graph.relu %q : tensor<4x8x5xf32>
  %wk = graph.parameter @k : tensor<16x6xf32>
  %k = graph.matmul %x, %wk : (tensor<4x8x16xf32>, tensor<16x6xf32>) -> tensor<4x8x6xf32>
  %wv = graph.parameter @v : tensor<16x7xf32>
  %v = graph.matmul %x, %wv : (tensor<4x8x16xf32>, tensor<16x7xf32>) -> tensor<4x8x7xf32>
  return %r, %k, %v : tensor<4x8x5xf32>, tensor<4x8x6xf32>, tensor<4x8x7xf32>
}

// The second matmul needs the first: merging them would be a cycle.
// CHECK-LABEL: func.func @chain(
// CHECK-NOT:     graph.split
// CHECK:         return
func.func @chain(%x: tensor<8x8xf32>, %w: tensor<8x8xf32>) -> tensor<8x8xf32> {
  %a = graph.matmul %x, %w : (tensor<8x8xf32>, tensor<8x8xf32>) -> tensor<8x8xf32>
  %b = graph.matmul %x, %a : (tensor<8x8xf32>, tensor<8x8xf32>) -> tensor<8x8xf32>
  return %b : tensor<8x8xf32>
}

// Sizes that are symbols of the model, and integers: the rule holds for every
// element type.
// CHECK-LABEL: func.func @dynamic(
// CHECK:         graph.concat %{{.*}}, %{{.*}} axis = 1 : (tensor<16x?xi64, #graph.dims<16, n>>, tensor<16x?xi64, #graph.dims<16, 2 * n + 1>>) -> tensor<16x?xi64, #graph.dims<16, 3 * n + 1>>
// CHECK:         graph.split %{{.*}} axis = 1 sizes = [n, 2 * n + 1]
func.func @dynamic(%x: tensor<?x16xi64, #graph.dims<m, 16>>, %a: tensor<16x?xi64, #graph.dims<16, n>>, %b: tensor<16x?xi64, #graph.dims<16, 2 * n + 1>>) -> (tensor<?x?xi64, #graph.dims<m, n>>, tensor<?x?xi64, #graph.dims<m, 2 * n + 1>>) {
  %0 = graph.matmul %x, %a : (tensor<?x16xi64, #graph.dims<m, 16>>, tensor<16x?xi64, #graph.dims<16, n>>) -> tensor<?x?xi64, #graph.dims<m, n>>
  %1 = graph.matmul %x, %b : (tensor<?x16xi64, #graph.dims<m, 16>>, tensor<16x?xi64, #graph.dims<16, 2 * n + 1>>) -> tensor<?x?xi64, #graph.dims<m, 2 * n + 1>>
  return %0, %1 : tensor<?x?xi64, #graph.dims<m, n>>, tensor<?x?xi64, #graph.dims<m, 2 * n + 1>>
}

// Sizes without a name: the rule can't say where to split.
// CHECK-LABEL: func.func @unnamed(
// CHECK-NOT:     graph.split
// CHECK:         return
func.func @unnamed(%x: tensor<4x16xf32>, %a: tensor<16x?xf32>, %b: tensor<16x?xf32>) -> (tensor<4x?xf32>, tensor<4x?xf32>) {
  %0 = graph.matmul %x, %a : (tensor<4x16xf32>, tensor<16x?xf32>) -> tensor<4x?xf32>
  %1 = graph.matmul %x, %b : (tensor<4x16xf32>, tensor<16x?xf32>) -> tensor<4x?xf32>
  return %0, %1 : tensor<4x?xf32>, tensor<4x?xf32>
}

// Half precision is rounded op by op, so a proof in f32 is not exact for it.
// STRICT-LABEL: func.func @half(
// STRICT-NOT:    graph.split
// STRICT:        return
// CHECK-LABEL: func.func @half(
// CHECK:         graph.split
func.func @half(%x: tensor<4x16xf16>, %a: tensor<16x3xf16>, %b: tensor<16x5xf16>) -> (tensor<4x3xf16>, tensor<4x5xf16>) {
  %0 = graph.matmul %x, %a : (tensor<4x16xf16>, tensor<16x3xf16>) -> tensor<4x3xf16>
  %1 = graph.matmul %x, %b : (tensor<4x16xf16>, tensor<16x5xf16>) -> tensor<4x5xf16>
  return %0, %1 : tensor<4x3xf16>, tensor<4x5xf16>
}

// Other flags, batches of the right operand, or the same weight: no match.
// CHECK-LABEL: func.func @no_match(
// CHECK-NOT:     graph.split
// CHECK:         return
func.func @no_match(%x: tensor<8x8xf32>, %w: tensor<8x8xf32>, %b: tensor<3x8x8xf32>) -> (tensor<8x8xf32>, tensor<8x8xf32>, tensor<3x8x8xf32>) {
  %0 = graph.matmul %x, %w : (tensor<8x8xf32>, tensor<8x8xf32>) -> tensor<8x8xf32>
  %1 = graph.matmul %x, %w transpose_b : (tensor<8x8xf32>, tensor<8x8xf32>) -> tensor<8x8xf32>
  %2 = graph.matmul %x, %b : (tensor<8x8xf32>, tensor<3x8x8xf32>) -> tensor<3x8x8xf32>
  return %0, %1, %2 : tensor<8x8xf32>, tensor<8x8xf32>, tensor<3x8x8xf32>
}
