// Padding with a value that is known at run time only: a condition on elements
// (the padded mask) beside conditions on indices.
// RUN: tenon-compile %s -o %t.so
// RUN: tenon-interpret %s --input x=random:1 --input v=random:2 --output y=@%t.npy
// RUN: tenon-run %t.so --input x=random:1 --input v=random:2 --expect @%t.npy
// REQUIRES: avx2

func.func @main(%x: tensor<1x3x4x5xf32> {graph.name = "x"}, %v: tensor<f32> {graph.name = "v"}) -> (tensor<1x3x7x12xf32> {graph.name = "y"}) {
  %0 = graph.constant dense<true> : tensor<i1>
  %1 = graph.broadcast %0 shape = [1, 3, 4, 5] : (tensor<i1>) -> tensor<1x3x4x5xi1>
  %2 = graph.pad %1 low = [0, 0, 1, 3] high = [0, 0, 2, 4] constant value = 0.0 : (tensor<1x3x4x5xi1>) -> tensor<1x3x7x12xi1>
  %3 = graph.pad %x low = [0, 0, 1, 3] high = [0, 0, 2, 4] constant value = 0.0 : (tensor<1x3x4x5xf32>) -> tensor<1x3x7x12xf32>
  %4 = graph.broadcast %v shape = [1, 3, 7, 12] : (tensor<f32>) -> tensor<1x3x7x12xf32>
  %5 = graph.where %2, %3, %4 : tensor<1x3x7x12xi1>, tensor<1x3x7x12xf32>, tensor<1x3x7x12xf32>
  return %5 : tensor<1x3x7x12xf32>
}
