// Neighbouring elements of one thread: wide accesses where all lie side by
// side, one by one what is left at the end.
// RUN: tenon-compile %s --target=cuda:sm_80 --stop-after=lower -o - | FileCheck %s

// CHECK-LABEL: gpu.module @kernels
// CHECK: gpu.func @k0(%[[A:.*]]: !llvm.ptr {llvm.noalias, llvm.readonly}, %[[B:.*]]: !llvm.ptr {llvm.noalias, llvm.readonly}, %[[Y:.*]]: !llvm.ptr {llvm.noalias}, %{{.*}}: !llvm.ptr, %{{.*}}: i64)
// CHECK-SAME: known_block_size = array<i32: 256, 1, 1>
// CHECK: llvm.load {{.*}} {alignment = 16 : i64} : !llvm.ptr -> vector<4xf32>
// CHECK: llvm.load {{.*}} {alignment = 16 : i64} : !llvm.ptr -> vector<4xf32>
// CHECK: llvm.store {{.*}} {alignment = 16 : i64} : vector<4xf32>, !llvm.ptr
// The ragged end.
// CHECK: scf.for
// CHECK: llvm.load {{.*}} : !llvm.ptr -> f32
// CHECK: llvm.store {{.*}} : f32, !llvm.ptr
func.func @main(%a: tensor<?x7xf32, #graph.dims<n, 7>>,
                %b: tensor<?x7xf32, #graph.dims<n, 7>>)
    -> tensor<?x7xf32, #graph.dims<n, 7>> {
  %0 = graph.add %a, %b : tensor<?x7xf32, #graph.dims<n, 7>>
  %1 = graph.relu %0 : tensor<?x7xf32, #graph.dims<n, 7>>
  return %1 : tensor<?x7xf32, #graph.dims<n, 7>>
}
