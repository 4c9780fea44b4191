// Where a loop divides everything by one number, it multiplies by its
// reciprocal, unless that would overflow or lose bits, or the quotient is
// rounded after.
// REQUIRES: avx2
// RUN: split-file %s %t

// Divisors of all sizes, also those that only a division is right for: 1e-40
// has no finite reciprocal; zeros, infinities and NaN.
// RUN: tenon-interpret %t/rows.mlir --input x=random:1 --input 'one=random:1:9x1:uniform(1,1)' --output y=@%t/y.npy
// RUN: tenon-compile %t/rows.mlir -o %t/rows.so
// RUN: tenon-run %t/rows.so --input x=random:1 --input 'one=random:1:9x1:uniform(1,1)' --expect y=@%t/y.npy --rtol 1e-6
// RUN: tenon-compile %t/rows.mlir --target=cpu:native -o %t/native.so
// RUN: tenon-run %t/native.so --input x=random:1 --input 'one=random:1:9x1:uniform(1,1)' --expect y=@%t/y.npy --rtol 1e-6
// RUN: tenon-compile %t/rows.mlir --fp=strict -o %t/strict.so
// RUN: tenon-run %t/strict.so --input x=random:1 --input 'one=random:1:9x1:uniform(1,1)' --expect y=@%t/y.npy --rtol 1e-6

// RUN: tenon-compile %t/rows.mlir --stop-after=lower | FileCheck %s --check-prefix=SHARED
// SHARED: %[[ONE:.*]] = llvm.mlir.constant(1.000000e+00 : f32)
// SHARED: %[[RECIPROCAL:.*]] = llvm.fdiv %[[ONE]], %[[DIVISOR:[0-9]+]]
// SHARED: llvm.fmul %{{.*}}, %[[RECIPROCAL]]
// SHARED: llvm.fdiv %{{.*}}, %[[DIVISOR]]
// RUN: tenon-compile %t/rows.mlir --fp=strict --target=cpu:x86-64-v3 --stop-after=lower | FileCheck %s --check-prefix=EACH
// RUN: tenon-compile %t/rounded.mlir --target=cpu:x86-64-v3 --stop-after=lower | FileCheck %s --check-prefix=EACH
// EACH: llvm.fdiv
// EACH-NOT: llvm.fdiv

//--- rows.mlir
func.func @main(%x: tensor<9x37xf32> {graph.name = "x"}, %one: tensor<9x1xf32> {graph.name = "one"}) -> (tensor<9x37xf32> {graph.name = "y"}) {
  %scales = graph.constant dense<[[1.0], [1.0e-39], [1.0e30], [3.0], [1.0], [0.0], [1.0], [1.0], [-5.0]]> : tensor<9x1xf32>
  %divisors = graph.constant dense<[[3.0], [1.0e-40], [3.0e30], [-7.0], [0.0], [-0.0], [0x7F800000], [0x7FC00000], [11.0]]> : tensor<9x1xf32>
  %s = graph.broadcast %scales shape = [9, 37] : (tensor<9x1xf32>) -> tensor<9x37xf32>
  // Not known before the model runs.
  %given = graph.mul %divisors, %one : tensor<9x1xf32>
  %d = graph.broadcast %given shape = [9, 37] : (tensor<9x1xf32>) -> tensor<9x37xf32>
  %0 = graph.mul %x, %s : tensor<9x37xf32>
  %1 = graph.div %0, %d : tensor<9x37xf32>
  return %1 : tensor<9x37xf32>
}

//--- rounded.mlir
func.func @main(%x: tensor<9x37xf32> {graph.name = "x"}, %divisors: tensor<9x1xf32> {graph.name = "d"}) -> (tensor<9x37xf32> {graph.name = "y"}) {
  %d = graph.broadcast %divisors shape = [9, 37] : (tensor<9x1xf32>) -> tensor<9x37xf32>
  %0 = graph.div %x, %d : tensor<9x37xf32>
  %1 = graph.round %0 : tensor<9x37xf32>
  return %1 : tensor<9x37xf32>
}
