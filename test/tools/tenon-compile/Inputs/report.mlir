#second = loc("second")
func.func @main(%x: tensor<32x64xf32> {graph.name = "x"})
    -> (tensor<32x64xf32> {graph.name = "y"}) {
  %v = graph.parameter @v : tensor<64x64xf32>
  %w = graph.parameter @w : tensor<64x64xf32>
  %b = graph.parameter @b : tensor<64xf32>
  %0 = graph.matmul %x, %v : (tensor<32x64xf32>, tensor<64x64xf32>) -> tensor<32x64xf32>
  %1 = graph.broadcast %b shape = [32, 64] : (tensor<64xf32>) -> tensor<32x64xf32>
  %2 = graph.add %0, %1 : tensor<32x64xf32>
  %3 = graph.relu %2 : tensor<32x64xf32>
  %4 = graph.matmul %3, %w : (tensor<32x64xf32>, tensor<64x64xf32>) -> tensor<32x64xf32> loc(#second)
  %5 = graph.cos %4 : tensor<32x64xf32>
  return %5 : tensor<32x64xf32>
}
