func.func @gelu(%x: tensor<16777216xf32>) -> tensor<16777216xf32> {
  %0 = graph.gelu %x : tensor<16777216xf32>
  return %0 : tensor<16777216xf32>
}
