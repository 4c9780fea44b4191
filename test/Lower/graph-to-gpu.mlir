// RUN: tenon-opt %s --graph-to-gpu | FileCheck %s

// CHECK-LABEL: func.func @main
// CHECK:       gpu.module @main_gpu {
// CHECK-NEXT:    gpu.func @main(%[[OUT:.*]]: !llvm.ptr, %[[X:.*]]: !llvm.ptr, %[[Y:.*]]: !llvm.ptr, %[[N:.*]]: i64) kernel {
// CHECK:           %[[I:.*]] = arith.addi
// CHECK:           %[[COUNT:.*]] = arith.index_cast %[[N]] : i64 to index
// CHECK:           %[[IN:.*]] = arith.cmpi ult, %[[I]], %[[COUNT]] : index
// CHECK:           scf.if %[[IN]] {
// CHECK:             llvm.load
// CHECK:             arith.addf
// CHECK:             arith.maximumf
// CHECK:             arith.mulf
// CHECK:             llvm.store
// CHECK:           gpu.return
func.func @main(%x: tensor<?x64xf32, #graph.dims<n, 64>>, %y: tensor<?x64xf32, #graph.dims<n, 64>>) -> tensor<?x64xf32, #graph.dims<n, 64>> {
  %0 = graph.add %x, %y : tensor<?x64xf32, #graph.dims<n, 64>>
  %1 = graph.relu %0 : tensor<?x64xf32, #graph.dims<n, 64>>
  %2 = graph.mul %1, %y : tensor<?x64xf32, #graph.dims<n, 64>>
  return %2 : tensor<?x64xf32, #graph.dims<n, 64>>
}
