func.func @main(%x: tensor<?x8x12x12xf32, #graph.dims<n, 8, 12, 12>>) -> tensor<?x16x12x12xf32, #graph.dims<n, 16, 12, 12>> {
  %w = graph.parameter @w : tensor<16x8x3x3xf32>
  %b = graph.parameter @b : tensor<16xf32>
  %v = graph.parameter @v : tensor<16x4x3x3xf32>
  %0 = graph.conv %x, %w strides = [1, 1] pads = [1, 1, 1, 1] dilations = [1, 1] groups = 1 channels_first : (tensor<?x8x12x12xf32, #graph.dims<n, 8, 12, 12>>, tensor<16x8x3x3xf32>) -> tensor<?x16x12x12xf32, #graph.dims<n, 16, 12, 12>>
  %br = graph.reshape %b shape = [1, 16, 1, 1] : (tensor<16xf32>) -> tensor<1x16x1x1xf32>
  %bb = graph.broadcast %br shape = [n, 16, 12, 12] : (tensor<1x16x1x1xf32>) -> tensor<?x16x12x12xf32, #graph.dims<n, 16, 12, 12>>
  %1 = graph.add %0, %bb : tensor<?x16x12x12xf32, #graph.dims<n, 16, 12, 12>>
  %2 = graph.relu %1 : tensor<?x16x12x12xf32, #graph.dims<n, 16, 12, 12>>
  %3 = graph.conv %2, %v strides = [1, 1] pads = [2, 2, 2, 2] dilations = [2, 2] groups = 4 channels_first : (tensor<?x16x12x12xf32, #graph.dims<n, 16, 12, 12>>, tensor<16x4x3x3xf32>) -> tensor<?x16x12x12xf32, #graph.dims<n, 16, 12, 12>>
  %4 = graph.add %3, %bb : tensor<?x16x12x12xf32, #graph.dims<n, 16, 12, 12>>
  %5 = graph.add %4, %2 : tensor<?x16x12x12xf32, #graph.dims<n, 16, 12, 12>>
  %6 = graph.relu %5 : tensor<?x16x12x12xf32, #graph.dims<n, 16, 12, 12>>
  return %6 : tensor<?x16x12x12xf32, #graph.dims<n, 16, 12, 12>>
}
