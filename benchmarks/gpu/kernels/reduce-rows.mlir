func.func @main(%x: tensor<?x?xf32, #graph.dims<a, b>> {graph.name = "x"}) -> (tensor<?xf32, #graph.dims<a>> {graph.name = "y"}) {
  %0 = graph.reduce_sum %x axes = [1] : (tensor<?x?xf32, #graph.dims<a, b>>) -> tensor<?xf32, #graph.dims<a>>
  return %0 : tensor<?xf32, #graph.dims<a>>
}
