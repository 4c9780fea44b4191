// Sums of products are computed in tiles: of 16 bits and of tf32 by tensor cores,
// of f32 by fused multiply-adds.
// RUN: split-file %s %t
// DEFINE: %{lower} = tenon-compile --target=cuda:sm_80 --place=all:cuda --stop-after=lower -o -
// RUN: %{lower} %t/f16.mlir | FileCheck %s
// RUN: %{lower} %t/f32.mlir | FileCheck %s --check-prefix=F32
// RUN: %{lower} %t/f32.mlir --precision=tf32 | FileCheck %s --check-prefix=TF32
// RUN: %{lower} %t/prologue.mlir | FileCheck %s --check-prefix=PROLOGUE
// RUN: %{lower} %t/f16.mlir --fp=strict | FileCheck %s --check-prefix=STRICT

// Tiles of three steps are on their way; a step waits for the copies of its own,
// then for the other threads. What follows the product is in the same kernel.
// CHECK: gpu.func @k0
// CHECK-COUNT-3: nvvm.cp.async.commit.group
// CHECK: scf.for
// CHECK: nvvm.cp.async.wait.group 2
// CHECK: gpu.barrier
// CHECK: nvvm.cp.async.shared.global {{.*}}, 16, cache = cg
// CHECK: nvvm.cp.async.commit.group
// CHECK: nvvm.ldmatrix
// CHECK: nvgpu.mma.sync{{.*}}mmaShape = [16, 8, 16]
// CHECK-NOT: gpu.barrier
// CHECK: arith.maximumf
// CHECK: gpu.return
// CHECK-NOT: gpu.func

// What is stored transposed, or rounded, goes through registers.
// F32: gpu.func @k0
// F32-NOT: cp.async
// F32-NOT: mma.sync
// F32: llvm.intr.fma
// F32: gpu.return
// TF32: gpu.func @k0
// TF32-NOT: cp.async
// TF32: nvgpu.mma.sync{{.*}}mmaShape = [16, 8, 8], tf32Enabled
// TF32: gpu.return

// So does what is computed on the way.
// PROLOGUE: gpu.func @k0
// PROLOGUE-NOT: cp.async
// PROLOGUE: nvgpu.mma.sync
// PROLOGUE: gpu.return

// A second sum of the same shape is another kernel's.
// RUN: %{lower} %t/pool.mlir | FileCheck %s --check-prefix=POOL
// POOL: gpu.func @k0
// POOL: nvgpu.mma.sync
// POOL: gpu.func @k1

// STRICT-NOT: mma.sync

//--- f16.mlir
func.func @main(%x: tensor<512x768xf16>, %w: tensor<768x768xf16>) -> tensor<512x768xf16> {
  %0 = graph.matmul %x, %w transpose_b : (tensor<512x768xf16>, tensor<768x768xf16>) -> tensor<512x768xf16>
  %1 = graph.relu %0 : tensor<512x768xf16>
  return %1 : tensor<512x768xf16>
}

//--- f32.mlir
func.func @main(%x: tensor<512x768xf32>, %w: tensor<768x768xf32>) -> tensor<512x768xf32> {
  %0 = graph.matmul %x, %w transpose_b : (tensor<512x768xf32>, tensor<768x768xf32>) -> tensor<512x768xf32>
  return %0 : tensor<512x768xf32>
}

//--- prologue.mlir
func.func @main(%x: tensor<512x768xf16>, %w: tensor<768x768xf16>) -> tensor<512x768xf16> {
  %x1 = graph.relu %x : tensor<512x768xf16>
  %0 = graph.matmul %x1, %w transpose_b : (tensor<512x768xf16>, tensor<768x768xf16>) -> tensor<512x768xf16>
  return %0 : tensor<512x768xf16>
}

//--- pool.mlir
!x = tensor<1x56x56x64xf16>
!y = tensor<1x56x56x128xf16>
func.func @main(%x: !x, %w: tensor<128x64x1x1xf16>, %y: !y) -> (!y, !y) {
  %0 = graph.conv %x, %w strides = [1, 1] pads = [0, 0, 0, 0] dilations = [1, 1] groups = 1 channels_last : (!x, tensor<128x64x1x1xf16>) -> !y
  %1 = graph.relu %0 : !y
  %2 = graph.avg_pool %y kernel = [3, 3] strides = [1, 1] pads = [1, 1, 1, 1] dilations = [1, 1] channels_last : (!y) -> !y
  %3 = graph.add %2, %1 : !y
  return %1, %3 : !y, !y
}
