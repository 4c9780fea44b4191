// RUN: tenon-opt %S/Inputs/mlp.mlir --pipe-inline -o %t.mlir
// RUN: FileCheck %s < %t.mlir
// RUN: not tenon-opt %t.mlir --pipe-inline 2>&1 | FileCheck %s --check-prefix=NONE

// CHECK:     func.func @main(%{{.*}}: tensor<?x784xf32, #graph.dims<n, 784>> {graph.name = "input"}) -> (tensor<?x10xf32, #graph.dims<n, 10>> {graph.name = "output"})
// CHECK:     graph.parameter @fc1.weight
// CHECK:     graph.parameter @fc3.bias
// CHECK-NOT: pipe.

// NONE: error: expected one 'pipe.program' in the module
