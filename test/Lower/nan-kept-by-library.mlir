// oneDNN's relu, clip, exp, max and min give a number for NaN. Ours, behind its
// matmuls and convolutions, keep it.
// RUN: tenon-compile %s -o %t.so
// RUN: tenon-interpret %s --params random:1 --input x=random:1 --input s=random:2:64:uniform(-1,1) --input i=random:3 --output r=@%t.r.npy --output c=@%t.c.npy --output e=@%t.e.npy --output m=@%t.m.npy --output v=@%t.v.npy
// RUN: tenon-run %t.so --params random:1 --input x=random:1 --input s=random:2:64:uniform(-1,1) --input i=random:3 --expect r=@%t.r.npy --expect c=@%t.c.npy --expect e=@%t.e.npy --expect m=@%t.m.npy --expect v=@%t.v.npy --trace=%t.json
// RUN: env OMP_NUM_THREADS=1 tenon-run %t.so --params random:1 --input x=random:1 --input s=random:2:64:uniform(-1,1) --input i=random:3 --expect r=@%t.r.npy --expect v=@%t.v.npy
// RUN: grep -c onednn %t.json
// REQUIRES: avx2

func.func @main(%x: tensor<64x64xf32> {graph.name = "x"}, %s: tensor<64xf32> {graph.name = "s"}, %i: tensor<2x16x20x20xf32> {graph.name = "i"})
    -> (tensor<64x64xf32> {graph.name = "r"}, tensor<64x64xf32> {graph.name = "c"}, tensor<64x64xf32> {graph.name = "e"}, tensor<64x64xf32> {graph.name = "m"}, tensor<2x32x20x20xf32> {graph.name = "v"}) {
  // About half of the rows are NaN.
  %l = graph.log %s : tensor<64xf32>
  %col = graph.reshape %l shape = [64, 1] : (tensor<64xf32>) -> tensor<64x1xf32>
  %lb = graph.broadcast %col shape = [64, 64] : (tensor<64x1xf32>) -> tensor<64x64xf32>
  %a = graph.mul %x, %lb : tensor<64x64xf32>
  %w = graph.parameter @w : tensor<64x64xf32>
  %0 = graph.matmul %a, %w : (tensor<64x64xf32>, tensor<64x64xf32>) -> tensor<64x64xf32>
  %r = graph.relu %0 : tensor<64x64xf32>
  %w1 = graph.parameter @w1 : tensor<64x64xf32>
  %1 = graph.matmul %a, %w1 : (tensor<64x64xf32>, tensor<64x64xf32>) -> tensor<64x64xf32>
  %c = graph.clip %1 low = -1.0, high = 6.0 : tensor<64x64xf32>
  %w2 = graph.parameter @w2 : tensor<64x64xf32>
  %2 = graph.matmul %a, %w2 : (tensor<64x64xf32>, tensor<64x64xf32>) -> tensor<64x64xf32>
  %e = graph.exp %2 : tensor<64x64xf32>
  %w3 = graph.parameter @w3 : tensor<64x64xf32>
  %3 = graph.matmul %a, %w3 : (tensor<64x64xf32>, tensor<64x64xf32>) -> tensor<64x64xf32>
  %m = graph.maximum %3, %x : tensor<64x64xf32>
  // The first image of two is NaN.
  %k = graph.parameter @k : tensor<32x16x3x3xf32>
  %ls = graph.sqrt %i : tensor<2x16x20x20xf32>
  %lm = graph.reduce_sum %ls axes = [1] keepdims : (tensor<2x16x20x20xf32>) -> tensor<2x1x20x20xf32>
  %first = graph.slice %lm starts = [0, 0, 0, 0] sizes = [1, 1, 20, 20] steps = [1, 1, 1, 1] : (tensor<2x1x20x20xf32>) -> tensor<1x1x20x20xf32>
  %padded = graph.pad %first low = [0, 0, 0, 0] high = [1, 0, 0, 0] constant value = 1.0 : (tensor<1x1x20x20xf32>) -> tensor<2x1x20x20xf32>
  %pb = graph.broadcast %padded shape = [2, 16, 20, 20] : (tensor<2x1x20x20xf32>) -> tensor<2x16x20x20xf32>
  %in = graph.mul %i, %pb : tensor<2x16x20x20xf32>
  %4 = graph.conv %in, %k strides = [1, 1] pads = [1, 1, 1, 1] dilations = [1, 1] groups = 1 channels_first : (tensor<2x16x20x20xf32>, tensor<32x16x3x3xf32>) -> tensor<2x32x20x20xf32>
  %v = graph.relu %4 : tensor<2x32x20x20xf32>
  return %r, %c, %e, %m, %v : tensor<64x64xf32>, tensor<64x64xf32>, tensor<64x64xf32>, tensor<64x64xf32>, tensor<2x32x20x20xf32>
}
