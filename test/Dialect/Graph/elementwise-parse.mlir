// RUN: tenon-opt %s | tenon-opt | FileCheck %s
// RUN: tenon-opt --mlir-print-op-generic %s | tenon-opt | FileCheck %s
// RUN: tenon-opt --emit-bytecode %s | tenon-opt | FileCheck %s

// CHECK-LABEL: func.func @unary
func.func @unary(%x: tensor<?x4xf32, #graph.dims<n, 4>>) -> tensor<?x4xf32, #graph.dims<n, 4>> {
  // CHECK: graph.neg %{{.*}} : tensor<?x4xf32, #graph.dims<n, 4>>
  %0 = graph.neg %x : tensor<?x4xf32, #graph.dims<n, 4>>
  // CHECK-NEXT: graph.abs
  %1 = graph.abs %0 : tensor<?x4xf32, #graph.dims<n, 4>>
  // CHECK-NEXT: graph.sign
  %2 = graph.sign %1 : tensor<?x4xf32, #graph.dims<n, 4>>
  // CHECK-NEXT: graph.reciprocal
  %3 = graph.reciprocal %2 : tensor<?x4xf32, #graph.dims<n, 4>>
  // CHECK-NEXT: graph.floor
  %4 = graph.floor %3 : tensor<?x4xf32, #graph.dims<n, 4>>
  // CHECK-NEXT: graph.ceil
  %5 = graph.ceil %4 : tensor<?x4xf32, #graph.dims<n, 4>>
  // CHECK-NEXT: graph.round
  %6 = graph.round %5 : tensor<?x4xf32, #graph.dims<n, 4>>
  // CHECK-NEXT: graph.sqrt
  %7 = graph.sqrt %6 : tensor<?x4xf32, #graph.dims<n, 4>>
  // CHECK-NEXT: graph.rsqrt
  %8 = graph.rsqrt %7 : tensor<?x4xf32, #graph.dims<n, 4>>
  // CHECK-NEXT: graph.exp
  %9 = graph.exp %8 : tensor<?x4xf32, #graph.dims<n, 4>>
  // CHECK-NEXT: graph.log
  %10 = graph.log %9 : tensor<?x4xf32, #graph.dims<n, 4>>
  // CHECK-NEXT: graph.erf
  %11 = graph.erf %10 : tensor<?x4xf32, #graph.dims<n, 4>>
  // CHECK-NEXT: graph.erfinv %{{.*}} : tensor<?x4xf32, #graph.dims<n, 4>>
  %12 = graph.erfinv %11 : tensor<?x4xf32, #graph.dims<n, 4>>
  return %12 : tensor<?x4xf32, #graph.dims<n, 4>>
}

// CHECK-LABEL: func.func @trigonometry
func.func @trigonometry(%x: tensor<f64>) -> tensor<f64> {
  // CHECK: graph.sin
  %0 = graph.sin %x : tensor<f64>
  // CHECK-NEXT: graph.cos
  %1 = graph.cos %0 : tensor<f64>
  // CHECK-NEXT: graph.tan
  %2 = graph.tan %1 : tensor<f64>
  // CHECK-NEXT: graph.asin
  %3 = graph.asin %2 : tensor<f64>
  // CHECK-NEXT: graph.acos
  %4 = graph.acos %3 : tensor<f64>
  // CHECK-NEXT: graph.atan
  %5 = graph.atan %4 : tensor<f64>
  // CHECK-NEXT: graph.sinh
  %6 = graph.sinh %5 : tensor<f64>
  // CHECK-NEXT: graph.cosh
  %7 = graph.cosh %6 : tensor<f64>
  // CHECK-NEXT: graph.tanh
  %8 = graph.tanh %7 : tensor<f64>
  // CHECK-NEXT: graph.asinh
  %9 = graph.asinh %8 : tensor<f64>
  // CHECK-NEXT: graph.acosh
  %10 = graph.acosh %9 : tensor<f64>
  // CHECK-NEXT: graph.atanh
  %11 = graph.atanh %10 : tensor<f64>
  return %11 : tensor<f64>
}

// CHECK-LABEL: func.func @binary
func.func @binary(%x: tensor<4xi32>, %y: tensor<4xi32>) -> tensor<4xi32> {
  // CHECK: graph.add %{{.*}}, %{{.*}} : tensor<4xi32>
  %0 = graph.add %x, %y : tensor<4xi32>
  // CHECK-NEXT: graph.sub
  %1 = graph.sub %0, %y : tensor<4xi32>
  // CHECK-NEXT: graph.mul
  %2 = graph.mul %1, %y : tensor<4xi32>
  // CHECK-NEXT: graph.div
  %3 = graph.div %2, %y : tensor<4xi32>
  // CHECK-NEXT: graph.pow
  %4 = graph.pow %3, %y : tensor<4xi32>
  // CHECK-NEXT: graph.mod
  %5 = graph.mod %4, %y : tensor<4xi32>
  // CHECK-NEXT: graph.fmod
  %6 = graph.fmod %5, %y : tensor<4xi32>
  // CHECK-NEXT: graph.maximum
  %7 = graph.maximum %6, %y : tensor<4xi32>
  // CHECK-NEXT: graph.minimum
  %8 = graph.minimum %7, %y : tensor<4xi32>
  // CHECK-NEXT: graph.bit_not
  %9 = graph.bit_not %8 : tensor<4xi32>
  // CHECK-NEXT: graph.bit_and
  %10 = graph.bit_and %9, %y : tensor<4xi32>
  // CHECK-NEXT: graph.bit_or
  %11 = graph.bit_or %10, %y : tensor<4xi32>
  // CHECK-NEXT: graph.bit_xor
  %12 = graph.bit_xor %11, %y : tensor<4xi32>
  // CHECK-NEXT: graph.shift_left
  %13 = graph.shift_left %12, %y : tensor<4xi32>
  // CHECK-NEXT: graph.shift_right
  %14 = graph.shift_right %13, %y : tensor<4xi32>
  return %14 : tensor<4xi32>
}

// CHECK-LABEL: func.func @logic
func.func @logic(%x: tensor<4xui8>, %y: tensor<4xui8>, %z: tensor<4xbf16>) -> tensor<4xui8> {
  // CHECK: graph.equal %{{.*}}, %{{.*}} : tensor<4xui8>
  %0 = graph.equal %x, %y : tensor<4xui8>
  // CHECK-NEXT: graph.less %{{.*}} : tensor<4xui8>
  %1 = graph.less %x, %y : tensor<4xui8>
  // CHECK-NEXT: graph.less_equal
  %2 = graph.less_equal %x, %y : tensor<4xui8>
  // CHECK-NEXT: graph.is_nan %{{.*}} : tensor<4xbf16>
  %3 = graph.is_nan %z : tensor<4xbf16>
  // CHECK-NEXT: graph.is_inf %{{.*}} : tensor<4xbf16>
  %4 = graph.is_inf %z : tensor<4xbf16>
  // CHECK-NEXT: graph.is_inf %{{.*}} only_positive : tensor<4xbf16>
  %5 = graph.is_inf %z only_positive : tensor<4xbf16>
  // CHECK-NEXT: graph.is_inf %{{.*}} only_negative : tensor<4xbf16>
  %6 = graph.is_inf %z only_negative : tensor<4xbf16>
  // CHECK-NEXT: graph.not %{{.*}} : tensor<4xi1>
  %7 = graph.not %0 : tensor<4xi1>
  // CHECK-NEXT: graph.and
  %8 = graph.and %1, %2 : tensor<4xi1>
  // CHECK-NEXT: graph.or
  %9 = graph.or %3, %4 : tensor<4xi1>
  // CHECK-NEXT: graph.xor
  %10 = graph.xor %5, %6 : tensor<4xi1>
  %11 = graph.and %7, %8 : tensor<4xi1>
  %12 = graph.and %9, %10 : tensor<4xi1>
  %13 = graph.equal %11, %12 : tensor<4xi1>
  // CHECK: graph.where %{{.*}}, %{{.*}}, %{{.*}} : tensor<4xi1>, tensor<4xui8>, tensor<4xui8>
  %14 = graph.where %13, %x, %y : tensor<4xi1>, tensor<4xui8>, tensor<4xui8>
  // CHECK-NEXT: graph.cast %{{.*}} to i64 : tensor<4xui8>
  %15 = graph.cast %14 to i64 : tensor<4xui8>
  %16 = graph.cast %15 to ui8 : tensor<4xi64>
  return %16 : tensor<4xui8>
}

// What one operand does not know of a size, another does.
// CHECK-LABEL: func.func @where_unifies
func.func @where_unifies(%c: tensor<?xi1>, %x: tensor<?xf32, #graph.dims<n>>, %y: tensor<?xf32>)
    -> tensor<?xf32, #graph.dims<n>> {
  %0 = graph.where %c, %x, %y : tensor<?xi1>, tensor<?xf32, #graph.dims<n>>, tensor<?xf32>
  return %0 : tensor<?xf32, #graph.dims<n>>
}

// CHECK-LABEL: func.func @activations
func.func @activations(%x: tensor<2x3xf16>) -> tensor<2x3xf16> {
  // CHECK: graph.relu
  %0 = graph.relu %x : tensor<2x3xf16>
  // CHECK-NEXT: graph.sigmoid
  %1 = graph.sigmoid %0 : tensor<2x3xf16>
  // CHECK-NEXT: graph.silu
  %2 = graph.silu %1 : tensor<2x3xf16>
  // CHECK-NEXT: graph.softplus
  %3 = graph.softplus %2 : tensor<2x3xf16>
  // CHECK-NEXT: graph.softsign
  %4 = graph.softsign %3 : tensor<2x3xf16>
  // CHECK-NEXT: graph.mish
  %5 = graph.mish %4 : tensor<2x3xf16>
  // CHECK-NEXT: graph.hard_swish
  %6 = graph.hard_swish %5 : tensor<2x3xf16>
  // CHECK-NEXT: graph.prelu
  %7 = graph.prelu %6, %x : tensor<2x3xf16>
  // CHECK-NEXT: graph.gelu %{{[0-9]+}} : tensor<2x3xf16>
  %8 = graph.gelu %7 : tensor<2x3xf16>
  // CHECK-NEXT: graph.gelu %{{[0-9]+}} tanh : tensor<2x3xf16>
  %9 = graph.gelu %8 tanh : tensor<2x3xf16>
  // CHECK-NEXT: graph.leaky_relu %{{[0-9]+}} alpha = 1.000000e-02 : tensor<2x3xf16>
  %10 = graph.leaky_relu %9 alpha = 0.01 : tensor<2x3xf16>
  // CHECK-NEXT: graph.elu %{{[0-9]+}} alpha = 1.000000e+00 :
  %11 = graph.elu %10 alpha = 1.0 : tensor<2x3xf16>
  // CHECK-NEXT: graph.celu %{{[0-9]+}} alpha = 2.000000e+00 :
  %12 = graph.celu %11 alpha = 2.0 : tensor<2x3xf16>
  // CHECK-NEXT: graph.selu %{{[0-9]+}} alpha = 1.670000e+00, gamma = 1.050000e+00 :
  %13 = graph.selu %12 alpha = 1.67, gamma = 1.05 : tensor<2x3xf16>
  // CHECK-NEXT: graph.hard_sigmoid %{{[0-9]+}} alpha = 2.000000e-01, beta = 5.000000e-01 :
  %14 = graph.hard_sigmoid %13 alpha = 0.2, beta = 0.5 : tensor<2x3xf16>
  // CHECK-NEXT: graph.thresholded_relu %{{[0-9]+}} alpha = 1.000000e+00 :
  %15 = graph.thresholded_relu %14 alpha = 1.0 : tensor<2x3xf16>
  // CHECK-NEXT: graph.shrink %{{[0-9]+}} lambda = 5.000000e-01, bias = 0.000000e+00 :
  %16 = graph.shrink %15 lambda = 0.5, bias = 0.0 : tensor<2x3xf16>
  // CHECK-NEXT: graph.clip %{{[0-9]+}} low = 0xFFF0000000000000, high = 6.000000e+00 :
  %17 = graph.clip %16 low = 0xFFF0000000000000, high = 6.0 : tensor<2x3xf16>
  return %17 : tensor<2x3xf16>
}

// CHECK-LABEL: func.func @random_bits
func.func @random_bits(%x: tensor<?xi64, #graph.dims<n>>) -> tensor<?xi64, #graph.dims<n>> {
  // CHECK: graph.random_bits %{{.*}}, %{{.*}} : tensor<?xi64, #graph.dims<n>>
  %0 = graph.random_bits %x, %x : tensor<?xi64, #graph.dims<n>>
  return %0 : tensor<?xi64, #graph.dims<n>>
}
