func.func @main(%x: tensor<4xf32>, %y: tensor<4xf32>, %z: tensor<4xf32>) -> tensor<4xf32> {
  %0 = graph.add %x, %y : tensor<4xf32>
  %1 = graph.add %0, %z : tensor<4xf32>
  return %1 : tensor<4xf32>
}
