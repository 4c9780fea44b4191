func.func @main(%x: tensor<?x?xf32, #graph.dims<a, b>> {graph.name = "x"}, %bias: tensor<?xf32, #graph.dims<b>> {graph.name = "bias"}) -> (tensor<?x?xf32, #graph.dims<a, b>> {graph.name = "y"}) {
  %0 = graph.broadcast %bias shape = [a, b] : (tensor<?xf32, #graph.dims<b>>) -> tensor<?x?xf32, #graph.dims<a, b>>
  %1 = graph.add %x, %0 : tensor<?x?xf32, #graph.dims<a, b>>
  %2 = graph.gelu %1 tanh : tensor<?x?xf32, #graph.dims<a, b>>
  return %2 : tensor<?x?xf32, #graph.dims<a, b>>
}
