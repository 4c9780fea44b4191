// Constants and normalizations around products and convolutions, and softmax
// (entries 51 to 56).
//
// graph.conv has no bias of its own: a bias is what is added to its result, one
// number per channel, and a linear layer's likewise. Epsilons and scales are
// numbers, not symbols: the rules are stated for those in use.
//
// `tenon-rules prove rules/normalization.mlir` proves them for all sizes.

// Convolutions of any stride, padding, dilation and number of groups; the channels
// come first in !xf and last in !xl.
!xf = tensor<?x?x?x?xf32, #graph.dims<b, c, h, w>>
!xl = tensor<?x?x?x?xf32, #graph.dims<b, h, w, c>>
!f = tensor<?x?x?x?xf32, #graph.dims<o, c floordiv g, r, t>>
!yf = tensor<?x?x?x?xf32, #graph.dims<b, o, (h + p0 + p2 - d0 * (r - 1) - 1) floordiv s0 + 1, (w + p1 + p3 - d1 * (t - 1) - 1) floordiv s1 + 1>>
!yl = tensor<?x?x?x?xf32, #graph.dims<b, (h + p0 + p2 - d0 * (r - 1) - 1) floordiv s0 + 1, (w + p1 + p3 - d1 * (t - 1) - 1) floordiv s1 + 1, o>>
!f1 = tensor<?x?x?x?xf32, #graph.dims<o, c, r, t>>

// 51. A batch normalization moves into the weights of the convolution before it; what
// is left is a bias. In PyTorch epsilon is 1e-5 by default, in Keras 1e-3.
rule.rule @batch_norm_1e5_into_conv_first(%x: !xf, %f: !f, %scale: [o], %bias: [o], %mean: [o], %var: [o]) -> !yf
  source {
    %0 = graph.conv %x, %f strides = [s0, s1] pads = [p0, p1, p2, p3] dilations = [d0, d1] groups = g channels_first
    %z = graph.batch_norm %0, %scale, %bias, %mean, %var axis = 1 epsilon = 1.0e-5
    rule.yield %z
  }
  target {
    %e0 = graph.constant dense<1.0e-5> : tensor<f32>
    %e = graph.broadcast %e0 shape = [o]
    %v = graph.add %var, %e
    %d = graph.sqrt %v
    %s = graph.div %scale, %d
    %s1 = graph.reshape %s shape = [o, 1, 1, 1]
    %s2 = graph.broadcast %s1 shape = [o, c floordiv g, r, t]
    %f1 = graph.mul %f, %s2
    %ms = graph.mul %mean, %s
    %k = graph.sub %bias, %ms
    %y = graph.conv %x, %f1 strides = [s0, s1] pads = [p0, p1, p2, p3] dilations = [d0, d1] groups = g channels_first
    %k1 = graph.reshape %k shape = [o, 1, 1]
    %k2 = graph.broadcast %k1 shape = [b, o, (h + p0 + p2 - d0 * (r - 1) - 1) floordiv s0 + 1, (w + p1 + p3 - d1 * (t - 1) - 1) floordiv s1 + 1]
    %z = graph.add %y, %k2
    rule.yield %z
  }

// The convolution has a bias already.
rule.rule @batch_norm_1e5_into_conv_first_with_bias(%x: !xf, %f: !f, %a: [o], %scale: [o], %bias: [o], %mean: [o], %var: [o]) -> !yf
  source {
    %0 = graph.conv %x, %f strides = [s0, s1] pads = [p0, p1, p2, p3] dilations = [d0, d1] groups = g channels_first
    %a1 = graph.reshape %a shape = [o, 1, 1]
    %a2 = graph.broadcast %a1 shape = [b, o, (h + p0 + p2 - d0 * (r - 1) - 1) floordiv s0 + 1, (w + p1 + p3 - d1 * (t - 1) - 1) floordiv s1 + 1]
    %1 = graph.add %0, %a2
    %z = graph.batch_norm %1, %scale, %bias, %mean, %var axis = 1 epsilon = 1.0e-5
    rule.yield %z
  }
  target {
    %e0 = graph.constant dense<1.0e-5> : tensor<f32>
    %e = graph.broadcast %e0 shape = [o]
    %v = graph.add %var, %e
    %d = graph.sqrt %v
    %s = graph.div %scale, %d
    %s1 = graph.reshape %s shape = [o, 1, 1, 1]
    %s2 = graph.broadcast %s1 shape = [o, c floordiv g, r, t]
    %f1 = graph.mul %f, %s2
    %m = graph.sub %a, %mean
    %ms = graph.mul %m, %s
    %k = graph.add %ms, %bias
    %y = graph.conv %x, %f1 strides = [s0, s1] pads = [p0, p1, p2, p3] dilations = [d0, d1] groups = g channels_first
    %k1 = graph.reshape %k shape = [o, 1, 1]
    %k2 = graph.broadcast %k1 shape = [b, o, (h + p0 + p2 - d0 * (r - 1) - 1) floordiv s0 + 1, (w + p1 + p3 - d1 * (t - 1) - 1) floordiv s1 + 1]
    %z = graph.add %y, %k2
    rule.yield %z
  }

rule.rule @batch_norm_1e3_into_conv_first(%x: !xf, %f: !f, %scale: [o], %bias: [o], %mean: [o], %var: [o]) -> !yf
  source {
    %0 = graph.conv %x, %f strides = [s0, s1] pads = [p0, p1, p2, p3] dilations = [d0, d1] groups = g channels_first
    %z = graph.batch_norm %0, %scale, %bias, %mean, %var axis = 1 epsilon = 1.0e-3
    rule.yield %z
  }
  target {
    %e0 = graph.constant dense<1.0e-3> : tensor<f32>
    %e = graph.broadcast %e0 shape = [o]
    %v = graph.add %var, %e
    %d = graph.sqrt %v
    %s = graph.div %scale, %d
    %s1 = graph.reshape %s shape = [o, 1, 1, 1]
    %s2 = graph.broadcast %s1 shape = [o, c floordiv g, r, t]
    %f1 = graph.mul %f, %s2
    %ms = graph.mul %mean, %s
    %k = graph.sub %bias, %ms
    %y = graph.conv %x, %f1 strides = [s0, s1] pads = [p0, p1, p2, p3] dilations = [d0, d1] groups = g channels_first
    %k1 = graph.reshape %k shape = [o, 1, 1]
    %k2 = graph.broadcast %k1 shape = [b, o, (h + p0 + p2 - d0 * (r - 1) - 1) floordiv s0 + 1, (w + p1 + p3 - d1 * (t - 1) - 1) floordiv s1 + 1]
    %z = graph.add %y, %k2
    rule.yield %z
  }

rule.rule @batch_norm_1e3_into_conv_first_with_bias(%x: !xf, %f: !f, %a: [o], %scale: [o], %bias: [o], %mean: [o], %var: [o]) -> !yf
  source {
    %0 = graph.conv %x, %f strides = [s0, s1] pads = [p0, p1, p2, p3] dilations = [d0, d1] groups = g channels_first
    %a1 = graph.reshape %a shape = [o, 1, 1]
    %a2 = graph.broadcast %a1 shape = [b, o, (h + p0 + p2 - d0 * (r - 1) - 1) floordiv s0 + 1, (w + p1 + p3 - d1 * (t - 1) - 1) floordiv s1 + 1]
    %1 = graph.add %0, %a2
    %z = graph.batch_norm %1, %scale, %bias, %mean, %var axis = 1 epsilon = 1.0e-3
    rule.yield %z
  }
  target {
    %e0 = graph.constant dense<1.0e-3> : tensor<f32>
    %e = graph.broadcast %e0 shape = [o]
    %v = graph.add %var, %e
    %d = graph.sqrt %v
    %s = graph.div %scale, %d
    %s1 = graph.reshape %s shape = [o, 1, 1, 1]
    %s2 = graph.broadcast %s1 shape = [o, c floordiv g, r, t]
    %f1 = graph.mul %f, %s2
    %m = graph.sub %a, %mean
    %ms = graph.mul %m, %s
    %k = graph.add %ms, %bias
    %y = graph.conv %x, %f1 strides = [s0, s1] pads = [p0, p1, p2, p3] dilations = [d0, d1] groups = g channels_first
    %k1 = graph.reshape %k shape = [o, 1, 1]
    %k2 = graph.broadcast %k1 shape = [b, o, (h + p0 + p2 - d0 * (r - 1) - 1) floordiv s0 + 1, (w + p1 + p3 - d1 * (t - 1) - 1) floordiv s1 + 1]
    %z = graph.add %y, %k2
    rule.yield %z
  }

rule.rule @batch_norm_1e5_into_conv_last(%x: !xl, %f: !f, %scale: [o], %bias: [o], %mean: [o], %var: [o]) -> !yl
  source {
    %0 = graph.conv %x, %f strides = [s0, s1] pads = [p0, p1, p2, p3] dilations = [d0, d1] groups = g channels_last
    %z = graph.batch_norm %0, %scale, %bias, %mean, %var axis = 3 epsilon = 1.0e-5
    rule.yield %z
  }
  target {
    %e0 = graph.constant dense<1.0e-5> : tensor<f32>
    %e = graph.broadcast %e0 shape = [o]
    %v = graph.add %var, %e
    %d = graph.sqrt %v
    %s = graph.div %scale, %d
    %s1 = graph.reshape %s shape = [o, 1, 1, 1]
    %s2 = graph.broadcast %s1 shape = [o, c floordiv g, r, t]
    %f1 = graph.mul %f, %s2
    %ms = graph.mul %mean, %s
    %k = graph.sub %bias, %ms
    %y = graph.conv %x, %f1 strides = [s0, s1] pads = [p0, p1, p2, p3] dilations = [d0, d1] groups = g channels_last
    %k2 = graph.broadcast %k shape = [b, (h + p0 + p2 - d0 * (r - 1) - 1) floordiv s0 + 1, (w + p1 + p3 - d1 * (t - 1) - 1) floordiv s1 + 1, o]
    %z = graph.add %y, %k2
    rule.yield %z
  }

// The convolution has a bias already.
rule.rule @batch_norm_1e5_into_conv_last_with_bias(%x: !xl, %f: !f, %a: [o], %scale: [o], %bias: [o], %mean: [o], %var: [o]) -> !yl
  source {
    %0 = graph.conv %x, %f strides = [s0, s1] pads = [p0, p1, p2, p3] dilations = [d0, d1] groups = g channels_last
    %a2 = graph.broadcast %a shape = [b, (h + p0 + p2 - d0 * (r - 1) - 1) floordiv s0 + 1, (w + p1 + p3 - d1 * (t - 1) - 1) floordiv s1 + 1, o]
    %1 = graph.add %0, %a2
    %z = graph.batch_norm %1, %scale, %bias, %mean, %var axis = 3 epsilon = 1.0e-5
    rule.yield %z
  }
  target {
    %e0 = graph.constant dense<1.0e-5> : tensor<f32>
    %e = graph.broadcast %e0 shape = [o]
    %v = graph.add %var, %e
    %d = graph.sqrt %v
    %s = graph.div %scale, %d
    %s1 = graph.reshape %s shape = [o, 1, 1, 1]
    %s2 = graph.broadcast %s1 shape = [o, c floordiv g, r, t]
    %f1 = graph.mul %f, %s2
    %m = graph.sub %a, %mean
    %ms = graph.mul %m, %s
    %k = graph.add %ms, %bias
    %y = graph.conv %x, %f1 strides = [s0, s1] pads = [p0, p1, p2, p3] dilations = [d0, d1] groups = g channels_last
    %k2 = graph.broadcast %k shape = [b, (h + p0 + p2 - d0 * (r - 1) - 1) floordiv s0 + 1, (w + p1 + p3 - d1 * (t - 1) - 1) floordiv s1 + 1, o]
    %z = graph.add %y, %k2
    rule.yield %z
  }

rule.rule @batch_norm_1e3_into_conv_last(%x: !xl, %f: !f, %scale: [o], %bias: [o], %mean: [o], %var: [o]) -> !yl
  source {
    %0 = graph.conv %x, %f strides = [s0, s1] pads = [p0, p1, p2, p3] dilations = [d0, d1] groups = g channels_last
    %z = graph.batch_norm %0, %scale, %bias, %mean, %var axis = 3 epsilon = 1.0e-3
    rule.yield %z
  }
  target {
    %e0 = graph.constant dense<1.0e-3> : tensor<f32>
    %e = graph.broadcast %e0 shape = [o]
    %v = graph.add %var, %e
    %d = graph.sqrt %v
    %s = graph.div %scale, %d
    %s1 = graph.reshape %s shape = [o, 1, 1, 1]
    %s2 = graph.broadcast %s1 shape = [o, c floordiv g, r, t]
    %f1 = graph.mul %f, %s2
    %ms = graph.mul %mean, %s
    %k = graph.sub %bias, %ms
    %y = graph.conv %x, %f1 strides = [s0, s1] pads = [p0, p1, p2, p3] dilations = [d0, d1] groups = g channels_last
    %k2 = graph.broadcast %k shape = [b, (h + p0 + p2 - d0 * (r - 1) - 1) floordiv s0 + 1, (w + p1 + p3 - d1 * (t - 1) - 1) floordiv s1 + 1, o]
    %z = graph.add %y, %k2
    rule.yield %z
  }

rule.rule @batch_norm_1e3_into_conv_last_with_bias(%x: !xl, %f: !f, %a: [o], %scale: [o], %bias: [o], %mean: [o], %var: [o]) -> !yl
  source {
    %0 = graph.conv %x, %f strides = [s0, s1] pads = [p0, p1, p2, p3] dilations = [d0, d1] groups = g channels_last
    %a2 = graph.broadcast %a shape = [b, (h + p0 + p2 - d0 * (r - 1) - 1) floordiv s0 + 1, (w + p1 + p3 - d1 * (t - 1) - 1) floordiv s1 + 1, o]
    %1 = graph.add %0, %a2
    %z = graph.batch_norm %1, %scale, %bias, %mean, %var axis = 3 epsilon = 1.0e-3
    rule.yield %z
  }
  target {
    %e0 = graph.constant dense<1.0e-3> : tensor<f32>
    %e = graph.broadcast %e0 shape = [o]
    %v = graph.add %var, %e
    %d = graph.sqrt %v
    %s = graph.div %scale, %d
    %s1 = graph.reshape %s shape = [o, 1, 1, 1]
    %s2 = graph.broadcast %s1 shape = [o, c floordiv g, r, t]
    %f1 = graph.mul %f, %s2
    %m = graph.sub %a, %mean
    %ms = graph.mul %m, %s
    %k = graph.add %ms, %bias
    %y = graph.conv %x, %f1 strides = [s0, s1] pads = [p0, p1, p2, p3] dilations = [d0, d1] groups = g channels_last
    %k2 = graph.broadcast %k shape = [b, (h + p0 + p2 - d0 * (r - 1) - 1) floordiv s0 + 1, (w + p1 + p3 - d1 * (t - 1) - 1) floordiv s1 + 1, o]
    %z = graph.add %y, %k2
    rule.yield %z
  }

// 52. A factor per channel of a convolution's result moves into the weights.
rule.rule @scale_into_conv_first(%x: !xf, %f: !f, %s: [o]) -> !yf
  source {
    %0 = graph.conv %x, %f strides = [s0, s1] pads = [p0, p1, p2, p3] dilations = [d0, d1] groups = g channels_first
    %1 = graph.reshape %s shape = [o, 1, 1]
    %2 = graph.broadcast %1 shape = [b, o, (h + p0 + p2 - d0 * (r - 1) - 1) floordiv s0 + 1, (w + p1 + p3 - d1 * (t - 1) - 1) floordiv s1 + 1]
    %3 = graph.mul %0, %2
    rule.yield %3
  }
  target {
    %s1 = graph.reshape %s shape = [o, 1, 1, 1]
    %s2 = graph.broadcast %s1 shape = [o, c floordiv g, r, t]
    %f1 = graph.mul %f, %s2
    %0 = graph.conv %x, %f1 strides = [s0, s1] pads = [p0, p1, p2, p3] dilations = [d0, d1] groups = g channels_first
    rule.yield %0
  }

rule.rule @scale_into_conv_first_with_bias(%x: !xf, %f: !f, %a: [o], %s: [o]) -> !yf
  source {
    %0 = graph.conv %x, %f strides = [s0, s1] pads = [p0, p1, p2, p3] dilations = [d0, d1] groups = g channels_first
    %a1 = graph.reshape %a shape = [o, 1, 1]
    %a2 = graph.broadcast %a1 shape = [b, o, (h + p0 + p2 - d0 * (r - 1) - 1) floordiv s0 + 1, (w + p1 + p3 - d1 * (t - 1) - 1) floordiv s1 + 1]
    %1 = graph.add %0, %a2
    %s1 = graph.reshape %s shape = [o, 1, 1]
    %s2 = graph.broadcast %s1 shape = [b, o, (h + p0 + p2 - d0 * (r - 1) - 1) floordiv s0 + 1, (w + p1 + p3 - d1 * (t - 1) - 1) floordiv s1 + 1]
    %2 = graph.mul %1, %s2
    rule.yield %2
  }
  target {
    %s1 = graph.reshape %s shape = [o, 1, 1, 1]
    %s2 = graph.broadcast %s1 shape = [o, c floordiv g, r, t]
    %f1 = graph.mul %f, %s2
    %k = graph.mul %a, %s
    %0 = graph.conv %x, %f1 strides = [s0, s1] pads = [p0, p1, p2, p3] dilations = [d0, d1] groups = g channels_first
    %k1 = graph.reshape %k shape = [o, 1, 1]
    %k2 = graph.broadcast %k1 shape = [b, o, (h + p0 + p2 - d0 * (r - 1) - 1) floordiv s0 + 1, (w + p1 + p3 - d1 * (t - 1) - 1) floordiv s1 + 1]
    %1 = graph.add %0, %k2
    rule.yield %1
  }

rule.rule @scale_into_conv_last(%x: !xl, %f: !f, %s: [o]) -> !yl
  source {
    %0 = graph.conv %x, %f strides = [s0, s1] pads = [p0, p1, p2, p3] dilations = [d0, d1] groups = g channels_last
    %2 = graph.broadcast %s shape = [b, (h + p0 + p2 - d0 * (r - 1) - 1) floordiv s0 + 1, (w + p1 + p3 - d1 * (t - 1) - 1) floordiv s1 + 1, o]
    %3 = graph.mul %0, %2
    rule.yield %3
  }
  target {
    %s1 = graph.reshape %s shape = [o, 1, 1, 1]
    %s2 = graph.broadcast %s1 shape = [o, c floordiv g, r, t]
    %f1 = graph.mul %f, %s2
    %0 = graph.conv %x, %f1 strides = [s0, s1] pads = [p0, p1, p2, p3] dilations = [d0, d1] groups = g channels_last
    rule.yield %0
  }

rule.rule @scale_into_conv_last_with_bias(%x: !xl, %f: !f, %a: [o], %s: [o]) -> !yl
  source {
    %0 = graph.conv %x, %f strides = [s0, s1] pads = [p0, p1, p2, p3] dilations = [d0, d1] groups = g channels_last
    %a2 = graph.broadcast %a shape = [b, (h + p0 + p2 - d0 * (r - 1) - 1) floordiv s0 + 1, (w + p1 + p3 - d1 * (t - 1) - 1) floordiv s1 + 1, o]
    %1 = graph.add %0, %a2
    %s2 = graph.broadcast %s shape = [b, (h + p0 + p2 - d0 * (r - 1) - 1) floordiv s0 + 1, (w + p1 + p3 - d1 * (t - 1) - 1) floordiv s1 + 1, o]
    %2 = graph.mul %1, %s2
    rule.yield %2
  }
  target {
    %s1 = graph.reshape %s shape = [o, 1, 1, 1]
    %s2 = graph.broadcast %s1 shape = [o, c floordiv g, r, t]
    %f1 = graph.mul %f, %s2
    %k = graph.mul %a, %s
    %0 = graph.conv %x, %f1 strides = [s0, s1] pads = [p0, p1, p2, p3] dilations = [d0, d1] groups = g channels_last
    %k2 = graph.broadcast %k shape = [b, (h + p0 + p2 - d0 * (r - 1) - 1) floordiv s0 + 1, (w + p1 + p3 - d1 * (t - 1) - 1) floordiv s1 + 1, o]
    %1 = graph.add %0, %k2
    rule.yield %1
  }

// One factor per input channel: padding stays zero.
rule.rule @scale_of_conv_input(%x: !xf, %f: !f1, %s: [c]) -> !yf
  source {
    %0 = graph.reshape %s shape = [c, 1, 1]
    %1 = graph.broadcast %0 shape = [b, c, h, w]
    %2 = graph.mul %x, %1
    %3 = graph.conv %2, %f strides = [s0, s1] pads = [p0, p1, p2, p3] dilations = [d0, d1] groups = 1 channels_first
    rule.yield %3
  }
  target {
    %0 = graph.reshape %s shape = [c, 1, 1]
    %1 = graph.broadcast %0 shape = [o, c, r, t]
    %2 = graph.mul %f, %1
    %3 = graph.conv %x, %2 strides = [s0, s1] pads = [p0, p1, p2, p3] dilations = [d0, d1] groups = 1 channels_first
    rule.yield %3
  }

// 53. Two biases are one.
rule.rule @biases_of_conv_first(%x: !xf, %f: !f, %a: [o], %k: [o]) -> !yf
  source {
    %0 = graph.conv %x, %f strides = [s0, s1] pads = [p0, p1, p2, p3] dilations = [d0, d1] groups = g channels_first
    %a1 = graph.reshape %a shape = [o, 1, 1]
    %a2 = graph.broadcast %a1 shape = [b, o, (h + p0 + p2 - d0 * (r - 1) - 1) floordiv s0 + 1, (w + p1 + p3 - d1 * (t - 1) - 1) floordiv s1 + 1]
    %1 = graph.add %0, %a2
    %k1 = graph.reshape %k shape = [o, 1, 1]
    %k2 = graph.broadcast %k1 shape = [b, o, (h + p0 + p2 - d0 * (r - 1) - 1) floordiv s0 + 1, (w + p1 + p3 - d1 * (t - 1) - 1) floordiv s1 + 1]
    %2 = graph.add %1, %k2
    rule.yield %2
  }
  target {
    %s = graph.add %a, %k
    %0 = graph.conv %x, %f strides = [s0, s1] pads = [p0, p1, p2, p3] dilations = [d0, d1] groups = g channels_first
    %s1 = graph.reshape %s shape = [o, 1, 1]
    %s2 = graph.broadcast %s1 shape = [b, o, (h + p0 + p2 - d0 * (r - 1) - 1) floordiv s0 + 1, (w + p1 + p3 - d1 * (t - 1) - 1) floordiv s1 + 1]
    %1 = graph.add %0, %s2
    rule.yield %1
  }

rule.rule @biases_of_conv_last(%x: !xl, %f: !f, %a: [o], %k: [o]) -> !yl
  source {
    %0 = graph.conv %x, %f strides = [s0, s1] pads = [p0, p1, p2, p3] dilations = [d0, d1] groups = g channels_last
    %a2 = graph.broadcast %a shape = [b, (h + p0 + p2 - d0 * (r - 1) - 1) floordiv s0 + 1, (w + p1 + p3 - d1 * (t - 1) - 1) floordiv s1 + 1, o]
    %1 = graph.add %0, %a2
    %k2 = graph.broadcast %k shape = [b, (h + p0 + p2 - d0 * (r - 1) - 1) floordiv s0 + 1, (w + p1 + p3 - d1 * (t - 1) - 1) floordiv s1 + 1, o]
    %2 = graph.add %1, %k2
    rule.yield %2
  }
  target {
    %s = graph.add %a, %k
    %0 = graph.conv %x, %f strides = [s0, s1] pads = [p0, p1, p2, p3] dilations = [d0, d1] groups = g channels_last
    %s2 = graph.broadcast %s shape = [b, (h + p0 + p2 - d0 * (r - 1) - 1) floordiv s0 + 1, (w + p1 + p3 - d1 * (t - 1) - 1) floordiv s1 + 1, o]
    %1 = graph.add %0, %s2
    rule.yield %1
  }

// 52 and 53 for products of matrices: columns of the result are what channels are
// there. The weight's rows, where it is held transposed.
rule.rule @scale_into_matmul(%x: [m, k], %w: [k, n], %s: [n]) -> [m, n]
  source {
    %0 = graph.matmul %x, %w
    %1 = graph.broadcast %s shape = [m, n]
    %2 = graph.mul %0, %1
    rule.yield %2
  }
  target {
    %c2 = graph.broadcast %s shape = [k, n]
    %w1 = graph.mul %w, %c2
    %0 = graph.matmul %x, %w1
    rule.yield %0
  }

rule.rule @scale_into_matmul_with_bias(%x: [m, k], %w: [k, n], %a: [n], %s: [n]) -> [m, n]
  source {
    %0 = graph.matmul %x, %w
    %1 = graph.broadcast %a shape = [m, n]
    %2 = graph.add %0, %1
    %3 = graph.broadcast %s shape = [m, n]
    %4 = graph.mul %2, %3
    rule.yield %4
  }
  target {
    %c2 = graph.broadcast %s shape = [k, n]
    %w1 = graph.mul %w, %c2
    %k = graph.mul %a, %s
    %0 = graph.matmul %x, %w1
    %1 = graph.broadcast %k shape = [m, n]
    %2 = graph.add %0, %1
    rule.yield %2
  }

rule.rule @scale_into_matmul_batch(%x: [b, m, k], %w: [k, n], %s: [n]) -> [b, m, n]
  source {
    %0 = graph.matmul %x, %w
    %1 = graph.broadcast %s shape = [b, m, n]
    %2 = graph.mul %0, %1
    rule.yield %2
  }
  target {
    %c2 = graph.broadcast %s shape = [k, n]
    %w1 = graph.mul %w, %c2
    %0 = graph.matmul %x, %w1
    rule.yield %0
  }

rule.rule @scale_into_matmul_with_bias_batch(%x: [b, m, k], %w: [k, n], %a: [n], %s: [n]) -> [b, m, n]
  source {
    %0 = graph.matmul %x, %w
    %1 = graph.broadcast %a shape = [b, m, n]
    %2 = graph.add %0, %1
    %3 = graph.broadcast %s shape = [b, m, n]
    %4 = graph.mul %2, %3
    rule.yield %4
  }
  target {
    %c2 = graph.broadcast %s shape = [k, n]
    %w1 = graph.mul %w, %c2
    %k = graph.mul %a, %s
    %0 = graph.matmul %x, %w1
    %1 = graph.broadcast %k shape = [b, m, n]
    %2 = graph.add %0, %1
    rule.yield %2
  }

rule.rule @scale_into_transposed_matmul(%x: [m, k], %w: [n, k], %s: [n]) -> [m, n]
  source {
    %0 = graph.matmul %x, %w transpose_b
    %1 = graph.broadcast %s shape = [m, n]
    %2 = graph.mul %0, %1
    rule.yield %2
  }
  target {
    %c1 = graph.reshape %s shape = [n, 1]
    %c2 = graph.broadcast %c1 shape = [n, k]
    %w1 = graph.mul %w, %c2
    %0 = graph.matmul %x, %w1 transpose_b
    rule.yield %0
  }

rule.rule @scale_into_transposed_matmul_with_bias(%x: [m, k], %w: [n, k], %a: [n], %s: [n]) -> [m, n]
  source {
    %0 = graph.matmul %x, %w transpose_b
    %1 = graph.broadcast %a shape = [m, n]
    %2 = graph.add %0, %1
    %3 = graph.broadcast %s shape = [m, n]
    %4 = graph.mul %2, %3
    rule.yield %4
  }
  target {
    %c1 = graph.reshape %s shape = [n, 1]
    %c2 = graph.broadcast %c1 shape = [n, k]
    %w1 = graph.mul %w, %c2
    %k = graph.mul %a, %s
    %0 = graph.matmul %x, %w1 transpose_b
    %1 = graph.broadcast %k shape = [m, n]
    %2 = graph.add %0, %1
    rule.yield %2
  }

rule.rule @scale_into_transposed_matmul_batch(%x: [b, m, k], %w: [n, k], %s: [n]) -> [b, m, n]
  source {
    %0 = graph.matmul %x, %w transpose_b
    %1 = graph.broadcast %s shape = [b, m, n]
    %2 = graph.mul %0, %1
    rule.yield %2
  }
  target {
    %c1 = graph.reshape %s shape = [n, 1]
    %c2 = graph.broadcast %c1 shape = [n, k]
    %w1 = graph.mul %w, %c2
    %0 = graph.matmul %x, %w1 transpose_b
    rule.yield %0
  }

rule.rule @scale_into_transposed_matmul_with_bias_batch(%x: [b, m, k], %w: [n, k], %a: [n], %s: [n]) -> [b, m, n]
  source {
    %0 = graph.matmul %x, %w transpose_b
    %1 = graph.broadcast %a shape = [b, m, n]
    %2 = graph.add %0, %1
    %3 = graph.broadcast %s shape = [b, m, n]
    %4 = graph.mul %2, %3
    rule.yield %4
  }
  target {
    %c1 = graph.reshape %s shape = [n, 1]
    %c2 = graph.broadcast %c1 shape = [n, k]
    %w1 = graph.mul %w, %c2
    %k = graph.mul %a, %s
    %0 = graph.matmul %x, %w1 transpose_b
    %1 = graph.broadcast %k shape = [b, m, n]
    %2 = graph.add %0, %1
    rule.yield %2
  }

// Whatever they are added to.
rule.rule @biases_of_rows(%y: [m, n], %a: [n], %k: [n]) -> [m, n]
  source {
    %0 = graph.broadcast %a shape = [m, n]
    %1 = graph.add %y, %0
    %2 = graph.broadcast %k shape = [m, n]
    %3 = graph.add %1, %2
    rule.yield %3
  }
  target {
    %s = graph.add %a, %k
    %0 = graph.broadcast %s shape = [m, n]
    %1 = graph.add %y, %0
    rule.yield %1
  }

rule.rule @biases_of_rows_batch(%y: [b, m, n], %a: [n], %k: [n]) -> [b, m, n]
  source {
    %0 = graph.broadcast %a shape = [b, m, n]
    %1 = graph.add %y, %0
    %2 = graph.broadcast %k shape = [b, m, n]
    %3 = graph.add %1, %2
    rule.yield %3
  }
  target {
    %s = graph.add %a, %k
    %0 = graph.broadcast %s shape = [b, m, n]
    %1 = graph.add %y, %0
    rule.yield %1
  }

// 54. The gain of a normalization, one number per column, moves into the rows of the
// weight behind it; its bias becomes one of the product.
rule.rule @gain_into_matmul(%x: [m, k], %g: [k], %w: [k, n]) -> [m, n]
  source {
    %0 = graph.broadcast %g shape = [m, k]
    %1 = graph.mul %x, %0
    %2 = graph.matmul %1, %w
    rule.yield %2
  }
  target {
    %g3 = graph.reshape %g shape = [k, 1]
    %g2 = graph.broadcast %g3 shape = [k, n]
    %w1 = graph.mul %w, %g2
    %0 = graph.matmul %x, %w1
    rule.yield %0
  }

rule.rule @rms_norm_1e5_gain_into_matmul(%x: [m, k], %g: [k], %w: [k, n]) -> [m, n]
  source {
    %0 = graph.rms_norm %x, %g axis = 1 epsilon = 1.0e-5
    %1 = graph.matmul %0, %w
    rule.yield %1
  }
  target {
    %q = graph.mul %x, %x
    %q1 = graph.reduce_mean %q axes = [1] keepdims
    %e0 = graph.constant dense<1.0e-5> : tensor<f32>
    %e = graph.broadcast %e0 shape = [m, 1]
    %v = graph.add %q1, %e
    %r = graph.sqrt %v
    %r1 = graph.broadcast %r shape = [m, k]
    %0 = graph.div %x, %r1
    %g3 = graph.reshape %g shape = [k, 1]
    %g2 = graph.broadcast %g3 shape = [k, n]
    %w1 = graph.mul %w, %g2
    %1 = graph.matmul %0, %w1
    rule.yield %1
  }
  where [k >= 1]

rule.rule @rms_norm_1e6_gain_into_matmul(%x: [m, k], %g: [k], %w: [k, n]) -> [m, n]
  source {
    %0 = graph.rms_norm %x, %g axis = 1 epsilon = 1.0e-6
    %1 = graph.matmul %0, %w
    rule.yield %1
  }
  target {
    %q = graph.mul %x, %x
    %q1 = graph.reduce_mean %q axes = [1] keepdims
    %e0 = graph.constant dense<1.0e-6> : tensor<f32>
    %e = graph.broadcast %e0 shape = [m, 1]
    %v = graph.add %q1, %e
    %r = graph.sqrt %v
    %r1 = graph.broadcast %r shape = [m, k]
    %0 = graph.div %x, %r1
    %g3 = graph.reshape %g shape = [k, 1]
    %g2 = graph.broadcast %g3 shape = [k, n]
    %w1 = graph.mul %w, %g2
    %1 = graph.matmul %0, %w1
    rule.yield %1
  }
  where [k >= 1]

rule.rule @layer_norm_1e5_gain_into_matmul(%x: [m, k], %g: [k], %h: [k], %w: [k, n]) -> [m, n]
  source {
    %0 = graph.layer_norm %x, %g, %h axis = 1 epsilon = 1.0e-5
    %1 = graph.matmul %0, %w
    rule.yield %1
  }
  target {
    %g10 = graph.constant dense<1.0> : tensor<f32>
    %g1 = graph.broadcast %g10 shape = [k]
    %0 = graph.layer_norm %x, %g1 axis = 1 epsilon = 1.0e-5
    %g3 = graph.reshape %g shape = [k, 1]
    %g2 = graph.broadcast %g3 shape = [k, n]
    %w1 = graph.mul %w, %g2
    %1 = graph.matmul %0, %w1
    %h0 = graph.reshape %h shape = [1, k]
    %h1 = graph.matmul %h0, %w
    %h2 = graph.broadcast %h1 shape = [m, n]
    %2 = graph.add %1, %h2
    rule.yield %2
  }
  where [k >= 1]

rule.rule @gain_into_matmul_batch(%x: [b, m, k], %g: [k], %w: [k, n]) -> [b, m, n]
  source {
    %0 = graph.broadcast %g shape = [b, m, k]
    %1 = graph.mul %x, %0
    %2 = graph.matmul %1, %w
    rule.yield %2
  }
  target {
    %g3 = graph.reshape %g shape = [k, 1]
    %g2 = graph.broadcast %g3 shape = [k, n]
    %w1 = graph.mul %w, %g2
    %0 = graph.matmul %x, %w1
    rule.yield %0
  }

rule.rule @rms_norm_1e5_gain_into_matmul_batch(%x: [b, m, k], %g: [k], %w: [k, n]) -> [b, m, n]
  source {
    %0 = graph.rms_norm %x, %g axis = 2 epsilon = 1.0e-5
    %1 = graph.matmul %0, %w
    rule.yield %1
  }
  target {
    %q = graph.mul %x, %x
    %q1 = graph.reduce_mean %q axes = [2] keepdims
    %e0 = graph.constant dense<1.0e-5> : tensor<f32>
    %e = graph.broadcast %e0 shape = [b, m, 1]
    %v = graph.add %q1, %e
    %r = graph.sqrt %v
    %r1 = graph.broadcast %r shape = [b, m, k]
    %0 = graph.div %x, %r1
    %g3 = graph.reshape %g shape = [k, 1]
    %g2 = graph.broadcast %g3 shape = [k, n]
    %w1 = graph.mul %w, %g2
    %1 = graph.matmul %0, %w1
    rule.yield %1
  }
  where [k >= 1]

rule.rule @rms_norm_1e6_gain_into_matmul_batch(%x: [b, m, k], %g: [k], %w: [k, n]) -> [b, m, n]
  source {
    %0 = graph.rms_norm %x, %g axis = 2 epsilon = 1.0e-6
    %1 = graph.matmul %0, %w
    rule.yield %1
  }
  target {
    %q = graph.mul %x, %x
    %q1 = graph.reduce_mean %q axes = [2] keepdims
    %e0 = graph.constant dense<1.0e-6> : tensor<f32>
    %e = graph.broadcast %e0 shape = [b, m, 1]
    %v = graph.add %q1, %e
    %r = graph.sqrt %v
    %r1 = graph.broadcast %r shape = [b, m, k]
    %0 = graph.div %x, %r1
    %g3 = graph.reshape %g shape = [k, 1]
    %g2 = graph.broadcast %g3 shape = [k, n]
    %w1 = graph.mul %w, %g2
    %1 = graph.matmul %0, %w1
    rule.yield %1
  }
  where [k >= 1]

rule.rule @layer_norm_1e5_gain_into_matmul_batch(%x: [b, m, k], %g: [k], %h: [k], %w: [k, n]) -> [b, m, n]
  source {
    %0 = graph.layer_norm %x, %g, %h axis = 2 epsilon = 1.0e-5
    %1 = graph.matmul %0, %w
    rule.yield %1
  }
  target {
    %g10 = graph.constant dense<1.0> : tensor<f32>
    %g1 = graph.broadcast %g10 shape = [k]
    %0 = graph.layer_norm %x, %g1 axis = 2 epsilon = 1.0e-5
    %g3 = graph.reshape %g shape = [k, 1]
    %g2 = graph.broadcast %g3 shape = [k, n]
    %w1 = graph.mul %w, %g2
    %1 = graph.matmul %0, %w1
    %h0 = graph.reshape %h shape = [1, k]
    %h1 = graph.matmul %h0, %w
    %h2 = graph.broadcast %h1 shape = [b, m, n]
    %2 = graph.add %1, %h2
    rule.yield %2
  }
  where [k >= 1]

rule.rule @gain_into_transposed_matmul(%x: [m, k], %g: [k], %w: [n, k]) -> [m, n]
  source {
    %0 = graph.broadcast %g shape = [m, k]
    %1 = graph.mul %x, %0
    %2 = graph.matmul %1, %w transpose_b
    rule.yield %2
  }
  target {
    %g2 = graph.broadcast %g shape = [n, k]
    %w1 = graph.mul %w, %g2
    %0 = graph.matmul %x, %w1 transpose_b
    rule.yield %0
  }

rule.rule @rms_norm_1e5_gain_into_transposed_matmul(%x: [m, k], %g: [k], %w: [n, k]) -> [m, n]
  source {
    %0 = graph.rms_norm %x, %g axis = 1 epsilon = 1.0e-5
    %1 = graph.matmul %0, %w transpose_b
    rule.yield %1
  }
  target {
    %q = graph.mul %x, %x
    %q1 = graph.reduce_mean %q axes = [1] keepdims
    %e0 = graph.constant dense<1.0e-5> : tensor<f32>
    %e = graph.broadcast %e0 shape = [m, 1]
    %v = graph.add %q1, %e
    %r = graph.sqrt %v
    %r1 = graph.broadcast %r shape = [m, k]
    %0 = graph.div %x, %r1
    %g2 = graph.broadcast %g shape = [n, k]
    %w1 = graph.mul %w, %g2
    %1 = graph.matmul %0, %w1 transpose_b
    rule.yield %1
  }
  where [k >= 1]

rule.rule @rms_norm_1e6_gain_into_transposed_matmul(%x: [m, k], %g: [k], %w: [n, k]) -> [m, n]
  source {
    %0 = graph.rms_norm %x, %g axis = 1 epsilon = 1.0e-6
    %1 = graph.matmul %0, %w transpose_b
    rule.yield %1
  }
  target {
    %q = graph.mul %x, %x
    %q1 = graph.reduce_mean %q axes = [1] keepdims
    %e0 = graph.constant dense<1.0e-6> : tensor<f32>
    %e = graph.broadcast %e0 shape = [m, 1]
    %v = graph.add %q1, %e
    %r = graph.sqrt %v
    %r1 = graph.broadcast %r shape = [m, k]
    %0 = graph.div %x, %r1
    %g2 = graph.broadcast %g shape = [n, k]
    %w1 = graph.mul %w, %g2
    %1 = graph.matmul %0, %w1 transpose_b
    rule.yield %1
  }
  where [k >= 1]

rule.rule @layer_norm_1e5_gain_into_transposed_matmul(%x: [m, k], %g: [k], %h: [k], %w: [n, k]) -> [m, n]
  source {
    %0 = graph.layer_norm %x, %g, %h axis = 1 epsilon = 1.0e-5
    %1 = graph.matmul %0, %w transpose_b
    rule.yield %1
  }
  target {
    %g10 = graph.constant dense<1.0> : tensor<f32>
    %g1 = graph.broadcast %g10 shape = [k]
    %0 = graph.layer_norm %x, %g1 axis = 1 epsilon = 1.0e-5
    %g2 = graph.broadcast %g shape = [n, k]
    %w1 = graph.mul %w, %g2
    %1 = graph.matmul %0, %w1 transpose_b
    %h0 = graph.reshape %h shape = [1, k]
    %h1 = graph.matmul %h0, %w transpose_b
    %h2 = graph.broadcast %h1 shape = [m, n]
    %2 = graph.add %1, %h2
    rule.yield %2
  }
  where [k >= 1]

rule.rule @gain_into_transposed_matmul_batch(%x: [b, m, k], %g: [k], %w: [n, k]) -> [b, m, n]
  source {
    %0 = graph.broadcast %g shape = [b, m, k]
    %1 = graph.mul %x, %0
    %2 = graph.matmul %1, %w transpose_b
    rule.yield %2
  }
  target {
    %g2 = graph.broadcast %g shape = [n, k]
    %w1 = graph.mul %w, %g2
    %0 = graph.matmul %x, %w1 transpose_b
    rule.yield %0
  }

rule.rule @rms_norm_1e5_gain_into_transposed_matmul_batch(%x: [b, m, k], %g: [k], %w: [n, k]) -> [b, m, n]
  source {
    %0 = graph.rms_norm %x, %g axis = 2 epsilon = 1.0e-5
    %1 = graph.matmul %0, %w transpose_b
    rule.yield %1
  }
  target {
    %q = graph.mul %x, %x
    %q1 = graph.reduce_mean %q axes = [2] keepdims
    %e0 = graph.constant dense<1.0e-5> : tensor<f32>
    %e = graph.broadcast %e0 shape = [b, m, 1]
    %v = graph.add %q1, %e
    %r = graph.sqrt %v
    %r1 = graph.broadcast %r shape = [b, m, k]
    %0 = graph.div %x, %r1
    %g2 = graph.broadcast %g shape = [n, k]
    %w1 = graph.mul %w, %g2
    %1 = graph.matmul %0, %w1 transpose_b
    rule.yield %1
  }
  where [k >= 1]

rule.rule @rms_norm_1e6_gain_into_transposed_matmul_batch(%x: [b, m, k], %g: [k], %w: [n, k]) -> [b, m, n]
  source {
    %0 = graph.rms_norm %x, %g axis = 2 epsilon = 1.0e-6
    %1 = graph.matmul %0, %w transpose_b
    rule.yield %1
  }
  target {
    %q = graph.mul %x, %x
    %q1 = graph.reduce_mean %q axes = [2] keepdims
    %e0 = graph.constant dense<1.0e-6> : tensor<f32>
    %e = graph.broadcast %e0 shape = [b, m, 1]
    %v = graph.add %q1, %e
    %r = graph.sqrt %v
    %r1 = graph.broadcast %r shape = [b, m, k]
    %0 = graph.div %x, %r1
    %g2 = graph.broadcast %g shape = [n, k]
    %w1 = graph.mul %w, %g2
    %1 = graph.matmul %0, %w1 transpose_b
    rule.yield %1
  }
  where [k >= 1]

rule.rule @layer_norm_1e5_gain_into_transposed_matmul_batch(%x: [b, m, k], %g: [k], %h: [k], %w: [n, k]) -> [b, m, n]
  source {
    %0 = graph.layer_norm %x, %g, %h axis = 2 epsilon = 1.0e-5
    %1 = graph.matmul %0, %w transpose_b
    rule.yield %1
  }
  target {
    %g10 = graph.constant dense<1.0> : tensor<f32>
    %g1 = graph.broadcast %g10 shape = [k]
    %0 = graph.layer_norm %x, %g1 axis = 2 epsilon = 1.0e-5
    %g2 = graph.broadcast %g shape = [n, k]
    %w1 = graph.mul %w, %g2
    %1 = graph.matmul %0, %w1 transpose_b
    %h0 = graph.reshape %h shape = [1, k]
    %h1 = graph.matmul %h0, %w transpose_b
    %h2 = graph.broadcast %h1 shape = [b, m, n]
    %2 = graph.add %1, %h2
    rule.yield %2
  }
  where [k >= 1]

// 55. One number per row commutes with a product of matrices: the root mean square is
// divided by afterwards.
rule.rule @mul_of_rows_after_matmul(%x: [m, k], %s: [m, 1], %w: [k, n]) -> [m, n]
  source {
    %0 = graph.broadcast %s shape = [m, k]
    %1 = graph.mul %x, %0
    %2 = graph.matmul %1, %w
    rule.yield %2
  }
  target {
    %0 = graph.matmul %x, %w
    %1 = graph.broadcast %s shape = [m, n]
    %2 = graph.mul %0, %1
    rule.yield %2
  }

rule.rule @div_of_rows_after_matmul(%x: [m, k], %s: [m, 1], %w: [k, n]) -> [m, n]
  source {
    %0 = graph.broadcast %s shape = [m, k]
    %1 = graph.div %x, %0
    %2 = graph.matmul %1, %w
    rule.yield %2
  }
  target {
    %0 = graph.matmul %x, %w
    %1 = graph.broadcast %s shape = [m, n]
    %2 = graph.div %0, %1
    rule.yield %2
  }

rule.rule @rms_norm_1e5_after_matmul(%x: [m, k], %g: [k], %w: [k, n]) -> [m, n]
  source {
    %0 = graph.rms_norm %x, %g axis = 1 epsilon = 1.0e-5
    %1 = graph.matmul %0, %w
    rule.yield %1
  }
  target {
    %g3 = graph.reshape %g shape = [k, 1]
    %g2 = graph.broadcast %g3 shape = [k, n]
    %w1 = graph.mul %w, %g2
    %0 = graph.matmul %x, %w1
    %q = graph.mul %x, %x
    %q1 = graph.reduce_mean %q axes = [1] keepdims
    %e0 = graph.constant dense<1.0e-5> : tensor<f32>
    %e = graph.broadcast %e0 shape = [m, 1]
    %t = graph.add %q1, %e
    %r = graph.sqrt %t
    %r1 = graph.broadcast %r shape = [m, n]
    %z = graph.div %0, %r1
    rule.yield %z
  }
  where [k >= 1]

rule.rule @rms_norm_1e6_after_matmul(%x: [m, k], %g: [k], %w: [k, n]) -> [m, n]
  source {
    %0 = graph.rms_norm %x, %g axis = 1 epsilon = 1.0e-6
    %1 = graph.matmul %0, %w
    rule.yield %1
  }
  target {
    %g3 = graph.reshape %g shape = [k, 1]
    %g2 = graph.broadcast %g3 shape = [k, n]
    %w1 = graph.mul %w, %g2
    %0 = graph.matmul %x, %w1
    %q = graph.mul %x, %x
    %q1 = graph.reduce_mean %q axes = [1] keepdims
    %e0 = graph.constant dense<1.0e-6> : tensor<f32>
    %e = graph.broadcast %e0 shape = [m, 1]
    %t = graph.add %q1, %e
    %r = graph.sqrt %t
    %r1 = graph.broadcast %r shape = [m, n]
    %z = graph.div %0, %r1
    rule.yield %z
  }
  where [k >= 1]

rule.rule @mul_of_rows_after_matmul_batch(%x: [b, m, k], %s: [b, m, 1], %w: [k, n]) -> [b, m, n]
  source {
    %0 = graph.broadcast %s shape = [b, m, k]
    %1 = graph.mul %x, %0
    %2 = graph.matmul %1, %w
    rule.yield %2
  }
  target {
    %0 = graph.matmul %x, %w
    %1 = graph.broadcast %s shape = [b, m, n]
    %2 = graph.mul %0, %1
    rule.yield %2
  }

rule.rule @div_of_rows_after_matmul_batch(%x: [b, m, k], %s: [b, m, 1], %w: [k, n]) -> [b, m, n]
  source {
    %0 = graph.broadcast %s shape = [b, m, k]
    %1 = graph.div %x, %0
    %2 = graph.matmul %1, %w
    rule.yield %2
  }
  target {
    %0 = graph.matmul %x, %w
    %1 = graph.broadcast %s shape = [b, m, n]
    %2 = graph.div %0, %1
    rule.yield %2
  }

rule.rule @rms_norm_1e5_after_matmul_batch(%x: [b, m, k], %g: [k], %w: [k, n]) -> [b, m, n]
  source {
    %0 = graph.rms_norm %x, %g axis = 2 epsilon = 1.0e-5
    %1 = graph.matmul %0, %w
    rule.yield %1
  }
  target {
    %g3 = graph.reshape %g shape = [k, 1]
    %g2 = graph.broadcast %g3 shape = [k, n]
    %w1 = graph.mul %w, %g2
    %0 = graph.matmul %x, %w1
    %q = graph.mul %x, %x
    %q1 = graph.reduce_mean %q axes = [2] keepdims
    %e0 = graph.constant dense<1.0e-5> : tensor<f32>
    %e = graph.broadcast %e0 shape = [b, m, 1]
    %t = graph.add %q1, %e
    %r = graph.sqrt %t
    %r1 = graph.broadcast %r shape = [b, m, n]
    %z = graph.div %0, %r1
    rule.yield %z
  }
  where [k >= 1]

rule.rule @rms_norm_1e6_after_matmul_batch(%x: [b, m, k], %g: [k], %w: [k, n]) -> [b, m, n]
  source {
    %0 = graph.rms_norm %x, %g axis = 2 epsilon = 1.0e-6
    %1 = graph.matmul %0, %w
    rule.yield %1
  }
  target {
    %g3 = graph.reshape %g shape = [k, 1]
    %g2 = graph.broadcast %g3 shape = [k, n]
    %w1 = graph.mul %w, %g2
    %0 = graph.matmul %x, %w1
    %q = graph.mul %x, %x
    %q1 = graph.reduce_mean %q axes = [2] keepdims
    %e0 = graph.constant dense<1.0e-6> : tensor<f32>
    %e = graph.broadcast %e0 shape = [b, m, 1]
    %t = graph.add %q1, %e
    %r = graph.sqrt %t
    %r1 = graph.broadcast %r shape = [b, m, n]
    %z = graph.div %0, %r1
    rule.yield %z
  }
  where [k >= 1]

// 56. What is added to all elements along the axis does not change a softmax.
rule.rule @softmax_of_add_column(%x: [m, k], %c: [m, 1]) -> [m, k]
  source {
    %0 = graph.broadcast %c shape = [m, k]
    %1 = graph.add %x, %0
    %2 = graph.softmax %1 axis = 1
    rule.yield %2
  }
  target {
    %0 = graph.softmax %x axis = 1
    rule.yield %0
  }

rule.rule @softmax_of_sub_column(%x: [m, k], %c: [m, 1]) -> [m, k]
  source {
    %0 = graph.broadcast %c shape = [m, k]
    %1 = graph.sub %x, %0
    %2 = graph.softmax %1 axis = 1
    rule.yield %2
  }
  target {
    %0 = graph.softmax %x axis = 1
    rule.yield %0
  }

rule.rule @log_softmax_of_add_column(%x: [m, k], %c: [m, 1]) -> [m, k]
  source {
    %0 = graph.broadcast %c shape = [m, k]
    %1 = graph.add %x, %0
    %2 = graph.log_softmax %1 axis = 1
    rule.yield %2
  }
  target {
    %0 = graph.log_softmax %x axis = 1
    rule.yield %0
  }

rule.rule @log_softmax_of_sub_column(%x: [m, k], %c: [m, 1]) -> [m, k]
  source {
    %0 = graph.broadcast %c shape = [m, k]
    %1 = graph.sub %x, %0
    %2 = graph.log_softmax %1 axis = 1
    rule.yield %2
  }
  target {
    %0 = graph.log_softmax %x axis = 1
    rule.yield %0
  }

rule.rule @softmax_of_add_number(%x: [m, k], %c: []) -> [m, k]
  source {
    %0 = graph.broadcast %c shape = [m, k]
    %1 = graph.add %x, %0
    %2 = graph.softmax %1 axis = 1
    rule.yield %2
  }
  target {
    %0 = graph.softmax %x axis = 1
    rule.yield %0
  }

rule.rule @log_softmax_of_add_number(%x: [m, k], %c: []) -> [m, k]
  source {
    %0 = graph.broadcast %c shape = [m, k]
    %1 = graph.add %x, %0
    %2 = graph.log_softmax %1 axis = 1
    rule.yield %2
  }
  target {
    %0 = graph.log_softmax %x axis = 1
    rule.yield %0
  }

rule.rule @softmax_of_add_row(%x: [m, k], %c: [k]) -> [m, k]
  source {
    %0 = graph.broadcast %c shape = [m, k]
    %1 = graph.add %x, %0
    %2 = graph.softmax %1 axis = 0
    rule.yield %2
  }
  target {
    %0 = graph.softmax %x axis = 0
    rule.yield %0
  }

rule.rule @log_softmax_of_add_row(%x: [m, k], %c: [k]) -> [m, k]
  source {
    %0 = graph.broadcast %c shape = [m, k]
    %1 = graph.add %x, %0
    %2 = graph.log_softmax %1 axis = 0
    rule.yield %2
  }
  target {
    %0 = graph.log_softmax %x axis = 0
    rule.yield %0
  }

rule.rule @softmax_of_add_scores(%x: [b, h, s, t], %c: [b, h, s, 1]) -> [b, h, s, t]
  source {
    %0 = graph.broadcast %c shape = [b, h, s, t]
    %1 = graph.add %x, %0
    %2 = graph.softmax %1 axis = 3
    rule.yield %2
  }
  target {
    %0 = graph.softmax %x axis = 3
    rule.yield %0
  }

rule.rule @softmax_of_sub_scores(%x: [b, h, s, t], %c: [b, h, s, 1]) -> [b, h, s, t]
  source {
    %0 = graph.broadcast %c shape = [b, h, s, t]
    %1 = graph.sub %x, %0
    %2 = graph.softmax %1 axis = 3
    rule.yield %2
  }
  target {
    %0 = graph.softmax %x axis = 3
    rule.yield %0
  }

rule.rule @log_softmax_of_add_scores(%x: [b, h, s, t], %c: [b, h, s, 1]) -> [b, h, s, t]
  source {
    %0 = graph.broadcast %c shape = [b, h, s, t]
    %1 = graph.add %x, %0
    %2 = graph.log_softmax %1 axis = 3
    rule.yield %2
  }
  target {
    %0 = graph.log_softmax %x axis = 3
    rule.yield %0
  }

rule.rule @log_softmax_of_sub_scores(%x: [b, h, s, t], %c: [b, h, s, 1]) -> [b, h, s, t]
  source {
    %0 = graph.broadcast %c shape = [b, h, s, t]
    %1 = graph.sub %x, %0
    %2 = graph.log_softmax %1 axis = 3
    rule.yield %2
  }
  target {
    %0 = graph.log_softmax %x axis = 3
    rule.yield %0
  }

// A softmax that was written without its maximum.
rule.rule @softmax_without_maximum(%x: [m, k]) -> [m, k]
  source {
    %0 = graph.exp %x
    %1 = graph.reduce_sum %0 axes = [1] keepdims
    %2 = graph.broadcast %1 shape = [m, k]
    %3 = graph.div %0, %2
    rule.yield %3
  }
  target {
    %0 = graph.softmax %x axis = 1
    rule.yield %0
  }

rule.rule @softmax_with_own_maximum(%x: [m, k]) -> [m, k]
  source {
    %0 = graph.reduce_max %x axes = [1] keepdims
    %1 = graph.broadcast %0 shape = [m, k]
    %2 = graph.sub %x, %1
    %3 = graph.exp %2
    %4 = graph.reduce_sum %3 axes = [1] keepdims
    %5 = graph.broadcast %4 shape = [m, k]
    %6 = graph.div %3, %5
    rule.yield %6
  }
  target {
    %0 = graph.softmax %x axis = 1
    rule.yield %0
  }

rule.rule @log_of_softmax(%x: [m, k]) -> [m, k]
  source {
    %0 = graph.softmax %x axis = 1
    %1 = graph.log %0
    rule.yield %1
  }
  target {
    %0 = graph.log_softmax %x axis = 1
    rule.yield %0
  }

rule.rule @softmax_without_maximum_of_scores(%x: [b, h, s, t]) -> [b, h, s, t]
  source {
    %0 = graph.exp %x
    %1 = graph.reduce_sum %0 axes = [3] keepdims
    %2 = graph.broadcast %1 shape = [b, h, s, t]
    %3 = graph.div %0, %2
    rule.yield %3
  }
  target {
    %0 = graph.softmax %x axis = 3
    rule.yield %0
  }

rule.rule @softmax_with_own_maximum_of_scores(%x: [b, h, s, t]) -> [b, h, s, t]
  source {
    %0 = graph.reduce_max %x axes = [3] keepdims
    %1 = graph.broadcast %0 shape = [b, h, s, t]
    %2 = graph.sub %x, %1
    %3 = graph.exp %2
    %4 = graph.reduce_sum %3 axes = [3] keepdims
    %5 = graph.broadcast %4 shape = [b, h, s, t]
    %6 = graph.div %3, %5
    rule.yield %6
  }
  target {
    %0 = graph.softmax %x axis = 3
    rule.yield %0
  }

rule.rule @log_of_softmax_of_scores(%x: [b, h, s, t]) -> [b, h, s, t]
  source {
    %0 = graph.softmax %x axis = 3
    %1 = graph.log %0
    rule.yield %1
  }
  target {
    %0 = graph.log_softmax %x axis = 3
    rule.yield %0
  }

// 56. The division of a softmax, after the product with the values: it divides rows of
// the result, not of the scores.
rule.rule @divide_after_values(%x: [s, t], %v: [t, e]) -> [s, e]
  source {
    %0 = graph.softmax %x axis = 1
    %1 = graph.matmul %0, %v
    rule.yield %1
  }
  target {
    %0 = graph.reduce_max %x axes = [1] keepdims
    %1 = graph.broadcast %0 shape = [s, t]
    %2 = graph.sub %x, %1
    %3 = graph.exp %2
    %4 = graph.matmul %3, %v
    %5 = graph.reduce_sum %3 axes = [1] keepdims
    %6 = graph.broadcast %5 shape = [s, e]
    %7 = graph.div %4, %6
    rule.yield %7
  }
  where [t >= 1]

rule.rule @divide_after_values_of_heads(%x: [b, h, s, t], %v: [b, h, t, e]) -> [b, h, s, e]
  source {
    %0 = graph.softmax %x axis = 3
    %1 = graph.matmul %0, %v
    rule.yield %1
  }
  target {
    %0 = graph.reduce_max %x axes = [3] keepdims
    %1 = graph.broadcast %0 shape = [b, h, s, t]
    %2 = graph.sub %x, %1
    %3 = graph.exp %2
    %4 = graph.matmul %3, %v
    %5 = graph.reduce_sum %3 axes = [3] keepdims
    %6 = graph.broadcast %5 shape = [b, h, s, e]
    %7 = graph.div %4, %6
    rule.yield %7
  }
  where [t >= 1]
