func.func @main(%x: tensor<?x?xf32, #graph.dims<a, b>> {graph.name = "x"}) -> (tensor<1x1xf32> {graph.name = "y"}) {
  %0 = graph.reduce_sum %x axes = [0, 1] keepdims : (tensor<?x?xf32, #graph.dims<a, b>>) -> tensor<1x1xf32>
  return %0 : tensor<1x1xf32>
}
