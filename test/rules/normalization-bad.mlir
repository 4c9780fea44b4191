// Negative tests for rules/normalization.mlir: each must be refuted.
// RUN: not tenon-rules prove %s 2>/dev/null | FileCheck %s
// REQUIRES: z3

!xf = tensor<?x?x?x?xf32, #graph.dims<b, c, h, w>>
!xl = tensor<?x?x?x?xf32, #graph.dims<b, h, w, c>>
!f = tensor<?x?x?x?xf32, #graph.dims<o, c floordiv g, r, t>>
!yf = tensor<?x?x?x?xf32, #graph.dims<b, o, (h + p0 + p2 - d0 * (r - 1) - 1) floordiv s0 + 1, (w + p1 + p3 - d1 * (t - 1) - 1) floordiv s1 + 1>>
!yl = tensor<?x?x?x?xf32, #graph.dims<b, (h + p0 + p2 - d0 * (r - 1) - 1) floordiv s0 + 1, (w + p1 + p3 - d1 * (t - 1) - 1) floordiv s1 + 1, o>>
!f1 = tensor<?x?x?x?xf32, #graph.dims<o, c, r, t>>

!o = tensor<?xf32, #graph.dims<o>>
!scalar = tensor<f32>
!o111 = tensor<?x1x1x1xf32, #graph.dims<o, 1, 1, 1>>
!o11 = tensor<?x1x1xf32, #graph.dims<o, 1, 1>>
// CHECK: refuted batch_norm_1e5_into_conv_first_mean_unscaled
rule.rule @batch_norm_1e5_into_conv_first_mean_unscaled(%x: !xf, %f: !f, %scale: [o], %bias: [o], %mean: [o], %var: [o]) -> !yf
  source {
    %0 = graph.conv %x, %f strides = [s0, s1] pads = [p0, p1, p2, p3] dilations = [d0, d1] groups = g channels_first : (!xf, !f) -> !yf
    %z = graph.batch_norm %0, %scale, %bias, %mean, %var axis = 1 epsilon = 1.0e-5 : (!yf, !o, !o, !o, !o) -> !yf
    rule.yield %z : !yf
  }
  target {
    %e0 = graph.constant dense<1.0e-5> : tensor<f32>
    %e = graph.broadcast %e0 shape = [o] : (!scalar) -> !o
    %v = graph.add %var, %e : !o
    %d = graph.sqrt %v : !o
    %s = graph.div %scale, %d : !o
    %s1 = graph.reshape %s shape = [o, 1, 1, 1] : (!o) -> !o111
    %s2 = graph.broadcast %s1 shape = [o, c floordiv g, r, t] : (!o111) -> !f
    %f1 = graph.mul %f, %s2 : !f
    %ms = graph.mul %mean, %s : !o
    %k = graph.sub %bias, %mean : !o
    %y = graph.conv %x, %f1 strides = [s0, s1] pads = [p0, p1, p2, p3] dilations = [d0, d1] groups = g channels_first : (!xf, !f) -> !yf
    %k1 = graph.reshape %k shape = [o, 1, 1] : (!o) -> !o11
    %k2 = graph.broadcast %k1 shape = [b, o, (h + p0 + p2 - d0 * (r - 1) - 1) floordiv s0 + 1, (w + p1 + p3 - d1 * (t - 1) - 1) floordiv s1 + 1] : (!o11) -> !yf
    %z = graph.add %y, %k2 : !yf
    rule.yield %z : !yf
  }

// CHECK: refuted batch_norm_1e5_into_conv_first_bias_scaled
rule.rule @batch_norm_1e5_into_conv_first_bias_scaled(%x: !xf, %f: !f, %scale: [o], %bias: [o], %mean: [o], %var: [o]) -> !yf
  source {
    %0 = graph.conv %x, %f strides = [s0, s1] pads = [p0, p1, p2, p3] dilations = [d0, d1] groups = g channels_first : (!xf, !f) -> !yf
    %z = graph.batch_norm %0, %scale, %bias, %mean, %var axis = 1 epsilon = 1.0e-5 : (!yf, !o, !o, !o, !o) -> !yf
    rule.yield %z : !yf
  }
  target {
    %e0 = graph.constant dense<1.0e-5> : tensor<f32>
    %e = graph.broadcast %e0 shape = [o] : (!scalar) -> !o
    %v = graph.add %var, %e : !o
    %d = graph.sqrt %v : !o
    %s = graph.div %scale, %d : !o
    %s1 = graph.reshape %s shape = [o, 1, 1, 1] : (!o) -> !o111
    %s2 = graph.broadcast %s1 shape = [o, c floordiv g, r, t] : (!o111) -> !f
    %f1 = graph.mul %f, %s2 : !f
    %ms = graph.mul %mean, %s : !o
    %bs = graph.mul %bias, %s : !o
    %k = graph.sub %bs, %ms : !o
    %y = graph.conv %x, %f1 strides = [s0, s1] pads = [p0, p1, p2, p3] dilations = [d0, d1] groups = g channels_first : (!xf, !f) -> !yf
    %k1 = graph.reshape %k shape = [o, 1, 1] : (!o) -> !o11
    %k2 = graph.broadcast %k1 shape = [b, o, (h + p0 + p2 - d0 * (r - 1) - 1) floordiv s0 + 1, (w + p1 + p3 - d1 * (t - 1) - 1) floordiv s1 + 1] : (!o11) -> !yf
    %z = graph.add %y, %k2 : !yf
    rule.yield %z : !yf
  }

// CHECK: refuted batch_norm_1e5_into_conv_first_by_variance
rule.rule @batch_norm_1e5_into_conv_first_by_variance(%x: !xf, %f: !f, %scale: [o], %bias: [o], %mean: [o], %var: [o]) -> !yf
  source {
    %0 = graph.conv %x, %f strides = [s0, s1] pads = [p0, p1, p2, p3] dilations = [d0, d1] groups = g channels_first : (!xf, !f) -> !yf
    %z = graph.batch_norm %0, %scale, %bias, %mean, %var axis = 1 epsilon = 1.0e-5 : (!yf, !o, !o, !o, !o) -> !yf
    rule.yield %z : !yf
  }
  target {
    %e0 = graph.constant dense<1.0e-5> : tensor<f32>
    %e = graph.broadcast %e0 shape = [o] : (!scalar) -> !o
    %v = graph.add %var, %e : !o
    %d = graph.sqrt %v : !o
    %s = graph.div %scale, %v : !o
    %s1 = graph.reshape %s shape = [o, 1, 1, 1] : (!o) -> !o111
    %s2 = graph.broadcast %s1 shape = [o, c floordiv g, r, t] : (!o111) -> !f
    %f1 = graph.mul %f, %s2 : !f
    %ms = graph.mul %mean, %s : !o
    %k = graph.sub %bias, %ms : !o
    %y = graph.conv %x, %f1 strides = [s0, s1] pads = [p0, p1, p2, p3] dilations = [d0, d1] groups = g channels_first : (!xf, !f) -> !yf
    %k1 = graph.reshape %k shape = [o, 1, 1] : (!o) -> !o11
    %k2 = graph.broadcast %k1 shape = [b, o, (h + p0 + p2 - d0 * (r - 1) - 1) floordiv s0 + 1, (w + p1 + p3 - d1 * (t - 1) - 1) floordiv s1 + 1] : (!o11) -> !yf
    %z = graph.add %y, %k2 : !yf
    rule.yield %z : !yf
  }

// CHECK: refuted batch_norm_1e5_into_conv_first_with_bias_mean_unscaled
rule.rule @batch_norm_1e5_into_conv_first_with_bias_mean_unscaled(%x: !xf, %f: !f, %a: [o], %scale: [o], %bias: [o], %mean: [o], %var: [o]) -> !yf
  source {
    %0 = graph.conv %x, %f strides = [s0, s1] pads = [p0, p1, p2, p3] dilations = [d0, d1] groups = g channels_first : (!xf, !f) -> !yf
    %a1 = graph.reshape %a shape = [o, 1, 1] : (!o) -> !o11
    %a2 = graph.broadcast %a1 shape = [b, o, (h + p0 + p2 - d0 * (r - 1) - 1) floordiv s0 + 1, (w + p1 + p3 - d1 * (t - 1) - 1) floordiv s1 + 1] : (!o11) -> !yf
    %1 = graph.add %0, %a2 : !yf
    %z = graph.batch_norm %1, %scale, %bias, %mean, %var axis = 1 epsilon = 1.0e-5 : (!yf, !o, !o, !o, !o) -> !yf
    rule.yield %z : !yf
  }
  target {
    %e0 = graph.constant dense<1.0e-5> : tensor<f32>
    %e = graph.broadcast %e0 shape = [o] : (!scalar) -> !o
    %v = graph.add %var, %e : !o
    %d = graph.sqrt %v : !o
    %s = graph.div %scale, %d : !o
    %s1 = graph.reshape %s shape = [o, 1, 1, 1] : (!o) -> !o111
    %s2 = graph.broadcast %s1 shape = [o, c floordiv g, r, t] : (!o111) -> !f
    %f1 = graph.mul %f, %s2 : !f
    %m = graph.sub %a, %mean : !o
    %ms = graph.mul %m, %s : !o
    %k = graph.add %m, %bias : !o
    %y = graph.conv %x, %f1 strides = [s0, s1] pads = [p0, p1, p2, p3] dilations = [d0, d1] groups = g channels_first : (!xf, !f) -> !yf
    %k1 = graph.reshape %k shape = [o, 1, 1] : (!o) -> !o11
    %k2 = graph.broadcast %k1 shape = [b, o, (h + p0 + p2 - d0 * (r - 1) - 1) floordiv s0 + 1, (w + p1 + p3 - d1 * (t - 1) - 1) floordiv s1 + 1] : (!o11) -> !yf
    %z = graph.add %y, %k2 : !yf
    rule.yield %z : !yf
  }

// CHECK: refuted batch_norm_1e5_into_conv_first_with_bias_bias_scaled
rule.rule @batch_norm_1e5_into_conv_first_with_bias_bias_scaled(%x: !xf, %f: !f, %a: [o], %scale: [o], %bias: [o], %mean: [o], %var: [o]) -> !yf
  source {
    %0 = graph.conv %x, %f strides = [s0, s1] pads = [p0, p1, p2, p3] dilations = [d0, d1] groups = g channels_first : (!xf, !f) -> !yf
    %a1 = graph.reshape %a shape = [o, 1, 1] : (!o) -> !o11
    %a2 = graph.broadcast %a1 shape = [b, o, (h + p0 + p2 - d0 * (r - 1) - 1) floordiv s0 + 1, (w + p1 + p3 - d1 * (t - 1) - 1) floordiv s1 + 1] : (!o11) -> !yf
    %1 = graph.add %0, %a2 : !yf
    %z = graph.batch_norm %1, %scale, %bias, %mean, %var axis = 1 epsilon = 1.0e-5 : (!yf, !o, !o, !o, !o) -> !yf
    rule.yield %z : !yf
  }
  target {
    %e0 = graph.constant dense<1.0e-5> : tensor<f32>
    %e = graph.broadcast %e0 shape = [o] : (!scalar) -> !o
    %v = graph.add %var, %e : !o
    %d = graph.sqrt %v : !o
    %s = graph.div %scale, %d : !o
    %s1 = graph.reshape %s shape = [o, 1, 1, 1] : (!o) -> !o111
    %s2 = graph.broadcast %s1 shape = [o, c floordiv g, r, t] : (!o111) -> !f
    %f1 = graph.mul %f, %s2 : !f
    %m = graph.sub %mean, %a : !o
    %ms = graph.mul %m, %s : !o
    %k = graph.add %ms, %bias : !o
    %y = graph.conv %x, %f1 strides = [s0, s1] pads = [p0, p1, p2, p3] dilations = [d0, d1] groups = g channels_first : (!xf, !f) -> !yf
    %k1 = graph.reshape %k shape = [o, 1, 1] : (!o) -> !o11
    %k2 = graph.broadcast %k1 shape = [b, o, (h + p0 + p2 - d0 * (r - 1) - 1) floordiv s0 + 1, (w + p1 + p3 - d1 * (t - 1) - 1) floordiv s1 + 1] : (!o11) -> !yf
    %z = graph.add %y, %k2 : !yf
    rule.yield %z : !yf
  }

// CHECK: refuted batch_norm_1e5_into_conv_first_with_bias_by_variance
rule.rule @batch_norm_1e5_into_conv_first_with_bias_by_variance(%x: !xf, %f: !f, %a: [o], %scale: [o], %bias: [o], %mean: [o], %var: [o]) -> !yf
  source {
    %0 = graph.conv %x, %f strides = [s0, s1] pads = [p0, p1, p2, p3] dilations = [d0, d1] groups = g channels_first : (!xf, !f) -> !yf
    %a1 = graph.reshape %a shape = [o, 1, 1] : (!o) -> !o11
    %a2 = graph.broadcast %a1 shape = [b, o, (h + p0 + p2 - d0 * (r - 1) - 1) floordiv s0 + 1, (w + p1 + p3 - d1 * (t - 1) - 1) floordiv s1 + 1] : (!o11) -> !yf
    %1 = graph.add %0, %a2 : !yf
    %z = graph.batch_norm %1, %scale, %bias, %mean, %var axis = 1 epsilon = 1.0e-5 : (!yf, !o, !o, !o, !o) -> !yf
    rule.yield %z : !yf
  }
  target {
    %e0 = graph.constant dense<1.0e-5> : tensor<f32>
    %e = graph.broadcast %e0 shape = [o] : (!scalar) -> !o
    %v = graph.add %var, %e : !o
    %d = graph.sqrt %v : !o
    %s = graph.div %scale, %v : !o
    %s1 = graph.reshape %s shape = [o, 1, 1, 1] : (!o) -> !o111
    %s2 = graph.broadcast %s1 shape = [o, c floordiv g, r, t] : (!o111) -> !f
    %f1 = graph.mul %f, %s2 : !f
    %m = graph.sub %a, %mean : !o
    %ms = graph.mul %m, %s : !o
    %k = graph.add %ms, %bias : !o
    %y = graph.conv %x, %f1 strides = [s0, s1] pads = [p0, p1, p2, p3] dilations = [d0, d1] groups = g channels_first : (!xf, !f) -> !yf
    %k1 = graph.reshape %k shape = [o, 1, 1] : (!o) -> !o11
    %k2 = graph.broadcast %k1 shape = [b, o, (h + p0 + p2 - d0 * (r - 1) - 1) floordiv s0 + 1, (w + p1 + p3 - d1 * (t - 1) - 1) floordiv s1 + 1] : (!o11) -> !yf
    %z = graph.add %y, %k2 : !yf
    rule.yield %z : !yf
  }

// CHECK: refuted batch_norm_1e3_into_conv_first_mean_unscaled
rule.rule @batch_norm_1e3_into_conv_first_mean_unscaled(%x: !xf, %f: !f, %scale: [o], %bias: [o], %mean: [o], %var: [o]) -> !yf
  source {
    %0 = graph.conv %x, %f strides = [s0, s1] pads = [p0, p1, p2, p3] dilations = [d0, d1] groups = g channels_first : (!xf, !f) -> !yf
    %z = graph.batch_norm %0, %scale, %bias, %mean, %var axis = 1 epsilon = 1.0e-3 : (!yf, !o, !o, !o, !o) -> !yf
    rule.yield %z : !yf
  }
  target {
    %e0 = graph.constant dense<1.0e-3> : tensor<f32>
    %e = graph.broadcast %e0 shape = [o] : (!scalar) -> !o
    %v = graph.add %var, %e : !o
    %d = graph.sqrt %v : !o
    %s = graph.div %scale, %d : !o
    %s1 = graph.reshape %s shape = [o, 1, 1, 1] : (!o) -> !o111
    %s2 = graph.broadcast %s1 shape = [o, c floordiv g, r, t] : (!o111) -> !f
    %f1 = graph.mul %f, %s2 : !f
    %ms = graph.mul %mean, %s : !o
    %k = graph.sub %bias, %mean : !o
    %y = graph.conv %x, %f1 strides = [s0, s1] pads = [p0, p1, p2, p3] dilations = [d0, d1] groups = g channels_first : (!xf, !f) -> !yf
    %k1 = graph.reshape %k shape = [o, 1, 1] : (!o) -> !o11
    %k2 = graph.broadcast %k1 shape = [b, o, (h + p0 + p2 - d0 * (r - 1) - 1) floordiv s0 + 1, (w + p1 + p3 - d1 * (t - 1) - 1) floordiv s1 + 1] : (!o11) -> !yf
    %z = graph.add %y, %k2 : !yf
    rule.yield %z : !yf
  }

// CHECK: refuted batch_norm_1e3_into_conv_first_bias_scaled
rule.rule @batch_norm_1e3_into_conv_first_bias_scaled(%x: !xf, %f: !f, %scale: [o], %bias: [o], %mean: [o], %var: [o]) -> !yf
  source {
    %0 = graph.conv %x, %f strides = [s0, s1] pads = [p0, p1, p2, p3] dilations = [d0, d1] groups = g channels_first : (!xf, !f) -> !yf
    %z = graph.batch_norm %0, %scale, %bias, %mean, %var axis = 1 epsilon = 1.0e-3 : (!yf, !o, !o, !o, !o) -> !yf
    rule.yield %z : !yf
  }
  target {
    %e0 = graph.constant dense<1.0e-3> : tensor<f32>
    %e = graph.broadcast %e0 shape = [o] : (!scalar) -> !o
    %v = graph.add %var, %e : !o
    %d = graph.sqrt %v : !o
    %s = graph.div %scale, %d : !o
    %s1 = graph.reshape %s shape = [o, 1, 1, 1] : (!o) -> !o111
    %s2 = graph.broadcast %s1 shape = [o, c floordiv g, r, t] : (!o111) -> !f
    %f1 = graph.mul %f, %s2 : !f
    %ms = graph.mul %mean, %s : !o
    %bs = graph.mul %bias, %s : !o
    %k = graph.sub %bs, %ms : !o
    %y = graph.conv %x, %f1 strides = [s0, s1] pads = [p0, p1, p2, p3] dilations = [d0, d1] groups = g channels_first : (!xf, !f) -> !yf
    %k1 = graph.reshape %k shape = [o, 1, 1] : (!o) -> !o11
    %k2 = graph.broadcast %k1 shape = [b, o, (h + p0 + p2 - d0 * (r - 1) - 1) floordiv s0 + 1, (w + p1 + p3 - d1 * (t - 1) - 1) floordiv s1 + 1] : (!o11) -> !yf
    %z = graph.add %y, %k2 : !yf
    rule.yield %z : !yf
  }

// CHECK: refuted batch_norm_1e3_into_conv_first_by_variance
rule.rule @batch_norm_1e3_into_conv_first_by_variance(%x: !xf, %f: !f, %scale: [o], %bias: [o], %mean: [o], %var: [o]) -> !yf
  source {
    %0 = graph.conv %x, %f strides = [s0, s1] pads = [p0, p1, p2, p3] dilations = [d0, d1] groups = g channels_first : (!xf, !f) -> !yf
    %z = graph.batch_norm %0, %scale, %bias, %mean, %var axis = 1 epsilon = 1.0e-3 : (!yf, !o, !o, !o, !o) -> !yf
    rule.yield %z : !yf
  }
  target {
    %e0 = graph.constant dense<1.0e-3> : tensor<f32>
    %e = graph.broadcast %e0 shape = [o] : (!scalar) -> !o
    %v = graph.add %var, %e : !o
    %d = graph.sqrt %v : !o
    %s = graph.div %scale, %v : !o
    %s1 = graph.reshape %s shape = [o, 1, 1, 1] : (!o) -> !o111
    %s2 = graph.broadcast %s1 shape = [o, c floordiv g, r, t] : (!o111) -> !f
    %f1 = graph.mul %f, %s2 : !f
    %ms = graph.mul %mean, %s : !o
    %k = graph.sub %bias, %ms : !o
    %y = graph.conv %x, %f1 strides = [s0, s1] pads = [p0, p1, p2, p3] dilations = [d0, d1] groups = g channels_first : (!xf, !f) -> !yf
    %k1 = graph.reshape %k shape = [o, 1, 1] : (!o) -> !o11
    %k2 = graph.broadcast %k1 shape = [b, o, (h + p0 + p2 - d0 * (r - 1) - 1) floordiv s0 + 1, (w + p1 + p3 - d1 * (t - 1) - 1) floordiv s1 + 1] : (!o11) -> !yf
    %z = graph.add %y, %k2 : !yf
    rule.yield %z : !yf
  }

// CHECK: refuted batch_norm_1e3_into_conv_first_with_bias_mean_unscaled
rule.rule @batch_norm_1e3_into_conv_first_with_bias_mean_unscaled(%x: !xf, %f: !f, %a: [o], %scale: [o], %bias: [o], %mean: [o], %var: [o]) -> !yf
  source {
    %0 = graph.conv %x, %f strides = [s0, s1] pads = [p0, p1, p2, p3] dilations = [d0, d1] groups = g channels_first : (!xf, !f) -> !yf
    %a1 = graph.reshape %a shape = [o, 1, 1] : (!o) -> !o11
    %a2 = graph.broadcast %a1 shape = [b, o, (h + p0 + p2 - d0 * (r - 1) - 1) floordiv s0 + 1, (w + p1 + p3 - d1 * (t - 1) - 1) floordiv s1 + 1] : (!o11) -> !yf
    %1 = graph.add %0, %a2 : !yf
    %z = graph.batch_norm %1, %scale, %bias, %mean, %var axis = 1 epsilon = 1.0e-3 : (!yf, !o, !o, !o, !o) -> !yf
    rule.yield %z : !yf
  }
  target {
    %e0 = graph.constant dense<1.0e-3> : tensor<f32>
    %e = graph.broadcast %e0 shape = [o] : (!scalar) -> !o
    %v = graph.add %var, %e : !o
    %d = graph.sqrt %v : !o
    %s = graph.div %scale, %d : !o
    %s1 = graph.reshape %s shape = [o, 1, 1, 1] : (!o) -> !o111
    %s2 = graph.broadcast %s1 shape = [o, c floordiv g, r, t] : (!o111) -> !f
    %f1 = graph.mul %f, %s2 : !f
    %m = graph.sub %a, %mean : !o
    %ms = graph.mul %m, %s : !o
    %k = graph.add %m, %bias : !o
    %y = graph.conv %x, %f1 strides = [s0, s1] pads = [p0, p1, p2, p3] dilations = [d0, d1] groups = g channels_first : (!xf, !f) -> !yf
    %k1 = graph.reshape %k shape = [o, 1, 1] : (!o) -> !o11
    %k2 = graph.broadcast %k1 shape = [b, o, (h + p0 + p2 - d0 * (r - 1) - 1) floordiv s0 + 1, (w + p1 + p3 - d1 * (t - 1) - 1) floordiv s1 + 1] : (!o11) -> !yf
    %z = graph.add %y, %k2 : !yf
    rule.yield %z : !yf
  }

// CHECK: refuted batch_norm_1e3_into_conv_first_with_bias_bias_scaled
rule.rule @batch_norm_1e3_into_conv_first_with_bias_bias_scaled(%x: !xf, %f: !f, %a: [o], %scale: [o], %bias: [o], %mean: [o], %var: [o]) -> !yf
  source {
    %0 = graph.conv %x, %f strides = [s0, s1] pads = [p0, p1, p2, p3] dilations = [d0, d1] groups = g channels_first : (!xf, !f) -> !yf
    %a1 = graph.reshape %a shape = [o, 1, 1] : (!o) -> !o11
    %a2 = graph.broadcast %a1 shape = [b, o, (h + p0 + p2 - d0 * (r - 1) - 1) floordiv s0 + 1, (w + p1 + p3 - d1 * (t - 1) - 1) floordiv s1 + 1] : (!o11) -> !yf
    %1 = graph.add %0, %a2 : !yf
    %z = graph.batch_norm %1, %scale, %bias, %mean, %var axis = 1 epsilon = 1.0e-3 : (!yf, !o, !o, !o, !o) -> !yf
    rule.yield %z : !yf
  }
  target {
    %e0 = graph.constant dense<1.0e-3> : tensor<f32>
    %e = graph.broadcast %e0 shape = [o] : (!scalar) -> !o
    %v = graph.add %var, %e : !o
    %d = graph.sqrt %v : !o
    %s = graph.div %scale, %d : !o
    %s1 = graph.reshape %s shape = [o, 1, 1, 1] : (!o) -> !o111
    %s2 = graph.broadcast %s1 shape = [o, c floordiv g, r, t] : (!o111) -> !f
    %f1 = graph.mul %f, %s2 : !f
    %m = graph.sub %mean, %a : !o
    %ms = graph.mul %m, %s : !o
    %k = graph.add %ms, %bias : !o
    %y = graph.conv %x, %f1 strides = [s0, s1] pads = [p0, p1, p2, p3] dilations = [d0, d1] groups = g channels_first : (!xf, !f) -> !yf
    %k1 = graph.reshape %k shape = [o, 1, 1] : (!o) -> !o11
    %k2 = graph.broadcast %k1 shape = [b, o, (h + p0 + p2 - d0 * (r - 1) - 1) floordiv s0 + 1, (w + p1 + p3 - d1 * (t - 1) - 1) floordiv s1 + 1] : (!o11) -> !yf
    %z = graph.add %y, %k2 : !yf
    rule.yield %z : !yf
  }

// CHECK: refuted batch_norm_1e3_into_conv_first_with_bias_by_variance
rule.rule @batch_norm_1e3_into_conv_first_with_bias_by_variance(%x: !xf, %f: !f, %a: [o], %scale: [o], %bias: [o], %mean: [o], %var: [o]) -> !yf
  source {
    %0 = graph.conv %x, %f strides = [s0, s1] pads = [p0, p1, p2, p3] dilations = [d0, d1] groups = g channels_first : (!xf, !f) -> !yf
    %a1 = graph.reshape %a shape = [o, 1, 1] : (!o) -> !o11
    %a2 = graph.broadcast %a1 shape = [b, o, (h + p0 + p2 - d0 * (r - 1) - 1) floordiv s0 + 1, (w + p1 + p3 - d1 * (t - 1) - 1) floordiv s1 + 1] : (!o11) -> !yf
    %1 = graph.add %0, %a2 : !yf
    %z = graph.batch_norm %1, %scale, %bias, %mean, %var axis = 1 epsilon = 1.0e-3 : (!yf, !o, !o, !o, !o) -> !yf
    rule.yield %z : !yf
  }
  target {
    %e0 = graph.constant dense<1.0e-3> : tensor<f32>
    %e = graph.broadcast %e0 shape = [o] : (!scalar) -> !o
    %v = graph.add %var, %e : !o
    %d = graph.sqrt %v : !o
    %s = graph.div %scale, %v : !o
    %s1 = graph.reshape %s shape = [o, 1, 1, 1] : (!o) -> !o111
    %s2 = graph.broadcast %s1 shape = [o, c floordiv g, r, t] : (!o111) -> !f
    %f1 = graph.mul %f, %s2 : !f
    %m = graph.sub %a, %mean : !o
    %ms = graph.mul %m, %s : !o
    %k = graph.add %ms, %bias : !o
    %y = graph.conv %x, %f1 strides = [s0, s1] pads = [p0, p1, p2, p3] dilations = [d0, d1] groups = g channels_first : (!xf, !f) -> !yf
    %k1 = graph.reshape %k shape = [o, 1, 1] : (!o) -> !o11
    %k2 = graph.broadcast %k1 shape = [b, o, (h + p0 + p2 - d0 * (r - 1) - 1) floordiv s0 + 1, (w + p1 + p3 - d1 * (t - 1) - 1) floordiv s1 + 1] : (!o11) -> !yf
    %z = graph.add %y, %k2 : !yf
    rule.yield %z : !yf
  }

// CHECK: refuted batch_norm_1e5_into_conv_last_mean_unscaled
rule.rule @batch_norm_1e5_into_conv_last_mean_unscaled(%x: !xl, %f: !f, %scale: [o], %bias: [o], %mean: [o], %var: [o]) -> !yl
  source {
    %0 = graph.conv %x, %f strides = [s0, s1] pads = [p0, p1, p2, p3] dilations = [d0, d1] groups = g channels_last : (!xl, !f) -> !yl
    %z = graph.batch_norm %0, %scale, %bias, %mean, %var axis = 3 epsilon = 1.0e-5 : (!yl, !o, !o, !o, !o) -> !yl
    rule.yield %z : !yl
  }
  target {
    %e0 = graph.constant dense<1.0e-5> : tensor<f32>
    %e = graph.broadcast %e0 shape = [o] : (!scalar) -> !o
    %v = graph.add %var, %e : !o
    %d = graph.sqrt %v : !o
    %s = graph.div %scale, %d : !o
    %s1 = graph.reshape %s shape = [o, 1, 1, 1] : (!o) -> !o111
    %s2 = graph.broadcast %s1 shape = [o, c floordiv g, r, t] : (!o111) -> !f
    %f1 = graph.mul %f, %s2 : !f
    %ms = graph.mul %mean, %s : !o
    %k = graph.sub %bias, %mean : !o
    %y = graph.conv %x, %f1 strides = [s0, s1] pads = [p0, p1, p2, p3] dilations = [d0, d1] groups = g channels_last : (!xl, !f) -> !yl
    %k2 = graph.broadcast %k shape = [b, (h + p0 + p2 - d0 * (r - 1) - 1) floordiv s0 + 1, (w + p1 + p3 - d1 * (t - 1) - 1) floordiv s1 + 1, o] : (!o) -> !yl
    %z = graph.add %y, %k2 : !yl
    rule.yield %z : !yl
  }

// CHECK: refuted batch_norm_1e5_into_conv_last_bias_scaled
rule.rule @batch_norm_1e5_into_conv_last_bias_scaled(%x: !xl, %f: !f, %scale: [o], %bias: [o], %mean: [o], %var: [o]) -> !yl
  source {
    %0 = graph.conv %x, %f strides = [s0, s1] pads = [p0, p1, p2, p3] dilations = [d0, d1] groups = g channels_last : (!xl, !f) -> !yl
    %z = graph.batch_norm %0, %scale, %bias, %mean, %var axis = 3 epsilon = 1.0e-5 : (!yl, !o, !o, !o, !o) -> !yl
    rule.yield %z : !yl
  }
  target {
    %e0 = graph.constant dense<1.0e-5> : tensor<f32>
    %e = graph.broadcast %e0 shape = [o] : (!scalar) -> !o
    %v = graph.add %var, %e : !o
    %d = graph.sqrt %v : !o
    %s = graph.div %scale, %d : !o
    %s1 = graph.reshape %s shape = [o, 1, 1, 1] : (!o) -> !o111
    %s2 = graph.broadcast %s1 shape = [o, c floordiv g, r, t] : (!o111) -> !f
    %f1 = graph.mul %f, %s2 : !f
    %ms = graph.mul %mean, %s : !o
    %bs = graph.mul %bias, %s : !o
    %k = graph.sub %bs, %ms : !o
    %y = graph.conv %x, %f1 strides = [s0, s1] pads = [p0, p1, p2, p3] dilations = [d0, d1] groups = g channels_last : (!xl, !f) -> !yl
    %k2 = graph.broadcast %k shape = [b, (h + p0 + p2 - d0 * (r - 1) - 1) floordiv s0 + 1, (w + p1 + p3 - d1 * (t - 1) - 1) floordiv s1 + 1, o] : (!o) -> !yl
    %z = graph.add %y, %k2 : !yl
    rule.yield %z : !yl
  }

// CHECK: refuted batch_norm_1e5_into_conv_last_by_variance
rule.rule @batch_norm_1e5_into_conv_last_by_variance(%x: !xl, %f: !f, %scale: [o], %bias: [o], %mean: [o], %var: [o]) -> !yl
  source {
    %0 = graph.conv %x, %f strides = [s0, s1] pads = [p0, p1, p2, p3] dilations = [d0, d1] groups = g channels_last : (!xl, !f) -> !yl
    %z = graph.batch_norm %0, %scale, %bias, %mean, %var axis = 3 epsilon = 1.0e-5 : (!yl, !o, !o, !o, !o) -> !yl
    rule.yield %z : !yl
  }
  target {
    %e0 = graph.constant dense<1.0e-5> : tensor<f32>
    %e = graph.broadcast %e0 shape = [o] : (!scalar) -> !o
    %v = graph.add %var, %e : !o
    %d = graph.sqrt %v : !o
    %s = graph.div %scale, %v : !o
    %s1 = graph.reshape %s shape = [o, 1, 1, 1] : (!o) -> !o111
    %s2 = graph.broadcast %s1 shape = [o, c floordiv g, r, t] : (!o111) -> !f
    %f1 = graph.mul %f, %s2 : !f
    %ms = graph.mul %mean, %s : !o
    %k = graph.sub %bias, %ms : !o
    %y = graph.conv %x, %f1 strides = [s0, s1] pads = [p0, p1, p2, p3] dilations = [d0, d1] groups = g channels_last : (!xl, !f) -> !yl
    %k2 = graph.broadcast %k shape = [b, (h + p0 + p2 - d0 * (r - 1) - 1) floordiv s0 + 1, (w + p1 + p3 - d1 * (t - 1) - 1) floordiv s1 + 1, o] : (!o) -> !yl
    %z = graph.add %y, %k2 : !yl
    rule.yield %z : !yl
  }

// CHECK: refuted batch_norm_1e5_into_conv_last_with_bias_mean_unscaled
rule.rule @batch_norm_1e5_into_conv_last_with_bias_mean_unscaled(%x: !xl, %f: !f, %a: [o], %scale: [o], %bias: [o], %mean: [o], %var: [o]) -> !yl
  source {
    %0 = graph.conv %x, %f strides = [s0, s1] pads = [p0, p1, p2, p3] dilations = [d0, d1] groups = g channels_last : (!xl, !f) -> !yl
    %a2 = graph.broadcast %a shape = [b, (h + p0 + p2 - d0 * (r - 1) - 1) floordiv s0 + 1, (w + p1 + p3 - d1 * (t - 1) - 1) floordiv s1 + 1, o] : (!o) -> !yl
    %1 = graph.add %0, %a2 : !yl
    %z = graph.batch_norm %1, %scale, %bias, %mean, %var axis = 3 epsilon = 1.0e-5 : (!yl, !o, !o, !o, !o) -> !yl
    rule.yield %z : !yl
  }
  target {
    %e0 = graph.constant dense<1.0e-5> : tensor<f32>
    %e = graph.broadcast %e0 shape = [o] : (!scalar) -> !o
    %v = graph.add %var, %e : !o
    %d = graph.sqrt %v : !o
    %s = graph.div %scale, %d : !o
    %s1 = graph.reshape %s shape = [o, 1, 1, 1] : (!o) -> !o111
    %s2 = graph.broadcast %s1 shape = [o, c floordiv g, r, t] : (!o111) -> !f
    %f1 = graph.mul %f, %s2 : !f
    %m = graph.sub %a, %mean : !o
    %ms = graph.mul %m, %s : !o
    %k = graph.add %m, %bias : !o
    %y = graph.conv %x, %f1 strides = [s0, s1] pads = [p0, p1, p2, p3] dilations = [d0, d1] groups = g channels_last : (!xl, !f) -> !yl
    %k2 = graph.broadcast %k shape = [b, (h + p0 + p2 - d0 * (r - 1) - 1) floordiv s0 + 1, (w + p1 + p3 - d1 * (t - 1) - 1) floordiv s1 + 1, o] : (!o) -> !yl
    %z = graph.add %y, %k2 : !yl
    rule.yield %z : !yl
  }

// CHECK: refuted batch_norm_1e5_into_conv_last_with_bias_bias_scaled
rule.rule @batch_norm_1e5_into_conv_last_with_bias_bias_scaled(%x: !xl, %f: !f, %a: [o], %scale: [o], %bias: [o], %mean: [o], %var: [o]) -> !yl
  source {
    %0 = graph.conv %x, %f strides = [s0, s1] pads = [p0, p1, p2, p3] dilations = [d0, d1] groups = g channels_last : (!xl, !f) -> !yl
    %a2 = graph.broadcast %a shape = [b, (h + p0 + p2 - d0 * (r - 1) - 1) floordiv s0 + 1, (w + p1 + p3 - d1 * (t - 1) - 1) floordiv s1 + 1, o] : (!o) -> !yl
    %1 = graph.add %0, %a2 : !yl
    %z = graph.batch_norm %1, %scale, %bias, %mean, %var axis = 3 epsilon = 1.0e-5 : (!yl, !o, !o, !o, !o) -> !yl
    rule.yield %z : !yl
  }
  target {
    %e0 = graph.constant dense<1.0e-5> : tensor<f32>
    %e = graph.broadcast %e0 shape = [o] : (!scalar) -> !o
    %v = graph.add %var, %e : !o
    %d = graph.sqrt %v : !o
    %s = graph.div %scale, %d : !o
    %s1 = graph.reshape %s shape = [o, 1, 1, 1] : (!o) -> !o111
    %s2 = graph.broadcast %s1 shape = [o, c floordiv g, r, t] : (!o111) -> !f
    %f1 = graph.mul %f, %s2 : !f
    %m = graph.sub %mean, %a : !o
    %ms = graph.mul %m, %s : !o
    %k = graph.add %ms, %bias : !o
    %y = graph.conv %x, %f1 strides = [s0, s1] pads = [p0, p1, p2, p3] dilations = [d0, d1] groups = g channels_last : (!xl, !f) -> !yl
    %k2 = graph.broadcast %k shape = [b, (h + p0 + p2 - d0 * (r - 1) - 1) floordiv s0 + 1, (w + p1 + p3 - d1 * (t - 1) - 1) floordiv s1 + 1, o] : (!o) -> !yl
    %z = graph.add %y, %k2 : !yl
    rule.yield %z : !yl
  }

// CHECK: refuted batch_norm_1e5_into_conv_last_with_bias_by_variance
rule.rule @batch_norm_1e5_into_conv_last_with_bias_by_variance(%x: !xl, %f: !f, %a: [o], %scale: [o], %bias: [o], %mean: [o], %var: [o]) -> !yl
  source {
    %0 = graph.conv %x, %f strides = [s0, s1] pads = [p0, p1, p2, p3] dilations = [d0, d1] groups = g channels_last : (!xl, !f) -> !yl
    %a2 = graph.broadcast %a shape = [b, (h + p0 + p2 - d0 * (r - 1) - 1) floordiv s0 + 1, (w + p1 + p3 - d1 * (t - 1) - 1) floordiv s1 + 1, o] : (!o) -> !yl
    %1 = graph.add %0, %a2 : !yl
    %z = graph.batch_norm %1, %scale, %bias, %mean, %var axis = 3 epsilon = 1.0e-5 : (!yl, !o, !o, !o, !o) -> !yl
    rule.yield %z : !yl
  }
  target {
    %e0 = graph.constant dense<1.0e-5> : tensor<f32>
    %e = graph.broadcast %e0 shape = [o] : (!scalar) -> !o
    %v = graph.add %var, %e : !o
    %d = graph.sqrt %v : !o
    %s = graph.div %scale, %v : !o
    %s1 = graph.reshape %s shape = [o, 1, 1, 1] : (!o) -> !o111
    %s2 = graph.broadcast %s1 shape = [o, c floordiv g, r, t] : (!o111) -> !f
    %f1 = graph.mul %f, %s2 : !f
    %m = graph.sub %a, %mean : !o
    %ms = graph.mul %m, %s : !o
    %k = graph.add %ms, %bias : !o
    %y = graph.conv %x, %f1 strides = [s0, s1] pads = [p0, p1, p2, p3] dilations = [d0, d1] groups = g channels_last : (!xl, !f) -> !yl
    %k2 = graph.broadcast %k shape = [b, (h + p0 + p2 - d0 * (r - 1) - 1) floordiv s0 + 1, (w + p1 + p3 - d1 * (t - 1) - 1) floordiv s1 + 1, o] : (!o) -> !yl
    %z = graph.add %y, %k2 : !yl
    rule.yield %z : !yl
  }

// CHECK: refuted batch_norm_1e3_into_conv_last_mean_unscaled
rule.rule @batch_norm_1e3_into_conv_last_mean_unscaled(%x: !xl, %f: !f, %scale: [o], %bias: [o], %mean: [o], %var: [o]) -> !yl
  source {
    %0 = graph.conv %x, %f strides = [s0, s1] pads = [p0, p1, p2, p3] dilations = [d0, d1] groups = g channels_last : (!xl, !f) -> !yl
    %z = graph.batch_norm %0, %scale, %bias, %mean, %var axis = 3 epsilon = 1.0e-3 : (!yl, !o, !o, !o, !o) -> !yl
    rule.yield %z : !yl
  }
  target {
    %e0 = graph.constant dense<1.0e-3> : tensor<f32>
    %e = graph.broadcast %e0 shape = [o] : (!scalar) -> !o
    %v = graph.add %var, %e : !o
    %d = graph.sqrt %v : !o
    %s = graph.div %scale, %d : !o
    %s1 = graph.reshape %s shape = [o, 1, 1, 1] : (!o) -> !o111
    %s2 = graph.broadcast %s1 shape = [o, c floordiv g, r, t] : (!o111) -> !f
    %f1 = graph.mul %f, %s2 : !f
    %ms = graph.mul %mean, %s : !o
    %k = graph.sub %bias, %mean : !o
    %y = graph.conv %x, %f1 strides = [s0, s1] pads = [p0, p1, p2, p3] dilations = [d0, d1] groups = g channels_last : (!xl, !f) -> !yl
    %k2 = graph.broadcast %k shape = [b, (h + p0 + p2 - d0 * (r - 1) - 1) floordiv s0 + 1, (w + p1 + p3 - d1 * (t - 1) - 1) floordiv s1 + 1, o] : (!o) -> !yl
    %z = graph.add %y, %k2 : !yl
    rule.yield %z : !yl
  }

// CHECK: refuted batch_norm_1e3_into_conv_last_bias_scaled
rule.rule @batch_norm_1e3_into_conv_last_bias_scaled(%x: !xl, %f: !f, %scale: [o], %bias: [o], %mean: [o], %var: [o]) -> !yl
  source {
    %0 = graph.conv %x, %f strides = [s0, s1] pads = [p0, p1, p2, p3] dilations = [d0, d1] groups = g channels_last : (!xl, !f) -> !yl
    %z = graph.batch_norm %0, %scale, %bias, %mean, %var axis = 3 epsilon = 1.0e-3 : (!yl, !o, !o, !o, !o) -> !yl
    rule.yield %z : !yl
  }
  target {
    %e0 = graph.constant dense<1.0e-3> : tensor<f32>
    %e = graph.broadcast %e0 shape = [o] : (!scalar) -> !o
    %v = graph.add %var, %e : !o
    %d = graph.sqrt %v : !o
    %s = graph.div %scale, %d : !o
    %s1 = graph.reshape %s shape = [o, 1, 1, 1] : (!o) -> !o111
    %s2 = graph.broadcast %s1 shape = [o, c floordiv g, r, t] : (!o111) -> !f
    %f1 = graph.mul %f, %s2 : !f
    %ms = graph.mul %mean, %s : !o
    %bs = graph.mul %bias, %s : !o
    %k = graph.sub %bs, %ms : !o
    %y = graph.conv %x, %f1 strides = [s0, s1] pads = [p0, p1, p2, p3] dilations = [d0, d1] groups = g channels_last : (!xl, !f) -> !yl
    %k2 = graph.broadcast %k shape = [b, (h + p0 + p2 - d0 * (r - 1) - 1) floordiv s0 + 1, (w + p1 + p3 - d1 * (t - 1) - 1) floordiv s1 + 1, o] : (!o) -> !yl
    %z = graph.add %y, %k2 : !yl
    rule.yield %z : !yl
  }

// CHECK: refuted batch_norm_1e3_into_conv_last_by_variance
rule.rule @batch_norm_1e3_into_conv_last_by_variance(%x: !xl, %f: !f, %scale: [o], %bias: [o], %mean: [o], %var: [o]) -> !yl
  source {
    %0 = graph.conv %x, %f strides = [s0, s1] pads = [p0, p1, p2, p3] dilations = [d0, d1] groups = g channels_last : (!xl, !f) -> !yl
    %z = graph.batch_norm %0, %scale, %bias, %mean, %var axis = 3 epsilon = 1.0e-3 : (!yl, !o, !o, !o, !o) -> !yl
    rule.yield %z : !yl
  }
  target {
    %e0 = graph.constant dense<1.0e-3> : tensor<f32>
    %e = graph.broadcast %e0 shape = [o] : (!scalar) -> !o
    %v = graph.add %var, %e : !o
    %d = graph.sqrt %v : !o
    %s = graph.div %scale, %v : !o
    %s1 = graph.reshape %s shape = [o, 1, 1, 1] : (!o) -> !o111
    %s2 = graph.broadcast %s1 shape = [o, c floordiv g, r, t] : (!o111) -> !f
    %f1 = graph.mul %f, %s2 : !f
    %ms = graph.mul %mean, %s : !o
    %k = graph.sub %bias, %ms : !o
    %y = graph.conv %x, %f1 strides = [s0, s1] pads = [p0, p1, p2, p3] dilations = [d0, d1] groups = g channels_last : (!xl, !f) -> !yl
    %k2 = graph.broadcast %k shape = [b, (h + p0 + p2 - d0 * (r - 1) - 1) floordiv s0 + 1, (w + p1 + p3 - d1 * (t - 1) - 1) floordiv s1 + 1, o] : (!o) -> !yl
    %z = graph.add %y, %k2 : !yl
    rule.yield %z : !yl
  }

// CHECK: refuted batch_norm_1e3_into_conv_last_with_bias_mean_unscaled
rule.rule @batch_norm_1e3_into_conv_last_with_bias_mean_unscaled(%x: !xl, %f: !f, %a: [o], %scale: [o], %bias: [o], %mean: [o], %var: [o]) -> !yl
  source {
    %0 = graph.conv %x, %f strides = [s0, s1] pads = [p0, p1, p2, p3] dilations = [d0, d1] groups = g channels_last : (!xl, !f) -> !yl
    %a2 = graph.broadcast %a shape = [b, (h + p0 + p2 - d0 * (r - 1) - 1) floordiv s0 + 1, (w + p1 + p3 - d1 * (t - 1) - 1) floordiv s1 + 1, o] : (!o) -> !yl
    %1 = graph.add %0, %a2 : !yl
    %z = graph.batch_norm %1, %scale, %bias, %mean, %var axis = 3 epsilon = 1.0e-3 : (!yl, !o, !o, !o, !o) -> !yl
    rule.yield %z : !yl
  }
  target {
    %e0 = graph.constant dense<1.0e-3> : tensor<f32>
    %e = graph.broadcast %e0 shape = [o] : (!scalar) -> !o
    %v = graph.add %var, %e : !o
    %d = graph.sqrt %v : !o
    %s = graph.div %scale, %d : !o
    %s1 = graph.reshape %s shape = [o, 1, 1, 1] : (!o) -> !o111
    %s2 = graph.broadcast %s1 shape = [o, c floordiv g, r, t] : (!o111) -> !f
    %f1 = graph.mul %f, %s2 : !f
    %m = graph.sub %a, %mean : !o
    %ms = graph.mul %m, %s : !o
    %k = graph.add %m, %bias : !o
    %y = graph.conv %x, %f1 strides = [s0, s1] pads = [p0, p1, p2, p3] dilations = [d0, d1] groups = g channels_last : (!xl, !f) -> !yl
    %k2 = graph.broadcast %k shape = [b, (h + p0 + p2 - d0 * (r - 1) - 1) floordiv s0 + 1, (w + p1 + p3 - d1 * (t - 1) - 1) floordiv s1 + 1, o] : (!o) -> !yl
    %z = graph.add %y, %k2 : !yl
    rule.yield %z : !yl
  }

// CHECK: refuted batch_norm_1e3_into_conv_last_with_bias_bias_scaled
rule.rule @batch_norm_1e3_into_conv_last_with_bias_bias_scaled(%x: !xl, %f: !f, %a: [o], %scale: [o], %bias: [o], %mean: [o], %var: [o]) -> !yl
  source {
    %0 = graph.conv %x, %f strides = [s0, s1] pads = [p0, p1, p2, p3] dilations = [d0, d1] groups = g channels_last : (!xl, !f) -> !yl
    %a2 = graph.broadcast %a shape = [b, (h + p0 + p2 - d0 * (r - 1) - 1) floordiv s0 + 1, (w + p1 + p3 - d1 * (t - 1) - 1) floordiv s1 + 1, o] : (!o) -> !yl
    %1 = graph.add %0, %a2 : !yl
    %z = graph.batch_norm %1, %scale, %bias, %mean, %var axis = 3 epsilon = 1.0e-3 : (!yl, !o, !o, !o, !o) -> !yl
    rule.yield %z : !yl
  }
  target {
    %e0 = graph.constant dense<1.0e-3> : tensor<f32>
    %e = graph.broadcast %e0 shape = [o] : (!scalar) -> !o
    %v = graph.add %var, %e : !o
    %d = graph.sqrt %v : !o
    %s = graph.div %scale, %d : !o
    %s1 = graph.reshape %s shape = [o, 1, 1, 1] : (!o) -> !o111
    %s2 = graph.broadcast %s1 shape = [o, c floordiv g, r, t] : (!o111) -> !f
    %f1 = graph.mul %f, %s2 : !f
    %m = graph.sub %mean, %a : !o
    %ms = graph.mul %m, %s : !o
    %k = graph.add %ms, %bias : !o
    %y = graph.conv %x, %f1 strides = [s0, s1] pads = [p0, p1, p2, p3] dilations = [d0, d1] groups = g channels_last : (!xl, !f) -> !yl
    %k2 = graph.broadcast %k shape = [b, (h + p0 + p2 - d0 * (r - 1) - 1) floordiv s0 + 1, (w + p1 + p3 - d1 * (t - 1) - 1) floordiv s1 + 1, o] : (!o) -> !yl
    %z = graph.add %y, %k2 : !yl
    rule.yield %z : !yl
  }

// CHECK: refuted batch_norm_1e3_into_conv_last_with_bias_by_variance
rule.rule @batch_norm_1e3_into_conv_last_with_bias_by_variance(%x: !xl, %f: !f, %a: [o], %scale: [o], %bias: [o], %mean: [o], %var: [o]) -> !yl
  source {
    %0 = graph.conv %x, %f strides = [s0, s1] pads = [p0, p1, p2, p3] dilations = [d0, d1] groups = g channels_last : (!xl, !f) -> !yl
    %a2 = graph.broadcast %a shape = [b, (h + p0 + p2 - d0 * (r - 1) - 1) floordiv s0 + 1, (w + p1 + p3 - d1 * (t - 1) - 1) floordiv s1 + 1, o] : (!o) -> !yl
    %1 = graph.add %0, %a2 : !yl
    %z = graph.batch_norm %1, %scale, %bias, %mean, %var axis = 3 epsilon = 1.0e-3 : (!yl, !o, !o, !o, !o) -> !yl
    rule.yield %z : !yl
  }
  target {
    %e0 = graph.constant dense<1.0e-3> : tensor<f32>
    %e = graph.broadcast %e0 shape = [o] : (!scalar) -> !o
    %v = graph.add %var, %e : !o
    %d = graph.sqrt %v : !o
    %s = graph.div %scale, %v : !o
    %s1 = graph.reshape %s shape = [o, 1, 1, 1] : (!o) -> !o111
    %s2 = graph.broadcast %s1 shape = [o, c floordiv g, r, t] : (!o111) -> !f
    %f1 = graph.mul %f, %s2 : !f
    %m = graph.sub %a, %mean : !o
    %ms = graph.mul %m, %s : !o
    %k = graph.add %ms, %bias : !o
    %y = graph.conv %x, %f1 strides = [s0, s1] pads = [p0, p1, p2, p3] dilations = [d0, d1] groups = g channels_last : (!xl, !f) -> !yl
    %k2 = graph.broadcast %k shape = [b, (h + p0 + p2 - d0 * (r - 1) - 1) floordiv s0 + 1, (w + p1 + p3 - d1 * (t - 1) - 1) floordiv s1 + 1, o] : (!o) -> !yl
    %z = graph.add %y, %k2 : !yl
    rule.yield %z : !yl
  }

// CHECK: refuted scale_into_conv_first_squared
rule.rule @scale_into_conv_first_squared(%x: !xf, %f: !f, %s: [o]) -> !yf
  source {
    %0 = graph.conv %x, %f strides = [s0, s1] pads = [p0, p1, p2, p3] dilations = [d0, d1] groups = g channels_first : (!xf, !f) -> !yf
    %1 = graph.reshape %s shape = [o, 1, 1] : (!o) -> !o11
    %2 = graph.broadcast %1 shape = [b, o, (h + p0 + p2 - d0 * (r - 1) - 1) floordiv s0 + 1, (w + p1 + p3 - d1 * (t - 1) - 1) floordiv s1 + 1] : (!o11) -> !yf
    %3 = graph.mul %0, %2 : !yf
    rule.yield %3 : !yf
  }
  target {
    %s1 = graph.reshape %s shape = [o, 1, 1, 1] : (!o) -> !o111
    %s2 = graph.broadcast %s1 shape = [o, c floordiv g, r, t] : (!o111) -> !f
    %f0 = graph.mul %f, %s2 : !f
    %f1 = graph.mul %f0, %s2 : !f
    %0 = graph.conv %x, %f1 strides = [s0, s1] pads = [p0, p1, p2, p3] dilations = [d0, d1] groups = g channels_first : (!xf, !f) -> !yf
    rule.yield %0 : !yf
  }

// CHECK: refuted scale_into_conv_first_with_bias_bias_unscaled
rule.rule @scale_into_conv_first_with_bias_bias_unscaled(%x: !xf, %f: !f, %a: [o], %s: [o]) -> !yf
  source {
    %0 = graph.conv %x, %f strides = [s0, s1] pads = [p0, p1, p2, p3] dilations = [d0, d1] groups = g channels_first : (!xf, !f) -> !yf
    %a1 = graph.reshape %a shape = [o, 1, 1] : (!o) -> !o11
    %a2 = graph.broadcast %a1 shape = [b, o, (h + p0 + p2 - d0 * (r - 1) - 1) floordiv s0 + 1, (w + p1 + p3 - d1 * (t - 1) - 1) floordiv s1 + 1] : (!o11) -> !yf
    %1 = graph.add %0, %a2 : !yf
    %s1 = graph.reshape %s shape = [o, 1, 1] : (!o) -> !o11
    %s2 = graph.broadcast %s1 shape = [b, o, (h + p0 + p2 - d0 * (r - 1) - 1) floordiv s0 + 1, (w + p1 + p3 - d1 * (t - 1) - 1) floordiv s1 + 1] : (!o11) -> !yf
    %2 = graph.mul %1, %s2 : !yf
    rule.yield %2 : !yf
  }
  target {
    %s1 = graph.reshape %s shape = [o, 1, 1, 1] : (!o) -> !o111
    %s2 = graph.broadcast %s1 shape = [o, c floordiv g, r, t] : (!o111) -> !f
    %f1 = graph.mul %f, %s2 : !f
    %k = graph.add %a, %a : !o
    %0 = graph.conv %x, %f1 strides = [s0, s1] pads = [p0, p1, p2, p3] dilations = [d0, d1] groups = g channels_first : (!xf, !f) -> !yf
    %k1 = graph.reshape %k shape = [o, 1, 1] : (!o) -> !o11
    %k2 = graph.broadcast %k1 shape = [b, o, (h + p0 + p2 - d0 * (r - 1) - 1) floordiv s0 + 1, (w + p1 + p3 - d1 * (t - 1) - 1) floordiv s1 + 1] : (!o11) -> !yf
    %1 = graph.add %0, %k2 : !yf
    rule.yield %1 : !yf
  }

// CHECK: refuted scale_into_conv_last_squared
rule.rule @scale_into_conv_last_squared(%x: !xl, %f: !f, %s: [o]) -> !yl
  source {
    %0 = graph.conv %x, %f strides = [s0, s1] pads = [p0, p1, p2, p3] dilations = [d0, d1] groups = g channels_last : (!xl, !f) -> !yl
    %2 = graph.broadcast %s shape = [b, (h + p0 + p2 - d0 * (r - 1) - 1) floordiv s0 + 1, (w + p1 + p3 - d1 * (t - 1) - 1) floordiv s1 + 1, o] : (!o) -> !yl
    %3 = graph.mul %0, %2 : !yl
    rule.yield %3 : !yl
  }
  target {
    %s1 = graph.reshape %s shape = [o, 1, 1, 1] : (!o) -> !o111
    %s2 = graph.broadcast %s1 shape = [o, c floordiv g, r, t] : (!o111) -> !f
    %f0 = graph.mul %f, %s2 : !f
    %f1 = graph.mul %f0, %s2 : !f
    %0 = graph.conv %x, %f1 strides = [s0, s1] pads = [p0, p1, p2, p3] dilations = [d0, d1] groups = g channels_last : (!xl, !f) -> !yl
    rule.yield %0 : !yl
  }

// CHECK: refuted scale_into_conv_last_with_bias_bias_unscaled
rule.rule @scale_into_conv_last_with_bias_bias_unscaled(%x: !xl, %f: !f, %a: [o], %s: [o]) -> !yl
  source {
    %0 = graph.conv %x, %f strides = [s0, s1] pads = [p0, p1, p2, p3] dilations = [d0, d1] groups = g channels_last : (!xl, !f) -> !yl
    %a2 = graph.broadcast %a shape = [b, (h + p0 + p2 - d0 * (r - 1) - 1) floordiv s0 + 1, (w + p1 + p3 - d1 * (t - 1) - 1) floordiv s1 + 1, o] : (!o) -> !yl
    %1 = graph.add %0, %a2 : !yl
    %s2 = graph.broadcast %s shape = [b, (h + p0 + p2 - d0 * (r - 1) - 1) floordiv s0 + 1, (w + p1 + p3 - d1 * (t - 1) - 1) floordiv s1 + 1, o] : (!o) -> !yl
    %2 = graph.mul %1, %s2 : !yl
    rule.yield %2 : !yl
  }
  target {
    %s1 = graph.reshape %s shape = [o, 1, 1, 1] : (!o) -> !o111
    %s2 = graph.broadcast %s1 shape = [o, c floordiv g, r, t] : (!o111) -> !f
    %f1 = graph.mul %f, %s2 : !f
    %k = graph.add %a, %a : !o
    %0 = graph.conv %x, %f1 strides = [s0, s1] pads = [p0, p1, p2, p3] dilations = [d0, d1] groups = g channels_last : (!xl, !f) -> !yl
    %k2 = graph.broadcast %k shape = [b, (h + p0 + p2 - d0 * (r - 1) - 1) floordiv s0 + 1, (w + p1 + p3 - d1 * (t - 1) - 1) floordiv s1 + 1, o] : (!o) -> !yl
    %1 = graph.add %0, %k2 : !yl
    rule.yield %1 : !yl
  }

!c = tensor<?xf32, #graph.dims<c>>
!c11 = tensor<?x1x1xf32, #graph.dims<c, 1, 1>>
// CHECK: refuted scale_of_conv_input_added
rule.rule @scale_of_conv_input_added(%x: !xf, %f: !f1, %s: [c]) -> !yf
  source {
    %0 = graph.reshape %s shape = [c, 1, 1] : (!c) -> !c11
    %1 = graph.broadcast %0 shape = [b, c, h, w] : (!c11) -> !xf
    %2 = graph.add %x, %1 : !xf
    %3 = graph.conv %2, %f strides = [s0, s1] pads = [p0, p1, p2, p3] dilations = [d0, d1] groups = 1 channels_first : (!xf, !f1) -> !yf
    rule.yield %3 : !yf
  }
  target {
    %0 = graph.reshape %s shape = [c, 1, 1] : (!c) -> !c11
    %1 = graph.broadcast %0 shape = [o, c, r, t] : (!c11) -> !f1
    %2 = graph.add %f, %1 : !f1
    %3 = graph.conv %x, %2 strides = [s0, s1] pads = [p0, p1, p2, p3] dilations = [d0, d1] groups = 1 channels_first : (!xf, !f1) -> !yf
    rule.yield %3 : !yf
  }

// CHECK: refuted biases_of_conv_first_one_twice
rule.rule @biases_of_conv_first_one_twice(%x: !xf, %f: !f, %a: [o], %k: [o]) -> !yf
  source {
    %0 = graph.conv %x, %f strides = [s0, s1] pads = [p0, p1, p2, p3] dilations = [d0, d1] groups = g channels_first : (!xf, !f) -> !yf
    %a1 = graph.reshape %a shape = [o, 1, 1] : (!o) -> !o11
    %a2 = graph.broadcast %a1 shape = [b, o, (h + p0 + p2 - d0 * (r - 1) - 1) floordiv s0 + 1, (w + p1 + p3 - d1 * (t - 1) - 1) floordiv s1 + 1] : (!o11) -> !yf
    %1 = graph.add %0, %a2 : !yf
    %k1 = graph.reshape %k shape = [o, 1, 1] : (!o) -> !o11
    %k2 = graph.broadcast %k1 shape = [b, o, (h + p0 + p2 - d0 * (r - 1) - 1) floordiv s0 + 1, (w + p1 + p3 - d1 * (t - 1) - 1) floordiv s1 + 1] : (!o11) -> !yf
    %2 = graph.add %1, %k2 : !yf
    rule.yield %2 : !yf
  }
  target {
    %s = graph.add %a, %a : !o
    %0 = graph.conv %x, %f strides = [s0, s1] pads = [p0, p1, p2, p3] dilations = [d0, d1] groups = g channels_first : (!xf, !f) -> !yf
    %s1 = graph.reshape %s shape = [o, 1, 1] : (!o) -> !o11
    %s2 = graph.broadcast %s1 shape = [b, o, (h + p0 + p2 - d0 * (r - 1) - 1) floordiv s0 + 1, (w + p1 + p3 - d1 * (t - 1) - 1) floordiv s1 + 1] : (!o11) -> !yf
    %1 = graph.add %0, %s2 : !yf
    rule.yield %1 : !yf
  }

// CHECK: refuted biases_of_conv_last_one_twice
rule.rule @biases_of_conv_last_one_twice(%x: !xl, %f: !f, %a: [o], %k: [o]) -> !yl
  source {
    %0 = graph.conv %x, %f strides = [s0, s1] pads = [p0, p1, p2, p3] dilations = [d0, d1] groups = g channels_last : (!xl, !f) -> !yl
    %a2 = graph.broadcast %a shape = [b, (h + p0 + p2 - d0 * (r - 1) - 1) floordiv s0 + 1, (w + p1 + p3 - d1 * (t - 1) - 1) floordiv s1 + 1, o] : (!o) -> !yl
    %1 = graph.add %0, %a2 : !yl
    %k2 = graph.broadcast %k shape = [b, (h + p0 + p2 - d0 * (r - 1) - 1) floordiv s0 + 1, (w + p1 + p3 - d1 * (t - 1) - 1) floordiv s1 + 1, o] : (!o) -> !yl
    %2 = graph.add %1, %k2 : !yl
    rule.yield %2 : !yl
  }
  target {
    %s = graph.add %a, %a : !o
    %0 = graph.conv %x, %f strides = [s0, s1] pads = [p0, p1, p2, p3] dilations = [d0, d1] groups = g channels_last : (!xl, !f) -> !yl
    %s2 = graph.broadcast %s shape = [b, (h + p0 + p2 - d0 * (r - 1) - 1) floordiv s0 + 1, (w + p1 + p3 - d1 * (t - 1) - 1) floordiv s1 + 1, o] : (!o) -> !yl
    %1 = graph.add %0, %s2 : !yl
    rule.yield %1 : !yl
  }

!mk = tensor<?x?xf32, #graph.dims<m, k>>
!kn = tensor<?x?xf32, #graph.dims<k, n>>
!mn = tensor<?x?xf32, #graph.dims<m, n>>
!n = tensor<?xf32, #graph.dims<n>>
// CHECK: refuted scale_into_matmul_twice
rule.rule @scale_into_matmul_twice(%x: [m, k], %w: [k, n], %s: [n]) -> [m, n]
  source {
    %0 = graph.matmul %x, %w : (!mk, !kn) -> !mn
    %1 = graph.broadcast %s shape = [m, n] : (!n) -> !mn
    %2 = graph.mul %0, %1 : !mn
    rule.yield %2 : [m, n]
  }
  target {
    %c2 = graph.broadcast %s shape = [k, n] : (!n) -> !kn
    %w0 = graph.mul %w, %c2 : !kn
    %w1 = graph.mul %w0, %c2 : !kn
    %0 = graph.matmul %x, %w1 : (!mk, !kn) -> !mn
    rule.yield %0 : [m, n]
  }

// CHECK: refuted scale_into_matmul_with_bias_bias_unscaled
rule.rule @scale_into_matmul_with_bias_bias_unscaled(%x: [m, k], %w: [k, n], %a: [n], %s: [n]) -> [m, n]
  source {
    %0 = graph.matmul %x, %w : (!mk, !kn) -> !mn
    %1 = graph.broadcast %a shape = [m, n] : (!n) -> !mn
    %2 = graph.add %0, %1 : !mn
    %3 = graph.broadcast %s shape = [m, n] : (!n) -> !mn
    %4 = graph.mul %2, %3 : !mn
    rule.yield %4 : [m, n]
  }
  target {
    %c2 = graph.broadcast %s shape = [k, n] : (!n) -> !kn
    %w1 = graph.mul %w, %c2 : !kn
    %k = graph.add %a, %a : !n
    %0 = graph.matmul %x, %w1 : (!mk, !kn) -> !mn
    %1 = graph.broadcast %k shape = [m, n] : (!n) -> !mn
    %2 = graph.add %0, %1 : !mn
    rule.yield %2 : [m, n]
  }

!bmk = tensor<?x?x?xf32, #graph.dims<b, m, k>>
!bmn = tensor<?x?x?xf32, #graph.dims<b, m, n>>
// CHECK: refuted scale_into_matmul_batch_twice
rule.rule @scale_into_matmul_batch_twice(%x: [b, m, k], %w: [k, n], %s: [n]) -> [b, m, n]
  source {
    %0 = graph.matmul %x, %w : (!bmk, !kn) -> !bmn
    %1 = graph.broadcast %s shape = [b, m, n] : (!n) -> !bmn
    %2 = graph.mul %0, %1 : !bmn
    rule.yield %2 : [b, m, n]
  }
  target {
    %c2 = graph.broadcast %s shape = [k, n] : (!n) -> !kn
    %w0 = graph.mul %w, %c2 : !kn
    %w1 = graph.mul %w0, %c2 : !kn
    %0 = graph.matmul %x, %w1 : (!bmk, !kn) -> !bmn
    rule.yield %0 : [b, m, n]
  }

// CHECK: refuted scale_into_matmul_with_bias_batch_bias_unscaled
rule.rule @scale_into_matmul_with_bias_batch_bias_unscaled(%x: [b, m, k], %w: [k, n], %a: [n], %s: [n]) -> [b, m, n]
  source {
    %0 = graph.matmul %x, %w : (!bmk, !kn) -> !bmn
    %1 = graph.broadcast %a shape = [b, m, n] : (!n) -> !bmn
    %2 = graph.add %0, %1 : !bmn
    %3 = graph.broadcast %s shape = [b, m, n] : (!n) -> !bmn
    %4 = graph.mul %2, %3 : !bmn
    rule.yield %4 : [b, m, n]
  }
  target {
    %c2 = graph.broadcast %s shape = [k, n] : (!n) -> !kn
    %w1 = graph.mul %w, %c2 : !kn
    %k = graph.add %a, %a : !n
    %0 = graph.matmul %x, %w1 : (!bmk, !kn) -> !bmn
    %1 = graph.broadcast %k shape = [b, m, n] : (!n) -> !bmn
    %2 = graph.add %0, %1 : !bmn
    rule.yield %2 : [b, m, n]
  }

!nk = tensor<?x?xf32, #graph.dims<n, k>>
!n1 = tensor<?x1xf32, #graph.dims<n, 1>>
// CHECK: refuted scale_into_transposed_matmul_twice
rule.rule @scale_into_transposed_matmul_twice(%x: [m, k], %w: [n, k], %s: [n]) -> [m, n]
  source {
    %0 = graph.matmul %x, %w transpose_b : (!mk, !nk) -> !mn
    %1 = graph.broadcast %s shape = [m, n] : (!n) -> !mn
    %2 = graph.mul %0, %1 : !mn
    rule.yield %2 : [m, n]
  }
  target {
    %c1 = graph.reshape %s shape = [n, 1] : (!n) -> !n1
    %c2 = graph.broadcast %c1 shape = [n, k] : (!n1) -> !nk
    %w0 = graph.mul %w, %c2 : !nk
    %w1 = graph.mul %w0, %c2 : !nk
    %0 = graph.matmul %x, %w1 transpose_b : (!mk, !nk) -> !mn
    rule.yield %0 : [m, n]
  }

// CHECK: refuted scale_into_transposed_matmul_with_bias_bias_unscaled
rule.rule @scale_into_transposed_matmul_with_bias_bias_unscaled(%x: [m, k], %w: [n, k], %a: [n], %s: [n]) -> [m, n]
  source {
    %0 = graph.matmul %x, %w transpose_b : (!mk, !nk) -> !mn
    %1 = graph.broadcast %a shape = [m, n] : (!n) -> !mn
    %2 = graph.add %0, %1 : !mn
    %3 = graph.broadcast %s shape = [m, n] : (!n) -> !mn
    %4 = graph.mul %2, %3 : !mn
    rule.yield %4 : [m, n]
  }
  target {
    %c1 = graph.reshape %s shape = [n, 1] : (!n) -> !n1
    %c2 = graph.broadcast %c1 shape = [n, k] : (!n1) -> !nk
    %w1 = graph.mul %w, %c2 : !nk
    %k = graph.add %a, %a : !n
    %0 = graph.matmul %x, %w1 transpose_b : (!mk, !nk) -> !mn
    %1 = graph.broadcast %k shape = [m, n] : (!n) -> !mn
    %2 = graph.add %0, %1 : !mn
    rule.yield %2 : [m, n]
  }

// CHECK: refuted scale_into_transposed_matmul_batch_twice
rule.rule @scale_into_transposed_matmul_batch_twice(%x: [b, m, k], %w: [n, k], %s: [n]) -> [b, m, n]
  source {
    %0 = graph.matmul %x, %w transpose_b : (!bmk, !nk) -> !bmn
    %1 = graph.broadcast %s shape = [b, m, n] : (!n) -> !bmn
    %2 = graph.mul %0, %1 : !bmn
    rule.yield %2 : [b, m, n]
  }
  target {
    %c1 = graph.reshape %s shape = [n, 1] : (!n) -> !n1
    %c2 = graph.broadcast %c1 shape = [n, k] : (!n1) -> !nk
    %w0 = graph.mul %w, %c2 : !nk
    %w1 = graph.mul %w0, %c2 : !nk
    %0 = graph.matmul %x, %w1 transpose_b : (!bmk, !nk) -> !bmn
    rule.yield %0 : [b, m, n]
  }

// CHECK: refuted scale_into_transposed_matmul_with_bias_batch_bias_unscaled
rule.rule @scale_into_transposed_matmul_with_bias_batch_bias_unscaled(%x: [b, m, k], %w: [n, k], %a: [n], %s: [n]) -> [b, m, n]
  source {
    %0 = graph.matmul %x, %w transpose_b : (!bmk, !nk) -> !bmn
    %1 = graph.broadcast %a shape = [b, m, n] : (!n) -> !bmn
    %2 = graph.add %0, %1 : !bmn
    %3 = graph.broadcast %s shape = [b, m, n] : (!n) -> !bmn
    %4 = graph.mul %2, %3 : !bmn
    rule.yield %4 : [b, m, n]
  }
  target {
    %c1 = graph.reshape %s shape = [n, 1] : (!n) -> !n1
    %c2 = graph.broadcast %c1 shape = [n, k] : (!n1) -> !nk
    %w1 = graph.mul %w, %c2 : !nk
    %k = graph.add %a, %a : !n
    %0 = graph.matmul %x, %w1 transpose_b : (!bmk, !nk) -> !bmn
    %1 = graph.broadcast %k shape = [b, m, n] : (!n) -> !bmn
    %2 = graph.add %0, %1 : !bmn
    rule.yield %2 : [b, m, n]
  }

// CHECK: refuted biases_of_rows_multiplied
rule.rule @biases_of_rows_multiplied(%y: [m, n], %a: [n], %k: [n]) -> [m, n]
  source {
    %0 = graph.broadcast %a shape = [m, n] : (!n) -> !mn
    %1 = graph.add %y, %0 : !mn
    %2 = graph.broadcast %k shape = [m, n] : (!n) -> !mn
    %3 = graph.add %1, %2 : !mn
    rule.yield %3 : [m, n]
  }
  target {
    %s = graph.mul %a, %k : !n
    %0 = graph.broadcast %s shape = [m, n] : (!n) -> !mn
    %1 = graph.add %y, %0 : !mn
    rule.yield %1 : [m, n]
  }

// CHECK: refuted biases_of_rows_batch_multiplied
rule.rule @biases_of_rows_batch_multiplied(%y: [b, m, n], %a: [n], %k: [n]) -> [b, m, n]
  source {
    %0 = graph.broadcast %a shape = [b, m, n] : (!n) -> !bmn
    %1 = graph.add %y, %0 : !bmn
    %2 = graph.broadcast %k shape = [b, m, n] : (!n) -> !bmn
    %3 = graph.add %1, %2 : !bmn
    rule.yield %3 : [b, m, n]
  }
  target {
    %s = graph.mul %a, %k : !n
    %0 = graph.broadcast %s shape = [b, m, n] : (!n) -> !bmn
    %1 = graph.add %y, %0 : !bmn
    rule.yield %1 : [b, m, n]
  }

!k = tensor<?xf32, #graph.dims<k>>
!k1 = tensor<?x1xf32, #graph.dims<k, 1>>
// CHECK: refuted gain_into_matmul_twice
rule.rule @gain_into_matmul_twice(%x: [m, k], %g: [k], %w: [k, n]) -> [m, n]
  source {
    %0 = graph.broadcast %g shape = [m, k] : (!k) -> !mk
    %1 = graph.mul %x, %0 : !mk
    %2 = graph.matmul %1, %w : (!mk, !kn) -> !mn
    rule.yield %2 : [m, n]
  }
  target {
    %g3 = graph.reshape %g shape = [k, 1] : (!k) -> !k1
    %g2 = graph.broadcast %g3 shape = [k, n] : (!k1) -> !kn
    %w0 = graph.mul %w, %g2 : !kn
    %w1 = graph.mul %w0, %g2 : !kn
    %0 = graph.matmul %x, %w1 : (!mk, !kn) -> !mn
    rule.yield %0 : [m, n]
  }

!m1 = tensor<?x1xf32, #graph.dims<m, 1>>
// CHECK: refuted rms_norm_1e5_gain_into_matmul_by_square
rule.rule @rms_norm_1e5_gain_into_matmul_by_square(%x: [m, k], %g: [k], %w: [k, n]) -> [m, n]
  source {
    %0 = graph.rms_norm %x, %g axis = 1 epsilon = 1.0e-5 : (!mk, !k) -> !mk
    %1 = graph.matmul %0, %w : (!mk, !kn) -> !mn
    rule.yield %1 : [m, n]
  }
  target {
    %q = graph.mul %x, %x : !mk
    %q1 = graph.reduce_mean %q axes = [1] keepdims : (!mk) -> !m1
    %e0 = graph.constant dense<1.0e-5> : tensor<f32>
    %e = graph.broadcast %e0 shape = [m, 1] : (!scalar) -> !m1
    %v = graph.add %q1, %e : !m1
    %r = graph.sqrt %v : !m1
    %r1 = graph.broadcast %v shape = [m, k] : (!m1) -> !mk
    %0 = graph.div %x, %r1 : !mk
    %g3 = graph.reshape %g shape = [k, 1] : (!k) -> !k1
    %g2 = graph.broadcast %g3 shape = [k, n] : (!k1) -> !kn
    %w1 = graph.mul %w, %g2 : !kn
    %1 = graph.matmul %0, %w1 : (!mk, !kn) -> !mn
    rule.yield %1 : [m, n]
  }

// CHECK: refuted rms_norm_1e6_gain_into_matmul_by_square
rule.rule @rms_norm_1e6_gain_into_matmul_by_square(%x: [m, k], %g: [k], %w: [k, n]) -> [m, n]
  source {
    %0 = graph.rms_norm %x, %g axis = 1 epsilon = 1.0e-6 : (!mk, !k) -> !mk
    %1 = graph.matmul %0, %w : (!mk, !kn) -> !mn
    rule.yield %1 : [m, n]
  }
  target {
    %q = graph.mul %x, %x : !mk
    %q1 = graph.reduce_mean %q axes = [1] keepdims : (!mk) -> !m1
    %e0 = graph.constant dense<1.0e-6> : tensor<f32>
    %e = graph.broadcast %e0 shape = [m, 1] : (!scalar) -> !m1
    %v = graph.add %q1, %e : !m1
    %r = graph.sqrt %v : !m1
    %r1 = graph.broadcast %v shape = [m, k] : (!m1) -> !mk
    %0 = graph.div %x, %r1 : !mk
    %g3 = graph.reshape %g shape = [k, 1] : (!k) -> !k1
    %g2 = graph.broadcast %g3 shape = [k, n] : (!k1) -> !kn
    %w1 = graph.mul %w, %g2 : !kn
    %1 = graph.matmul %0, %w1 : (!mk, !kn) -> !mn
    rule.yield %1 : [m, n]
  }

!of1k = tensor<1x?xf32, #graph.dims<1, k>>
!of1n = tensor<1x?xf32, #graph.dims<1, n>>
// CHECK: refuted layer_norm_1e5_gain_into_matmul_bias_by_scaled_weight
rule.rule @layer_norm_1e5_gain_into_matmul_bias_by_scaled_weight(%x: [m, k], %g: [k], %h: [k], %w: [k, n]) -> [m, n]
  source {
    %0 = graph.layer_norm %x, %g, %h axis = 1 epsilon = 1.0e-5 : (!mk, !k, !k) -> !mk
    %1 = graph.matmul %0, %w : (!mk, !kn) -> !mn
    rule.yield %1 : [m, n]
  }
  target {
    %g10 = graph.constant dense<1.0> : tensor<f32>
    %g1 = graph.broadcast %g10 shape = [k] : (!scalar) -> !k
    %0 = graph.layer_norm %x, %g1 axis = 1 epsilon = 1.0e-5 : (!mk, !k) -> !mk
    %g3 = graph.reshape %g shape = [k, 1] : (!k) -> !k1
    %g2 = graph.broadcast %g3 shape = [k, n] : (!k1) -> !kn
    %w1 = graph.mul %w, %g2 : !kn
    %1 = graph.matmul %0, %w1 : (!mk, !kn) -> !mn
    %h0 = graph.reshape %h shape = [1, k] : (!k) -> !of1k
    %h1 = graph.matmul %h0, %w1 : (!of1k, !kn) -> !of1n
    %h2 = graph.broadcast %h1 shape = [m, n] : (!of1n) -> !mn
    %2 = graph.add %1, %h2 : !mn
    rule.yield %2 : [m, n]
  }

// CHECK: refuted gain_into_matmul_batch_twice
rule.rule @gain_into_matmul_batch_twice(%x: [b, m, k], %g: [k], %w: [k, n]) -> [b, m, n]
  source {
    %0 = graph.broadcast %g shape = [b, m, k] : (!k) -> !bmk
    %1 = graph.mul %x, %0 : !bmk
    %2 = graph.matmul %1, %w : (!bmk, !kn) -> !bmn
    rule.yield %2 : [b, m, n]
  }
  target {
    %g3 = graph.reshape %g shape = [k, 1] : (!k) -> !k1
    %g2 = graph.broadcast %g3 shape = [k, n] : (!k1) -> !kn
    %w0 = graph.mul %w, %g2 : !kn
    %w1 = graph.mul %w0, %g2 : !kn
    %0 = graph.matmul %x, %w1 : (!bmk, !kn) -> !bmn
    rule.yield %0 : [b, m, n]
  }

!bm1 = tensor<?x?x1xf32, #graph.dims<b, m, 1>>
// CHECK: refuted rms_norm_1e5_gain_into_matmul_batch_by_square
rule.rule @rms_norm_1e5_gain_into_matmul_batch_by_square(%x: [b, m, k], %g: [k], %w: [k, n]) -> [b, m, n]
  source {
    %0 = graph.rms_norm %x, %g axis = 2 epsilon = 1.0e-5 : (!bmk, !k) -> !bmk
    %1 = graph.matmul %0, %w : (!bmk, !kn) -> !bmn
    rule.yield %1 : [b, m, n]
  }
  target {
    %q = graph.mul %x, %x : !bmk
    %q1 = graph.reduce_mean %q axes = [2] keepdims : (!bmk) -> !bm1
    %e0 = graph.constant dense<1.0e-5> : tensor<f32>
    %e = graph.broadcast %e0 shape = [b, m, 1] : (!scalar) -> !bm1
    %v = graph.add %q1, %e : !bm1
    %r = graph.sqrt %v : !bm1
    %r1 = graph.broadcast %v shape = [b, m, k] : (!bm1) -> !bmk
    %0 = graph.div %x, %r1 : !bmk
    %g3 = graph.reshape %g shape = [k, 1] : (!k) -> !k1
    %g2 = graph.broadcast %g3 shape = [k, n] : (!k1) -> !kn
    %w1 = graph.mul %w, %g2 : !kn
    %1 = graph.matmul %0, %w1 : (!bmk, !kn) -> !bmn
    rule.yield %1 : [b, m, n]
  }

// CHECK: refuted rms_norm_1e6_gain_into_matmul_batch_by_square
rule.rule @rms_norm_1e6_gain_into_matmul_batch_by_square(%x: [b, m, k], %g: [k], %w: [k, n]) -> [b, m, n]
  source {
    %0 = graph.rms_norm %x, %g axis = 2 epsilon = 1.0e-6 : (!bmk, !k) -> !bmk
    %1 = graph.matmul %0, %w : (!bmk, !kn) -> !bmn
    rule.yield %1 : [b, m, n]
  }
  target {
    %q = graph.mul %x, %x : !bmk
    %q1 = graph.reduce_mean %q axes = [2] keepdims : (!bmk) -> !bm1
    %e0 = graph.constant dense<1.0e-6> : tensor<f32>
    %e = graph.broadcast %e0 shape = [b, m, 1] : (!scalar) -> !bm1
    %v = graph.add %q1, %e : !bm1
    %r = graph.sqrt %v : !bm1
    %r1 = graph.broadcast %v shape = [b, m, k] : (!bm1) -> !bmk
    %0 = graph.div %x, %r1 : !bmk
    %g3 = graph.reshape %g shape = [k, 1] : (!k) -> !k1
    %g2 = graph.broadcast %g3 shape = [k, n] : (!k1) -> !kn
    %w1 = graph.mul %w, %g2 : !kn
    %1 = graph.matmul %0, %w1 : (!bmk, !kn) -> !bmn
    rule.yield %1 : [b, m, n]
  }

// CHECK: refuted layer_norm_1e5_gain_into_matmul_batch_bias_by_scaled_weight
rule.rule @layer_norm_1e5_gain_into_matmul_batch_bias_by_scaled_weight(%x: [b, m, k], %g: [k], %h: [k], %w: [k, n]) -> [b, m, n]
  source {
    %0 = graph.layer_norm %x, %g, %h axis = 2 epsilon = 1.0e-5 : (!bmk, !k, !k) -> !bmk
    %1 = graph.matmul %0, %w : (!bmk, !kn) -> !bmn
    rule.yield %1 : [b, m, n]
  }
  target {
    %g10 = graph.constant dense<1.0> : tensor<f32>
    %g1 = graph.broadcast %g10 shape = [k] : (!scalar) -> !k
    %0 = graph.layer_norm %x, %g1 axis = 2 epsilon = 1.0e-5 : (!bmk, !k) -> !bmk
    %g3 = graph.reshape %g shape = [k, 1] : (!k) -> !k1
    %g2 = graph.broadcast %g3 shape = [k, n] : (!k1) -> !kn
    %w1 = graph.mul %w, %g2 : !kn
    %1 = graph.matmul %0, %w1 : (!bmk, !kn) -> !bmn
    %h0 = graph.reshape %h shape = [1, k] : (!k) -> !of1k
    %h1 = graph.matmul %h0, %w1 : (!of1k, !kn) -> !of1n
    %h2 = graph.broadcast %h1 shape = [b, m, n] : (!of1n) -> !bmn
    %2 = graph.add %1, %h2 : !bmn
    rule.yield %2 : [b, m, n]
  }

// CHECK: refuted gain_into_transposed_matmul_twice
rule.rule @gain_into_transposed_matmul_twice(%x: [m, k], %g: [k], %w: [n, k]) -> [m, n]
  source {
    %0 = graph.broadcast %g shape = [m, k] : (!k) -> !mk
    %1 = graph.mul %x, %0 : !mk
    %2 = graph.matmul %1, %w transpose_b : (!mk, !nk) -> !mn
    rule.yield %2 : [m, n]
  }
  target {
    %g2 = graph.broadcast %g shape = [n, k] : (!k) -> !nk
    %w0 = graph.mul %w, %g2 : !nk
    %w1 = graph.mul %w0, %g2 : !nk
    %0 = graph.matmul %x, %w1 transpose_b : (!mk, !nk) -> !mn
    rule.yield %0 : [m, n]
  }

// CHECK: refuted rms_norm_1e5_gain_into_transposed_matmul_by_square
rule.rule @rms_norm_1e5_gain_into_transposed_matmul_by_square(%x: [m, k], %g: [k], %w: [n, k]) -> [m, n]
  source {
    %0 = graph.rms_norm %x, %g axis = 1 epsilon = 1.0e-5 : (!mk, !k) -> !mk
    %1 = graph.matmul %0, %w transpose_b : (!mk, !nk) -> !mn
    rule.yield %1 : [m, n]
  }
  target {
    %q = graph.mul %x, %x : !mk
    %q1 = graph.reduce_mean %q axes = [1] keepdims : (!mk) -> !m1
    %e0 = graph.constant dense<1.0e-5> : tensor<f32>
    %e = graph.broadcast %e0 shape = [m, 1] : (!scalar) -> !m1
    %v = graph.add %q1, %e : !m1
    %r = graph.sqrt %v : !m1
    %r1 = graph.broadcast %v shape = [m, k] : (!m1) -> !mk
    %0 = graph.div %x, %r1 : !mk
    %g2 = graph.broadcast %g shape = [n, k] : (!k) -> !nk
    %w1 = graph.mul %w, %g2 : !nk
    %1 = graph.matmul %0, %w1 transpose_b : (!mk, !nk) -> !mn
    rule.yield %1 : [m, n]
  }

// CHECK: refuted rms_norm_1e6_gain_into_transposed_matmul_by_square
rule.rule @rms_norm_1e6_gain_into_transposed_matmul_by_square(%x: [m, k], %g: [k], %w: [n, k]) -> [m, n]
  source {
    %0 = graph.rms_norm %x, %g axis = 1 epsilon = 1.0e-6 : (!mk, !k) -> !mk
    %1 = graph.matmul %0, %w transpose_b : (!mk, !nk) -> !mn
    rule.yield %1 : [m, n]
  }
  target {
    %q = graph.mul %x, %x : !mk
    %q1 = graph.reduce_mean %q axes = [1] keepdims : (!mk) -> !m1
    %e0 = graph.constant dense<1.0e-6> : tensor<f32>
    %e = graph.broadcast %e0 shape = [m, 1] : (!scalar) -> !m1
    %v = graph.add %q1, %e : !m1
    %r = graph.sqrt %v : !m1
    %r1 = graph.broadcast %v shape = [m, k] : (!m1) -> !mk
    %0 = graph.div %x, %r1 : !mk
    %g2 = graph.broadcast %g shape = [n, k] : (!k) -> !nk
    %w1 = graph.mul %w, %g2 : !nk
    %1 = graph.matmul %0, %w1 transpose_b : (!mk, !nk) -> !mn
    rule.yield %1 : [m, n]
  }

// CHECK: refuted layer_norm_1e5_gain_into_transposed_matmul_bias_by_scaled_weight
rule.rule @layer_norm_1e5_gain_into_transposed_matmul_bias_by_scaled_weight(%x: [m, k], %g: [k], %h: [k], %w: [n, k]) -> [m, n]
  source {
    %0 = graph.layer_norm %x, %g, %h axis = 1 epsilon = 1.0e-5 : (!mk, !k, !k) -> !mk
    %1 = graph.matmul %0, %w transpose_b : (!mk, !nk) -> !mn
    rule.yield %1 : [m, n]
  }
  target {
    %g10 = graph.constant dense<1.0> : tensor<f32>
    %g1 = graph.broadcast %g10 shape = [k] : (!scalar) -> !k
    %0 = graph.layer_norm %x, %g1 axis = 1 epsilon = 1.0e-5 : (!mk, !k) -> !mk
    %g2 = graph.broadcast %g shape = [n, k] : (!k) -> !nk
    %w1 = graph.mul %w, %g2 : !nk
    %1 = graph.matmul %0, %w1 transpose_b : (!mk, !nk) -> !mn
    %h0 = graph.reshape %h shape = [1, k] : (!k) -> !of1k
    %h1 = graph.matmul %h0, %w1 transpose_b : (!of1k, !nk) -> !of1n
    %h2 = graph.broadcast %h1 shape = [m, n] : (!of1n) -> !mn
    %2 = graph.add %1, %h2 : !mn
    rule.yield %2 : [m, n]
  }

// CHECK: refuted gain_into_transposed_matmul_batch_twice
rule.rule @gain_into_transposed_matmul_batch_twice(%x: [b, m, k], %g: [k], %w: [n, k]) -> [b, m, n]
  source {
    %0 = graph.broadcast %g shape = [b, m, k] : (!k) -> !bmk
    %1 = graph.mul %x, %0 : !bmk
    %2 = graph.matmul %1, %w transpose_b : (!bmk, !nk) -> !bmn
    rule.yield %2 : [b, m, n]
  }
  target {
    %g2 = graph.broadcast %g shape = [n, k] : (!k) -> !nk
    %w0 = graph.mul %w, %g2 : !nk
    %w1 = graph.mul %w0, %g2 : !nk
    %0 = graph.matmul %x, %w1 transpose_b : (!bmk, !nk) -> !bmn
    rule.yield %0 : [b, m, n]
  }

// CHECK: refuted rms_norm_1e5_gain_into_transposed_matmul_batch_by_square
rule.rule @rms_norm_1e5_gain_into_transposed_matmul_batch_by_square(%x: [b, m, k], %g: [k], %w: [n, k]) -> [b, m, n]
  source {
    %0 = graph.rms_norm %x, %g axis = 2 epsilon = 1.0e-5 : (!bmk, !k) -> !bmk
    %1 = graph.matmul %0, %w transpose_b : (!bmk, !nk) -> !bmn
    rule.yield %1 : [b, m, n]
  }
  target {
    %q = graph.mul %x, %x : !bmk
    %q1 = graph.reduce_mean %q axes = [2] keepdims : (!bmk) -> !bm1
    %e0 = graph.constant dense<1.0e-5> : tensor<f32>
    %e = graph.broadcast %e0 shape = [b, m, 1] : (!scalar) -> !bm1
    %v = graph.add %q1, %e : !bm1
    %r = graph.sqrt %v : !bm1
    %r1 = graph.broadcast %v shape = [b, m, k] : (!bm1) -> !bmk
    %0 = graph.div %x, %r1 : !bmk
    %g2 = graph.broadcast %g shape = [n, k] : (!k) -> !nk
    %w1 = graph.mul %w, %g2 : !nk
    %1 = graph.matmul %0, %w1 transpose_b : (!bmk, !nk) -> !bmn
    rule.yield %1 : [b, m, n]
  }

// CHECK: refuted rms_norm_1e6_gain_into_transposed_matmul_batch_by_square
rule.rule @rms_norm_1e6_gain_into_transposed_matmul_batch_by_square(%x: [b, m, k], %g: [k], %w: [n, k]) -> [b, m, n]
  source {
    %0 = graph.rms_norm %x, %g axis = 2 epsilon = 1.0e-6 : (!bmk, !k) -> !bmk
    %1 = graph.matmul %0, %w transpose_b : (!bmk, !nk) -> !bmn
    rule.yield %1 : [b, m, n]
  }
  target {
    %q = graph.mul %x, %x : !bmk
    %q1 = graph.reduce_mean %q axes = [2] keepdims : (!bmk) -> !bm1
    %e0 = graph.constant dense<1.0e-6> : tensor<f32>
    %e = graph.broadcast %e0 shape = [b, m, 1] : (!scalar) -> !bm1
    %v = graph.add %q1, %e : !bm1
    %r = graph.sqrt %v : !bm1
    %r1 = graph.broadcast %v shape = [b, m, k] : (!bm1) -> !bmk
    %0 = graph.div %x, %r1 : !bmk
    %g2 = graph.broadcast %g shape = [n, k] : (!k) -> !nk
    %w1 = graph.mul %w, %g2 : !nk
    %1 = graph.matmul %0, %w1 transpose_b : (!bmk, !nk) -> !bmn
    rule.yield %1 : [b, m, n]
  }

// CHECK: refuted layer_norm_1e5_gain_into_transposed_matmul_batch_bias_by_scaled_weight
rule.rule @layer_norm_1e5_gain_into_transposed_matmul_batch_bias_by_scaled_weight(%x: [b, m, k], %g: [k], %h: [k], %w: [n, k]) -> [b, m, n]
  source {
    %0 = graph.layer_norm %x, %g, %h axis = 2 epsilon = 1.0e-5 : (!bmk, !k, !k) -> !bmk
    %1 = graph.matmul %0, %w transpose_b : (!bmk, !nk) -> !bmn
    rule.yield %1 : [b, m, n]
  }
  target {
    %g10 = graph.constant dense<1.0> : tensor<f32>
    %g1 = graph.broadcast %g10 shape = [k] : (!scalar) -> !k
    %0 = graph.layer_norm %x, %g1 axis = 2 epsilon = 1.0e-5 : (!bmk, !k) -> !bmk
    %g2 = graph.broadcast %g shape = [n, k] : (!k) -> !nk
    %w1 = graph.mul %w, %g2 : !nk
    %1 = graph.matmul %0, %w1 transpose_b : (!bmk, !nk) -> !bmn
    %h0 = graph.reshape %h shape = [1, k] : (!k) -> !of1k
    %h1 = graph.matmul %h0, %w1 transpose_b : (!of1k, !nk) -> !of1n
    %h2 = graph.broadcast %h1 shape = [b, m, n] : (!of1n) -> !bmn
    %2 = graph.add %1, %h2 : !bmn
    rule.yield %2 : [b, m, n]
  }

// CHECK: refuted mul_of_rows_after_matmul_for_add
rule.rule @mul_of_rows_after_matmul_for_add(%x: [m, k], %s: [m, 1], %w: [k, n]) -> [m, n]
  source {
    %0 = graph.broadcast %s shape = [m, k] : (!m1) -> !mk
    %1 = graph.add %x, %0 : !mk
    %2 = graph.matmul %1, %w : (!mk, !kn) -> !mn
    rule.yield %2 : [m, n]
  }
  target {
    %0 = graph.matmul %x, %w : (!mk, !kn) -> !mn
    %1 = graph.broadcast %s shape = [m, n] : (!m1) -> !mn
    %2 = graph.add %0, %1 : !mn
    rule.yield %2 : [m, n]
  }

// CHECK: refuted div_of_rows_after_matmul_for_add
rule.rule @div_of_rows_after_matmul_for_add(%x: [m, k], %s: [m, 1], %w: [k, n]) -> [m, n]
  source {
    %0 = graph.broadcast %s shape = [m, k] : (!m1) -> !mk
    %1 = graph.add %x, %0 : !mk
    %2 = graph.matmul %1, %w : (!mk, !kn) -> !mn
    rule.yield %2 : [m, n]
  }
  target {
    %0 = graph.matmul %x, %w : (!mk, !kn) -> !mn
    %1 = graph.broadcast %s shape = [m, n] : (!m1) -> !mn
    %2 = graph.add %0, %1 : !mn
    rule.yield %2 : [m, n]
  }
  where [k >= 1]

// CHECK: refuted rms_norm_1e5_after_matmul_by_square
rule.rule @rms_norm_1e5_after_matmul_by_square(%x: [m, k], %g: [k], %w: [k, n]) -> [m, n]
  source {
    %0 = graph.rms_norm %x, %g axis = 1 epsilon = 1.0e-5 : (!mk, !k) -> !mk
    %1 = graph.matmul %0, %w : (!mk, !kn) -> !mn
    rule.yield %1 : [m, n]
  }
  target {
    %g3 = graph.reshape %g shape = [k, 1] : (!k) -> !k1
    %g2 = graph.broadcast %g3 shape = [k, n] : (!k1) -> !kn
    %w1 = graph.mul %w, %g2 : !kn
    %0 = graph.matmul %x, %w1 : (!mk, !kn) -> !mn
    %q = graph.mul %x, %x : !mk
    %q1 = graph.reduce_mean %q axes = [1] keepdims : (!mk) -> !m1
    %e0 = graph.constant dense<1.0e-5> : tensor<f32>
    %e = graph.broadcast %e0 shape = [m, 1] : (!scalar) -> !m1
    %t = graph.add %q1, %e : !m1
    %r = graph.sqrt %t : !m1
    %r1 = graph.broadcast %t shape = [m, n] : (!m1) -> !mn
    %z = graph.div %0, %r1 : !mn
    rule.yield %z : [m, n]
  }
  where [k >= 1]

// CHECK: refuted rms_norm_1e6_after_matmul_by_square
rule.rule @rms_norm_1e6_after_matmul_by_square(%x: [m, k], %g: [k], %w: [k, n]) -> [m, n]
  source {
    %0 = graph.rms_norm %x, %g axis = 1 epsilon = 1.0e-6 : (!mk, !k) -> !mk
    %1 = graph.matmul %0, %w : (!mk, !kn) -> !mn
    rule.yield %1 : [m, n]
  }
  target {
    %g3 = graph.reshape %g shape = [k, 1] : (!k) -> !k1
    %g2 = graph.broadcast %g3 shape = [k, n] : (!k1) -> !kn
    %w1 = graph.mul %w, %g2 : !kn
    %0 = graph.matmul %x, %w1 : (!mk, !kn) -> !mn
    %q = graph.mul %x, %x : !mk
    %q1 = graph.reduce_mean %q axes = [1] keepdims : (!mk) -> !m1
    %e0 = graph.constant dense<1.0e-6> : tensor<f32>
    %e = graph.broadcast %e0 shape = [m, 1] : (!scalar) -> !m1
    %t = graph.add %q1, %e : !m1
    %r = graph.sqrt %t : !m1
    %r1 = graph.broadcast %t shape = [m, n] : (!m1) -> !mn
    %z = graph.div %0, %r1 : !mn
    rule.yield %z : [m, n]
  }
  where [k >= 1]

// CHECK: refuted mul_of_rows_after_matmul_batch_for_add
rule.rule @mul_of_rows_after_matmul_batch_for_add(%x: [b, m, k], %s: [b, m, 1], %w: [k, n]) -> [b, m, n]
  source {
    %0 = graph.broadcast %s shape = [b, m, k] : (!bm1) -> !bmk
    %1 = graph.add %x, %0 : !bmk
    %2 = graph.matmul %1, %w : (!bmk, !kn) -> !bmn
    rule.yield %2 : [b, m, n]
  }
  target {
    %0 = graph.matmul %x, %w : (!bmk, !kn) -> !bmn
    %1 = graph.broadcast %s shape = [b, m, n] : (!bm1) -> !bmn
    %2 = graph.add %0, %1 : !bmn
    rule.yield %2 : [b, m, n]
  }

// CHECK: refuted div_of_rows_after_matmul_batch_for_add
rule.rule @div_of_rows_after_matmul_batch_for_add(%x: [b, m, k], %s: [b, m, 1], %w: [k, n]) -> [b, m, n]
  source {
    %0 = graph.broadcast %s shape = [b, m, k] : (!bm1) -> !bmk
    %1 = graph.add %x, %0 : !bmk
    %2 = graph.matmul %1, %w : (!bmk, !kn) -> !bmn
    rule.yield %2 : [b, m, n]
  }
  target {
    %0 = graph.matmul %x, %w : (!bmk, !kn) -> !bmn
    %1 = graph.broadcast %s shape = [b, m, n] : (!bm1) -> !bmn
    %2 = graph.add %0, %1 : !bmn
    rule.yield %2 : [b, m, n]
  }
  where [k >= 1]

// CHECK: refuted rms_norm_1e5_after_matmul_batch_by_square
rule.rule @rms_norm_1e5_after_matmul_batch_by_square(%x: [b, m, k], %g: [k], %w: [k, n]) -> [b, m, n]
  source {
    %0 = graph.rms_norm %x, %g axis = 2 epsilon = 1.0e-5 : (!bmk, !k) -> !bmk
    %1 = graph.matmul %0, %w : (!bmk, !kn) -> !bmn
    rule.yield %1 : [b, m, n]
  }
  target {
    %g3 = graph.reshape %g shape = [k, 1] : (!k) -> !k1
    %g2 = graph.broadcast %g3 shape = [k, n] : (!k1) -> !kn
    %w1 = graph.mul %w, %g2 : !kn
    %0 = graph.matmul %x, %w1 : (!bmk, !kn) -> !bmn
    %q = graph.mul %x, %x : !bmk
    %q1 = graph.reduce_mean %q axes = [2] keepdims : (!bmk) -> !bm1
    %e0 = graph.constant dense<1.0e-5> : tensor<f32>
    %e = graph.broadcast %e0 shape = [b, m, 1] : (!scalar) -> !bm1
    %t = graph.add %q1, %e : !bm1
    %r = graph.sqrt %t : !bm1
    %r1 = graph.broadcast %t shape = [b, m, n] : (!bm1) -> !bmn
    %z = graph.div %0, %r1 : !bmn
    rule.yield %z : [b, m, n]
  }
  where [k >= 1]

// CHECK: refuted rms_norm_1e6_after_matmul_batch_by_square
rule.rule @rms_norm_1e6_after_matmul_batch_by_square(%x: [b, m, k], %g: [k], %w: [k, n]) -> [b, m, n]
  source {
    %0 = graph.rms_norm %x, %g axis = 2 epsilon = 1.0e-6 : (!bmk, !k) -> !bmk
    %1 = graph.matmul %0, %w : (!bmk, !kn) -> !bmn
    rule.yield %1 : [b, m, n]
  }
  target {
    %g3 = graph.reshape %g shape = [k, 1] : (!k) -> !k1
    %g2 = graph.broadcast %g3 shape = [k, n] : (!k1) -> !kn
    %w1 = graph.mul %w, %g2 : !kn
    %0 = graph.matmul %x, %w1 : (!bmk, !kn) -> !bmn
    %q = graph.mul %x, %x : !bmk
    %q1 = graph.reduce_mean %q axes = [2] keepdims : (!bmk) -> !bm1
    %e0 = graph.constant dense<1.0e-6> : tensor<f32>
    %e = graph.broadcast %e0 shape = [b, m, 1] : (!scalar) -> !bm1
    %t = graph.add %q1, %e : !bm1
    %r = graph.sqrt %t : !bm1
    %r1 = graph.broadcast %t shape = [b, m, n] : (!bm1) -> !bmn
    %z = graph.div %0, %r1 : !bmn
    rule.yield %z : [b, m, n]
  }
  where [k >= 1]

// CHECK: refuted softmax_of_add_column_along_axis
rule.rule @softmax_of_add_column_along_axis(%x: [m, k], %c: [k]) -> [m, k]
  source {
    %0 = graph.broadcast %c shape = [m, k] : (!k) -> !mk
    %1 = graph.add %x, %0 : !mk
    %2 = graph.softmax %1 axis = 1 : !mk
    rule.yield %2 : [m, k]
  }
  target {
    %0 = graph.softmax %x axis = 1 : !mk
    rule.yield %0 : [m, k]
  }

// CHECK: refuted softmax_of_sub_column_along_axis
rule.rule @softmax_of_sub_column_along_axis(%x: [m, k], %c: [k]) -> [m, k]
  source {
    %0 = graph.broadcast %c shape = [m, k] : (!k) -> !mk
    %1 = graph.sub %x, %0 : !mk
    %2 = graph.softmax %1 axis = 1 : !mk
    rule.yield %2 : [m, k]
  }
  target {
    %0 = graph.softmax %x axis = 1 : !mk
    rule.yield %0 : [m, k]
  }

// CHECK: refuted log_softmax_of_add_column_along_axis
rule.rule @log_softmax_of_add_column_along_axis(%x: [m, k], %c: [k]) -> [m, k]
  source {
    %0 = graph.broadcast %c shape = [m, k] : (!k) -> !mk
    %1 = graph.add %x, %0 : !mk
    %2 = graph.log_softmax %1 axis = 1 : !mk
    rule.yield %2 : [m, k]
  }
  target {
    %0 = graph.log_softmax %x axis = 1 : !mk
    rule.yield %0 : [m, k]
  }

// CHECK: refuted log_softmax_of_sub_column_along_axis
rule.rule @log_softmax_of_sub_column_along_axis(%x: [m, k], %c: [k]) -> [m, k]
  source {
    %0 = graph.broadcast %c shape = [m, k] : (!k) -> !mk
    %1 = graph.sub %x, %0 : !mk
    %2 = graph.log_softmax %1 axis = 1 : !mk
    rule.yield %2 : [m, k]
  }
  target {
    %0 = graph.log_softmax %x axis = 1 : !mk
    rule.yield %0 : [m, k]
  }

// CHECK: refuted softmax_of_add_number_multiplied
rule.rule @softmax_of_add_number_multiplied(%x: [m, k], %c: []) -> [m, k]
  source {
    %0 = graph.broadcast %c shape = [m, k] : (!scalar) -> !mk
    %1 = graph.mul %x, %0 : !mk
    %2 = graph.softmax %1 axis = 1 : !mk
    rule.yield %2 : [m, k]
  }
  target {
    %0 = graph.softmax %x axis = 1 : !mk
    rule.yield %0 : [m, k]
  }

// CHECK: refuted log_softmax_of_add_number_multiplied
rule.rule @log_softmax_of_add_number_multiplied(%x: [m, k], %c: []) -> [m, k]
  source {
    %0 = graph.broadcast %c shape = [m, k] : (!scalar) -> !mk
    %1 = graph.mul %x, %0 : !mk
    %2 = graph.log_softmax %1 axis = 1 : !mk
    rule.yield %2 : [m, k]
  }
  target {
    %0 = graph.log_softmax %x axis = 1 : !mk
    rule.yield %0 : [m, k]
  }

!mm = tensor<?x?xf32, #graph.dims<m, m>>
// CHECK: refuted softmax_without_maximum_other_axis
rule.rule @softmax_without_maximum_other_axis(%x: [m, m]) -> [m, m]
  source {
    %0 = graph.exp %x : !mm
    %1 = graph.reduce_sum %0 axes = [1] keepdims : (!mm) -> !m1
    %2 = graph.broadcast %1 shape = [m, m] : (!m1) -> !mm
    %3 = graph.div %0, %2 : !mm
    rule.yield %3 : [m, m]
  }
  target {
    %0 = graph.softmax %x axis = 0 : !mm
    rule.yield %0 : [m, m]
  }

// CHECK: refuted softmax_with_own_maximum_added
rule.rule @softmax_with_own_maximum_added(%x: [m, k]) -> [m, k]
  source {
    %0 = graph.reduce_max %x axes = [1] keepdims : (!mk) -> !m1
    %1 = graph.broadcast %0 shape = [m, k] : (!m1) -> !mk
    %2 = graph.mul %x, %1 : !mk
    %3 = graph.exp %2 : !mk
    %4 = graph.reduce_sum %3 axes = [1] keepdims : (!mk) -> !m1
    %5 = graph.broadcast %4 shape = [m, k] : (!m1) -> !mk
    %6 = graph.div %3, %5 : !mk
    rule.yield %6 : [m, k]
  }
  target {
    %0 = graph.softmax %x axis = 1 : !mk
    rule.yield %0 : [m, k]
  }

// CHECK: refuted log_of_softmax_as_softmax
rule.rule @log_of_softmax_as_softmax(%x: [m, k]) -> [m, k]
  source {
    %0 = graph.softmax %x axis = 1 : !mk
    %1 = graph.log %0 : !mk
    rule.yield %1 : [m, k]
  }
  target {
    %0 = graph.softmax %x axis = 1 : !mk
    rule.yield %0 : [m, k]
  }

!bhss = tensor<?x?x?x?xf32, #graph.dims<b, h, s, s>>
!bhs1 = tensor<?x?x?x1xf32, #graph.dims<b, h, s, 1>>
// CHECK: refuted softmax_without_maximum_of_scores_other_axis
rule.rule @softmax_without_maximum_of_scores_other_axis(%x: [b, h, s, s]) -> [b, h, s, s]
  source {
    %0 = graph.exp %x : !bhss
    %1 = graph.reduce_sum %0 axes = [3] keepdims : (!bhss) -> !bhs1
    %2 = graph.broadcast %1 shape = [b, h, s, s] : (!bhs1) -> !bhss
    %3 = graph.div %0, %2 : !bhss
    rule.yield %3 : [b, h, s, s]
  }
  target {
    %0 = graph.softmax %x axis = 2 : !bhss
    rule.yield %0 : [b, h, s, s]
  }

!bhst = tensor<?x?x?x?xf32, #graph.dims<b, h, s, t>>
// CHECK: refuted softmax_with_own_maximum_of_scores_added
rule.rule @softmax_with_own_maximum_of_scores_added(%x: [b, h, s, t]) -> [b, h, s, t]
  source {
    %0 = graph.reduce_max %x axes = [3] keepdims : (!bhst) -> !bhs1
    %1 = graph.broadcast %0 shape = [b, h, s, t] : (!bhs1) -> !bhst
    %2 = graph.mul %x, %1 : !bhst
    %3 = graph.exp %2 : !bhst
    %4 = graph.reduce_sum %3 axes = [3] keepdims : (!bhst) -> !bhs1
    %5 = graph.broadcast %4 shape = [b, h, s, t] : (!bhs1) -> !bhst
    %6 = graph.div %3, %5 : !bhst
    rule.yield %6 : [b, h, s, t]
  }
  target {
    %0 = graph.softmax %x axis = 3 : !bhst
    rule.yield %0 : [b, h, s, t]
  }

// CHECK: refuted log_of_softmax_of_scores_as_softmax
rule.rule @log_of_softmax_of_scores_as_softmax(%x: [b, h, s, t]) -> [b, h, s, t]
  source {
    %0 = graph.softmax %x axis = 3 : !bhst
    %1 = graph.log %0 : !bhst
    rule.yield %1 : [b, h, s, t]
  }
  target {
    %0 = graph.softmax %x axis = 3 : !bhst
    rule.yield %0 : [b, h, s, t]
  }

!st = tensor<?x?xf32, #graph.dims<s, t>>
!te = tensor<?x?xf32, #graph.dims<t, e>>
!se = tensor<?x?xf32, #graph.dims<s, e>>
!s1 = tensor<?x1xf32, #graph.dims<s, 1>>
// CHECK: refuted divide_after_values_by_maximum
rule.rule @divide_after_values_by_maximum(%x: [s, t], %v: [t, e]) -> [s, e]
  source {
    %0 = graph.softmax %x axis = 1 : !st
    %1 = graph.matmul %0, %v : (!st, !te) -> !se
    rule.yield %1 : [s, e]
  }
  target {
    %0 = graph.reduce_max %x axes = [1] keepdims : (!st) -> !s1
    %1 = graph.broadcast %0 shape = [s, t] : (!s1) -> !st
    %2 = graph.sub %x, %1 : !st
    %3 = graph.exp %2 : !st
    %4 = graph.matmul %3, %v : (!st, !te) -> !se
    %5 = graph.reduce_sum %3 axes = [1] keepdims : (!st) -> !s1
    %6 = graph.broadcast %0 shape = [s, e] : (!s1) -> !se
    %7 = graph.div %4, %6 : !se
    rule.yield %7 : [s, e]
  }

!bhte = tensor<?x?x?x?xf32, #graph.dims<b, h, t, e>>
!bhse = tensor<?x?x?x?xf32, #graph.dims<b, h, s, e>>
// CHECK: refuted divide_after_values_of_heads_by_maximum
rule.rule @divide_after_values_of_heads_by_maximum(%x: [b, h, s, t], %v: [b, h, t, e]) -> [b, h, s, e]
  source {
    %0 = graph.softmax %x axis = 3 : !bhst
    %1 = graph.matmul %0, %v : (!bhst, !bhte) -> !bhse
    rule.yield %1 : [b, h, s, e]
  }
  target {
    %0 = graph.reduce_max %x axes = [3] keepdims : (!bhst) -> !bhs1
    %1 = graph.broadcast %0 shape = [b, h, s, t] : (!bhs1) -> !bhst
    %2 = graph.sub %x, %1 : !bhst
    %3 = graph.exp %2 : !bhst
    %4 = graph.matmul %3, %v : (!bhst, !bhte) -> !bhse
    %5 = graph.reduce_sum %3 axes = [3] keepdims : (!bhst) -> !bhs1
    %6 = graph.broadcast %0 shape = [b, h, s, e] : (!bhs1) -> !bhse
    %7 = graph.div %4, %6 : !bhse
    rule.yield %7 : [b, h, s, e]
  }

// CHECK: 0 proved, 79 refuted{{$}}
