func.func @main(%x: tensor<1x16x16x32xf32> {graph.name = "x"}) -> (tensor<1x16x16x64xf32> {graph.name = "y"}) {
  %w = graph.parameter @w : tensor<64x32x7x7xf32>
  %0 = graph.conv %x, %w strides = [1, 1] pads = [3, 3, 3, 3] dilations = [1, 1] groups = 1 channels_last : (tensor<1x16x16x32xf32>, tensor<64x32x7x7xf32>) -> tensor<1x16x16x64xf32>
  %1 = graph.relu %0 : tensor<1x16x16x64xf32>
  return %1 : tensor<1x16x16x64xf32>
}
