graph.state @total : tensor<2xf32>

func.func @main(%x: tensor<2xf32>) -> tensor<2xf32> {
  %0 = graph.read_state @total : tensor<2xf32>
  %1 = graph.add %0, %x : tensor<2xf32>
  graph.write_state @total, %1 : tensor<2xf32>
  return %1 : tensor<2xf32>
}
