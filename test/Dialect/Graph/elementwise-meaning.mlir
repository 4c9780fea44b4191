// RUN: tenon-interpret %s --domain=f32 | FileCheck %s
// RUN: tenon-interpret %s --domain=f32 --naive | FileCheck %s

// Corners that the ONNX standard leaves open, or states in words only.
func.func @main() -> (tensor<3xi32>, tensor<3xi32>, tensor<4xi32>, tensor<4xi32>, tensor<4xi32>,
                      tensor<3xi8>, tensor<3xi8>, tensor<2xui8>, tensor<3xf32>, tensor<3xf32>,
                      tensor<3xf32>, tensor<4xi8>, tensor<4xui8>, tensor<3xi1>, tensor<3xi1>,
                      tensor<3xf32>, tensor<2xf32>) {
  // Integers divided by 0 give 0, and so do their remainders.
  %a = graph.constant dense<[7, -7, -2147483648]> : tensor<3xi32>
  %b = graph.constant dense<[0, 2, -1]> : tensor<3xi32>
  // CHECK: result0 = i32 3 [0, -3, -2147483648]
  %0 = graph.div %a, %b : tensor<3xi32>
  // CHECK: result1 = i32 3 [0, 1, 0]
  %1 = graph.mod %a, %b : tensor<3xi32>
  // CHECK: result2 = i32 4 [-1, 1, 1, -2]
  %c = graph.constant dense<[-7, 7, 7, -7]> : tensor<4xi32>
  %d = graph.constant dense<[3, -3, 3, 5]> : tensor<4xi32>
  %e = graph.constant dense<[3, -3, 3, -5]> : tensor<4xi32>
  %2 = graph.fmod %c, %e : tensor<4xi32>
  // CHECK: result3 = i32 4 [2, -2, 1, 3]
  %3 = graph.mod %c, %d : tensor<4xi32>
  // CHECK: result4 = i32 4 [1, 0, 0, -2147483648]
  %f = graph.constant dense<[-1, 2, 0, -2]> : tensor<4xi32>
  %g = graph.constant dense<[-2, -1, -1, 31]> : tensor<4xi32>
  %4 = graph.pow %f, %g : tensor<4xi32>
  // A shift by the width or more leaves nothing but the sign.
  // CHECK: result5 = i8 3 [-2, 0, 0]
  %h = graph.constant dense<[-1, -1, 1]> : tensor<3xi8>
  %i = graph.constant dense<[1, 8, 100]> : tensor<3xi8>
  %5 = graph.shift_left %h, %i : tensor<3xi8>
  // CHECK: result6 = i8 3 [-1, -1, 0]
  %6 = graph.shift_right %h, %i : tensor<3xi8>
  // CHECK: result7 = u8 2 [127, 254]
  %j = graph.constant dense<[255, 1]> : tensor<2xui8>
  %k = graph.constant dense<[1, 1]> : tensor<2xui8>
  %l = graph.shift_right %j, %k : tensor<2xui8>
  %m = graph.constant dense<[0, 254]> : tensor<2xui8>
  %7 = graph.maximum %l, %m : tensor<2xui8>
  // NaN wins on either side, and keeps being one.
  // CHECK: result8 = f32 3 [nan, nan, 1]
  %n = graph.constant dense<[0x7FC00000, 1.0, 1.0]> : tensor<3xf32>
  %o = graph.constant dense<[1.0, 0x7FC00000, -1.0]> : tensor<3xf32>
  %8 = graph.maximum %n, %o : tensor<3xf32>
  // CHECK: result9 = f32 3 [nan, 1, 1]
  %9 = graph.sign %n : tensor<3xf32>
  // CHECK: result10 = f32 3 [nan, 1, 1]
  %10 = graph.clip %n low = 0.0, high = 2.0 : tensor<3xf32>
  // Casts to integers saturate.
  // CHECK: result11 = i8 4 [127, -128, 0, -1]
  %p = graph.constant dense<[1000.0, 0xFF800000, 0x7FC00000, -1.9]> : tensor<4xf32>
  %11 = graph.cast %p to i8 : tensor<4xf32>
  // CHECK: result12 = u8 4 [255, 0, 0, 0]
  %12 = graph.cast %p to ui8 : tensor<4xf32>
  // CHECK: result13 = bool 3 [0, 1, 1]
  %q = graph.constant dense<[-0.0, 0.5, 0x7FC00000]> : tensor<3xf32>
  %13 = graph.cast %q to i1 : tensor<3xf32>
  // CHECK: result14 = bool 3 [0, 0, 1]
  %14 = graph.is_nan %q : tensor<3xf32>
  // Neither end overflows.
  // CHECK: result15 = f32 3 [0, 0.69314{{[0-9]*}}, 1000]
  %r = graph.constant dense<[-1000.0, 0.0, 1000.0]> : tensor<3xf32>
  %15 = graph.softplus %r : tensor<3xf32>
  // CHECK: result16 = f32 2 [-0, 1000]
  %s = graph.constant dense<[-1000.0, 1000.0]> : tensor<2xf32>
  %16 = graph.silu %s : tensor<2xf32>
  return %0, %1, %2, %3, %4, %5, %6, %7, %8, %9, %10, %11, %12, %13, %14, %15, %16
      : tensor<3xi32>, tensor<3xi32>, tensor<4xi32>, tensor<4xi32>, tensor<4xi32>,
        tensor<3xi8>, tensor<3xi8>, tensor<2xui8>, tensor<3xf32>, tensor<3xf32>,
        tensor<3xf32>, tensor<4xi8>, tensor<4xui8>, tensor<3xi1>, tensor<3xi1>,
        tensor<3xf32>, tensor<2xf32>
}
