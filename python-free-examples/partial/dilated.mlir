// A dilated convolution whose padding is of no whole phases.
func.func @main(%x: tensor<?x64x96x96xf32, #graph.dims<n, 64, 96, 96>> {graph.name = "x"}) -> (tensor<?x64x94x94xf32, #graph.dims<n, 64, 94, 94>> {graph.name = "y"}) {
  %k = graph.parameter @k : tensor<64x64x3x3xf32>
  %y = graph.conv %x, %k strides = [1, 1] pads = [1, 1, 1, 1] dilations = [2, 2] groups = 1 channels_first : (tensor<?x64x96x96xf32, #graph.dims<n, 64, 96, 96>>, tensor<64x64x3x3xf32>) -> tensor<?x64x94x94xf32, #graph.dims<n, 64, 94, 94>>
  return %y : tensor<?x64x94x94xf32, #graph.dims<n, 64, 94, 94>>
}
