// RUN: tenon-opt %s | tenon-opt | FileCheck %s
// RUN: tenon-opt %s --mlir-print-op-generic | tenon-opt | FileCheck %s

// CHECK-LABEL: func.func @sum
func.func @sum(%x: tensor<?x3xf32, #graph.dims<n, 3>>, %i: tensor<2xi64>) -> (tensor<?x3xf32, #graph.dims<n, 3>>, tensor<2xi64>) {
  // CHECK: graph.all_reduce %{{.*}} over ["stage", "data"] : tensor<?x3xf32, #graph.dims<n, 3>>
  %0 = graph.all_reduce %x over ["stage", "data"] : tensor<?x3xf32, #graph.dims<n, 3>>
  // CHECK: graph.all_reduce %{{.*}} over ["data"] : tensor<2xi64>
  %1 = graph.all_reduce %i over ["data"] : tensor<2xi64>
  return %0, %1 : tensor<?x3xf32, #graph.dims<n, 3>>, tensor<2xi64>
}
