// Strict floating point keeps the order of sums: no library that regroups them,
// no folded batch norm; and NaN goes through activations.
// RUN: tenon-compile %s --fp=strict --stop-after=place | FileCheck %s --check-prefix=STRICT
// RUN: tenon-compile %s --stop-after=place | FileCheck %s --check-prefix=FREE
// RUN: tenon-compile %s --fp=strict -o %t.so
// RUN: tenon-interpret %s --domain=f32 --input x=random:1 --output y=@%t.npy
// RUN: tenon-run %t.so --input x=random:1 --expect y=@%t.npy --rtol 0 --atol 0
// REQUIRES: avx2

// STRICT-NOT: onednn
// STRICT: kernel.call "cpu" "matmul
// FREE: kernel.call "onednn" "matmul

func.func @main(%x: tensor<32x64xf32> {graph.name = "x"}) -> (tensor<32x32xf32> {graph.name = "y"}) {
  %0 = graph.matmul %x, %x transpose_b : (tensor<32x64xf32>, tensor<32x64xf32>) -> tensor<32x32xf32>
  %1 = graph.relu %0 : tensor<32x32xf32>
  return %1 : tensor<32x32xf32>
}
