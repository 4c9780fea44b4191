func.func @main(%x: tensor<64xf32>, %y: tensor<64xf32>) -> tensor<64xf32> {
  %0 = graph.neg %x : tensor<64xf32> loc("first")
  %1 = graph.neg %y : tensor<64xf32> loc("second")
  %2 = graph.add %0, %1 : tensor<64xf32>
  return %2 : tensor<64xf32>
}
