// RUN: tenon-opt %s | tenon-opt | FileCheck %s
// RUN: tenon-opt --mlir-print-op-generic %s | tenon-opt | FileCheck %s
// RUN: tenon-opt --emit-bytecode %s | tenon-opt | FileCheck %s

// CHECK-LABEL: func.func @transpose
func.func @transpose(%x: tensor<2x3x?xf32, #graph.dims<2, 3, n>>) {
  // CHECK: graph.transpose %{{.*}} perm = [2, 0, 1] : (tensor<2x3x?xf32, #graph.dims<2, 3, n>>) -> tensor<?x2x3xf32, #graph.dims<n, 2, 3>>
  %0 = graph.transpose %x perm = [2, 0, 1] : (tensor<2x3x?xf32, #graph.dims<2, 3, n>>) -> tensor<?x2x3xf32, #graph.dims<n, 2, 3>>
  return
}

// CHECK-LABEL: func.func @reshape
func.func @reshape(%x: tensor<?x6xi1, #graph.dims<n, 6>>) {
  // CHECK: graph.reshape %{{.*}} shape = [2 * n, 3] : (tensor<?x6xi1, #graph.dims<n, 6>>) -> tensor<?x3xi1, #graph.dims<2 * n, 3>>
  %0 = graph.reshape %x shape = [2 * n, 3] : (tensor<?x6xi1, #graph.dims<n, 6>>) -> tensor<?x3xi1, #graph.dims<2 * n, 3>>
  return
}

// CHECK-LABEL: func.func @reshape_open_size
func.func @reshape_open_size(%x: tensor<?x6xf32, #graph.dims<n, 6>>) {
  // CHECK: graph.reshape %{{.*}} shape = [3, ?] : (tensor<?x6xf32, #graph.dims<n, 6>>) -> tensor<3x?xf32, #graph.dims<3, 2 * n>>
  %0 = graph.reshape %x shape = [3, ?] : (tensor<?x6xf32, #graph.dims<n, 6>>) -> tensor<3x?xf32, #graph.dims<3, 2 * n>>
  return
}

// CHECK-LABEL: func.func @reshape_to_scalar
func.func @reshape_to_scalar(%x: tensor<1x1xf32>) {
  // CHECK: graph.reshape %{{.*}} shape = [] : (tensor<1x1xf32>) -> tensor<f32>
  %0 = graph.reshape %x shape = [] : (tensor<1x1xf32>) -> tensor<f32>
  return
}

// CHECK-LABEL: func.func @broadcast
func.func @broadcast(%x: tensor<3x1xui8>) {
  // CHECK: graph.broadcast %{{.*}} shape = [n, 3, 4] : (tensor<3x1xui8>) -> tensor<?x3x4xui8, #graph.dims<n, 3, 4>>
  %0 = graph.broadcast %x shape = [n, 3, 4] : (tensor<3x1xui8>) -> tensor<?x3x4xui8, #graph.dims<n, 3, 4>>
  return
}

// CHECK-LABEL: func.func @tile
func.func @tile(%x: tensor<3x?xf32, #graph.dims<3, n>>) {
  // CHECK: graph.tile %{{.*}} repeats = [r, 2] : (tensor<3x?xf32, #graph.dims<3, n>>) -> tensor<?x?xf32, #graph.dims<3 * r, 2 * n>>
  %0 = graph.tile %x repeats = [r, 2] : (tensor<3x?xf32, #graph.dims<3, n>>) -> tensor<?x?xf32, #graph.dims<3 * r, 2 * n>>
  return
}

// CHECK-LABEL: func.func @iota
func.func @iota() {
  // CHECK: graph.iota shape = [2, n] axis = 1 of i32 : () -> tensor<2x?xi32, #graph.dims<2, n>>
  %0 = graph.iota shape = [2, n] axis = 1 of i32 : () -> tensor<2x?xi32, #graph.dims<2, n>>
  return
}

// CHECK-LABEL: func.func @optimization_barrier
func.func @optimization_barrier(%x: tensor<3x?xi1, #graph.dims<3, n>>, %g: tensor<f64>) {
  // CHECK: graph.optimization_barrier %{{.*}} after %{{.*}} : tensor<3x?xi1, #graph.dims<3, n>>, tensor<f64>
  %0 = graph.optimization_barrier %x after %g : tensor<3x?xi1, #graph.dims<3, n>>, tensor<f64>
  return
}
