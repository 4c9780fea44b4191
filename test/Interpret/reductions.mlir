// Results worked out by hand.
// RUN: tenon-interpret %s | FileCheck %s
// RUN: tenon-interpret %s --naive | FileCheck %s

func.func @main() -> (tensor<2xf32> {graph.name = "sum"},
                      tensor<1x3xf32> {graph.name = "product"},
                      tensor<f32> {graph.name = "largest"},
                      tensor<f32> {graph.name = "mean"},
                      tensor<2xi64> {graph.name = "position"},
                      tensor<2x3xf32> {graph.name = "running"},
                      tensor<2x2xf32> {graph.name = "top"},
                      tensor<2x2xi64> {graph.name = "where"},
                      tensor<0xf32> {graph.name = "nothing"},
                      tensor<2xf32> {graph.name = "of_nothing"}) {
  %x = graph.constant dense<[[1.0, 5.0, 3.0], [-2.0, 4.0, 4.0]]> : tensor<2x3xf32>
  %0 = graph.reduce_sum %x axes = [1] : (tensor<2x3xf32>) -> tensor<2xf32>
  %1 = graph.reduce_prod %x axes = [0] keepdims : (tensor<2x3xf32>) -> tensor<1x3xf32>
  %2 = graph.reduce_max %x axes = [0, 1] : (tensor<2x3xf32>) -> tensor<f32>
  %3 = graph.reduce_mean %x axes = [0, 1] : (tensor<2x3xf32>) -> tensor<f32>
  %4 = graph.argmax %x axis = 1 : (tensor<2x3xf32>) -> tensor<2xi64>
  %5 = graph.cumsum %x axis = 1 : tensor<2x3xf32>
  %6:2 = graph.top_k %x axis = 1 k = 2 : (tensor<2x3xf32>) -> (tensor<2x2xf32>, tensor<2x2xi64>)
  %e = graph.constant dense<> : tensor<2x0xf32>
  %7 = graph.reduce_sum %e axes = [0] : (tensor<2x0xf32>) -> tensor<0xf32>
  %8 = graph.reduce_sum %e axes = [1] : (tensor<2x0xf32>) -> tensor<2xf32>
  return %0, %1, %2, %3, %4, %5, %6#0, %6#1, %7, %8
    : tensor<2xf32>, tensor<1x3xf32>, tensor<f32>, tensor<f32>, tensor<2xi64>,
      tensor<2x3xf32>, tensor<2x2xf32>, tensor<2x2xi64>, tensor<0xf32>, tensor<2xf32>
}

// CHECK: sum = f32 2 [9, 6]
// CHECK: product = f32 1x3 [-2, 20, 12]
// CHECK: largest = f32 scalar [5]
// CHECK: mean = f32 scalar [2.5]
// CHECK: position = i64 2 [1, 1]
// CHECK: running = f32 2x3 [1, 6, 9, -2, 2, 6]
// CHECK: top = f32 2x2 [5, 3, 4, 4]
// CHECK: where = i64 2x2 [1, 2, 1, 2]
// CHECK: nothing = f32 0 []
// CHECK: of_nothing = f32 2 [0, 0]
