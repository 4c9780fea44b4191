// Philox 4x32-10: the first element against the vector that its authors published for a counter and
// a key of zeros (Random123, kat_vectors), both in the interpreter and in artifacts.
// RUN: tenon-interpret %s | FileCheck %s
// RUN: tenon-interpret %s --output y=@%t.npy
// RUN: tenon-compile %s -o %t.so
// RUN: tenon-run %t.so --expect y=@%t.npy
// RUN: tenon-compile %s -o %t.strict.so --fp=strict --place=all:cpu
// RUN: tenon-run %t.strict.so --expect y=@%t.npy
// CHECK: i64 2 [-2204013331526194987,
func.func @main() -> (tensor<2xi64> {graph.name = "y"}) {
  %c = graph.constant dense<[0, -1]> : tensor<2xi64>
  %k = graph.constant dense<[0, 81985529216486895]> : tensor<2xi64>
  %0 = graph.random_bits %c, %k : tensor<2xi64>
  return %0 : tensor<2xi64>
}
