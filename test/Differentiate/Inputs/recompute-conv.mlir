// A small residual network, whose result is the loss.
func.func @main(%x: tensor<2x8x16x16xf32> {graph.name = "x"}, %scale: tensor<2x8x16x16xf32> {graph.name = "scale"}) -> (tensor<f32> {graph.name = "loss"}) {
  %h0 = graph.tanh %x : tensor<2x8x16x16xf32>
  %w0 = graph.parameter @w0 : tensor<8x8x3x3xf32>
  %s0 = graph.parameter @s0 : tensor<8xf32>
  %b0 = graph.parameter @b0 : tensor<8xf32>
  %mean0 = graph.parameter @mean0 : tensor<8xf32>
  %var0 = graph.parameter @var0 : tensor<8xf32>
  %c0 = graph.conv %h0, %w0 strides = [1, 1] pads = [1, 1, 1, 1] dilations = [1, 1] groups = 1 channels_first : (tensor<2x8x16x16xf32>, tensor<8x8x3x3xf32>) -> tensor<2x8x16x16xf32>
  %n0 = graph.batch_norm %c0, %s0, %b0, %mean0, %var0 axis = 1 epsilon = 1.0e-05 : (tensor<2x8x16x16xf32>, tensor<8xf32>, tensor<8xf32>, tensor<8xf32>, tensor<8xf32>) -> tensor<2x8x16x16xf32>
  %r0 = graph.relu %n0 : tensor<2x8x16x16xf32>
  %h1 = graph.add %h0, %r0 : tensor<2x8x16x16xf32>
  %w1 = graph.parameter @w1 : tensor<8x8x3x3xf32>
  %s1 = graph.parameter @s1 : tensor<8xf32>
  %b1 = graph.parameter @b1 : tensor<8xf32>
  %mean1 = graph.parameter @mean1 : tensor<8xf32>
  %var1 = graph.parameter @var1 : tensor<8xf32>
  %c1 = graph.conv %h1, %w1 strides = [1, 1] pads = [1, 1, 1, 1] dilations = [1, 1] groups = 1 channels_first : (tensor<2x8x16x16xf32>, tensor<8x8x3x3xf32>) -> tensor<2x8x16x16xf32>
  %n1 = graph.batch_norm %c1, %s1, %b1, %mean1, %var1 axis = 1 epsilon = 1.0e-05 : (tensor<2x8x16x16xf32>, tensor<8xf32>, tensor<8xf32>, tensor<8xf32>, tensor<8xf32>) -> tensor<2x8x16x16xf32>
  %r1 = graph.relu %n1 : tensor<2x8x16x16xf32>
  %h2 = graph.add %h1, %r1 : tensor<2x8x16x16xf32>
  %w2 = graph.parameter @w2 : tensor<8x8x3x3xf32>
  %s2 = graph.parameter @s2 : tensor<8xf32>
  %b2 = graph.parameter @b2 : tensor<8xf32>
  %mean2 = graph.parameter @mean2 : tensor<8xf32>
  %var2 = graph.parameter @var2 : tensor<8xf32>
  %c2 = graph.conv %h2, %w2 strides = [1, 1] pads = [1, 1, 1, 1] dilations = [1, 1] groups = 1 channels_first : (tensor<2x8x16x16xf32>, tensor<8x8x3x3xf32>) -> tensor<2x8x16x16xf32>
  %n2 = graph.batch_norm %c2, %s2, %b2, %mean2, %var2 axis = 1 epsilon = 1.0e-05 : (tensor<2x8x16x16xf32>, tensor<8xf32>, tensor<8xf32>, tensor<8xf32>, tensor<8xf32>) -> tensor<2x8x16x16xf32>
  %r2 = graph.relu %n2 : tensor<2x8x16x16xf32>
  %h3 = graph.add %h2, %r2 : tensor<2x8x16x16xf32>
  %w3 = graph.parameter @w3 : tensor<8x8x3x3xf32>
  %s3 = graph.parameter @s3 : tensor<8xf32>
  %b3 = graph.parameter @b3 : tensor<8xf32>
  %mean3 = graph.parameter @mean3 : tensor<8xf32>
  %var3 = graph.parameter @var3 : tensor<8xf32>
  %c3 = graph.conv %h3, %w3 strides = [1, 1] pads = [1, 1, 1, 1] dilations = [1, 1] groups = 1 channels_first : (tensor<2x8x16x16xf32>, tensor<8x8x3x3xf32>) -> tensor<2x8x16x16xf32>
  %n3 = graph.batch_norm %c3, %s3, %b3, %mean3, %var3 axis = 1 epsilon = 1.0e-05 : (tensor<2x8x16x16xf32>, tensor<8xf32>, tensor<8xf32>, tensor<8xf32>, tensor<8xf32>) -> tensor<2x8x16x16xf32>
  %r3 = graph.relu %n3 : tensor<2x8x16x16xf32>
  %h4 = graph.add %h3, %r3 : tensor<2x8x16x16xf32>
  %m = graph.mul %h4, %scale : tensor<2x8x16x16xf32>
  %t = graph.tanh %m : tensor<2x8x16x16xf32>
  %loss = graph.reduce_mean %t axes = [0, 1, 2, 3] : (tensor<2x8x16x16xf32>) -> tensor<f32>
  return %loss : tensor<f32>
}
