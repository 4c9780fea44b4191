// RUN: tenon-opt %s | tenon-opt | FileCheck %s
// RUN: tenon-opt --mlir-print-op-generic %s | tenon-opt | FileCheck %s
// RUN: tenon-opt --emit-bytecode %s | tenon-opt | FileCheck %s

// CHECK-LABEL: func.func @slice
func.func @slice(%x: tensor<?x9xf32, #graph.dims<n, 9>>) {
  // CHECK: graph.slice %{{.*}} starts = [n - 1, 1] sizes = [n, 4] steps = [-1, 2] : (tensor<?x9xf32, #graph.dims<n, 9>>) -> tensor<?x4xf32, #graph.dims<n, 4>>
  %0 = graph.slice %x starts = [n - 1, 1] sizes = [n, 4] steps = [-1, 2] : (tensor<?x9xf32, #graph.dims<n, 9>>) -> tensor<?x4xf32, #graph.dims<n, 4>>
  return
}

// CHECK-LABEL: func.func @split
func.func @split(%x: tensor<?x2xf32, #graph.dims<n + 2, 2>>) {
  // CHECK: graph.split %{{.*}} axis = 0 sizes = [2, n] : (tensor<?x2xf32, #graph.dims<n + 2, 2>>) -> (tensor<2x2xf32>, tensor<?x2xf32, #graph.dims<n, 2>>)
  %0:2 = graph.split %x axis = 0 sizes = [2, n] : (tensor<?x2xf32, #graph.dims<n + 2, 2>>) -> (tensor<2x2xf32>, tensor<?x2xf32, #graph.dims<n, 2>>)
  return
}

// CHECK-LABEL: func.func @concat
func.func @concat(%a: tensor<?x2xf32, #graph.dims<n, 2>>, %b: tensor<3x2xf32>) {
  // CHECK: graph.concat %{{.*}}, %{{.*}} axis = 0 : (tensor<?x2xf32, #graph.dims<n, 2>>, tensor<3x2xf32>) -> tensor<?x2xf32, #graph.dims<n + 3, 2>>
  %0 = graph.concat %a, %b axis = 0 : (tensor<?x2xf32, #graph.dims<n, 2>>, tensor<3x2xf32>) -> tensor<?x2xf32, #graph.dims<n + 3, 2>>
  return
}

// CHECK-LABEL: func.func @pad
func.func @pad(%x: tensor<5x2xi64>) {
  // CHECK: graph.pad %{{.*}} low = [1, 0] high = [p, 3] constant value = -1.500000e+00 : (tensor<5x2xi64>) -> tensor<?x5xi64, #graph.dims<p + 6, 5>>
  %0 = graph.pad %x low = [1, 0] high = [p, 3] constant value = -1.500000e+00 : (tensor<5x2xi64>) -> tensor<?x5xi64, #graph.dims<p + 6, 5>>
  return
}

// CHECK-LABEL: func.func @pad_reflect
func.func @pad_reflect(%x: tensor<5x2xf32>) {
  // CHECK: graph.pad %{{.*}} low = [4, 0] high = [0, 1] reflect value = 0.000000e+00 : (tensor<5x2xf32>) -> tensor<9x3xf32>
  %0 = graph.pad %x low = [4, 0] high = [0, 1] reflect value = 0.000000e+00 : (tensor<5x2xf32>) -> tensor<9x3xf32>
  return
}

// CHECK-LABEL: func.func @reverse
func.func @reverse(%x: tensor<?x2xf32, #graph.dims<n, 2>>) {
  // CHECK: graph.reverse %{{.*}} axes = [1, 0] : tensor<?x2xf32, #graph.dims<n, 2>>
  %0 = graph.reverse %x axes = [1, 0] : tensor<?x2xf32, #graph.dims<n, 2>>
  return
}
