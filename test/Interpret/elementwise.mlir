// Results worked out by hand.
// RUN: tenon-interpret %s | FileCheck %s
// RUN: tenon-interpret %s --naive | FileCheck %s

func.func @main() -> (tensor<4xf32> {graph.name = "sum"},
                      tensor<4xf32> {graph.name = "quotient"},
                      tensor<4xf32> {graph.name = "relu"},
                      tensor<4xi1> {graph.name = "less"},
                      tensor<4xf32> {graph.name = "chosen"},
                      tensor<4xi32> {graph.name = "truncated"},
                      tensor<3xi8> {graph.name = "wrapped"},
                      tensor<3xi32> {graph.name = "divided"},
                      tensor<3xi32> {graph.name = "floored"},
                      tensor<4xi8> {graph.name = "saturated"}) {
  %x = graph.constant dense<[-2.5, 0.0, 1.5, 4.0]> : tensor<4xf32>
  %y = graph.constant dense<[1.0, 2.0, -3.0, 0.5]> : tensor<4xf32>
  %0 = graph.add %x, %y : tensor<4xf32>
  %1 = graph.div %x, %y : tensor<4xf32>
  %2 = graph.relu %x : tensor<4xf32>
  %3 = graph.less %x, %y : tensor<4xf32>
  %4 = graph.where %3, %x, %y : tensor<4xi1>, tensor<4xf32>, tensor<4xf32>
  %5 = graph.cast %x to i32 : tensor<4xf32>
  %a = graph.constant dense<[100, -100, 7]> : tensor<3xi8>
  %b = graph.constant dense<[100, -100, -2]> : tensor<3xi8>
  %6 = graph.add %a, %b : tensor<3xi8>
  %c = graph.constant dense<[7, -7, 7]> : tensor<3xi32>
  %d = graph.constant dense<[2, 2, -2]> : tensor<3xi32>
  %7 = graph.div %c, %d : tensor<3xi32>
  %8 = graph.mod %c, %d : tensor<3xi32>
  %e = graph.constant dense<[300.0, -300.0, 0x7FC00000, -1.9]> : tensor<4xf32>
  %9 = graph.cast %e to i8 : tensor<4xf32>
  return %0, %1, %2, %3, %4, %5, %6, %7, %8, %9
    : tensor<4xf32>, tensor<4xf32>, tensor<4xf32>, tensor<4xi1>, tensor<4xf32>,
      tensor<4xi32>, tensor<3xi8>, tensor<3xi32>, tensor<3xi32>, tensor<4xi8>
}

// CHECK: sum = f32 4 [-1.5, 2, -1.5, 4.5]
// CHECK: quotient = f32 4 [-2.5, 0, -0.5, 8]
// CHECK: relu = f32 4 [0, 0, 1.5, 4]
// CHECK: less = bool 4 [1, 1, 0, 0]
// CHECK: chosen = f32 4 [-2.5, 0, -3, 0.5]
// CHECK: truncated = i32 4 [-2, 0, 1, 4]
// CHECK: wrapped = i8 3 [-56, 56, 5]
// CHECK: divided = i32 3 [3, -3, -3]
// CHECK: floored = i32 3 [1, 1, -1]
// CHECK: saturated = i8 4 [127, -128, 0, -1]
