// Softmax, layer and local response normalization on oneDNN against the
// interpreter: they are found by the form of their decompositions.
// RUN: tenon-compile %s -o %t.so --place=all:onednn
// RUN: tenon-compile %s --stop-after=place --place=all:onednn | FileCheck %s
// RUN: tenon-interpret %s --params random:1 --input x=random:1:3x7x19 --input i=random:2:3x5x6x20 --output a=@%t.a.npy --output b=@%t.b.npy --output c=@%t.c.npy --output d=@%t.d.npy --output e=@%t.e.npy --output f=@%t.f.npy
// RUN: tenon-run %t.so --params random:1 --input x=random:1:3x7x19 --input i=random:2:3x5x6x20 --expect a=@%t.a.npy --expect b=@%t.b.npy --expect c=@%t.c.npy --expect d=@%t.d.npy --expect e=@%t.e.npy --expect f=@%t.f.npy
// RUN: tenon-interpret %s --params random:1 --input x=random:1:90x7x19 --input i=random:2:90x5x6x20 --output a=@%t.a.npy --output b=@%t.b.npy --output c=@%t.c.npy --output d=@%t.d.npy --output e=@%t.e.npy --output f=@%t.f.npy
// RUN: env OMP_NUM_THREADS=2 tenon-run %t.so --params random:1 --input x=random:1:90x7x19 --input i=random:2:90x5x6x20 --expect a=@%t.a.npy --expect b=@%t.b.npy --expect c=@%t.c.npy --expect d=@%t.d.npy --expect e=@%t.e.npy --expect f=@%t.f.npy
// RUN: tenon-run %t.so --params random:1 --input x=random:1:0x7x19 --input i=random:2:0x5x6x20
// REQUIRES: avx2

!x = tensor<?x7x19xf32, #graph.dims<n, 7, 19>>
!i = tensor<?x5x6x20xf32, #graph.dims<n, 5, 6, 20>>
!t = tensor<?x20x5x6xf32, #graph.dims<n, 20, 5, 6>>

func.func @main(%x: !x {graph.name = "x"}, %i: !i {graph.name = "i"})
    -> (!x {graph.name = "a"}, !x {graph.name = "b"}, !x {graph.name = "c"}, !x {graph.name = "d"}, !x {graph.name = "e"}, !i {graph.name = "f"}) {
  // CHECK-DAG: kernel.call "onednn" "softmax"
  %a = graph.softmax %x axis = 2 : !x
  // Rows in which some elements are NaN.
  // CHECK-DAG: kernel.call "onednn" "softmax"
  %nan = graph.log %x : !x
  %b = graph.softmax %nan axis = 2 : !x
  // Minus infinity where x is not positive, as of a mask.
  // CHECK-DAG: kernel.call "onednn" "softmax"
  %positive = graph.relu %x : !x
  %masked = graph.log %positive : !x
  %c = graph.softmax %masked axis = 2 : !x
  // CHECK-DAG: kernel.call "onednn" "layer_norm+mul+add"
  %scale = graph.parameter @scale : tensor<19xf32>
  %shift = graph.parameter @shift : tensor<19xf32>
  %d = graph.layer_norm %x, %scale, %shift axis = 2 epsilon = 1.0e-5 : (!x, tensor<19xf32>, tensor<19xf32>) -> !x
  // CHECK-DAG: kernel.call "onednn" "layer_norm+mul"
  %y = graph.neg %x : !x
  %e = graph.layer_norm %y, %scale axis = 2 epsilon = 0.5 : (!x, tensor<19xf32>) -> !x
  // CHECK-DAG: kernel.call "onednn" "lrn"
  %first = graph.transpose %i perm = [0, 3, 1, 2] : (!i) -> !t
  %lrn = graph.lrn %first size = 5 alpha = 0.5 beta = 0.75 bias = 2.0 : !t
  %f = graph.transpose %lrn perm = [0, 2, 3, 1] : (!t) -> !i
  return %a, %b, %c, %d, %e, %f : !x, !x, !x, !x, !x, !i
}
