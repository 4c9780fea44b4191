// LLVM's vectorizer of straight-line code broke this kernel (an instruction came
// to depend on itself), and a later pass did not end. It is not used.
// RUN: tenon-compile %s -o %t.so
// RUN: tenon-interpret %s --params random:1 --input x=random:1 --input y=random:2 --output a=@%t.a.npy --output b=@%t.b.npy --output c=@%t.c.npy
// RUN: tenon-run %t.so --params random:1 --input x=random:1 --input y=random:2 --expect a=@%t.a.npy --expect b=@%t.b.npy --expect c=@%t.c.npy
// REQUIRES: avx2

func.func @main(%x: tensor<3x4x5xf64> {graph.name = "x"}, %y: tensor<3x6x6xf64> {graph.name = "y"}) -> (tensor<3x4x6xi1> {graph.name = "a"}, tensor<3x6x6xf64> {graph.name = "b"}, tensor<4x6xf64> {graph.name = "c"}) {
  %0 = graph.lp_pool %x kernel = [2] strides = [1] pads = [1, 1] dilations = [1] channels_first p = 3 : (tensor<3x4x5xf64>) -> tensor<3x4x6xf64>
  %1 = graph.hard_swish %0 : tensor<3x4x6xf64>
  %2 = graph.sub %1, %0 : tensor<3x4x6xf64>
  %3 = graph.less %2, %0 : tensor<3x4x6xf64>
  %4 = graph.where %3, %2, %0 : tensor<3x4x6xi1>, tensor<3x4x6xf64>, tensor<3x4x6xf64>
  %5 = graph.tanh %0 : tensor<3x4x6xf64>
  %6 = graph.parameter @w : tensor<6x4xf64>
  %7 = graph.matmul %5, %6 transpose_a transpose_b : (tensor<3x4x6xf64>, tensor<6x4xf64>) -> tensor<3x6x6xf64>
  %8 = graph.avg_pool %4 kernel = [1] strides = [1] pads = [0, 0] dilations = [1] ceil channels_first count_include_pad : (tensor<3x4x6xf64>) -> tensor<3x4x6xf64>
  %9 = graph.is_nan %8 : tensor<3x4x6xf64>
  %10 = graph.maximum %7, %y : tensor<3x6x6xf64>
  %11 = graph.reduce_log_sum_exp %8 axes = [0] : (tensor<3x4x6xf64>) -> tensor<4x6xf64>
  return %9, %10, %11 : tensor<3x4x6xi1>, tensor<3x6x6xf64>, tensor<4x6xf64>
}
