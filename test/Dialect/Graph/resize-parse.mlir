// RUN: tenon-opt %s | tenon-opt | FileCheck %s
// RUN: tenon-opt --mlir-print-op-generic %s | tenon-opt | FileCheck %s
// RUN: tenon-opt --emit-bytecode %s | tenon-opt | FileCheck %s

// CHECK-LABEL: func.func @nearest
func.func @nearest(%x: tensor<1x4x?xf32, #graph.dims<1, 4, w>>) {
  // CHECK: graph.resize %{{.*}} shape = [1, 8, 2 * w] scales = [1.000000e+00, 2.000000e+00, 2.000000e+00] nearest asymmetric floor cubic_coeff = -7.500000e-01 : (tensor<1x4x?xf32, #graph.dims<1, 4, w>>) -> tensor<1x8x?xf32, #graph.dims<1, 8, 2 * w>>
  %0 = graph.resize %x shape = [1, 8, 2 * w] scales = [1.000000e+00, 2.000000e+00, 2.000000e+00] nearest asymmetric floor cubic_coeff = -7.500000e-01 : (tensor<1x4x?xf32, #graph.dims<1, 4, w>>) -> tensor<1x8x?xf32, #graph.dims<1, 8, 2 * w>>
  return
}

// CHECK-LABEL: func.func @cubic
func.func @cubic(%x: tensor<4x4xf16>) {
  // CHECK: graph.resize %{{.*}} shape = [9, 2] scales = [2.250000e+00, 5.000000e-01] cubic align_corners round_prefer_ceil cubic_coeff = -5.000000e-01 exclude_outside : (tensor<4x4xf16>) -> tensor<9x2xf16>
  %0 = graph.resize %x shape = [9, 2] scales = [2.250000e+00, 5.000000e-01] cubic align_corners round_prefer_ceil cubic_coeff = -5.000000e-01 exclude_outside : (tensor<4x4xf16>) -> tensor<9x2xf16>
  return
}
