// RUN: tenon-opt %S/Inputs/mlp.mlir --pipe-inline -o %t.mlir
// RUN: FileCheck %s < %t.mlir
// RUN: not tenon-opt %t.mlir --pipe-inline 2>&1 | FileCheck %s --check-prefix=NONE

// CHECK:     func.func @main(%{{.*}}: tensor<?x784xf32, #graph.dims<n, 784>> {graph.name = "input"}) -> (tensor<?x10xf32, #graph.dims<n, 10>> {graph.name = "output"})
// CHECK:     graph.parameter @fc1.weight
// CHECK:     graph.parameter @fc3.bias
// CHECK-NOT: pipe.

// NONE: error: expected one 'pipe.program' in the module

// What ranks run is gone, too.
// RUN: tenon-zoo mlp -o %t.model.mlir
// RUN: tenon-plan %t.model.mlir --devices 2 --mini-batch 7 --micro-batch 2 --forward-only --planner=sequential -o %t.plan.mlir
// RUN: tenon-opt %t.plan.mlir --pipe-inline | FileCheck %s --check-prefix=RANKS --implicit-check-not=program. --implicit-check-not="func.func @s"
// RANKS: func.func @main(
