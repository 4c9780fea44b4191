// RUN: tenon-opt %s | tenon-opt | FileCheck %s
// RUN: tenon-opt --mlir-print-op-generic %s | tenon-opt | FileCheck %s
// RUN: tenon-opt --emit-bytecode %s | tenon-opt | FileCheck %s

// CHECK-LABEL: func.func @gather
func.func @gather(%x: tensor<4x5x6xf32>, %i: tensor<2x?xi32, #graph.dims<2, n>>) {
  // CHECK: graph.gather %{{.*}}, %{{.*}} axis = 1 : (tensor<4x5x6xf32>, tensor<2x?xi32, #graph.dims<2, n>>) -> tensor<4x2x?x6xf32, #graph.dims<4, 2, n, 6>>
  %0 = graph.gather %x, %i axis = 1 : (tensor<4x5x6xf32>, tensor<2x?xi32, #graph.dims<2, n>>) -> tensor<4x2x?x6xf32, #graph.dims<4, 2, n, 6>>
  return
}

// CHECK-LABEL: func.func @gather_scalar
func.func @gather_scalar(%x: tensor<4x5xf32>, %i: tensor<i64>) {
  // CHECK: graph.gather %{{.*}}, %{{.*}} axis = 0 : (tensor<4x5xf32>, tensor<i64>) -> tensor<5xf32>
  %0 = graph.gather %x, %i axis = 0 : (tensor<4x5xf32>, tensor<i64>) -> tensor<5xf32>
  return
}

// CHECK-LABEL: func.func @gather_elements
func.func @gather_elements(%x: tensor<4x5xi1>, %i: tensor<3x7xi64>) {
  // CHECK: graph.gather_elements %{{.*}}, %{{.*}} axis = 1 : (tensor<4x5xi1>, tensor<3x7xi64>) -> tensor<3x7xi1>
  %0 = graph.gather_elements %x, %i axis = 1 : (tensor<4x5xi1>, tensor<3x7xi64>) -> tensor<3x7xi1>
  return
}

// CHECK-LABEL: func.func @gather_nd
func.func @gather_nd(%x: tensor<4x5x6xf32>, %i: tensor<4x7x1xi64>) {
  // CHECK: graph.gather_nd %{{.*}}, %{{.*}} batch_dims = 1 : (tensor<4x5x6xf32>, tensor<4x7x1xi64>) -> tensor<4x7x6xf32>
  %0 = graph.gather_nd %x, %i batch_dims = 1 : (tensor<4x5x6xf32>, tensor<4x7x1xi64>) -> tensor<4x7x6xf32>
  return
}

// CHECK-LABEL: func.func @scatter_elements
func.func @scatter_elements(%x: tensor<4x5xf32>, %i: tensor<4x2xi64>, %u: tensor<4x2xf32>) {
  // CHECK: graph.scatter_elements %{{.*}}, %{{.*}}, %{{.*}} axis = 1 mul : (tensor<4x5xf32>, tensor<4x2xi64>, tensor<4x2xf32>) -> tensor<4x5xf32>
  %0 = graph.scatter_elements %x, %i, %u axis = 1 mul : (tensor<4x5xf32>, tensor<4x2xi64>, tensor<4x2xf32>) -> tensor<4x5xf32>
  return
}

// CHECK-LABEL: func.func @scatter_nd
func.func @scatter_nd(%x: tensor<4x5xi1>, %i: tensor<3x1xi64>, %u: tensor<3x5xi1>) {
  // CHECK: graph.scatter_nd %{{.*}}, %{{.*}}, %{{.*}} none : (tensor<4x5xi1>, tensor<3x1xi64>, tensor<3x5xi1>) -> tensor<4x5xi1>
  %0 = graph.scatter_nd %x, %i, %u none : (tensor<4x5xi1>, tensor<3x1xi64>, tensor<3x5xi1>) -> tensor<4x5xi1>
  return
}
