// RUN: tenon-interpret %s --domain=f32 | FileCheck %s
// RUN: tenon-interpret %s --domain=f32 --naive | FileCheck %s
// RUN: tenon-opt %s --canonicalize -o %t.mlir
// RUN: tenon-interpret %t.mlir --domain=f32 | FileCheck %s

func.func @main() -> (tensor<5xf32>, tensor<2xf32>, tensor<1x2xf32>, tensor<2x2xf32>, tensor<4xf32>, tensor<4xf32>, tensor<4xf32>, tensor<3x2xf32>, tensor<2x2xf32>, tensor<2x2xf32>) {
  // Negative indices count from the end.
  %v0_0 = graph.constant dense<[10.0, 20.0, 30.0, 40.0]> : tensor<4xf32>
  %v0_1 = graph.constant dense<[-1, -4, 0, 3, 2]> : tensor<5xi64>
  // CHECK: result0 = f32 5 [40, 10, 10, 40, 30]
  %0 = graph.gather %v0_0, %v0_1 axis = 0 : (tensor<4xf32>, tensor<5xi64>) -> tensor<5xf32>
  // A scalar index drops the axis.
  %v1_0 = graph.constant dense<[[1.0, 2.0, 3.0], [4.0, 5.0, 6.0]]> : tensor<2x3xf32>
  %v1_1 = graph.constant dense<2> : tensor<i32>
  // CHECK: result1 = f32 2 [3, 6]
  %1 = graph.gather %v1_0, %v1_1 axis = 1 : (tensor<2x3xf32>, tensor<i32>) -> tensor<2xf32>
  // Other axes may be shorter than those of x.
  %v2_0 = graph.constant dense<[[1.0, 2.0, 3.0], [4.0, 5.0, 6.0]]> : tensor<2x3xf32>
  %v2_1 = graph.constant dense<[[2, -3]]> : tensor<1x2xi64>
  // CHECK: result2 = f32 1x2 [3, 1]
  %2 = graph.gather_elements %v2_0, %v2_1 axis = 1 : (tensor<2x3xf32>, tensor<1x2xi64>) -> tensor<1x2xf32>
  // A tuple in the last axis addresses the axes after the batch.
  %v3_0 = graph.constant dense<[[[1.0, 2.0], [3.0, 4.0]], [[5.0, 6.0], [7.0, 8.0]]]> : tensor<2x2x2xf32>
  %v3_1 = graph.constant dense<[[1], [0]]> : tensor<2x1xi64>
  // CHECK: result3 = f32 2x2 [3, 4, 5, 6]
  %3 = graph.gather_nd %v3_0, %v3_1 batch_dims = 1 : (tensor<2x2x2xf32>, tensor<2x1xi64>) -> tensor<2x2xf32>
  // The last update wins.
  %v4_0 = graph.constant dense<[10.0, 20.0, 30.0, 40.0]> : tensor<4xf32>
  %v4_1 = graph.constant dense<[1, -1, 1, 0, -4]> : tensor<5xi64>
  %v4_2 = graph.constant dense<[1.0, 2.0, 3.0, 4.0, 5.0]> : tensor<5xf32>
  // CHECK: result4 = f32 4 [5, 3, 30, 2]
  %4 = graph.scatter_elements %v4_0, %v4_1, %v4_2 axis = 0 none : (tensor<4xf32>, tensor<5xi64>, tensor<5xf32>) -> tensor<4xf32>
  // Every update counts in a sum.
  %v5_0 = graph.constant dense<[10.0, 20.0, 30.0, 40.0]> : tensor<4xf32>
  %v5_1 = graph.constant dense<[1, -1, 1, 0, -4]> : tensor<5xi64>
  %v5_2 = graph.constant dense<[1.0, 2.0, 3.0, 4.0, 5.0]> : tensor<5xf32>
  // CHECK: result5 = f32 4 [19, 24, 30, 42]
  %5 = graph.scatter_elements %v5_0, %v5_1, %v5_2 axis = 0 add : (tensor<4xf32>, tensor<5xi64>, tensor<5xf32>) -> tensor<4xf32>
  // NaN wins in max.
  %v6_0 = graph.constant dense<[10.0, 20.0, 30.0, 40.0]> : tensor<4xf32>
  %v6_1 = graph.constant dense<[0, 0, 1]> : tensor<3xi64>
  %v6_2 = graph.constant dense<[0x7FC00000, 50.0, 5.0]> : tensor<3xf32>
  // CHECK: result6 = f32 4 [nan, 20, 30, 40]
  %6 = graph.scatter_elements %v6_0, %v6_1, %v6_2 axis = 0 max : (tensor<4xf32>, tensor<3xi64>, tensor<3xf32>) -> tensor<4xf32>
  // Slices, the last of equal tuples in row-major order.
  %v7_0 = graph.constant dense<[[1.0, 2.0], [3.0, 4.0], [5.0, 6.0]]> : tensor<3x2xf32>
  %v7_1 = graph.constant dense<[[[0], [2]], [[2], [1]]]> : tensor<2x2x1xi64>
  %v7_2 = graph.constant dense<[[[10.0, 11.0], [12.0, 13.0]], [[14.0, 15.0], [16.0, 17.0]]]> : tensor<2x2x2xf32>
  // CHECK: result7 = f32 3x2 [10, 11, 16, 17, 14, 15]
  %7 = graph.scatter_nd %v7_0, %v7_1, %v7_2 none : (tensor<3x2xf32>, tensor<2x2x1xi64>, tensor<2x2x2xf32>) -> tensor<3x2xf32>
  // One tuple, no axis of updates.
  %v8_0 = graph.constant dense<[[1.0, 2.0], [3.0, 4.0]]> : tensor<2x2xf32>
  %v8_1 = graph.constant dense<[1, -1]> : tensor<2xi64>
  %v8_2 = graph.constant dense<5.0> : tensor<f32>
  // CHECK: result8 = f32 2x2 [1, 2, 3, 20]
  %8 = graph.scatter_nd %v8_0, %v8_1, %v8_2 mul : (tensor<2x2xf32>, tensor<2xi64>, tensor<f32>) -> tensor<2x2xf32>
  // No update at all.
  %v9_0 = graph.constant dense<[[1.0, 2.0], [3.0, 4.0]]> : tensor<2x2xf32>
  %v9_1 = graph.constant dense<0> : tensor<0x1xi64>
  %v9_2 = graph.constant dense<0.0> : tensor<0x2xf32>
  // CHECK: result9 = f32 2x2 [1, 2, 3, 4]
  %9 = graph.scatter_nd %v9_0, %v9_1, %v9_2 none : (tensor<2x2xf32>, tensor<0x1xi64>, tensor<0x2xf32>) -> tensor<2x2xf32>
  return %0, %1, %2, %3, %4, %5, %6, %7, %8, %9 : tensor<5xf32>, tensor<2xf32>, tensor<1x2xf32>, tensor<2x2xf32>, tensor<4xf32>, tensor<4xf32>, tensor<4xf32>, tensor<3x2xf32>, tensor<2x2xf32>, tensor<2x2xf32>
}
