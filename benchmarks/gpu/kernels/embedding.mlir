func.func @main(%table: tensor<?x?xf32, #graph.dims<v, b>> {graph.name = "table"}, %indices: tensor<?xi64, #graph.dims<a>> {graph.name = "indices"}) -> (tensor<?x?xf32, #graph.dims<a, b>> {graph.name = "y"}) {
  %0 = graph.embedding %table, %indices : (tensor<?x?xf32, #graph.dims<v, b>>, tensor<?xi64, #graph.dims<a>>) -> tensor<?x?xf32, #graph.dims<a, b>>
  return %0 : tensor<?x?xf32, #graph.dims<a, b>>
}
