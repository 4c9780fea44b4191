// A network of two layers that tells three arms of a spiral apart. The size of a
// batch is left open.
func.func @main(%x: tensor<?x2xf32, #graph.dims<B, 2>> {graph.name = "x"})
    -> (tensor<?x3xf32, #graph.dims<B, 3>> {graph.name = "scores"}) {
  %w1 = graph.parameter @w1 : tensor<2x64xf32>
  %b1 = graph.parameter @b1 : tensor<64xf32>
  %w2 = graph.parameter @w2 : tensor<64x3xf32>
  %b2 = graph.parameter @b2 : tensor<3xf32>
  %0 = graph.matmul %x, %w1 : (tensor<?x2xf32, #graph.dims<B, 2>>, tensor<2x64xf32>) -> tensor<?x64xf32, #graph.dims<B, 64>>
  %1 = graph.broadcast %b1 shape = [B, 64] : (tensor<64xf32>) -> tensor<?x64xf32, #graph.dims<B, 64>>
  %2 = graph.add %0, %1 : tensor<?x64xf32, #graph.dims<B, 64>>
  %3 = graph.relu %2 : tensor<?x64xf32, #graph.dims<B, 64>>
  %4 = graph.matmul %3, %w2 : (tensor<?x64xf32, #graph.dims<B, 64>>, tensor<64x3xf32>) -> tensor<?x3xf32, #graph.dims<B, 3>>
  %5 = graph.broadcast %b2 shape = [B, 3] : (tensor<3xf32>) -> tensor<?x3xf32, #graph.dims<B, 3>>
  %6 = graph.add %4, %5 : tensor<?x3xf32, #graph.dims<B, 3>>
  return %6 : tensor<?x3xf32, #graph.dims<B, 3>>
}
