// Edited placement plans with subgraphs that blis does not compute.
// RUN: tenon-compile %s --optimize=off --stop-after=place --place=all:cpu -o %t.mlir
// RUN: sed 's/"cpu" "matmul+relu"/"blis" "matmul+relu"/' %t.mlir > %t.relu.mlir
// RUN: not tenon-compile %t.relu.mlir -o %t.so 2>&1 | FileCheck %s --check-prefix=RELU
// RUN: sed 's/"cpu" "matmul"/"blis" "matmul"/' %t.mlir > %t.f32.mlir
// RUN: not tenon-compile %t.f32.mlir -o %t.so 2>&1 | FileCheck %s --check-prefix=F32
// RUN: sed 's/"cpu" "exp"/"blis" "exp"/' %t.mlir > %t.exp.mlir
// RUN: not tenon-compile %t.exp.mlir -o %t.so 2>&1 | FileCheck %s --check-prefix=EXP

// RELU: relu.mlir:{{.*}}: error: 'kernel.call' op has a region that blis does not support: expected only a matmul and transposes of its operands
// F32: f32.mlir:{{.*}}: error: 'graph.matmul' op is not supported by blis: expected operands and a result of f64
// EXP: exp.mlir:{{.*}}: error: 'kernel.call' op has a region that blis does not support: expected one matmul

func.func @main(%x: tensor<4x4xf32>, %y: tensor<4x4xf32>, %z: tensor<4x4xf64>) -> (tensor<4x4xf32>, tensor<4x4xf64>, tensor<4x4xf64>) {
  %0 = graph.matmul %x, %y : (tensor<4x4xf32>, tensor<4x4xf32>) -> tensor<4x4xf32>
  %1 = graph.matmul %z, %z : (tensor<4x4xf64>, tensor<4x4xf64>) -> tensor<4x4xf64>
  %2 = graph.relu %1 : tensor<4x4xf64>
  %3 = graph.exp %z : tensor<4x4xf64>
  return %0, %2, %3 : tensor<4x4xf32>, tensor<4x4xf64>, tensor<4x4xf64>
}
