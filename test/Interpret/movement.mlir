// Results worked out by hand.
// RUN: tenon-interpret %s | FileCheck %s
// RUN: tenon-interpret %s --naive | FileCheck %s

func.func @main() -> (tensor<3x2xi32> {graph.name = "transposed"},
                      tensor<3x2xi32> {graph.name = "reshaped"},
                      tensor<2xi32> {graph.name = "sliced"},
                      tensor<2x5xi32> {graph.name = "joined"},
                      tensor<1x6xi32> {graph.name = "reflected"},
                      tensor<2x2xi32> {graph.name = "gathered"},
                      tensor<4xi32> {graph.name = "scattered"},
                      tensor<4xf32> {graph.name = "resized"},
                      tensor<2x6xi32> {graph.name = "tiled"},
                      tensor<2x3xi32> {graph.name = "reversed"}) {
  %x = graph.constant dense<[[1, 2, 3], [4, 5, 6]]> : tensor<2x3xi32>
  %0 = graph.transpose %x perm = [1, 0] : (tensor<2x3xi32>) -> tensor<3x2xi32>
  %1 = graph.reshape %x shape = [3, 2] : (tensor<2x3xi32>) -> tensor<3x2xi32>
  %v = graph.constant dense<[10, 11, 12, 13]> : tensor<4xi32>
  %2 = graph.slice %v starts = [3] sizes = [2] steps = [-2] : (tensor<4xi32>) -> tensor<2xi32>
  %y = graph.constant dense<[[7, 8], [9, 0]]> : tensor<2x2xi32>
  %3 = graph.concat %x, %y axis = 1 : (tensor<2x3xi32>, tensor<2x2xi32>) -> tensor<2x5xi32>
  %r = graph.constant dense<[[1, 2, 3]]> : tensor<1x3xi32>
  %4 = graph.pad %r low = [0, 2] high = [0, 1] reflect value = 0.0 : (tensor<1x3xi32>) -> tensor<1x6xi32>
  // The index -1 is the last.
  %i = graph.constant dense<[2, -1]> : tensor<2xi64>
  %5 = graph.gather %x, %i axis = 1 : (tensor<2x3xi32>, tensor<2xi64>) -> tensor<2x2xi32>
  %j = graph.constant dense<[[1], [1], [3]]> : tensor<3x1xi64>
  %u = graph.constant dense<[100, 200, 300]> : tensor<3xi32>
  %6 = graph.scatter_nd %v, %j, %u add : (tensor<4xi32>, tensor<3x1xi64>, tensor<3xi32>) -> tensor<4xi32>
  %z = graph.constant dense<[0.0, 4.0]> : tensor<2xf32>
  %7 = graph.resize %z shape = [4] scales = [2.0] linear half_pixel floor cubic_coeff = -0.75
    : (tensor<2xf32>) -> tensor<4xf32>
  %8 = graph.tile %x repeats = [1, 2] : (tensor<2x3xi32>) -> tensor<2x6xi32>
  %9 = graph.reverse %x axes = [0] : tensor<2x3xi32>
  return %0, %1, %2, %3, %4, %5, %6, %7, %8, %9
    : tensor<3x2xi32>, tensor<3x2xi32>, tensor<2xi32>, tensor<2x5xi32>, tensor<1x6xi32>,
      tensor<2x2xi32>, tensor<4xi32>, tensor<4xf32>, tensor<2x6xi32>, tensor<2x3xi32>
}

// CHECK: transposed = i32 3x2 [1, 4, 2, 5, 3, 6]
// CHECK: reshaped = i32 3x2 [1, 2, 3, 4, 5, 6]
// CHECK: sliced = i32 2 [13, 11]
// CHECK: joined = i32 2x5 [1, 2, 3, 7, 8, 4, 5, 6, 9, 0]
// CHECK: reflected = i32 1x6 [3, 2, 1, 2, 3, 2]
// CHECK: gathered = i32 2x2 [3, 3, 6, 6]
// CHECK: scattered = i32 4 [10, 311, 12, 313]
// CHECK: resized = f32 4 [0, 1, 3, 4]
// CHECK: tiled = i32 2x6 [1, 2, 3, 1, 2, 3, 4, 5, 6, 4, 5, 6]
// CHECK: reversed = i32 2x3 [4, 5, 6, 1, 2, 3]
