// The first s rows of a table of 8 positions: through ONNX, whose Slice clamps,
// the size becomes min(8, s), and the sum needs it to be s.
// RUN: tenon-compile %s --emit=onnx -o %t.onnx
// RUN: tenon-compile %t.onnx -o %t.so
// RUN: tenon-interpret %s --input random:1:2x5x4 --output y=@%t.npy
// RUN: tenon-run %t.so --input random:1:2x5x4 --expect y=@%t.npy
// RUN: not tenon-run %t.so --input random:1:2x9x4 2>&1 | FileCheck %s
// REQUIRES: avx2

// CHECK: expected size min(8, s), but got s, where n = 2, s = 9

!x = tensor<?x?x4xf32, #graph.dims<n, s, 4>>

func.func @main(%x: !x {graph.name = "x"}) -> (!x {graph.name = "y"}) {
  %table = graph.constant dense<[[0.0, 1.0, 2.0, 3.0], [4.0, 5.0, 6.0, 7.0], [8.0, 9.0, 10.0, 11.0], [12.0, 13.0, 14.0, 15.0], [16.0, 17.0, 18.0, 19.0], [20.0, 21.0, 22.0, 23.0], [24.0, 25.0, 26.0, 27.0], [28.0, 29.0, 30.0, 31.0]]> : tensor<8x4xf32>
  %rows = graph.slice %table starts = [0, 0] sizes = [s, 4] steps = [1, 1] : (tensor<8x4xf32>) -> tensor<?x4xf32, #graph.dims<s, 4>>
  %all = graph.broadcast %rows shape = [n, s, 4] : (tensor<?x4xf32, #graph.dims<s, 4>>) -> !x
  %y = graph.add %x, %all : !x
  return %y : !x
}
