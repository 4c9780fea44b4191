func.func @main(%x: tensor<?xf32, #graph.dims<a>> {graph.name = "x"}, %y: tensor<?xf32, #graph.dims<a>> {graph.name = "y"}) -> (tensor<?xf32, #graph.dims<a>> {graph.name = "z"}) {
  %0 = graph.add %x, %y : tensor<?xf32, #graph.dims<a>>
  %1 = graph.gelu %0 : tensor<?xf32, #graph.dims<a>>
  %2 = graph.add %1, %y : tensor<?xf32, #graph.dims<a>>
  return %2 : tensor<?xf32, #graph.dims<a>>
}
