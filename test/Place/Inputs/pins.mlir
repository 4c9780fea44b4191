func.func @main(%x: tensor<32x64xf32>, %w: tensor<64x48xf32>) -> tensor<32x48xf64> {
  %0 = graph.matmul %x, %w : (tensor<32x64xf32>, tensor<64x48xf32>) -> tensor<32x48xf32>
  %1 = graph.relu %0 : tensor<32x48xf32>
  %2 = graph.cast %1 to f64 : tensor<32x48xf32>
  %3 = graph.exp %2 : tensor<32x48xf64>
  return %3 : tensor<32x48xf64>
}
