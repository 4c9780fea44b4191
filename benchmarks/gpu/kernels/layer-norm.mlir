func.func @main(%x: tensor<?x?xf32, #graph.dims<a, b>> {graph.name = "x"}, %scale: tensor<?xf32, #graph.dims<b>> {graph.name = "scale"}, %bias: tensor<?xf32, #graph.dims<b>> {graph.name = "bias"}) -> (tensor<?x?xf32, #graph.dims<a, b>> {graph.name = "y"}) {
  %0 = graph.layer_norm %x, %scale, %bias axis = 1 epsilon = 1.0e-5 : (tensor<?x?xf32, #graph.dims<a, b>>, tensor<?xf32, #graph.dims<b>>, tensor<?xf32, #graph.dims<b>>) -> tensor<?x?xf32, #graph.dims<a, b>>
  return %0 : tensor<?x?xf32, #graph.dims<a, b>>
}
