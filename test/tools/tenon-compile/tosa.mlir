// Models of tosa ops are turned into graph ops first.
// REQUIRES: avx2
// RUN: tenon-compile %s --stop-after=import | FileCheck %s
// RUN: tenon-compile %s -o %t.so
// RUN: tenon-run %t.so --input random:0:int\(3,4\) \
// RUN:   | FileCheck %s --check-prefix=RESULT

// CHECK: graph.add
// CHECK-NOT: tosa
// RESULT: f32 2x3, min 6, max 6
func.func @main(%x: tensor<2x3xf32>) -> tensor<2x3xf32> {
  %0 = tosa.add %x, %x : (tensor<2x3xf32>, tensor<2x3xf32>) -> tensor<2x3xf32>
  return %0 : tensor<2x3xf32>
}
