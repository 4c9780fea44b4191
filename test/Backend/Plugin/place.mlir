// Where the patterns of a plug-in stand: with a condition, with operands of a
// sum in both orders, with further axes in front, and after decomposition.
// Generated code runs the rest.
// RUN: tenon-compile %s --backend=%test_backends/good.so --unadmitted --place=all:tested \
// RUN:   --optimize=off --stop-after=place | FileCheck %s
// RUN: tenon-compile %s --backend=%test_backends/refuses.so --unadmitted --place=all:tested \
// RUN:   --optimize=off --stop-after=place | FileCheck %s --check-prefix=REFUSED
// RUN: tenon-compile %s --backend=%test_backends/good.so --unadmitted --place=all:tested \
// RUN:   --without=onednn --optimize=off -o %t.so
// RUN: env TENON_BACKENDS=%test_backends/good.so tenon-run %t.so \
// RUN:   --input random:1 --input random:2 --input random:3 --input random:4 \
// RUN:   --input random:5:6x7 --output y0=@%t0.npy --output y1=@%t1.npy \
// RUN:   --output y2=@%t2.npy --output y3=@%t3.npy --output y4=@%t4.npy
// RUN: tenon-interpret %s --input random:1 --input random:2 --input random:3 \
// RUN:   --input random:4 --input random:5:6x7 --expect y0=@%t0.npy \
// RUN:   --expect y1=@%t1.npy --expect y2=@%t2.npy --expect y3=@%t3.npy \
// RUN:   --expect y4=@%t4.npy --rtol 1e-4

func.func @main(%a: tensor<8xf32> {graph.name = "a"}, %b: tensor<8xf32> {graph.name = "b"},
                %c: tensor<2x3x8xf32> {graph.name = "c"}, %d: tensor<1xf32> {graph.name = "d"},
                %e: tensor<?x?xf32, #graph.dims<p, q>> {graph.name = "e"})
    -> (tensor<8xf32> {graph.name = "y0"}, tensor<2x3x8xf32> {graph.name = "y1"},
        tensor<1xf32> {graph.name = "y2"}, tensor<?x?xf32, #graph.dims<p, q>> {graph.name = "y3"},
        tensor<8xf32> {graph.name = "y4"}) {
  // %y first, then -%x.
  // CHECK: kernel.call "tested" "shifted"(%arg0, %arg1)
  // REFUSED-NOT: "shifted"
  %0 = graph.neg %a : tensor<8xf32>
  %1 = graph.add %b, %0 : tensor<8xf32>
  // Six items.
  // CHECK: kernel.call "tested" "shifted"(%arg2)
  %2 = graph.neg %c : tensor<2x3x8xf32>
  %3 = graph.add %2, %c : tensor<2x3x8xf32>
  // n >= 2 does not hold.
  // CHECK: kernel.call "cpu" "neg+add"(%arg3)
  %4 = graph.neg %d : tensor<1xf32>
  %5 = graph.add %4, %d : tensor<1xf32>
  // CHECK: kernel.call "tested" "softmax"(%arg4)
  // REFUSED: kernel.call "tested" "softmax"
  %6 = graph.softmax %e axis = 1 : tensor<?x?xf32, #graph.dims<p, q>>
  // An intermediate that something else reads is no intermediate.
  // CHECK: kernel.call "cpu" "neg+add+mul"
  %7 = graph.neg %b : tensor<8xf32>
  %8 = graph.add %7, %a : tensor<8xf32>
  %9 = graph.mul %7, %8 : tensor<8xf32>
  return %1, %3, %5, %6, %9 : tensor<8xf32>, tensor<2x3x8xf32>, tensor<1xf32>, tensor<?x?xf32, #graph.dims<p, q>>, tensor<8xf32>
}
