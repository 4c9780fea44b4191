!x = tensor<?x4x64xf32, #graph.dims<n, 4, 64>>
!y = tensor<?x4x32xf32, #graph.dims<n, 4, 32>>
!w = tensor<64x32xf32>
// One step: siblings are merged, behind leading axes and a size that is open.
func.func @main(%x: !x {graph.name = "x"}) -> (!y {graph.name = "q"}, !y {graph.name = "k"}, !y {graph.name = "v"}) {
  %wq = graph.parameter @q : !w
  %0 = graph.matmul %x, %wq : (!x, !w) -> !y
  %wk = graph.parameter @k : !w
  %1 = graph.matmul %x, %wk : (!x, !w) -> !y
  %wv = graph.parameter @v : !w
  %2 = graph.matmul %x, %wv : (!x, !w) -> !y
  return %0, %1, %2 : !y, !y, !y
}
// Several steps, which rest on each other.
func.func @sums(%x: tensor<64x64xf32>, %a: !w, %b: !w, %c: !w) -> tensor<64x32xf32> {
  %0 = graph.matmul %x, %a : (tensor<64x64xf32>, !w) -> !w
  %1 = graph.matmul %x, %b : (tensor<64x64xf32>, !w) -> !w
  %2 = graph.matmul %x, %c : (tensor<64x64xf32>, !w) -> !w
  %3 = graph.add %0, %1 : !w
  %4 = graph.add %3, %2 : !w
  %5 = graph.relu %4 : !w
  return %5 : !w
}
// Conditions on elements; the second rule needs finite numbers.
func.func @ones(%x: tensor<64xf32>) -> tensor<64xf32> {
  %c = graph.constant dense<1.0> : tensor<f32>
  %1 = graph.broadcast %c shape = [64] : (tensor<f32>) -> tensor<64xf32>
  %0 = graph.mul %x, %1 : tensor<64xf32>
  %2 = graph.tanh %0 : tensor<64xf32>
  return %2 : tensor<64xf32>
}
func.func @identity(%x: tensor<5x2xf32>) -> tensor<5x2xf32> {
  %i = graph.constant dense<[[1.0, 0.0], [0.0, 1.0]]> : tensor<2x2xf32>
  %0 = graph.matmul %x, %i : (tensor<5x2xf32>, tensor<2x2xf32>) -> tensor<5x2xf32>
  %1 = graph.softmax %0 axis = 1 : tensor<5x2xf32>
  return %1 : tensor<5x2xf32>
}
// Nothing applies.
func.func @kept(%x: !w) -> !w {
  %0 = graph.softmax %x axis = 1 : !w
  return %0 : !w
}
func.func private @elsewhere(!w) -> !w
