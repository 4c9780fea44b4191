func.func @main(%x: tensor<?x4xf32, #graph.dims<B, 4>> {graph.name = "x"}) -> tensor<?x4xf32, #graph.dims<B, 4>> {
  %w = graph.parameter @w : tensor<4x4xf32>
  %0 = graph.matmul %x, %w : (tensor<?x4xf32, #graph.dims<B, 4>>, tensor<4x4xf32>) -> tensor<?x4xf32, #graph.dims<B, 4>>
  return %0 : tensor<?x4xf32, #graph.dims<B, 4>>
}
