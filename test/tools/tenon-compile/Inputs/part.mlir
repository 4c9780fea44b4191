func.func @main(%x: tensor<64x64xf32>) -> tensor<64x64xf32> {
  %0 = kernel.call "onednn" "matmul"(%x) {
  ^bb0(%a: tensor<64x64xf32>):
    %2 = graph.matmul %a, %a : (tensor<64x64xf32>, tensor<64x64xf32>) -> tensor<64x64xf32>
    kernel.yield %2 : tensor<64x64xf32>
  } : (tensor<64x64xf32>) -> tensor<64x64xf32>
  %1 = graph.matmul %0, %x : (tensor<64x64xf32>, tensor<64x64xf32>) -> tensor<64x64xf32>
  return %1 : tensor<64x64xf32>
}
