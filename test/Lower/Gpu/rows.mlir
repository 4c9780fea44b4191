// A row's reductions are shared by a warp or by a block; its values stay in
// registers or in shared memory.
// RUN: tenon-compile %s --target=cuda:sm_80 --stop-after=lower -o - | FileCheck %s
// RUN: tenon-compile %s --target=cuda:sm_80 --stop-after=lower --fp=strict -o - \
// RUN:   | FileCheck %s --check-prefix=STRICT

// Short rows: warps, which wait for each other alone.
// CHECK: gpu.func @k0
// CHECK: scf.for
// CHECK: llvm.load {{.*}} {alignment = 16 : i64} : !llvm.ptr -> vector<4xf32>
// CHECK-COUNT-5: gpu.shuffle xor
// CHECK-NOT: gpu.barrier
// CHECK: nvvm.bar.warp.sync
// CHECK: gpu.return

// Long rows: blocks.
// CHECK: gpu.func @k1
// CHECK-SAME: known_block_size = array<i32: 256, 1, 1>
// CHECK-COUNT-5: gpu.shuffle xor
// CHECK: gpu.barrier
// CHECK: gpu.return

// A norm is one kernel, also where an axis has one element.
// RUN: tenon-compile %S/Inputs/layer-norm.mlir --target=cuda:sm_80 --stop-after=lower -o - | FileCheck %s --check-prefix=NORM
// NORM-COUNT-1: gpu.func
// NORM-NOT: gpu.func

// A team would add in another order.
// STRICT-NOT: gpu.shuffle
func.func @main(%a: tensor<2048x256xf32>, %b: tensor<64x8192xf32>)
    -> (tensor<2048x256xf32>, tensor<64xf32>) {
  %0 = graph.softmax %a axis = 1 : tensor<2048x256xf32>
  %1 = graph.reduce_sum %b axes = [1] : (tensor<64x8192xf32>) -> tensor<64xf32>
  return %0, %1 : tensor<2048x256xf32>, tensor<64xf32>
}
