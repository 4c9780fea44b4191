// The inverse error function: compiled code within 4 ulp of the interpreter's f64, at all
// magnitudes and up to the numbers next to 1 and -1; edges are equal.
// REQUIRES: avx2
// RUN: %python %S/Inputs/erfinv.py write %t.x.npy
// RUN: tenon-interpret %s --input x=@%t.x.npy --output y=@%t.y.npy --output z=@%t.z.npy
// RUN: %python %S/Inputs/erfinv.py check %t.y.npy %t.z.npy | FileCheck %s
// RUN: tenon-compile %s -o %t.so
// RUN: tenon-run %t.so --input x=@%t.x.npy --output y=@%t.compiled-y.npy --output z=@%t.compiled-z.npy
// RUN: %python %S/Inputs/erfinv.py check %t.compiled-y.npy %t.z.npy | FileCheck %s
// RUN: %python %S/Inputs/erfinv.py check %t.compiled-z.npy %t.z.npy | FileCheck %s
// RUN: tenon-compile %s -o %t.strict.so --fp=strict
// RUN: tenon-run %t.strict.so --input x=@%t.x.npy --output y=@%t.strict-y.npy --output z=@%t.strict-z.npy
// RUN: %python %S/Inputs/erfinv.py check %t.strict-y.npy %t.z.npy | FileCheck %s
// RUN: %python %S/Inputs/erfinv.py check %t.strict-z.npy %t.z.npy | FileCheck %s
// CHECK: agrees

func.func @main(%x: tensor<65536xf32> {graph.name = "x"})
    -> (tensor<65536xf32> {graph.name = "y"}, tensor<65536xf64> {graph.name = "z"}) {
  %y = graph.erfinv %x : tensor<65536xf32>
  %w = graph.cast %x to f64 : tensor<65536xf32>
  %z = graph.erfinv %w : tensor<65536xf64>
  return %y, %z : tensor<65536xf32>, tensor<65536xf64>
}
