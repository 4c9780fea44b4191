// What reads each element of a matrix once, and has one row of results, is
// computed in parts, each of which reads its own rows of the matrix. Parts are
// joined by a second step.
// REQUIRES: avx2
// REQUIRES: slow
// RUN: split-file %s %t

// DEFINE: %{name} =
// DEFINE: %{check} = tenon-interpret %t/%{name}.mlir --params random:3 --input random:1 --output @%t/y.npy && \
// DEFINE:   tenon-compile %t/%{name}.mlir --place=all:cpu --optimize=off -o %t/%{name}.so && \
// DEFINE:   tenon-run %t/%{name}.so --params random:3 --input random:1 --rtol 1e-5 --expect @%t/y.npy --threads 3
// DEFINE: %{lower} = tenon-compile %t/%{name}.mlir --place=all:cpu --optimize=off --target=cpu:x86-64-v3 --stop-after=lower -o -

// REDEFINE: %{name} = vector
// RUN: %{check}
// RUN: %{lower} | FileCheck %s
// CHECK: %[[PARTS:.*]] = program.arena : tensor<16x1x256xf32>
// CHECK: program.launch "matmul" @kernels::@[[PART:.*]](%{{.*}}, %{{.*}}, %[[PARTS]]) extent(16)
// CHECK-NEXT: program.launch "matmul" @kernels::@{{.*}}(%[[PARTS]], %{{.*}}) extent(4)
// Each row of the matrix is added to the results as a whole.
// CHECK: llvm.func @[[PART]].rows
// CHECK-NOT: vector<8xf32>
// CHECK: llvm.func @[[PART]](

// Sums whose order is given are not divided.
// RUN: %{lower} --fp=strict | FileCheck %s --check-prefix=ONE
// ONE-COUNT-1: program.launch
// ONE-NOT: program.launch

// The last of equally long parts lacks terms.
// REDEFINE: %{name} = prime
// RUN: %{check}
// RUN: %{lower} | FileCheck %s --check-prefix=PRIME
// PRIME: program.launch "matmul" {{.*}} extent(16)
// PRIME-NEXT: program.launch "matmul"

// REDEFINE: %{name} = sum
// RUN: %{check}
// RUN: %{lower} | FileCheck %s --check-prefix=SUM
// SUM: program.arena : tensor<15x300xf32>
// SUM: program.launch "reduce_sum" {{.*}} extent(15)
// SUM-NEXT: program.launch "reduce_sum"

// REDEFINE: %{name} = maximum
// RUN: %{check}
// RUN: %{lower} | FileCheck %s --check-prefix=MAXIMUM
// MAXIMUM: program.arena : tensor<16x1x257xf64>

// Of several axes the one with the most terms is divided, though it is not
// the first.
// REDEFINE: %{name} = axes
// RUN: %{check}
// RUN: %{lower} | FileCheck %s --check-prefix=AXES
// AXES: program.arena : tensor<16x320xf32>

// The elements of both matrices are read once, and so is the other's row.
// REDEFINE: %{name} = product
// RUN: %{check}
// RUN: %{lower} | FileCheck %s --check-prefix=PRODUCT
// PRODUCT: program.arena : tensor<16x260xf32>

// Several rows of results are parts already.
// REDEFINE: %{name} = batch
// RUN: %{check}
// RUN: %{lower} | FileCheck %s --check-prefixes=ONE,BATCH
// BATCH: llvm.func @[[KERNEL:.*]].rows
// BATCH-NOT: vector<8xf32>
// BATCH: llvm.func @[[KERNEL]](

// Small matrices, narrow and wide rows, and a matrix that is read along its
// columns, are no reason for a second step.
// REDEFINE: %{name} = small
// RUN: %{lower} | FileCheck %s --check-prefix=ONE
// REDEFINE: %{name} = narrow
// RUN: %{lower} | FileCheck %s --check-prefix=ONE
// REDEFINE: %{name} = wide
// RUN: %{check}
// RUN: %{lower} | FileCheck %s --check-prefix=ONE
// REDEFINE: %{name} = few
// RUN: %{check}
// RUN: %{lower} | FileCheck %s --check-prefix=ONE
// REDEFINE: %{name} = columns
// RUN: %{lower} | FileCheck %s --check-prefix=ONE
// Windows that overlap read elements again.
// REDEFINE: %{name} = windows
// RUN: %{check}
// RUN: %{lower} | FileCheck %s --check-prefixes=ONE,WINDOWS
// WINDOWS: llvm.func @k0.rows
// WINDOWS: llvm.load {{.*}} -> vector<8xf32>

//--- vector.mlir
func.func @main(%x: tensor<1x768xf32>) -> tensor<1x256xf32> {
  %w = graph.parameter @w : tensor<768x256xf32>
  %y = graph.matmul %x, %w : (tensor<1x768xf32>, tensor<768x256xf32>) -> tensor<1x256xf32>
  return %y : tensor<1x256xf32>
}

//--- prime.mlir
func.func @main(%x: tensor<1x1021xf32>) -> tensor<1x259xf32> {
  %w = graph.parameter @w : tensor<1021x259xf32>
  %y = graph.matmul %x, %w : (tensor<1x1021xf32>, tensor<1021x259xf32>) -> tensor<1x259xf32>
  return %y : tensor<1x259xf32>
}

//--- sum.mlir
func.func @main(%x: tensor<1500x300xf32>) -> tensor<300xf32> {
  %y = graph.reduce_sum %x axes = [0] : (tensor<1500x300xf32>) -> tensor<300xf32>
  return %y : tensor<300xf32>
}

//--- maximum.mlir
func.func @main(%x: tensor<1009x257xf64>) -> tensor<1x257xf64> {
  %y = graph.reduce_max %x axes = [0] keepdims : (tensor<1009x257xf64>) -> tensor<1x257xf64>
  return %y : tensor<1x257xf64>
}

//--- axes.mlir
func.func @main(%x: tensor<3x256x320xf32>) -> tensor<320xf32> {
  %y = graph.reduce_sum %x axes = [0, 1] : (tensor<3x256x320xf32>) -> tensor<320xf32>
  return %y : tensor<320xf32>
}

//--- product.mlir
func.func @main(%x: tensor<512x260xf32>) -> tensor<260xf32> {
  %w = graph.parameter @w : tensor<512x260xf32>
  %0 = graph.mul %x, %w : tensor<512x260xf32>
  %y = graph.reduce_sum %0 axes = [0] : (tensor<512x260xf32>) -> tensor<260xf32>
  return %y : tensor<260xf32>
}

//--- batch.mlir
func.func @main(%x: tensor<4x100x512xf32>) -> tensor<4x512xf32> {
  %y = graph.reduce_sum %x axes = [1] : (tensor<4x100x512xf32>) -> tensor<4x512xf32>
  return %y : tensor<4x512xf32>
}

//--- small.mlir
func.func @main(%x: tensor<1x128xf32>) -> tensor<1x256xf32> {
  %w = graph.parameter @w : tensor<128x256xf32>
  %y = graph.matmul %x, %w : (tensor<1x128xf32>, tensor<128x256xf32>) -> tensor<1x256xf32>
  return %y : tensor<1x256xf32>
}

//--- narrow.mlir
func.func @main(%x: tensor<1x4096xf32>) -> tensor<1x64xf32> {
  %w = graph.parameter @w : tensor<4096x64xf32>
  %y = graph.matmul %x, %w : (tensor<1x4096xf32>, tensor<4096x64xf32>) -> tensor<1x64xf32>
  return %y : tensor<1x64xf32>
}

//--- wide.mlir
func.func @main(%x: tensor<1x64xf32>) -> tensor<1x20011xf32> {
  %w = graph.parameter @w : tensor<64x20011xf32>
  %y = graph.matmul %x, %w : (tensor<1x64xf32>, tensor<64x20011xf32>) -> tensor<1x20011xf32>
  return %y : tensor<1x20011xf32>
}

//--- few.mlir
func.func @main(%x: tensor<1x31xf32>) -> tensor<1x4096xf32> {
  %w = graph.parameter @w : tensor<31x4096xf32>
  %y = graph.matmul %x, %w : (tensor<1x31xf32>, tensor<31x4096xf32>) -> tensor<1x4096xf32>
  return %y : tensor<1x4096xf32>
}

//--- columns.mlir
func.func @main(%x: tensor<1x768xf32>) -> tensor<1x512xf32> {
  %w = graph.parameter @w : tensor<512x768xf32>
  %y = graph.matmul %x, %w transpose_b : (tensor<1x768xf32>, tensor<512x768xf32>) -> tensor<1x512xf32>
  return %y : tensor<1x512xf32>
}

//--- windows.mlir
func.func @main(%x: tensor<1x1002x300xf32>) -> tensor<1x1000x300xf32> {
  %y = graph.max_pool %x kernel = [3] strides = [1] pads = [0, 0] dilations = [1] channels_last : (tensor<1x1002x300xf32>) -> tensor<1x1000x300xf32>
  return %y : tensor<1x1000x300xf32>
}
