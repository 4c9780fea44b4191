// The heads of attention from behind the positions to before them.
func.func @main(%x: tensor<?x?x?x64xf32, #graph.dims<a, b, c, 64>> {graph.name = "x"}) -> (tensor<?x?x?x64xf32, #graph.dims<a, c, b, 64>> {graph.name = "y"}) {
  %0 = graph.transpose %x perm = [0, 2, 1, 3] : (tensor<?x?x?x64xf32, #graph.dims<a, b, c, 64>>) -> tensor<?x?x?x64xf32, #graph.dims<a, c, b, 64>>
  return %0 : tensor<?x?x?x64xf32, #graph.dims<a, c, b, 64>>
}
