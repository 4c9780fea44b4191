func.func @main(%x: tensor<?x?xf32, #graph.dims<a, b>> {graph.name = "x"}) -> (tensor<?xf32, #graph.dims<b>> {graph.name = "y"}) {
  %0 = graph.reduce_sum %x axes = [0] : (tensor<?x?xf32, #graph.dims<a, b>>) -> tensor<?xf32, #graph.dims<b>>
  return %0 : tensor<?xf32, #graph.dims<b>>
}
