func.func @main(%x: tensor<?x?xf32, #graph.dims<a, b>> {graph.name = "x"}) -> (tensor<?x?xf32, #graph.dims<b, a>> {graph.name = "y"}) {
  %0 = graph.transpose %x perm = [1, 0] : (tensor<?x?xf32, #graph.dims<a, b>>) -> tensor<?x?xf32, #graph.dims<b, a>>
  return %0 : tensor<?x?xf32, #graph.dims<b, a>>
}
