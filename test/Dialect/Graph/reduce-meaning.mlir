// RUN: tenon-interpret %s | FileCheck %s
// RUN: tenon-opt %s --graph-decompose --canonicalize > %t.mlir && tenon-interpret %t.mlir | FileCheck %s
// RUN: tenon-opt %s --graph-expand-top-k > %t.ranks.mlir && tenon-interpret %t.ranks.mlir | FileCheck %s
// RUN: FileCheck %s --check-prefix=RANKS --implicit-check-not=graph.top_k < %t.ranks.mlir

// RANKS: graph.reduce_sum {{.*}}(tensor<1x4x4xi32>)

func.func @main() -> (tensor<2xi32>, tensor<2xi32>, tensor<i8>, tensor<f32>, tensor<f32>,
                      tensor<2xf32>, tensor<3xi64>, tensor<3xi64>, tensor<3xi64>,
                      tensor<1x4xf32>, tensor<1x4xi64>, tensor<1x4xi64>,
                      tensor<4xf32>, tensor<4xf32>, tensor<i1>) {
  %a = graph.constant dense<[[-1, -2, -4], [1, 2, 4]]> : tensor<2x3xi32>
  // The mean of integers truncates; their l2 norm too.
  // CHECK: result0 = i32 2 [-2, 2]
  %0 = graph.reduce_mean %a axes = [1] : (tensor<2x3xi32>) -> tensor<2xi32>
  // CHECK: result1 = i32 2 [4, 4]
  %1 = graph.reduce_l2 %a axes = [1] : (tensor<2x3xi32>) -> tensor<2xi32>
  // Sums of integers wrap.
  // CHECK: result2 = i8 scalar [-56]
  %b = graph.constant dense<[100, 100]> : tensor<2xi8>
  %2 = graph.reduce_sum %b axes = [0] : (tensor<2xi8>) -> tensor<i8>
  // Exponentials do not overflow; of nothing but zeros the logarithm is -inf.
  // CHECK: result3 = f32 scalar [1000.69
  %c = graph.constant dense<[1000.0, 1000.0]> : tensor<2xf32>
  %3 = graph.reduce_log_sum_exp %c axes = [0] : (tensor<2xf32>) -> tensor<f32>
  // CHECK: result4 = f32 scalar [-inf]
  %d = graph.constant dense<0xFF800000> : tensor<2xf32>
  %4 = graph.reduce_log_sum_exp %d axes = [0] : (tensor<2xf32>) -> tensor<f32>
  // Reductions over no elements give their neutral element.
  // CHECK: result5 = f32 2 [-inf, -inf]
  %e = graph.constant dense<> : tensor<2x0xf32>
  %5 = graph.reduce_max %e axes = [1] : (tensor<2x0xf32>) -> tensor<2xf32>
  // Ties go to the first, or to the last; NaN is found.
  // CHECK: result6 = i64 3 [1, 0, 0]
  %f = graph.constant dense<[[1.0, 3.0, 3.0, 0.0], [2.0, 2.0, 2.0, 2.0], [0x7FC00000, 1.0, 0x7FC00000, 5.0]]> : tensor<3x4xf32>
  %6 = graph.argmax %f axis = 1 : (tensor<3x4xf32>) -> tensor<3xi64>
  // CHECK: result7 = i64 3 [2, 3, 2]
  %7 = graph.argmax %f axis = 1 last : (tensor<3x4xf32>) -> tensor<3xi64>
  // CHECK: result8 = i64 3 [3, 0, 0]
  %8 = graph.argmin %f axis = 1 : (tensor<3x4xf32>) -> tensor<3xi64>
  // NaN is larger than all numbers.
  // CHECK: result9 = f32 1x4 [nan, nan, 5, 1]
  // CHECK: result10 = i64 1x4 [0, 2, 3, 1]
  %g = graph.constant dense<[[0x7FC00000, 1.0, 0x7FC00000, 5.0]]> : tensor<1x4xf32>
  %9:2 = graph.top_k %g axis = 1 k = 4 : (tensor<1x4xf32>) -> (tensor<1x4xf32>, tensor<1x4xi64>)
  // CHECK: result11 = i64 1x4 [1, 3, 0, 2]
  %10:2 = graph.top_k %g axis = 1 k = 4 smallest : (tensor<1x4xf32>) -> (tensor<1x4xf32>, tensor<1x4xi64>)
  // CHECK: result12 = f32 4 [0, 1, 3, 6]
  %h = graph.constant dense<[1.0, 2.0, 3.0, 4.0]> : tensor<4xf32>
  %11 = graph.cumsum %h axis = 0 exclusive : tensor<4xf32>
  // CHECK: result13 = f32 4 [24, 24, 12, 4]
  %12 = graph.cumprod %h axis = 0 reverse : tensor<4xf32>
  // CHECK: result14 = bool scalar [1]
  %i = graph.constant dense<[false, true]> : tensor<2xi1>
  %13 = graph.reduce_max %i axes = [0] : (tensor<2xi1>) -> tensor<i1>
  return %0, %1, %2, %3, %4, %5, %6, %7, %8, %9#0, %9#1, %10#1, %11, %12, %13
      : tensor<2xi32>, tensor<2xi32>, tensor<i8>, tensor<f32>, tensor<f32>,
        tensor<2xf32>, tensor<3xi64>, tensor<3xi64>, tensor<3xi64>,
        tensor<1x4xf32>, tensor<1x4xi64>, tensor<1x4xi64>,
        tensor<4xf32>, tensor<4xf32>, tensor<i1>
}
