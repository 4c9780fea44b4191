func.func @main(%x: tensor<16x128xf32>, %y: tensor<16x128xf32>, %i: tensor<1x16x12x12xf32>, %j: tensor<1x16x12x12xf32>)
    -> (tensor<16x128xf32>, tensor<16x128xf32>, tensor<1x16x12x12xf32>, tensor<1x16x12x12xf32>) {
  %w = graph.parameter @w : tensor<128x128xf32>
  %0 = graph.matmul %x, %w transpose_b : (tensor<16x128xf32>, tensor<128x128xf32>) -> tensor<16x128xf32>
  %1 = graph.matmul %y, %w : (tensor<16x128xf32>, tensor<128x128xf32>) -> tensor<16x128xf32>
  %k = graph.parameter @k : tensor<16x16x3x3xf32>
  %2 = graph.conv %i, %k strides = [1, 1] pads = [1, 1, 1, 1] dilations = [1, 1] groups = 1 channels_first : (tensor<1x16x12x12xf32>, tensor<16x16x3x3xf32>) -> tensor<1x16x12x12xf32>
  %3 = graph.conv_transpose %j, %k strides = [1, 1] pads = [1, 1, 1, 1] dilations = [1, 1] output_padding = [0, 0] groups = 1 : (tensor<1x16x12x12xf32>, tensor<16x16x3x3xf32>) -> tensor<1x16x12x12xf32>
  return %0, %1, %2, %3 : tensor<16x128xf32>, tensor<16x128xf32>, tensor<1x16x12x12xf32>, tensor<1x16x12x12xf32>
}
