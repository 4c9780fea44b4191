// RUN: tenon-opt %S/Inputs/mlp.mlir --pipe-extract-stage=stage=second | FileCheck %s
// RUN: tenon-opt %S/Inputs/mlp.mlir --pipe-inline -o %t.mlir
// RUN: FileCheck %s --check-prefix=INLINE < %t.mlir
// RUN: not tenon-opt %S/Inputs/mlp.mlir --pipe-extract-stage=stage=third 2>&1 | FileCheck %s --check-prefix=MISSING
// RUN: not tenon-opt %t.mlir --pipe-inline 2>&1 | FileCheck %s --check-prefix=NONE

// CHECK:     func.func @main(%{{.*}}: tensor<?x512xf32, #graph.dims<n, 512>> {graph.name = "first.0"}) -> (tensor<?x10xf32, #graph.dims<n, 10>> {graph.name = "output"})
// CHECK-NOT: fc1
// CHECK:     graph.parameter @fc2.weight

// INLINE:     func.func @main(%{{.*}}: tensor<?x784xf32, #graph.dims<n, 784>> {graph.name = "input"}) -> (tensor<?x10xf32, #graph.dims<n, 10>> {graph.name = "output"})
// INLINE:     graph.parameter @fc1.weight
// INLINE:     graph.parameter @fc3.bias
// INLINE-NOT: pipe.

// MISSING: error: no stage 'third' in the program
// NONE: error: expected one 'pipe.program' in the module
