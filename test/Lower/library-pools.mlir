// Pools on oneDNN, with what follows them, against the interpreter: both
// layouts, one to three spatial axes, rests, overhangs, batches of all sizes,
// and inputs that are NaN or infinite.
// RUN: tenon-compile %s -o %t.so --place=all:onednn
// RUN: tenon-compile %s --stop-after=place --place=all:onednn | FileCheck %s
// RUN: tenon-interpret %s --input x=random:1:2x11x13x20 --input v=random:2:2x5x17 --input w=random:3:2x4x5x6x8 --input r=random:4:2x6x7x20 --input s=random:5 --output a=@%t.a.npy --output b=@%t.b.npy --output c=@%t.c.npy --output d=@%t.d.npy --output e=@%t.e.npy --output f=@%t.f.npy
// RUN: tenon-run %t.so --input x=random:1:2x11x13x20 --input v=random:2:2x5x17 --input w=random:3:2x4x5x6x8 --input r=random:4:2x6x7x20 --input s=random:5 --expect a=@%t.a.npy --expect b=@%t.b.npy --expect c=@%t.c.npy --expect d=@%t.d.npy --expect e=@%t.e.npy --expect f=@%t.f.npy
// RUN: env OMP_NUM_THREADS=2 tenon-run %t.so --input x=random:1:2x11x13x20 --input v=random:2:2x5x17 --input w=random:3:2x4x5x6x8 --input r=random:4:2x6x7x20 --input s=random:5 --expect a=@%t.a.npy --expect b=@%t.b.npy --expect c=@%t.c.npy --expect d=@%t.d.npy --expect e=@%t.e.npy --expect f=@%t.f.npy
// No batch at all, and sizes that do not fit.
// RUN: tenon-run %t.so --input x=random:1:0x11x13x20 --input v=random:2:0x5x17 --input w=random:3:0x4x5x6x8 --input r=random:4:0x6x7x20 --input s=random:5
// RUN: not tenon-run %t.so --input x=random:1:2x11x13x20 --input v=random:2:2x5x17 --input w=random:3:2x4x5x6x8 --input r=random:4:3x6x7x20 --input s=random:5 2>&1 | FileCheck %s --check-prefix=SIZES
// SIZES: error: {{.*}}'r'
// REQUIRES: avx2

!x = tensor<?x11x13x20xf32, #graph.dims<n, 11, 13, 20>>
!y = tensor<?x6x7x20xf32, #graph.dims<n, 6, 7, 20>>
!v = tensor<?x5x17xf32, #graph.dims<n, 5, 17>>
!u = tensor<?x5x6xf32, #graph.dims<n, 5, 6>>
!w = tensor<?x4x5x6x8xf32, #graph.dims<n, 4, 5, 6, 8>>
!z = tensor<?x2x2x3x8xf32, #graph.dims<n, 2, 2, 3, 8>>
!p = tensor<?x10x12x20xf32, #graph.dims<n, 10, 12, 20>>

func.func @main(%x: !x {graph.name = "x"}, %v: !v {graph.name = "v"}, %w: !w {graph.name = "w"}, %r: !y {graph.name = "r"}, %s: tensor<20xf32> {graph.name = "s"})
    -> (!y {graph.name = "a"}, !y {graph.name = "b"}, !y {graph.name = "c"}, !u {graph.name = "d"}, !z {graph.name = "e"}, !p {graph.name = "f"}) {
  // About half of these elements are NaN.
  // CHECK-DAG: kernel.call "onednn" "max_pool+add+mul+relu"
  %nan = graph.log %x : !x
  %0 = graph.max_pool %nan kernel = [3, 3] strides = [2, 2] pads = [1, 1, 1, 1] dilations = [1, 1] channels_last : (!x) -> !y
  %1 = graph.add %0, %r : !y
  %sb = graph.broadcast %s shape = [n, 6, 7, 20] : (tensor<20xf32>) -> !y
  %2 = graph.mul %1, %sb : !y
  %a = graph.relu %2 : !y
  // Half of these are minus infinity, and whole windows.
  // CHECK-DAG: kernel.call "onednn" "max_pool"
  %least = graph.relu %x : !x
  %inf = graph.log %least : !x
  %b = graph.max_pool %inf kernel = [2, 2] strides = [2, 2] pads = [0, 1, 1, 0] dilations = [1, 1] ceil channels_last : (!x) -> !y
  // CHECK-DAG: kernel.call "onednn" "avg_pool+sub"
  %3 = graph.avg_pool %x kernel = [3, 3] strides = [2, 2] pads = [1, 1, 1, 1] dilations = [1, 1] channels_last : (!x) -> !y
  %c = graph.sub %3, %r : !y
  // CHECK-DAG: kernel.call "onednn" "avg_pool"
  %d = graph.avg_pool %v kernel = [4] strides = [3] pads = [1, 1] dilations = [1] channels_first count_include_pad : (!v) -> !u
  // CHECK-DAG: kernel.call "onednn" "avg_pool"
  %e = graph.avg_pool %w kernel = [2, 3, 2] strides = [2, 2, 2] pads = [0, 0, 0, 0, 0, 0] dilations = [1, 1, 1] ceil channels_last : (!w) -> !z
  // CHECK-DAG: kernel.call "onednn" "avg_pool"
  %f = graph.avg_pool %inf kernel = [2, 2] strides = [1, 1] pads = [0, 0, 0, 0] dilations = [1, 1] channels_last : (!x) -> !p
  return %a, %b, %c, %d, %e, %f : !y, !y, !y, !u, !z, !p
}
