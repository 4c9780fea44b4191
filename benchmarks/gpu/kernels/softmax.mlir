func.func @main(%x: tensor<?x?xf32, #graph.dims<a, b>> {graph.name = "x"}) -> (tensor<?x?xf32, #graph.dims<a, b>> {graph.name = "y"}) {
  %0 = graph.softmax %x axis = 1 : tensor<?x?xf32, #graph.dims<a, b>>
  return %0 : tensor<?x?xf32, #graph.dims<a, b>>
}
