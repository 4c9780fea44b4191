func.func @main(%x: tensor<8x8xf32> {graph.name = "x"}) -> (tensor<f32> {graph.name = "loss"}, tensor<8x8xf32> {graph.name = "other"}) {
  %w = graph.parameter @w : tensor<8x8xf32>
  %v = graph.parameter @v : tensor<8x8xf32>
  %0 = graph.matmul %x, %w : (tensor<8x8xf32>, tensor<8x8xf32>) -> tensor<8x8xf32>
  %1 = graph.tanh %0 : tensor<8x8xf32>
  %2 = graph.matmul %1, %v : (tensor<8x8xf32>, tensor<8x8xf32>) -> tensor<8x8xf32>
  %3 = graph.tanh %2 : tensor<8x8xf32>
  %4 = graph.matmul %3, %v : (tensor<8x8xf32>, tensor<8x8xf32>) -> tensor<8x8xf32>
  %5 = graph.tanh %4 : tensor<8x8xf32>
  %6 = graph.reduce_mean %5 axes = [0, 1] : (tensor<8x8xf32>) -> tensor<f32>
  %7 = graph.exp %x : tensor<8x8xf32>
  %8 = graph.exp %7 : tensor<8x8xf32>
  return %6, %8 : tensor<f32>, tensor<8x8xf32>
}
