func.func @main(%x: tensor<?x?xf32, #graph.dims<a, a>> {graph.name = "x"}, %y: tensor<?x?xf32, #graph.dims<a, a>> {graph.name = "y"}) -> (tensor<?x?xf32, #graph.dims<a, a>> {graph.name = "z"}) {
  %0 = graph.matmul %x, %y : (tensor<?x?xf32, #graph.dims<a, a>>, tensor<?x?xf32, #graph.dims<a, a>>) -> tensor<?x?xf32, #graph.dims<a, a>>
  return %0 : tensor<?x?xf32, #graph.dims<a, a>>
}
