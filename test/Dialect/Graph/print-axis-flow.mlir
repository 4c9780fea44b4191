// RUN: tenon-opt %s --graph-print-axis-flow -o /dev/null | FileCheck %s --match-full-lines --strict-whitespace

//      CHECK:graph.matmul
// CHECK-NEXT:  axis 0: x0 axis 0, x1 shared
// CHECK-NEXT:  axis 1: x0 shared, x1 axis 1
// CHECK-NEXT:  sum over x0 axis 1, x1 axis 0
// CHECK-NEXT:graph.softmax
// CHECK-NEXT:  axis 0: x0 axis 0
// CHECK-NEXT:  axis 1: x0 whole
// CHECK-NEXT:graph.pad
// CHECK-NEXT:  axis 0: x0 axis 0 at i - 2; by position
// CHECK-NEXT:  axis 1: x0 axis 1
// CHECK-NEXT:graph.split result 0
// CHECK-NEXT:  axis 0: x0 axis 0
// CHECK-NEXT:  axis 1: x0 axis 1; by position
// CHECK-NEXT:graph.split result 1
// CHECK-NEXT:  axis 0: x0 axis 0
// CHECK-NEXT:  axis 1: x0 axis 1 at i + 1; by position
func.func @main(%x: tensor<?x3xf32, #graph.dims<n, 3>>, %y: tensor<3x4xf32>)
    -> (tensor<?x4xf32, #graph.dims<n + 2, 4>>) {
  %0 = graph.matmul %x, %y : (tensor<?x3xf32, #graph.dims<n, 3>>, tensor<3x4xf32>) -> tensor<?x4xf32, #graph.dims<n, 4>>
  %1 = graph.softmax %0 axis = 1 : tensor<?x4xf32, #graph.dims<n, 4>>
  %2 = graph.pad %1 low = [2, 0] high = [0, 0] constant value = 0.0 : (tensor<?x4xf32, #graph.dims<n, 4>>) -> tensor<?x4xf32, #graph.dims<n + 2, 4>>
  %3:2 = graph.split %2 axis = 1 sizes = [1, 3] : (tensor<?x4xf32, #graph.dims<n + 2, 4>>) -> (tensor<?x1xf32, #graph.dims<n + 2, 1>>, tensor<?x3xf32, #graph.dims<n + 2, 3>>)
  return %2 : tensor<?x4xf32, #graph.dims<n + 2, 4>>
}
