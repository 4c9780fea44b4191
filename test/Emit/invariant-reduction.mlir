// A reduction that is the same for all rows of a kernel is computed once, before
// the loop over rows. Unrolled inside of that loop, LLVM's loop vectorizer took
// time that grows exponentially with the number of elements.
// RUN: tenon-compile %s --stop-after=lower -o - | FileCheck %s
// RUN: tenon-compile %s -o %t.so
// RUN: tenon-interpret %s --input x=random:1 --output m=@%t.m.pb
// RUN: tenon-run %t.so --input x=random:1 --expect m=@%t.m.pb
// REQUIRES: avx2

// The load, then the loop over rows, which only stores.
// CHECK-LABEL: llvm.func @k0.rows
// CHECK: llvm.load
// CHECK: llvm.br ^[[LOOP:bb[0-9]+]](%arg2 : i64)
// CHECK: ^[[LOOP]]
// CHECK-NOT: llvm.load
// CHECK: llvm.store
// CHECK: llvm.func @k0(
func.func @main(%x: tensor<2x1x6x1xbf16> {graph.name = "x"}) -> (tensor<1xbf16> {graph.name = "m"}) {
  %0 = graph.reduce_min %x axes = [0, 2, 3] : (tensor<2x1x6x1xbf16>) -> tensor<1xbf16>
  return %0 : tensor<1xbf16>
}
