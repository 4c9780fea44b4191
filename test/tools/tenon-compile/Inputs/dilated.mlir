func.func @main(%x: tensor<2x8x32x32xf32> {graph.name = "x"}) -> (tensor<2x8x30x32xf32> {graph.name = "y"}) {
  %k = graph.parameter @k : tensor<8x8x3x3xf32>
  %y = graph.conv %x, %k strides = [1, 1] pads = [1, 1, 1, 1] dilations = [2, 1] groups = 1 channels_first : (tensor<2x8x32x32xf32>, tensor<8x8x3x3xf32>) -> tensor<2x8x30x32xf32>
  return %y : tensor<2x8x30x32xf32>
}
