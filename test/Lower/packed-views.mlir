// A reshape shares the buffer of its operand. A weight that is read by its own
// shape and through a reshape is reordered for each.
// REQUIRES: avx2
// RUN: split-file %s %t

// DEFINE: %{name} =
// DEFINE: %{inputs} = --params random:1 --input random:2 --input random:3
// DEFINE: %{options} =
// DEFINE: %{check} = tenon-interpret %t/%{name}.mlir %{inputs} --output result0=@%t/r0.npy --output result1=@%t/r1.npy && \
// DEFINE:   tenon-compile %t/%{name}.mlir %{options} -o %t/%{name}.so && \
// DEFINE:   tenon-run %t/%{name}.so %{inputs} --expect result0=@%t/r0.npy --expect result1=@%t/r1.npy --rtol 1e-5

// REDEFINE: %{name} = products
// RUN: %{check}
// REDEFINE: %{options} = --place=all:cpu --optimize=off
// RUN: %{check}
// REDEFINE: %{name} = images
// RUN: %{check}

// RUN: tenon-compile %t/images.mlir --target=cuda:sm_80 --place=all:cudnn --stop-after=lower -o - | FileCheck %s
// CHECK-DAG: program.prepared : tensor<32x3x3x192xf32>
// CHECK-DAG: program.prepared : tensor<192x3x3x32xf32>

//--- products.mlir
func.func @main(%x: tensor<16x96xf32>, %z: tensor<16x192xf32>) -> (tensor<16x128xf32>, tensor<16x64xf32>) {
  %w = graph.parameter @w : tensor<128x96xf32>
  %v = graph.reshape %w shape = [64, 192] : (tensor<128x96xf32>) -> tensor<64x192xf32>
  %0 = graph.matmul %x, %w transpose_b : (tensor<16x96xf32>, tensor<128x96xf32>) -> tensor<16x128xf32>
  %1 = graph.matmul %z, %v transpose_b : (tensor<16x192xf32>, tensor<64x192xf32>) -> tensor<16x64xf32>
  return %0, %1 : tensor<16x128xf32>, tensor<16x64xf32>
}

//--- images.mlir
func.func @main(%x: tensor<1x4x5x192xf32>, %z: tensor<1x4x5x32xf32>) -> (tensor<1x4x5x32xf32>, tensor<1x4x5x192xf32>) {
  %w = graph.parameter @w : tensor<32x192x3x3xf32>
  %v = graph.reshape %w shape = [192, 32, 3, 3] : (tensor<32x192x3x3xf32>) -> tensor<192x32x3x3xf32>
  %0 = graph.conv %x, %w strides = [1, 1] pads = [1, 1, 1, 1] dilations = [1, 1] groups = 1 channels_last : (tensor<1x4x5x192xf32>, tensor<32x192x3x3xf32>) -> tensor<1x4x5x32xf32>
  %1 = graph.conv %z, %v strides = [1, 1] pads = [1, 1, 1, 1] dilations = [1, 1] groups = 1 channels_last : (tensor<1x4x5x32xf32>, tensor<192x32x3x3xf32>) -> tensor<1x4x5x192xf32>
  return %0, %1 : tensor<1x4x5x32xf32>, tensor<1x4x5x192xf32>
}
