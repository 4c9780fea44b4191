// A transposed operand is read along its own memory, through a padded tile of
// shared memory.
// RUN: tenon-compile %s --target=cuda:sm_80 --stop-after=lower -o - | FileCheck %s

// CHECK: llvm.mlir.global internal @k0_shared0() {addr_space = 3 : i32, alignment = 16 : i64} : !llvm.array<4224 x i8>
// CHECK: gpu.func @k0
// CHECK: llvm.store {{.*}} : f32, !llvm.ptr<3>
// CHECK: gpu.barrier
// CHECK: llvm.load {{.*}} : !llvm.ptr<3> -> f32
// CHECK: llvm.store {{.*}} : f32, !llvm.ptr
func.func @main(%a: tensor<100x70xf32>, %b: tensor<70x100xf32>)
    -> tensor<70x100xf32> {
  %0 = graph.transpose %a perm = [1, 0] : (tensor<100x70xf32>) -> tensor<70x100xf32>
  %1 = graph.add %0, %b : tensor<70x100xf32>
  return %1 : tensor<70x100xf32>
}
