// Siblings merge into one op that computes each of them once, although merges
// of two and of three overlap.
// REQUIRES: z3

// RUN: tenon-compile %s --target=cuda:sm_90 --stop-after=optimize -o - | FileCheck %s

// CHECK-COUNT-1: graph.matmul {{.*}} -> tensor<4x40xf32>
// CHECK-NOT:     graph.matmul

func.func @main(%x: tensor<4x8xf32>) -> (tensor<4x8xf32>, tensor<4x8xf32>, tensor<4x8xf32>, tensor<4x8xf32>, tensor<4x8xf32>) {
  %a = graph.parameter @a : tensor<8x8xf32>
  %b = graph.parameter @b : tensor<8x8xf32>
  %c = graph.parameter @c : tensor<8x8xf32>
  %d = graph.parameter @d : tensor<8x8xf32>
  %e = graph.parameter @e : tensor<8x8xf32>
  %0 = graph.matmul %x, %a : (tensor<4x8xf32>, tensor<8x8xf32>) -> tensor<4x8xf32>
  %1 = graph.matmul %x, %b : (tensor<4x8xf32>, tensor<8x8xf32>) -> tensor<4x8xf32>
  %2 = graph.matmul %x, %c : (tensor<4x8xf32>, tensor<8x8xf32>) -> tensor<4x8xf32>
  %3 = graph.matmul %x, %d : (tensor<4x8xf32>, tensor<8x8xf32>) -> tensor<4x8xf32>
  %4 = graph.matmul %x, %e : (tensor<4x8xf32>, tensor<8x8xf32>) -> tensor<4x8xf32>
  return %0, %1, %2, %3, %4 : tensor<4x8xf32>, tensor<4x8xf32>, tensor<4x8xf32>, tensor<4x8xf32>, tensor<4x8xf32>
}
