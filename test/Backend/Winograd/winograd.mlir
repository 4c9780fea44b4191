// Winograd convolutions against the interpreter: with bias, rectifier and
// residual in several orders, groups, odd sizes, fewer rows than channels'
// lanes, uneven pads, and what is not finite in some places.
// RUN: tenon-compile %s -o %t.so --place=all:winograd
// RUN: tenon-compile %s --stop-after=place --place=all:winograd | FileCheck %s
// RUN: tenon-interpret %s --params random:1 --input x=random:1:2x21x18x24 --output a=@%t.a.npy --output b=@%t.b.npy --output c=@%t.c.npy --output d=@%t.d.npy --output e=@%t.e.npy --output f=@%t.f.npy --output g=@%t.g.npy
// RUN: env OMP_NUM_THREADS=1 tenon-run %t.so --params random:1 --input x=random:1:2x21x18x24 --expect a=@%t.a.npy --expect b=@%t.b.npy --expect c=@%t.c.npy --expect d=@%t.d.npy --expect e=@%t.e.npy --expect f=@%t.f.npy --expect g=@%t.g.npy --trace=%t.json
// RUN: grep -q '"winograd"' %t.json
// RUN: tenon-interpret %s --params random:1 --input x=random:1:3x70x75x24 --output a=@%t.a.npy --output b=@%t.b.npy --output c=@%t.c.npy --output d=@%t.d.npy --output e=@%t.e.npy --output f=@%t.f.npy --output g=@%t.g.npy
// RUN: env OMP_NUM_THREADS=2 tenon-run %t.so --params random:1 --input x=random:1:3x70x75x24 --expect a=@%t.a.npy --expect b=@%t.b.npy --expect c=@%t.c.npy --expect d=@%t.d.npy --expect e=@%t.e.npy --expect f=@%t.f.npy --expect g=@%t.g.npy
// RUN: tenon-interpret %s --params random:1 --input x=random:1:1x1x1x24 --output a=@%t.a.npy --output b=@%t.b.npy --output c=@%t.c.npy --output d=@%t.d.npy --output e=@%t.e.npy --output f=@%t.f.npy --output g=@%t.g.npy
// RUN: tenon-run %t.so --params random:1 --input x=random:1:1x1x1x24 --expect a=@%t.a.npy --expect b=@%t.b.npy --expect c=@%t.c.npy --expect d=@%t.d.npy --expect e=@%t.e.npy --expect f=@%t.f.npy --expect g=@%t.g.npy
// RUN: tenon-run %t.so --params random:1 --input x=random:1:0x21x18x24
// REQUIRES: avx2

!x = tensor<?x?x?x24xf32, #graph.dims<n, h, w, 24>>
!y = tensor<?x?x?x40xf32, #graph.dims<n, h, w, 40>>

func.func @main(%x: !x {graph.name = "x"})
    -> (!y {graph.name = "a"}, !y {graph.name = "b"}, !y {graph.name = "c"}, tensor<?x?x?x40xf32, #graph.dims<n, h + 2, w + 1, 40>> {graph.name = "d"}, !y {graph.name = "e"}, !y {graph.name = "f"}, !y {graph.name = "g"}) {
  // CHECK-DAG: kernel.call "winograd" "conv+add+relu"
  %wa = graph.parameter @wa : tensor<40x24x3x3xf32>
  %ba = graph.parameter @ba : tensor<40xf32>
  %bias = graph.broadcast %ba shape = [n, h, w, 40] : (tensor<40xf32>) -> !y
  %a0 = graph.conv %x, %wa strides = [1, 1] pads = [1, 1, 1, 1] dilations = [1, 1] groups = 1 channels_last : (!x, tensor<40x24x3x3xf32>) -> !y
  %a1 = graph.add %a0, %bias : !y
  %a = graph.relu %a1 : !y

  // A residual between the convolution and the rectifier, and more behind it.
  // CHECK-DAG: kernel.call "winograd" "conv+add+relu+mul"
  %wb = graph.parameter @wb : tensor<40x24x3x3xf32>
  %b0 = graph.conv %x, %wb strides = [1, 1] pads = [1, 1, 1, 1] dilations = [1, 1] groups = 1 channels_last : (!x, tensor<40x24x3x3xf32>) -> !y
  %b1 = graph.add %b0, %a : !y
  %b2 = graph.relu %b1 : !y
  %bias2 = graph.broadcast %ba shape = [n, h, w, 40] : (tensor<40xf32>) -> !y
  %b = graph.mul %b2, %bias2 : !y

  // CHECK-DAG: kernel.call "winograd" "conv+relu+sub"
  %wc = graph.parameter @wc : tensor<40x20x3x3xf32>
  %c0 = graph.conv %a, %wc strides = [1, 1] pads = [1, 1, 1, 1] dilations = [1, 1] groups = 2 channels_last : (!y, tensor<40x20x3x3xf32>) -> !y
  %c1 = graph.relu %c0 : !y
  %c = graph.sub %c1, %a : !y

  // A window of 5x5.
  // CHECK-DAG: kernel.call "winograd" "conv"
  %wd = graph.parameter @wd : tensor<40x24x5x5xf32>
  %d = graph.conv %x, %wd strides = [1, 1] pads = [3, 3, 3, 2] dilations = [1, 1] groups = 1 channels_last : (!x, tensor<40x24x5x5xf32>) -> tensor<?x?x?x40xf32, #graph.dims<n, h + 2, w + 1, 40>>

  // About one element in a hundred is NaN: of a tile, some results are.
  // CHECK-DAG: kernel.call "winograd" "conv+relu"
  %two = graph.constant dense<2.3> : tensor<f32>
  %twos = graph.broadcast %two shape = [n, h, w, 24] : (tensor<f32>) -> !x
  %e0 = graph.add %x, %twos : !x
  %e1 = graph.sqrt %e0 : !x
  %e2 = graph.conv %e1, %wa strides = [1, 1] pads = [1, 1, 1, 1] dilations = [1, 1] groups = 1 channels_last : (!x, tensor<40x24x3x3xf32>) -> !y
  %e = graph.relu %e2 : !y

  // Infinity here and there; and what overflows only where it is transformed.
  // CHECK-DAG: kernel.call "winograd" "conv+clip"
  %zero = graph.relu %e0 : !x
  %inverse = graph.reciprocal %zero : !x
  %f0 = graph.conv %inverse, %wa strides = [1, 1] pads = [1, 1, 1, 1] dilations = [1, 1] groups = 1 channels_last : (!x, tensor<40x24x3x3xf32>) -> !y
  %f = graph.clip %f0 low = -1.0e30, high = 1.0e30 : !y
  // CHECK-DAG: kernel.call "winograd" "conv+mul"
  %large0 = graph.constant dense<5.0e36> : tensor<f32>
  %large = graph.broadcast %large0 shape = [n, h, w, 24] : (tensor<f32>) -> !x
  %g0 = graph.mul %x, %large : !x
  %g1 = graph.conv %g0, %wa strides = [1, 1] pads = [1, 1, 1, 1] dilations = [1, 1] groups = 1 channels_last : (!x, tensor<40x24x3x3xf32>) -> !y
  %small0 = graph.constant dense<1.0e-36> : tensor<f32>
  %small = graph.broadcast %small0 shape = [n, h, w, 40] : (tensor<f32>) -> !y
  %g = graph.mul %g1, %small : !y
  return %a, %b, %c, %d, %e, %f, %g : !y, !y, !y, tensor<?x?x?x40xf32, #graph.dims<n, h + 2, w + 1, 40>>, !y, !y, !y
}
