// A slice that needs an element.
func.func @main(%x: tensor<?xf32, #graph.dims<n>> {graph.name = "x"}) -> (tensor<1xf32> {graph.name = "y"}) {
  %0 = graph.slice %x starts = [0] sizes = [1] steps = [1] : (tensor<?xf32, #graph.dims<n>>) -> tensor<1xf32>
  %1 = graph.neg %0 : tensor<1xf32>
  return %1 : tensor<1xf32>
}
