// exp(log(x)) is not x: where x is negative, NaN goes through.
// RUN: split-file %s %t
// RUN: tenon-compile %t/log.mlir -o %t/log.so
// RUN: tenon-interpret %t/log.mlir --input 'x=random:1:6:uniform(-2,2)' --output y=@%t/log.npy
// RUN: tenon-run %t/log.so --input 'x=random:1:6:uniform(-2,2)' --expect y=@%t/log.npy
// The exponential of a NaN that is known when the code is compiled: the
// polynomial converts it to an integer, of which LLVM may make anything.
// RUN: tenon-compile %t/known.mlir -o %t/known.so
// RUN: tenon-run %t/known.so | FileCheck %s
// CHECK: output 'y': f16 57, 57 NaN
// REQUIRES: avx2

//--- log.mlir
func.func @main(%x: tensor<6xf64> {graph.name = "x"}) -> (tensor<6xf64> {graph.name = "y"}) {
  %0 = graph.log %x : tensor<6xf64>
  %1 = graph.selu %0 alpha = 3.75e-01, gamma = 1.0 : tensor<6xf64>
  return %1 : tensor<6xf64>
}

//--- known.mlir
func.func @main() -> (tensor<57xf16> {graph.name = "y"}) {
  %0 = graph.constant dense<1.5> : tensor<f16>
  %1 = graph.broadcast %0 shape = [57] : (tensor<f16>) -> tensor<57xf16>
  %2 = graph.acos %1 : tensor<57xf16>
  %3 = graph.selu %2 alpha = 7.5e-01, gamma = 1.25 : tensor<57xf16>
  return %3 : tensor<57xf16>
}
