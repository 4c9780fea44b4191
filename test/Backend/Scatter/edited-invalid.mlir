// Edited placement plans with subgraphs that the library does not compute.
// RUN: tenon-compile %s --optimize=off --stop-after=place --place=all:cpu -o %t.mlir
// RUN: sed 's/"cpu" "scatter_nd"/"scatter" "scatter_nd"/' %t.mlir > %t.max.mlir
// RUN: not tenon-compile %t.max.mlir -o %t.so 2>&1 | FileCheck %s --check-prefix=MAX
// RUN: sed 's/"cpu" "scatter_elements"/"scatter" "scatter_elements"/' %t.mlir > %t.half.mlir
// RUN: not tenon-compile %t.half.mlir -o %t.so 2>&1 | FileCheck %s --check-prefix=HALF
// RUN: sed 's/"cpu" "exp"/"scatter" "exp"/' %t.mlir > %t.exp.mlir
// RUN: not tenon-compile %t.exp.mlir -o %t.so 2>&1 | FileCheck %s --check-prefix=EXP

// MAX: max.mlir:{{.*}}: error: 'graph.scatter_nd' op is not supported by scatter: expected the reduction add
// HALF: half.mlir:{{.*}}: error: 'graph.scatter_elements' op is not supported by scatter: expected elements of f32 or f64
// EXP: exp.mlir:{{.*}}: error: 'graph.exp' op is not supported by scatter: expected a scatter

func.func @main(%x: tensor<4xf32>, %h: tensor<4xf16>, %i: tensor<2xi64>, %u: tensor<2xf32>, %v: tensor<2xf16>) -> (tensor<4xf32>, tensor<4xf16>, tensor<4xf32>) {
  %r = graph.reshape %i shape = [2, 1] : (tensor<2xi64>) -> tensor<2x1xi64>
  %0 = graph.scatter_nd %x, %r, %u max : (tensor<4xf32>, tensor<2x1xi64>, tensor<2xf32>) -> tensor<4xf32>
  %1 = graph.scatter_elements %h, %i, %v axis = 0 add : (tensor<4xf16>, tensor<2xi64>, tensor<2xf16>) -> tensor<4xf16>
  %2 = graph.exp %x : tensor<4xf32>
  return %0, %1, %2 : tensor<4xf32>, tensor<4xf16>, tensor<4xf32>
}
