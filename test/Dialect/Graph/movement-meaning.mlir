// RUN: tenon-interpret %s --domain=f32 | FileCheck %s
// RUN: tenon-interpret %s --domain=f32 --naive | FileCheck %s
// RUN: tenon-opt %s --canonicalize -o %t.mlir
// RUN: tenon-interpret %t.mlir --domain=f32 | FileCheck %s

func.func @main() -> (tensor<2xf32>, tensor<0xf32>, tensor<10xf32>, tensor<7xf32>, tensor<2xui8>, tensor<3x1xf32>, tensor<1xf32>, tensor<0xf32>, tensor<3xf32>, tensor<2x4xi8>, tensor<3x1x2xf32>, tensor<3x1x2xf32>, tensor<2xi1>, tensor<2x3xf32>) {
  // Steps backwards end where the first begins.
  %v0_0 = graph.constant dense<[1.0, 2.0, 3.0, 4.0]> : tensor<4xf32>
  // CHECK: result0 = f32 2 [4, 1]
  %0 = graph.slice %v0_0 starts = [3] sizes = [2] steps = [-3] : (tensor<4xf32>) -> tensor<2xf32>
  // Nothing is read of an empty slice, whatever its start.
  %v1_0 = graph.constant dense<[1.0, 2.0, 3.0, 4.0]> : tensor<4xf32>
  // CHECK: result1 = f32 0 []
  %1 = graph.slice %v1_0 starts = [9] sizes = [0] steps = [1] : (tensor<4xf32>) -> tensor<0xf32>
  // Reflection leaves out the edge.
  %v2_0 = graph.constant dense<[1.0, 2.0, 3.0, 4.0]> : tensor<4xf32>
  // CHECK: result2 = f32 10 [4, 3, 2, 1, 2, 3, 4, 3, 2, 1]
  %2 = graph.pad %v2_0 low = [3] high = [3] reflect value = 0.0 : (tensor<4xf32>) -> tensor<10xf32>
  // Wrapping goes round more than once.
  %v3_0 = graph.constant dense<[1.0, 2.0]> : tensor<2xf32>
  // CHECK: result3 = f32 7 [2, 1, 2, 1, 2, 1, 2]
  %3 = graph.pad %v3_0 low = [3] high = [2] wrap value = 0.0 : (tensor<2xf32>) -> tensor<7xf32>
  // The constant is converted to the element type.
  %v4_0 = graph.constant dense<[1]> : tensor<1xui8>
  // CHECK: result4 = u8 2 [255, 1]
  %4 = graph.pad %v4_0 low = [1] high = [0] constant value = 255.0 : (tensor<1xui8>) -> tensor<2xui8>
  // Empty inputs of a concat add nothing.
  %v5_0 = graph.constant dense<0.0> : tensor<0x1xf32>
  %v5_1 = graph.constant dense<[[1.0], [2.0]]> : tensor<2x1xf32>
  %v5_2 = graph.constant dense<0.0> : tensor<0x1xf32>
  %v5_3 = graph.constant dense<[[1.0]]> : tensor<1x1xf32>
  // CHECK: result5 = f32 3x1 [1, 2, 1]
  %5 = graph.concat %v5_0, %v5_1, %v5_2, %v5_3 axis = 0 : (tensor<0x1xf32>, tensor<2x1xf32>, tensor<0x1xf32>, tensor<1x1xf32>) -> tensor<3x1xf32>
  // Parts may be empty.
  %v6_0 = graph.constant dense<[1.0, 2.0, 3.0, 4.0]> : tensor<4xf32>
  // CHECK: result6 = f32 1 [1]
  // CHECK: result7 = f32 0 []
  // CHECK: result8 = f32 3 [2, 3, 4]
  %6:3 = graph.split %v6_0 axis = 0 sizes = [1, 0, 3] : (tensor<4xf32>) -> (tensor<1xf32>, tensor<0xf32>, tensor<3xf32>)
  // Whole copies, along every axis.
  %v7_0 = graph.constant dense<[[1, 2]]> : tensor<1x2xi8>
  // CHECK: result9 = i8 2x4 [1, 2, 1, 2, 1, 2, 1, 2]
  %7 = graph.tile %v7_0 repeats = [2, 2] : (tensor<1x2xi8>) -> tensor<2x4xi8>
  // Row-major order is kept across all axes.
  %v8_0 = graph.constant dense<[[1.0, 2.0, 3.0], [4.0, 5.0, 6.0]]> : tensor<2x3xf32>
  // CHECK: result10 = f32 3x1x2 [1, 2, 3, 4, 5, 6]
  %8 = graph.reshape %v8_0 shape = [3, 1, 2] : (tensor<2x3xf32>) -> tensor<3x1x2xf32>
  // A permutation that is not its own inverse.
  %v9_0 = graph.constant dense<[[[1.0, 2.0, 3.0], [4.0, 5.0, 6.0]]]> : tensor<1x2x3xf32>
  // CHECK: result11 = f32 3x1x2 [1, 4, 2, 5, 3, 6]
  %9 = graph.transpose %v9_0 perm = [2, 0, 1] : (tensor<1x2x3xf32>) -> tensor<3x1x2xf32>
  // i1 moves like any other element.
  %v10_0 = graph.constant dense<[true, false]> : tensor<2xi1>
  // CHECK: result12 = bool 2 [0, 1]
  %10 = graph.reverse %v10_0 axes = [0] : tensor<2xi1>
  // Positions along one axis.
  // CHECK: result13 = f32 2x3 [0, 1, 2, 0, 1, 2]
  %11 = graph.iota shape = [2, 3] axis = 1 of f32 : () -> tensor<2x3xf32>
  return %0, %1, %2, %3, %4, %5, %6#0, %6#1, %6#2, %7, %8, %9, %10, %11 : tensor<2xf32>, tensor<0xf32>, tensor<10xf32>, tensor<7xf32>, tensor<2xui8>, tensor<3x1xf32>, tensor<1xf32>, tensor<0xf32>, tensor<3xf32>, tensor<2x4xi8>, tensor<3x1x2xf32>, tensor<3x1x2xf32>, tensor<2xi1>, tensor<2x3xf32>
}
