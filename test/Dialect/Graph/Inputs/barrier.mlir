// ONNX orders nothing beside data.
func.func @main(%x: tensor<4xf32> {graph.name = "x"}, %g: tensor<2xf32> {graph.name = "g"})
    -> (tensor<4xf32> {graph.name = "y"}, tensor<2xf32> {graph.name = "z"}) {
  %0 = graph.optimization_barrier %x after %g : tensor<4xf32>, tensor<2xf32>
  %1 = graph.exp %0 : tensor<4xf32>
  %2 = graph.optimization_barrier %g after %1 : tensor<2xf32>, tensor<4xf32>
  return %1, %2 : tensor<4xf32>, tensor<2xf32>
}
