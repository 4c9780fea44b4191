// An operand of one element per column after a product whose batches are inside of
// its rows: oneDNN reads it out of bounds.
// RUN: tenon-compile %s -o %t.so --pin=matmul=onednn
// RUN: tenon-run %t.so --input arg0=random:1 --input arg1=random:2 --input arg2=random:3 --output @%t.npy
// RUN: tenon-interpret %s --input arg0=random:1 --input arg1=random:2 --input arg2=random:3 --expect @%t.npy
// RUN: tenon-compile %s --pin=matmul=onednn --stop-after=lower -o - | FileCheck %s
// CHECK: onednn #program.matmul
func.func @main(%x: tensor<2x2x3xf32>, %w: tensor<2x3x4xf32>, %b: tensor<4xf32>) -> tensor<2x2x4xf32> {
  %0 = graph.matmul %x, %w : (tensor<2x2x3xf32>, tensor<2x3x4xf32>) -> tensor<2x2x4xf32>
  %1 = graph.broadcast %b shape = [2, 2, 4] : (tensor<4xf32>) -> tensor<2x2x4xf32>
  %2 = graph.mul %0, %1 : tensor<2x2x4xf32>
  %3 = graph.transpose %2 perm = [1, 0, 2] : (tensor<2x2x4xf32>) -> tensor<2x2x4xf32>
  return %3 : tensor<2x2x4xf32>
}
