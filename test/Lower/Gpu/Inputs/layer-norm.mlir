func.func @main(%x: tensor<1x128x768xf32>, %g: tensor<768xf32>, %b: tensor<768xf32>) -> tensor<1x128x768xf32> {
  %0 = graph.layer_norm %x, %g, %b axis = 2 epsilon = 9.9999999999999998E-13 : (tensor<1x128x768xf32>, tensor<768xf32>, tensor<768xf32>) -> tensor<1x128x768xf32>
  return %0 : tensor<1x128x768xf32>
}
