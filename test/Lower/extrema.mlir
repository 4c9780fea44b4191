// Maxima and minima keep NaN, whether a row's terms or its results are side by
// side, and are LLVM's intrinsics, of which it makes vectors.
// REQUIRES: avx2
// RUN: split-file %s %t
// DEFINE: %{each} = a=@%t/a.npy --expect b=@%t/b.npy --expect c=@%t/c.npy --expect d=@%t/d.npy --expect e=@%t/e.npy --expect f=@%t/f.npy
// RUN: tenon-interpret %t/all.mlir --input x=random:1 --input i=random:2 --output a=@%t/a.npy --output b=@%t/b.npy --output c=@%t/c.npy --output d=@%t/d.npy --output e=@%t/e.npy --output f=@%t/f.npy
// RUN: tenon-compile %t/all.mlir -o %t/all.so --without=onednn
// RUN: tenon-run %t/all.so --input x=random:1 --input i=random:2 --expect %{each}
// RUN: tenon-compile %t/all.mlir -o %t/native.so --without=onednn --target=cpu:native
// RUN: tenon-run %t/native.so --input x=random:1 --input i=random:2 --expect %{each}

// RUN: tenon-compile %t/row.mlir --without=onednn --stop-after=lower | FileCheck %s --check-prefix=ROW
// ROW: llvm.intr.maximum({{.*}}) {fastmathFlags = #llvm.fastmath<nsz>}
// ROW-NOT: llvm.fcmp

// The results of a window's row are in memory: no term waits for another.
// RUN: tenon-compile %t/window.mlir --without=onednn --optimize=off --stop-after=lower | FileCheck %s --check-prefix=WINDOW
// WINDOW: llvm.func @k0.rows
// WINDOW: %[[BEFORE:.*]] = llvm.load
// WINDOW: %[[JOINED:.*]] = llvm.intr.maximum(%[[BEFORE]], %{{.*}})
// WINDOW: llvm.store %[[JOINED]]

//--- row.mlir
func.func @main(%x: tensor<50x70xf32> {graph.name = "x"}) -> (tensor<50xf32> {graph.name = "a"}) {
  %a = graph.reduce_max %x axes = [1] : (tensor<50x70xf32>) -> tensor<50xf32>
  return %a : tensor<50xf32>
}

//--- window.mlir
func.func @main(%i: tensor<2x20x9x11xf32> {graph.name = "i"}) -> (tensor<2x20x9x11xf32> {graph.name = "e"}) {
  %e = graph.max_pool %i kernel = [3, 3] strides = [1, 1] pads = [1, 1, 1, 1] dilations = [1, 1] channels_first : (tensor<2x20x9x11xf32>) -> tensor<2x20x9x11xf32>
  return %e : tensor<2x20x9x11xf32>
}

//--- all.mlir
!x = tensor<50x70xf32>
!i = tensor<2x20x9x11xf32>

func.func @main(%x: !x {graph.name = "x"}, %i: !i {graph.name = "i"})
    -> (tensor<50xf32> {graph.name = "a"}, tensor<50xf32> {graph.name = "b"}, tensor<70xf32> {graph.name = "c"}, !x {graph.name = "d"}, !i {graph.name = "e"}, tensor<2x20x4x6xf32> {graph.name = "f"}) {
  // About one element in 44 is NaN: some rows have one, others none.
  %two = graph.constant dense<2.0> : tensor<f32>
  %twos = graph.broadcast %two shape = [50, 70] : (tensor<f32>) -> !x
  %above = graph.add %x, %twos : !x
  %some = graph.log %above : !x
  %a = graph.reduce_max %some axes = [1] : (!x) -> tensor<50xf32>
  %b = graph.reduce_min %some axes = [1] : (!x) -> tensor<50xf32>
  %c = graph.reduce_max %some axes = [0] : (!x) -> tensor<70xf32>
  %d = graph.maximum %some, %x : !x
  // Windows whose terms are side by side, of channels that are not.
  %many = graph.broadcast %two shape = [2, 20, 9, 11] : (tensor<f32>) -> !i
  %higher = graph.add %i, %many : !i
  %part = graph.log %higher : !i
  %e = graph.max_pool %part kernel = [3, 3] strides = [1, 1] pads = [1, 1, 1, 1] dilations = [1, 1] channels_first : (!i) -> !i
  %f = graph.max_pool %i kernel = [2, 3] strides = [2, 2] pads = [0, 1, 0, 1] dilations = [1, 1] channels_first : (!i) -> tensor<2x20x4x6xf32>
  return %a, %b, %c, %d, %e, %f : tensor<50xf32>, tensor<50xf32>, tensor<70xf32>, !x, !i, tensor<2x20x4x6xf32>
}
