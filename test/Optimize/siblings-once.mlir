// Siblings merge into one op that computes each of them once, although merges
// of two and of three overlap.
// RUN: split-file %s %t

// RUN: tenon-compile %t/plain.mlir --target=cuda:sm_90 --stop-after=optimize -o - | FileCheck %s --check-prefix=PLAIN
// PLAIN:     graph.matmul {{.*}} -> tensor<4x40xf32>
// PLAIN-NOT: graph.matmul

// Products, their sums, and convolutions that stand for them are merged, too.
// RUN: tenon-compile %t/biased.mlir --target=cuda:sm_80 --stop-after=optimize -o %t/out.mlir
// RUN: grep 'graph.matmul' %t/out.mlir | FileCheck %s --check-prefix=BIASED
// BIASED:     -> tensor<{{.*}}x40xf32>
// BIASED-NOT: graph.matmul

//--- plain.mlir
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

//--- biased.mlir
func.func @main(%x: tensor<4x8xf32>) -> (tensor<4x8xf32>, tensor<4x8xf32>, tensor<4x8xf32>, tensor<4x8xf32>, tensor<4x8xf32>) {
  %bias = graph.parameter @bias : tensor<4x8xf32>
  %w0 = graph.parameter @w0 : tensor<8x8xf32>
  %m0 = graph.matmul %x, %w0 : (tensor<4x8xf32>, tensor<8x8xf32>) -> tensor<4x8xf32>
  %r0 = graph.add %m0, %bias : tensor<4x8xf32>
  %w1 = graph.parameter @w1 : tensor<8x8xf32>
  %m1 = graph.matmul %x, %w1 : (tensor<4x8xf32>, tensor<8x8xf32>) -> tensor<4x8xf32>
  %r1 = graph.add %m1, %bias : tensor<4x8xf32>
  %w2 = graph.parameter @w2 : tensor<8x8xf32>
  %m2 = graph.matmul %x, %w2 : (tensor<4x8xf32>, tensor<8x8xf32>) -> tensor<4x8xf32>
  %r2 = graph.add %m2, %bias : tensor<4x8xf32>
  %w3 = graph.parameter @w3 : tensor<8x8xf32>
  %m3 = graph.matmul %x, %w3 : (tensor<4x8xf32>, tensor<8x8xf32>) -> tensor<4x8xf32>
  %r3 = graph.add %m3, %bias : tensor<4x8xf32>
  %w4 = graph.parameter @w4 : tensor<8x8xf32>
  %m4 = graph.matmul %x, %w4 : (tensor<4x8xf32>, tensor<8x8xf32>) -> tensor<4x8xf32>
  %r4 = graph.add %m4, %bias : tensor<4x8xf32>
  return %r0, %r1, %r2, %r3, %r4 : tensor<4x8xf32>, tensor<4x8xf32>, tensor<4x8xf32>, tensor<4x8xf32>, tensor<4x8xf32>
}
