// Winograd convolutions with fewer filters than a vector has lanes, against the
// interpreter: with a bias, a residual, and what is not finite.
// RUN: tenon-compile %s --stop-after=place --place=all:winograd | FileCheck %s
// RUN: tenon-compile %s -o %t.so --place=all:winograd
// DEFINE: %{input} = --params random:1 --input x=random:1:2x21x18x24
// DEFINE: %{check} = tenon-interpret %s %{input} --output a=@%t.a.npy --output b=@%t.b.npy --output c=@%t.c.npy --output d=@%t.d.npy && \
// DEFINE:   tenon-run %t.so %{input} --threads 2 --expect a=@%t.a.npy --expect b=@%t.b.npy --expect c=@%t.c.npy --expect d=@%t.d.npy
// RUN: %{check}
// REDEFINE: %{input} = --params random:2 --input x=random:3:1x64x71x24
// RUN: %{check}
// REQUIRES: avx2

// CHECK-COUNT-3: kernel.call "winograd" "conv
// CHECK-NOT: winograd

!x = tensor<?x?x?x24xf32, #graph.dims<n, h, w, 24>>
!a = tensor<?x?x?x3xf32, #graph.dims<n, h, w, 3>>
!b = tensor<?x?x?x1xf32, #graph.dims<n, h, w, 1>>
!c = tensor<?x?x?x48xf32, #graph.dims<n, h, w, 48>>
!d = tensor<?x?x?x6xf32, #graph.dims<n, h, w, 6>>

func.func @main(%x: !x {graph.name = "x"})
    -> (!a {graph.name = "a"}, !b {graph.name = "b"}, !a {graph.name = "c"}, !d {graph.name = "d"}) {
  %wa = graph.parameter @wa : tensor<3x24x3x3xf32>
  %ba = graph.parameter @ba : tensor<3xf32>
  %bias = graph.broadcast %ba shape = [n, h, w, 3] : (tensor<3xf32>) -> !a
  %a0 = graph.conv %x, %wa strides = [1, 1] pads = [1, 1, 1, 1] dilations = [1, 1] groups = 1 channels_last : (!x, tensor<3x24x3x3xf32>) -> !a
  %a1 = graph.add %a0, %bias : !a
  %a = graph.relu %a1 : !a

  %wb = graph.parameter @wb : tensor<1x24x5x5xf32>
  // With one filter, pixels and channels have one stride.
  %b0 = graph.conv %x, %wb strides = [1, 1] pads = [2, 2, 2, 2] dilations = [1, 1] groups = 1 channels_last : (!x, tensor<1x24x5x5xf32>) -> !b
  %b = graph.hard_swish %b0 : !b

  // Infinity here and there, and a residual.
  %two = graph.constant dense<1.9> : tensor<f32>
  %twos = graph.broadcast %two shape = [n, h, w, 24] : (tensor<f32>) -> !x
  %c0 = graph.add %x, %twos : !x
  %c1 = graph.relu %c0 : !x
  %c2 = graph.reciprocal %c1 : !x
  %c3 = graph.conv %c2, %wa strides = [1, 1] pads = [1, 1, 1, 1] dilations = [1, 1] groups = 1 channels_last : (!x, tensor<3x24x3x3xf32>) -> !a
  %c = graph.add %c3, %a : !a

  // In each of several groups, there are 16 filters or more.
  %wx = graph.parameter @wx : tensor<48x24x1x1xf32>
  %d0 = graph.conv %x, %wx strides = [1, 1] pads = [0, 0, 0, 0] dilations = [1, 1] groups = 1 channels_last : (!x, tensor<48x24x1x1xf32>) -> !c
  %wd = graph.parameter @wd : tensor<6x24x3x3xf32>
  %d = graph.conv %d0, %wd strides = [1, 1] pads = [1, 1, 1, 1] dilations = [1, 1] groups = 2 channels_last : (!c, tensor<6x24x3x3xf32>) -> !d
  return %a, %b, %c, %d : !a, !b, !a, !d
}
