// Arguments and results without names get the same ones in every tool, so that
// files and random inputs mean the same.
// REQUIRES: avx2
// RUN: tenon-compile %s -o %t.so
// RUN: tenon-interpret %s --input arg0=random:7 --output result0=@%t.npy
// RUN: tenon-run %t.so --input arg0=random:7 --expect result0=@%t.npy
// RUN: tenon-run %t.so --input random:7 --expect @%t.npy

func.func @main(%x: tensor<3x4xf32>) -> tensor<3x4xf32> {
  %0 = graph.neg %x : tensor<3x4xf32>
  return %0 : tensor<3x4xf32>
}
