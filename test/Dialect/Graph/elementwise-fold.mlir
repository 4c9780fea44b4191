// RUN: tenon-opt %s --canonicalize | FileCheck %s

// CHECK-LABEL: func.func @twice_negated
// CHECK-SAME: (%[[X:.*]]: tensor<4xf32>)
// CHECK-NEXT: return %[[X]]
func.func @twice_negated(%x: tensor<4xf32>) -> tensor<4xf32> {
  %0 = graph.neg %x : tensor<4xf32>
  %1 = graph.neg %0 : tensor<4xf32>
  return %1 : tensor<4xf32>
}

// Functions with a rounding stay.
// CHECK-LABEL: func.func @inverse_erf
// CHECK: graph.erfinv
func.func @inverse_erf() -> tensor<2xf32> {
  %x = graph.constant dense<[0.5, 1.0]> : tensor<2xf32>
  %0 = graph.erfinv %x : tensor<2xf32>
  return %0 : tensor<2xf32>
}

// CHECK-LABEL: func.func @neutral_integers
// CHECK-SAME: (%[[X:.*]]: tensor<4xi32>)
// CHECK-NEXT: return %[[X]]
func.func @neutral_integers(%x: tensor<4xi32>) -> tensor<4xi32> {
  %zero = graph.constant dense<0> : tensor<4xi32>
  %one = graph.constant dense<1> : tensor<4xi32>
  %0 = graph.add %x, %zero : tensor<4xi32>
  %1 = graph.add %zero, %0 : tensor<4xi32>
  %2 = graph.sub %1, %zero : tensor<4xi32>
  %3 = graph.mul %2, %one : tensor<4xi32>
  %4 = graph.mul %one, %3 : tensor<4xi32>
  %5 = graph.div %4, %one : tensor<4xi32>
  return %5 : tensor<4xi32>
}

// CHECK-LABEL: func.func @neutral_floats
// CHECK-SAME: (%[[X:.*]]: tensor<4xf16>)
// CHECK-NEXT: return %[[X]]
func.func @neutral_floats(%x: tensor<4xf16>) -> tensor<4xf16> {
  %zero = graph.constant dense<0.0> : tensor<4xf16>
  %minus_zero = graph.constant dense<-0.0> : tensor<4xf16>
  %one = graph.constant dense<1.0> : tensor<4xf16>
  %0 = graph.add %x, %minus_zero : tensor<4xf16>
  %1 = graph.sub %0, %zero : tensor<4xf16>
  %2 = graph.mul %1, %one : tensor<4xf16>
  %3 = graph.div %2, %one : tensor<4xf16>
  return %3 : tensor<4xf16>
}

// -0 + 0 is 0, -0 - -0 is 0, 0 * inf is NaN, and inf - inf is NaN.
// CHECK-LABEL: func.func @not_neutral
// CHECK: graph.add
// CHECK: graph.sub
// CHECK: graph.mul
// CHECK: graph.sub
func.func @not_neutral(%x: tensor<4xf32>) -> tensor<4xf32> {
  %zero = graph.constant dense<0.0> : tensor<4xf32>
  %minus_zero = graph.constant dense<-0.0> : tensor<4xf32>
  %0 = graph.add %x, %zero : tensor<4xf32>
  %1 = graph.sub %0, %minus_zero : tensor<4xf32>
  %2 = graph.mul %1, %zero : tensor<4xf32>
  %3 = graph.sub %2, %2 : tensor<4xf32>
  return %3 : tensor<4xf32>
}

// CHECK-LABEL: func.func @zero_integers
// CHECK: %[[ZERO:.*]] = graph.constant dense<0> : tensor<4xi64>
// CHECK-NEXT: return %[[ZERO]], %[[ZERO]]
func.func @zero_integers(%x: tensor<4xi64>) -> (tensor<4xi64>, tensor<4xi64>) {
  %zero = graph.constant dense<0> : tensor<4xi64>
  %0 = graph.mul %x, %zero : tensor<4xi64>
  %1 = graph.sub %x, %x : tensor<4xi64>
  return %0, %1 : tensor<4xi64>, tensor<4xi64>
}

// A dynamic result has no constant.
// CHECK-LABEL: func.func @zero_dynamic
// CHECK: graph.sub
func.func @zero_dynamic(%x: tensor<?xi64, #graph.dims<n>>) -> tensor<?xi64, #graph.dims<n>> {
  %0 = graph.sub %x, %x : tensor<?xi64, #graph.dims<n>>
  return %0 : tensor<?xi64, #graph.dims<n>>
}

// CHECK-LABEL: func.func @constants
// CHECK-DAG: graph.constant dense<[-128, 2]> : tensor<2xi8>
// CHECK-DAG: graph.constant dense<[-128, 4]> : tensor<2xi8>
// CHECK-DAG: graph.constant dense<[-2, 1]> : tensor<2xi8>
// CHECK-DAG: graph.constant dense<[-127, -1]> : tensor<2xi8>
func.func @constants() -> (tensor<2xi8>, tensor<2xi8>, tensor<2xi8>, tensor<2xi8>) {
  %a = graph.constant dense<[127, 1]> : tensor<2xi8>
  %b = graph.constant dense<1> : tensor<2xi8>
  %0 = graph.add %a, %b : tensor<2xi8>
  %c = graph.constant dense<[-127, -3]> : tensor<2xi8>
  %1 = graph.sub %b, %c : tensor<2xi8>
  %d = graph.constant dense<[127, 1]> : tensor<2xi8>
  %e = graph.constant dense<[2, 1]> : tensor<2xi8>
  %2 = graph.mul %d, %e : tensor<2xi8>
  %3 = graph.neg %a : tensor<2xi8>
  return %0, %1, %2, %3 : tensor<2xi8>, tensor<2xi8>, tensor<2xi8>, tensor<2xi8>
}

// CHECK-LABEL: func.func @division
// CHECK-DAG: graph.constant dense<[-3, 3, 0]> : tensor<3xi32>
// CHECK-DAG: graph.constant dense<[127, 64, 0]> : tensor<3xui8>
// CHECK-DAG: graph.constant dense<[5.000000e-01, 0x7F800000, 0x7FC00000]> : tensor<3xf32>
func.func @division() -> (tensor<3xi32>, tensor<3xui8>, tensor<3xf32>) {
  %a = graph.constant dense<[-7, 7, 7]> : tensor<3xi32>
  %b = graph.constant dense<[2, 2, 0]> : tensor<3xi32>
  %0 = graph.div %a, %b : tensor<3xi32>
  %c = graph.constant dense<[255, 128, 9]> : tensor<3xui8>
  %d = graph.constant dense<[2, 2, 0]> : tensor<3xui8>
  %1 = graph.div %c, %d : tensor<3xui8>
  %e = graph.constant dense<[1.0, 1.0, 0.0]> : tensor<3xf32>
  %f = graph.constant dense<[2.0, 0.0, 0.0]> : tensor<3xf32>
  %2 = graph.div %e, %f : tensor<3xf32>
  return %0, %1, %2 : tensor<3xi32>, tensor<3xui8>, tensor<3xf32>
}

// Splats of any size are computed with; other large constants are not.
// CHECK-LABEL: func.func @large
// CHECK: graph.constant dense<3.000000e+00> : tensor<100000xf32>
func.func @large() -> tensor<100000xf32> {
  %a = graph.constant dense<1.0> : tensor<100000xf32>
  %b = graph.constant dense<2.0> : tensor<100000xf32>
  %0 = graph.add %a, %b : tensor<100000xf32>
  return %0 : tensor<100000xf32>
}

// CHECK-LABEL: func.func @same_cast
// CHECK-SAME: (%[[X:.*]]: tensor<4xf32>)
// CHECK-NEXT: return %[[X]]
func.func @same_cast(%x: tensor<4xf32>) -> tensor<4xf32> {
  %0 = graph.cast %x to f32 : tensor<4xf32>
  return %0 : tensor<4xf32>
}

// CHECK-LABEL: func.func @there_and_back
// CHECK-SAME: (%[[X:.*]]: tensor<4xi8>)
// CHECK-NEXT: return %[[X]]
func.func @there_and_back(%x: tensor<4xi8>) -> tensor<4xi8> {
  %0 = graph.cast %x to f32 : tensor<4xi8>
  %1 = graph.cast %0 to i8 : tensor<4xf32>
  return %1 : tensor<4xi8>
}

// CHECK-LABEL: func.func @through_wider
// CHECK-SAME: (%[[X:.*]]: tensor<4xf16>)
// CHECK-NEXT: %[[Y:.*]] = graph.cast %[[X]] to bf16 : tensor<4xf16>
// CHECK-NEXT: return %[[Y]]
func.func @through_wider(%x: tensor<4xf16>) -> tensor<4xbf16> {
  %0 = graph.cast %x to f32 : tensor<4xf16>
  %1 = graph.cast %0 to bf16 : tensor<4xf32>
  return %1 : tensor<4xbf16>
}

// Rounding on the way, or saturating where the direct cast wraps, stays.
// CHECK-LABEL: func.func @lossy
// CHECK: graph.cast %{{.*}} to f16
// CHECK: graph.cast %{{.*}} to f32
// CHECK: graph.cast %{{.*}} to f32
// CHECK: graph.cast %{{.*}} to i8
// CHECK: graph.cast %{{.*}} to f32
// CHECK: graph.cast %{{.*}} to i32
func.func @lossy(%x: tensor<4xf32>, %y: tensor<4xui8>, %z: tensor<4xi32>) -> (tensor<4xf32>, tensor<4xi8>, tensor<4xi32>) {
  %0 = graph.cast %x to f16 : tensor<4xf32>
  %1 = graph.cast %0 to f32 : tensor<4xf16>
  %2 = graph.cast %y to f32 : tensor<4xui8>
  %3 = graph.cast %2 to i8 : tensor<4xf32>
  %4 = graph.cast %z to f32 : tensor<4xi32>
  %5 = graph.cast %4 to i32 : tensor<4xf32>
  return %1, %3, %5 : tensor<4xf32>, tensor<4xi8>, tensor<4xi32>
}

// CHECK-LABEL: func.func @cast_constants
// CHECK-DAG: graph.constant dense<[127, -128, 0, -1]> : tensor<4xi8>
// CHECK-DAG: graph.constant dense<true> : tensor<4xi1>
// CHECK-DAG: graph.constant dense<[0, 255]> : tensor<2xui8>
// CHECK-DAG: graph.constant dense<[44, -44]> : tensor<2xi8>
// CHECK-DAG: graph.constant dense<[3.000000e+02, -3.000000e+02]> : tensor<2xf64>
// CHECK-DAG: graph.constant dense<1.000000e+00> : tensor<2xf32>
// CHECK-DAG: graph.constant dense<[2.550000e+02, 1.000000e+00]> : tensor<2xf32>
func.func @cast_constants() -> (tensor<4xi8>, tensor<4xi1>, tensor<2xui8>, tensor<2xi8>, tensor<2xf64>, tensor<2xf32>, tensor<2xf32>) {
  %a = graph.constant dense<[1000.0, -1000.0, 0x7FC00000, -1.9]> : tensor<4xf32>
  %0 = graph.cast %a to i8 : tensor<4xf32>
  %1 = graph.cast %a to i1 : tensor<4xf32>
  %b = graph.constant dense<[-1.0, 300.0]> : tensor<2xf32>
  %2 = graph.cast %b to ui8 : tensor<2xf32>
  %c = graph.constant dense<[300, -300]> : tensor<2xi32>
  %3 = graph.cast %c to i8 : tensor<2xi32>
  %4 = graph.cast %c to f64 : tensor<2xi32>
  %d = graph.constant dense<true> : tensor<2xi1>
  %5 = graph.cast %d to f32 : tensor<2xi1>
  %e = graph.constant dense<[255, 1]> : tensor<2xui8>
  %6 = graph.cast %e to f32 : tensor<2xui8>
  return %0, %1, %2, %3, %4, %5, %6 : tensor<4xi8>, tensor<4xi1>, tensor<2xui8>, tensor<2xi8>, tensor<2xf64>, tensor<2xf32>, tensor<2xf32>
}
