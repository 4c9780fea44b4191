func.func @main(%x: tensor<32x64xf32>, %w: tensor<64x48xf32>) -> tensor<32x48xf32> {
  %0 = graph.matmul %x, %w : (tensor<32x64xf32>, tensor<64x48xf32>) -> tensor<32x48xf32>
  %1 = graph.relu %0 : tensor<32x48xf32>
  return %1 : tensor<32x48xf32>
}
