// What is computed at load may need buffers, group after group; all of them
// precede the steps.

// RUN: tenon-compile %s --optimize=off --target=cuda:sm_80 --without=cublaslt \
// RUN:   --stop-after=lower -o - | FileCheck %s

// CHECK:      program.prepare {
// CHECK-NEXT: %[[FIRST:.*]] = program.arena
// CHECK-NEXT: %[[SECOND:.*]] = program.arena
// CHECK-NEXT: program.launch {{.*}}, %[[FIRST]])
// CHECK:      program.launch {{.*}}, %[[SECOND]])
// CHECK:      program.entry

func.func @main(%x: tensor<4x4xf32>) -> (tensor<4x40xf32>, tensor<4x40xf32>) {
  %a = graph.parameter @a : tensor<4x4xf32>
  %b = graph.parameter @b : tensor<4x4xf32>
  %y1 = graph.concat %a, %b axis = 1 : (tensor<4x4xf32>, tensor<4x4xf32>) -> tensor<4x8xf32>
  %y2 = graph.concat %y1, %a axis = 1 : (tensor<4x8xf32>, tensor<4x4xf32>) -> tensor<4x12xf32>
  %y3 = graph.concat %y1, %y2 axis = 1 : (tensor<4x8xf32>, tensor<4x12xf32>) -> tensor<4x20xf32>
  %y4 = graph.concat %y3, %y2, %y1 axis = 1 : (tensor<4x20xf32>, tensor<4x12xf32>, tensor<4x8xf32>) -> tensor<4x40xf32>
  %y = graph.matmul %x, %y4 : (tensor<4x4xf32>, tensor<4x40xf32>) -> tensor<4x40xf32>
  %z1 = graph.concat %b, %a axis = 1 : (tensor<4x4xf32>, tensor<4x4xf32>) -> tensor<4x8xf32>
  %z2 = graph.concat %z1, %b axis = 1 : (tensor<4x8xf32>, tensor<4x4xf32>) -> tensor<4x12xf32>
  %z3 = graph.concat %z1, %z2 axis = 1 : (tensor<4x8xf32>, tensor<4x12xf32>) -> tensor<4x20xf32>
  %z4 = graph.concat %z3, %z2, %z1 axis = 1 : (tensor<4x20xf32>, tensor<4x12xf32>, tensor<4x8xf32>) -> tensor<4x40xf32>
  %z = graph.matmul %x, %z4 : (tensor<4x4xf32>, tensor<4x40xf32>) -> tensor<4x40xf32>
  return %y, %z : tensor<4x40xf32>, tensor<4x40xf32>
}
