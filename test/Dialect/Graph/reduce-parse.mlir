// RUN: tenon-opt %s | tenon-opt | FileCheck %s
// RUN: tenon-opt --mlir-print-op-generic %s | tenon-opt | FileCheck %s
// RUN: tenon-opt --emit-bytecode %s | tenon-opt | FileCheck %s

!x = tensor<?x3x4xf32, #graph.dims<n, 3, 4>>

// CHECK-LABEL: func.func @primitive
func.func @primitive(%x: !x) {
  // CHECK: graph.reduce_sum %{{.*}} axes = [1] : (tensor<?x3x4xf32, #graph.dims<n, 3, 4>>) -> tensor<?x4xf32, #graph.dims<n, 4>>
  %0 = graph.reduce_sum %x axes = [1] : (!x) -> tensor<?x4xf32, #graph.dims<n, 4>>
  // CHECK: graph.reduce_prod %{{.*}} axes = [0, 2] keepdims : (tensor<?x3x4xf32, #graph.dims<n, 3, 4>>) -> tensor<1x3x1xf32>
  %1 = graph.reduce_prod %x axes = [0, 2] keepdims : (!x) -> tensor<1x3x1xf32>
  // CHECK: graph.reduce_max %{{.*}} axes = [0, 1, 2] : ({{.*}}) -> tensor<f32>
  %2 = graph.reduce_max %x axes = [0, 1, 2] : (!x) -> tensor<f32>
  // CHECK: graph.reduce_min %{{.*}} axes = [] : ({{.*}}) -> tensor<?x3x4xf32, #graph.dims<n, 3, 4>>
  %3 = graph.reduce_min %x axes = [] : (!x) -> !x
  return
}

// CHECK-LABEL: func.func @of_bool
func.func @of_bool(%x: tensor<3xi1>) {
  // CHECK: graph.reduce_max %{{.*}} axes = [0] : (tensor<3xi1>) -> tensor<i1>
  %0 = graph.reduce_max %x axes = [0] : (tensor<3xi1>) -> tensor<i1>
  return
}

// CHECK-LABEL: func.func @composite
func.func @composite(%x: !x) {
  // CHECK: graph.reduce_mean %{{.*}} axes = [0, 2] :
  %0 = graph.reduce_mean %x axes = [0, 2] : (!x) -> tensor<3xf32>
  // CHECK: graph.reduce_l1 %{{.*}} axes = [0, 2] :
  %1 = graph.reduce_l1 %x axes = [0, 2] : (!x) -> tensor<3xf32>
  // CHECK: graph.reduce_l2 %{{.*}} axes = [0, 2] keepdims :
  %2 = graph.reduce_l2 %x axes = [0, 2] keepdims : (!x) -> tensor<1x3x1xf32>
  // CHECK: graph.reduce_sum_square
  %3 = graph.reduce_sum_square %x axes = [0, 2] : (!x) -> tensor<3xf32>
  // CHECK: graph.reduce_log_sum
  %4 = graph.reduce_log_sum %x axes = [0, 2] : (!x) -> tensor<3xf32>
  // CHECK: graph.reduce_log_sum_exp
  %5 = graph.reduce_log_sum_exp %x axes = [0, 2] : (!x) -> tensor<3xf32>
  return
}

// CHECK-LABEL: func.func @positions
func.func @positions(%x: !x) {
  // CHECK: graph.argmax %{{.*}} axis = 2 : ({{.*}}) -> tensor<?x3xi64, #graph.dims<n, 3>>
  %0 = graph.argmax %x axis = 2 : (!x) -> tensor<?x3xi64, #graph.dims<n, 3>>
  // CHECK: graph.argmin %{{.*}} axis = 0 keepdims last : ({{.*}}) -> tensor<1x3x4xi64>
  %1 = graph.argmin %x axis = 0 keepdims last : (!x) -> tensor<1x3x4xi64>
  // CHECK: graph.top_k %{{.*}} axis = 2 k = 3 : ({{.*}}) -> (tensor<?x3x3xf32, #graph.dims<n, 3, 3>>, tensor<?x3x3xi64, #graph.dims<n, 3, 3>>)
  %2:2 = graph.top_k %x axis = 2 k = 3 : (!x) -> (tensor<?x3x3xf32, #graph.dims<n, 3, 3>>, tensor<?x3x3xi64, #graph.dims<n, 3, 3>>)
  // CHECK: graph.top_k %{{.*}} axis = 0 k = m smallest :
  %3:2 = graph.top_k %x axis = 0 k = m smallest : (!x) -> (tensor<?x3x4xf32, #graph.dims<m, 3, 4>>, tensor<?x3x4xi64, #graph.dims<m, 3, 4>>)
  return
}

// CHECK-LABEL: func.func @scans
func.func @scans(%x: !x) {
  // CHECK: graph.cumsum %{{.*}} axis = 1 : tensor<?x3x4xf32, #graph.dims<n, 3, 4>>
  %0 = graph.cumsum %x axis = 1 : !x
  // CHECK: graph.cumsum %{{.*}} axis = 1 exclusive reverse :
  %1 = graph.cumsum %x axis = 1 exclusive reverse : !x
  // CHECK: graph.cumprod %{{.*}} axis = 0 reverse :
  %2 = graph.cumprod %x axis = 0 reverse : !x
  return
}

// A rule may leave axes and sizes open.
// CHECK-LABEL: func.func @open
func.func @open(%x: !x) {
  // CHECK: graph.reduce_sum %{{.*}} axes = [a] :
  %0 = graph.reduce_sum %x axes = [a] : (!x) -> tensor<?x?xf32>
  return
}
