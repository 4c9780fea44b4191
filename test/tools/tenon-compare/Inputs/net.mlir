// A network with a mistake to be made in each line.
func.func @main(%x: tensor<2x4xf32> {graph.name = "x"})
    -> (tensor<2x3xf32> {graph.name = "y"}) {
  %w = graph.parameter @w : tensor<4x3xf32>
  %0 = graph.matmul %x, %w : (tensor<2x4xf32>, tensor<4x3xf32>) -> tensor<2x3xf32>
  %1 = graph.tanh %0 : tensor<2x3xf32>
  %2 = graph.softmax %1 axis = 1 : tensor<2x3xf32>
  %3 = graph.add %2, %0 : tensor<2x3xf32>
  return %3 : tensor<2x3xf32>
}

func.func @second(%x: tensor<2x4xf32> {graph.name = "x"})
    -> (tensor<2x4xf32> {graph.name = "z"}) {
  %0 = graph.exp %x : tensor<2x4xf32>
  return %0 : tensor<2x4xf32>
}
