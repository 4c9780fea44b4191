// A small transformer, whose result is the loss.
func.func @main(%ids: tensor<8x32xi64> {graph.name = "ids"}, %scale: tensor<8x32x64xf32> {graph.name = "scale"}) -> (tensor<f32> {graph.name = "loss"}) {
  %table = graph.parameter @table : tensor<50x64xf32>
  %h0 = graph.embedding %table, %ids : (tensor<50x64xf32>, tensor<8x32xi64>) -> tensor<8x32x64xf32>
  %n0s = graph.parameter @n0s : tensor<64xf32>
  %n0b = graph.parameter @n0b : tensor<64xf32>
  %a0 = graph.parameter @a0 : tensor<64x256xf32>
  %b0 = graph.parameter @b0 : tensor<256x64xf32>
  %n0 = graph.layer_norm %h0, %n0s, %n0b axis = 2 epsilon = 1.0e-05 : (tensor<8x32x64xf32>, tensor<64xf32>, tensor<64xf32>) -> tensor<8x32x64xf32>
  %t0 = graph.transpose %n0 perm = [0, 2, 1] : (tensor<8x32x64xf32>) -> tensor<8x64x32xf32>
  %q0 = graph.matmul %n0, %t0 : (tensor<8x32x64xf32>, tensor<8x64x32xf32>) -> tensor<8x32x32xf32>
  %s0 = graph.softmax %q0 axis = 2 : tensor<8x32x32xf32>
  %v0 = graph.matmul %s0, %n0 : (tensor<8x32x32xf32>, tensor<8x32x64xf32>) -> tensor<8x32x64xf32>
  %d0 = graph.dropout %v0 ratio = 1.0e-01 stream = "d0" : tensor<8x32x64xf32>
  %r0 = graph.add %h0, %d0 : tensor<8x32x64xf32>
  %u0 = graph.matmul %r0, %a0 : (tensor<8x32x64xf32>, tensor<64x256xf32>) -> tensor<8x32x256xf32>
  %g0 = graph.gelu %u0 : tensor<8x32x256xf32>
  %w0 = graph.matmul %g0, %b0 : (tensor<8x32x256xf32>, tensor<256x64xf32>) -> tensor<8x32x64xf32>
  %k0 = graph.tanh %w0 : tensor<8x32x64xf32>
  %h1 = graph.add %r0, %k0 : tensor<8x32x64xf32>
  %n1s = graph.parameter @n1s : tensor<64xf32>
  %n1b = graph.parameter @n1b : tensor<64xf32>
  %a1 = graph.parameter @a1 : tensor<64x256xf32>
  %b1 = graph.parameter @b1 : tensor<256x64xf32>
  %n1 = graph.layer_norm %h1, %n1s, %n1b axis = 2 epsilon = 1.0e-05 : (tensor<8x32x64xf32>, tensor<64xf32>, tensor<64xf32>) -> tensor<8x32x64xf32>
  %t1 = graph.transpose %n1 perm = [0, 2, 1] : (tensor<8x32x64xf32>) -> tensor<8x64x32xf32>
  %q1 = graph.matmul %n1, %t1 : (tensor<8x32x64xf32>, tensor<8x64x32xf32>) -> tensor<8x32x32xf32>
  %s1 = graph.softmax %q1 axis = 2 : tensor<8x32x32xf32>
  %v1 = graph.matmul %s1, %n1 : (tensor<8x32x32xf32>, tensor<8x32x64xf32>) -> tensor<8x32x64xf32>
  %d1 = graph.dropout %v1 ratio = 1.0e-01 stream = "d1" : tensor<8x32x64xf32>
  %r1 = graph.add %h1, %d1 : tensor<8x32x64xf32>
  %u1 = graph.matmul %r1, %a1 : (tensor<8x32x64xf32>, tensor<64x256xf32>) -> tensor<8x32x256xf32>
  %g1 = graph.gelu %u1 : tensor<8x32x256xf32>
  %w1 = graph.matmul %g1, %b1 : (tensor<8x32x256xf32>, tensor<256x64xf32>) -> tensor<8x32x64xf32>
  %k1 = graph.tanh %w1 : tensor<8x32x64xf32>
  %h2 = graph.add %r1, %k1 : tensor<8x32x64xf32>
  %n2s = graph.parameter @n2s : tensor<64xf32>
  %n2b = graph.parameter @n2b : tensor<64xf32>
  %a2 = graph.parameter @a2 : tensor<64x256xf32>
  %b2 = graph.parameter @b2 : tensor<256x64xf32>
  %n2 = graph.layer_norm %h2, %n2s, %n2b axis = 2 epsilon = 1.0e-05 : (tensor<8x32x64xf32>, tensor<64xf32>, tensor<64xf32>) -> tensor<8x32x64xf32>
  %t2 = graph.transpose %n2 perm = [0, 2, 1] : (tensor<8x32x64xf32>) -> tensor<8x64x32xf32>
  %q2 = graph.matmul %n2, %t2 : (tensor<8x32x64xf32>, tensor<8x64x32xf32>) -> tensor<8x32x32xf32>
  %s2 = graph.softmax %q2 axis = 2 : tensor<8x32x32xf32>
  %v2 = graph.matmul %s2, %n2 : (tensor<8x32x32xf32>, tensor<8x32x64xf32>) -> tensor<8x32x64xf32>
  %d2 = graph.dropout %v2 ratio = 1.0e-01 stream = "d2" : tensor<8x32x64xf32>
  %r2 = graph.add %h2, %d2 : tensor<8x32x64xf32>
  %u2 = graph.matmul %r2, %a2 : (tensor<8x32x64xf32>, tensor<64x256xf32>) -> tensor<8x32x256xf32>
  %g2 = graph.gelu %u2 : tensor<8x32x256xf32>
  %w2 = graph.matmul %g2, %b2 : (tensor<8x32x256xf32>, tensor<256x64xf32>) -> tensor<8x32x64xf32>
  %k2 = graph.tanh %w2 : tensor<8x32x64xf32>
  %h3 = graph.add %r2, %k2 : tensor<8x32x64xf32>
  %n3s = graph.parameter @n3s : tensor<64xf32>
  %n3b = graph.parameter @n3b : tensor<64xf32>
  %a3 = graph.parameter @a3 : tensor<64x256xf32>
  %b3 = graph.parameter @b3 : tensor<256x64xf32>
  %n3 = graph.layer_norm %h3, %n3s, %n3b axis = 2 epsilon = 1.0e-05 : (tensor<8x32x64xf32>, tensor<64xf32>, tensor<64xf32>) -> tensor<8x32x64xf32>
  %t3 = graph.transpose %n3 perm = [0, 2, 1] : (tensor<8x32x64xf32>) -> tensor<8x64x32xf32>
  %q3 = graph.matmul %n3, %t3 : (tensor<8x32x64xf32>, tensor<8x64x32xf32>) -> tensor<8x32x32xf32>
  %s3 = graph.softmax %q3 axis = 2 : tensor<8x32x32xf32>
  %v3 = graph.matmul %s3, %n3 : (tensor<8x32x32xf32>, tensor<8x32x64xf32>) -> tensor<8x32x64xf32>
  %d3 = graph.dropout %v3 ratio = 1.0e-01 stream = "d3" : tensor<8x32x64xf32>
  %r3 = graph.add %h3, %d3 : tensor<8x32x64xf32>
  %u3 = graph.matmul %r3, %a3 : (tensor<8x32x64xf32>, tensor<64x256xf32>) -> tensor<8x32x256xf32>
  %g3 = graph.gelu %u3 : tensor<8x32x256xf32>
  %w3 = graph.matmul %g3, %b3 : (tensor<8x32x256xf32>, tensor<256x64xf32>) -> tensor<8x32x64xf32>
  %k3 = graph.tanh %w3 : tensor<8x32x64xf32>
  %h4 = graph.add %r3, %k3 : tensor<8x32x64xf32>
  %m = graph.mul %h4, %scale : tensor<8x32x64xf32>
  %c = graph.tanh %m : tensor<8x32x64xf32>
  %loss = graph.reduce_mean %c axes = [0, 1, 2] : (tensor<8x32x64xf32>) -> tensor<f32>
  return %loss : tensor<f32>
}
