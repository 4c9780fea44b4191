// exp(log(x)) is not x: where x is negative, NaN goes through.
// RUN: tenon-compile %s -o %t.so
// RUN: tenon-interpret %s --input 'x=random:1:6:uniform(-2,2)' --output y=@%t.npy
// RUN: tenon-run %t.so --input 'x=random:1:6:uniform(-2,2)' --expect y=@%t.npy
// REQUIRES: avx2

func.func @main(%x: tensor<6xf64> {graph.name = "x"}) -> (tensor<6xf64> {graph.name = "y"}) {
  %0 = graph.log %x : tensor<6xf64>
  %1 = graph.selu %0 alpha = 3.75e-01, gamma = 1.0 : tensor<6xf64>
  return %1 : tensor<6xf64>
}
