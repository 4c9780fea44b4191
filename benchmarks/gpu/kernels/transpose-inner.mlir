// Channels from before the pixels of an image to behind them.
func.func @main(%x: tensor<?x?x?xf32, #graph.dims<a, b, c>> {graph.name = "x"}) -> (tensor<?x?x?xf32, #graph.dims<a, c, b>> {graph.name = "y"}) {
  %0 = graph.transpose %x perm = [0, 2, 1] : (tensor<?x?x?xf32, #graph.dims<a, b, c>>) -> tensor<?x?x?xf32, #graph.dims<a, c, b>>
  return %0 : tensor<?x?x?xf32, #graph.dims<a, c, b>>
}
