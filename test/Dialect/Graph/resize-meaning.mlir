// RUN: tenon-interpret %s --domain=f32 | FileCheck %s
// RUN: tenon-interpret %s --domain=f32 --naive | FileCheck %s
// RUN: tenon-opt %s --canonicalize -o %t.mlir
// RUN: tenon-interpret %t.mlir --domain=f32 | FileCheck %s

func.func @main() -> (tensor<8xf32>, tensor<8xf32>, tensor<2xf32>, tensor<6xf32>, tensor<6xf32>, tensor<8xf32>, tensor<8xf32>, tensor<2xf32>, tensor<2xf32>, tensor<8xf32>, tensor<8xf32>, tensor<3xf32>, tensor<4xi32>, tensor<4x4xf32>, tensor<3xf32>, tensor<3xf32>) {
  // Expected values are those of the ONNX reference.
  // Nearest, an integer factor: exact.
  %v0_0 = graph.constant dense<[1.0, 2.0, 3.0, 4.0]> : tensor<4xf32>
  // CHECK: result0 = f32 8 [1, 1, 2, 2, 3, 3, 4, 4]
  %0 = graph.resize %v0_0 shape = [8] scales = [2.00000000000000000e+00] nearest asymmetric floor cubic_coeff = -0.75 : (tensor<4xf32>) -> tensor<8xf32>
  // The default of ONNX.
  %v1_0 = graph.constant dense<[1.0, 2.0, 3.0, 4.0]> : tensor<4xf32>
  // CHECK: result1 = f32 8 [1, 1, 2, 2, 3, 3, 4, 4]
  %1 = graph.resize %v1_0 shape = [8] scales = [2.00000000000000000e+00] nearest half_pixel round_prefer_floor cubic_coeff = -0.75 : (tensor<4xf32>) -> tensor<8xf32>
  // An integer step: no rounding.
  %v2_0 = graph.constant dense<[1.0, 2.0, 3.0, 4.0]> : tensor<4xf32>
  // CHECK: result2 = f32 2 [1, 3]
  %2 = graph.resize %v2_0 shape = [2] scales = [5.00000000000000000e-01] nearest asymmetric ceil cubic_coeff = -0.75 : (tensor<4xf32>) -> tensor<2xf32>
  // A tie goes up, if asked.
  %v3_0 = graph.constant dense<[1.0, 2.0, 3.0, 4.0]> : tensor<4xf32>
  // CHECK: result3 = f32 6 [1, 2, 2, 3, 4, 4]
  %3 = graph.resize %v3_0 shape = [6] scales = [1.50000000000000000e+00] nearest half_pixel round_prefer_ceil cubic_coeff = -0.75 : (tensor<4xf32>) -> tensor<6xf32>
  // ... or down.
  %v4_0 = graph.constant dense<[1.0, 2.0, 3.0, 4.0]> : tensor<4xf32>
  // CHECK: result4 = f32 6 [1, 1, 2, 3, 3, 4]
  %4 = graph.resize %v4_0 shape = [6] scales = [1.50000000000000000e+00] nearest half_pixel round_prefer_floor cubic_coeff = -0.75 : (tensor<4xf32>) -> tensor<6xf32>
  // Beyond the ends the edge counts.
  %v5_0 = graph.constant dense<[1.0, 2.0, 3.0, 4.0]> : tensor<4xf32>
  // CHECK: result5 = f32 8 [1, 1.25, 1.75, 2.25, 2.75, 3.25, 3.75, 4]
  %5 = graph.resize %v5_0 shape = [8] scales = [2.00000000000000000e+00] linear half_pixel round_prefer_floor cubic_coeff = -0.75 : (tensor<4xf32>) -> tensor<8xf32>
  // Ends on ends.
  %v6_0 = graph.constant dense<[1.0, 2.0, 3.0, 4.0]> : tensor<4xf32>
  // CHECK: result6 = f32 8 [1, 1.4285{{[0-9]*}}, 1.8571{{[0-9]*}}, 2.2857{{[0-9]*}}, 2.7142{{[0-9]*}}, 3.1428{{[0-9]*}}, 3.5714{{[0-9]*}}, 4]
  %6 = graph.resize %v6_0 shape = [8] scales = [2.00000000000000000e+00] linear align_corners round_prefer_floor cubic_coeff = -0.75 : (tensor<4xf32>) -> tensor<8xf32>
  // The length before rounding, 2.4, places the samples.
  %v7_0 = graph.constant dense<[1.0, 2.0, 3.0, 4.0]> : tensor<4xf32>
  // CHECK: result7 = f32 2 [1, 3.1428{{[0-9]*}}]
  %7 = graph.resize %v7_0 shape = [2] scales = [6.00000023841857910e-01] linear align_corners round_prefer_floor cubic_coeff = -0.75 : (tensor<4xf32>) -> tensor<2xf32>
  // The input is centred in the output.
  %v8_0 = graph.constant dense<[1.0, 2.0, 3.0, 4.0]> : tensor<4xf32>
  // CHECK: result8 = f32 2 [1.6666{{[0-9]*}}, 3.3333{{[0-9]*}}]
  %8 = graph.resize %v8_0 shape = [2] scales = [6.00000023841857910e-01] linear half_pixel_symmetric round_prefer_floor cubic_coeff = -0.75 : (tensor<4xf32>) -> tensor<2xf32>
  // What lies outside weighs nothing.
  %v9_0 = graph.constant dense<[1.0, 2.0, 3.0, 4.0]> : tensor<4xf32>
  // CHECK: result9 = f32 8 [1, 1.25, 1.75, 2.25, 2.75, 3.25, 3.75, 4]
  %9 = graph.resize %v9_0 shape = [8] scales = [2.00000000000000000e+00] linear half_pixel round_prefer_floor cubic_coeff = -0.75 exclude_outside : (tensor<4xf32>) -> tensor<8xf32>
  // Four neighbours.
  %v10_0 = graph.constant dense<[1.0, 2.0, 3.0, 4.0]> : tensor<4xf32>
  // CHECK: result10 = f32 8 [0.8945{{[0-9]*}}, 1.1914{{[0-9]*}}, 1.6679{{[0-9]*}}, 2.2968{{[0-9]*}}, 2.7031{{[0-9]*}}, 3.3320{{[0-9]*}}, 3.8085{{[0-9]*}}, 4.1054{{[0-9]*}}]
  %10 = graph.resize %v10_0 shape = [8] scales = [2.00000000000000000e+00] cubic half_pixel round_prefer_floor cubic_coeff = -0.75 : (tensor<4xf32>) -> tensor<8xf32>
  // With another coefficient, and those inside only.
  %v11_0 = graph.constant dense<[1.0, 2.0, 3.0, 4.0]> : tensor<4xf32>
  // CHECK: result11 = f32 3 [1.0736{{[0-9]*}}, 2.375, 3.7188{{[0-9]*}}]
  %11 = graph.resize %v11_0 shape = [3] scales = [8.00000011920928955e-01] cubic half_pixel round_prefer_floor cubic_coeff = -0.5 exclude_outside : (tensor<4xf32>) -> tensor<3xf32>
  // Integers are interpolated in floating point and truncated.
  %v12_0 = graph.constant dense<[1, 4]> : tensor<2xi32>
  // CHECK: result12 = i32 4 [1, 1, 3, 4]
  %12 = graph.resize %v12_0 shape = [4] scales = [2.0] linear half_pixel floor cubic_coeff = 0.0 : (tensor<2xi32>) -> tensor<4xi32>
  // Weights of two axes multiply.
  %v13_0 = graph.constant dense<[[1.0, 2.0], [3.0, 4.0]]> : tensor<2x2xf32>
  // CHECK: result13 = f32 4x4 [1, 1.25, 1.75, 2, 1.5, 1.75, 2.25, 2.5, 2.5, 2.75, 3.25, 3.5, 3, 3.25, 3.75, 4]
  %13 = graph.resize %v13_0 shape = [4, 4] scales = [2.0, 2.0] linear half_pixel floor cubic_coeff = 0.0 : (tensor<2x2xf32>) -> tensor<4x4xf32>
  // The element of f32 nearest to 3 / 5 stands for it; the next one does not
  // (length 3.0000004).
  %v14_0 = graph.constant dense<[0.0, 1.0, 2.0, 3.0, 4.0]> : tensor<5xf32>
  // CHECK: result14 = f32 3 [0, 2, 4]
  %14 = graph.resize %v14_0 shape = [3] scales = [0.60000002384185791] nearest align_corners floor cubic_coeff = 0.0 : (tensor<5xf32>) -> tensor<3xf32>
  // CHECK: result15 = f32 3 [0, 1, 3]
  %15 = graph.resize %v14_0 shape = [3] scales = [0.60000008344650269] nearest align_corners floor cubic_coeff = 0.0 : (tensor<5xf32>) -> tensor<3xf32>
  return %0, %1, %2, %3, %4, %5, %6, %7, %8, %9, %10, %11, %12, %13, %14, %15 : tensor<8xf32>, tensor<8xf32>, tensor<2xf32>, tensor<6xf32>, tensor<6xf32>, tensor<8xf32>, tensor<8xf32>, tensor<2xf32>, tensor<2xf32>, tensor<8xf32>, tensor<8xf32>, tensor<3xf32>, tensor<4xi32>, tensor<4x4xf32>, tensor<3xf32>, tensor<3xf32>
}
