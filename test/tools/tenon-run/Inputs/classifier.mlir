func.func @main(%x: tensor<8x4xf32> {graph.name = "x"}) -> (tensor<8x3xf32> {graph.name = "scores"}) {
  %w1 = graph.parameter @w1 : tensor<4x16xf32>
  %b1 = graph.parameter @b1 : tensor<16xf32>
  %w2 = graph.parameter @w2 : tensor<16x3xf32>
  %0 = graph.matmul %x, %w1 : (tensor<8x4xf32>, tensor<4x16xf32>) -> tensor<8x16xf32>
  %1 = graph.broadcast %b1 shape = [8, 16] : (tensor<16xf32>) -> tensor<8x16xf32>
  %2 = graph.add %0, %1 : tensor<8x16xf32>
  %3 = graph.relu %2 : tensor<8x16xf32>
  %4 = graph.matmul %3, %w2 : (tensor<8x16xf32>, tensor<16x3xf32>) -> tensor<8x3xf32>
  return %4 : tensor<8x3xf32>
}
