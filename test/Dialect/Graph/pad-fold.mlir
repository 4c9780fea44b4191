// RUN: tenon-opt %s --canonicalize | FileCheck %s

// CHECK-LABEL: func.func @nothing
//  CHECK-SAME: (%[[X:.*]]: tensor
//       CHECK: return %[[X]]
func.func @nothing(%x: tensor<2x3xf32>) -> tensor<2x3xf32> {
  %0 = graph.pad %x low = [0, 0] high = [0, 0] reflect value = 0.0 : (tensor<2x3xf32>) -> tensor<2x3xf32>
  return %0 : tensor<2x3xf32>
}

// CHECK-LABEL: func.func @twice
//       CHECK: graph.pad %{{.*}} low = [1, p + 1] high = [2, 1] constant value = 1.000000e+00
//   CHECK-NOT: graph.pad
func.func @twice(%x: tensor<2x3xf32>) -> tensor<5x?xf32, #graph.dims<5, p + 5>> {
  %0 = graph.pad %x low = [1, 1] high = [0, 0] constant value = 1.0 : (tensor<2x3xf32>) -> tensor<3x4xf32>
  %1 = graph.pad %0 low = [0, p] high = [2, 1] constant value = 1.0 : (tensor<3x4xf32>) -> tensor<5x?xf32, #graph.dims<5, p + 5>>
  return %1 : tensor<5x?xf32, #graph.dims<5, p + 5>>
}

// CHECK-LABEL: func.func @other_value
//       CHECK: graph.pad
//       CHECK: graph.pad
func.func @other_value(%x: tensor<2xf32>) -> tensor<4xf32> {
  %0 = graph.pad %x low = [1] high = [0] constant value = 1.0 : (tensor<2xf32>) -> tensor<3xf32>
  %1 = graph.pad %0 low = [1] high = [0] constant value = 2.0 : (tensor<3xf32>) -> tensor<4xf32>
  return %1 : tensor<4xf32>
}

// CHECK-LABEL: func.func @reflected_twice
//       CHECK: graph.pad
//       CHECK: graph.pad
func.func @reflected_twice(%x: tensor<2xf32>) -> tensor<5xf32> {
  %0 = graph.pad %x low = [1] high = [0] reflect value = 0.0 : (tensor<2xf32>) -> tensor<3xf32>
  %1 = graph.pad %0 low = [2] high = [0] reflect value = 0.0 : (tensor<3xf32>) -> tensor<5xf32>
  return %1 : tensor<5xf32>
}

// CHECK-LABEL: func.func @constants
//   CHECK-DAG: %[[R:.*]] = graph.constant dense<[3, 2, 1, 2, 3, 2]> : tensor<6xi32>
//   CHECK-DAG: %[[E:.*]] = graph.constant dense<[1, 1, 1, 2, 3, 3]> : tensor<6xi32>
//   CHECK-DAG: %[[W:.*]] = graph.constant dense<[2, 3, 1, 2, 3, 1]> : tensor<6xi32>
//   CHECK-DAG: %[[C:.*]] = graph.constant dense<[9, 9, 1, 2, 3, 9]> : tensor<6xi32>
//       CHECK: return %[[R]], %[[E]], %[[W]], %[[C]]
func.func @constants() -> (tensor<6xi32>, tensor<6xi32>, tensor<6xi32>, tensor<6xi32>) {
  %0 = graph.constant dense<[1, 2, 3]> : tensor<3xi32>
  %1 = graph.pad %0 low = [2] high = [1] reflect value = 0.0 : (tensor<3xi32>) -> tensor<6xi32>
  %2 = graph.pad %0 low = [2] high = [1] edge value = 0.0 : (tensor<3xi32>) -> tensor<6xi32>
  %3 = graph.pad %0 low = [2] high = [1] wrap value = 0.0 : (tensor<3xi32>) -> tensor<6xi32>
  %4 = graph.pad %0 low = [2] high = [1] constant value = 9.0 : (tensor<3xi32>) -> tensor<6xi32>
  return %1, %2, %3, %4 : tensor<6xi32>, tensor<6xi32>, tensor<6xi32>, tensor<6xi32>
}

// CHECK-LABEL: func.func @splat
//       CHECK: graph.constant dense<[0.000000e+00, 1.000000e+00, 1.000000e+00]> : tensor<3xf32>
func.func @splat() -> tensor<3xf32> {
  %0 = graph.constant dense<1.0> : tensor<2xf32>
  %1 = graph.pad %0 low = [1] high = [0] constant value = 0.0 : (tensor<2xf32>) -> tensor<3xf32>
  return %1 : tensor<3xf32>
}
