// Rules that need laws of exp, log and quotients. Laws.h states the laws; the
// negative tests are in laws-bad.mlir.
// RUN: tenon-rules prove %s | FileCheck %s
// REQUIRES: z3

!n = tensor<?xf32, #graph.dims<n>>
!mk = tensor<?x?xf32, #graph.dims<m, k>>
!mp = tensor<?x?xf32, #graph.dims<m, p>>
!m_kp = tensor<?x?xf32, #graph.dims<m, k + p>>
!kn = tensor<?x?xf32, #graph.dims<k, n>>
!mn = tensor<?x?xf32, #graph.dims<m, n>>
!k = tensor<?xf32, #graph.dims<k>>
!m1 = tensor<?x1xf32, #graph.dims<m, 1>>

// E1.
// CHECK: proved exp_of_sum (reassociates, changes-range; elements: real;
rule.rule @exp_of_sum(%a: [n], %b: [n]) -> [n]
  source {
    %0 = graph.exp %a : !n
    %1 = graph.exp %b : !n
    %2 = graph.mul %0, %1 : !n
    rule.yield %2 : [n]
  }
  target {
    %0 = graph.add %a, %b : !n
    %1 = graph.exp %0 : !n
    rule.yield %1 : [n]
  }

// E1, Q3.
// CHECK: proved exp_of_difference
rule.rule @exp_of_difference(%a: [n], %b: [n]) -> [n]
  source {
    %0 = graph.exp %a : !n
    %1 = graph.exp %b : !n
    %2 = graph.div %0, %1 : !n
    rule.yield %2 : [n]
  }
  target {
    %0 = graph.sub %a, %b : !n
    %1 = graph.exp %0 : !n
    rule.yield %1 : [n]
  }

// L1.
// CHECK: proved log_of_exp
rule.rule @log_of_exp(%a: [n]) -> [n]
  source {
    %0 = graph.exp %a : !n
    %1 = graph.log %0 : !n
    rule.yield %1 : [n]
  }
  target {
    rule.yield %a : [n]
  }

// E2: a sum of exponentials is positive.
// CHECK: proved exp_of_log
rule.rule @exp_of_log(%a: [n], %b: [n]) -> [n]
  source {
    %0 = graph.exp %a : !n
    %1 = graph.exp %b : !n
    %2 = graph.add %0, %1 : !n
    %3 = graph.log %2 : !n
    %4 = graph.exp %3 : !n
    rule.yield %4 : [n]
  }
  target {
    %0 = graph.exp %a : !n
    %1 = graph.exp %b : !n
    %2 = graph.add %0, %1 : !n
    rule.yield %2 : [n]
  }

// Q4: a row of softmax adds up to 1.
// CHECK: proved softmax_adds_up
rule.rule @softmax_adds_up(%x: [m, k]) -> [m, 1]
  source {
    %0 = graph.softmax %x axis = 1 : !mk
    %1 = graph.reduce_sum %0 axes = [1] keepdims : (!mk) -> !m1
    rule.yield %1 : [m, 1]
  }
  target {
    %c = graph.constant dense<1.0> : tensor<f32>
    %0 = graph.broadcast %c shape = [m, 1] : (tensor<f32>) -> !m1
    rule.yield %0 : [m, 1]
  }
  where [k >= 1]

// Q2.
// CHECK: proved reciprocal_of_reciprocal
rule.rule @reciprocal_of_reciprocal(%a: [n], %b: [n]) -> [n]
  source {
    %0 = graph.exp %b : !n
    %1 = graph.div %a, %0 : !n
    %2 = graph.div %a, %1 : !n
    %3 = graph.mul %2, %a : !n
    rule.yield %3 : [n]
  }
  target {
    %0 = graph.exp %b : !n
    %1 = graph.div %a, %0 : !n
    %2 = graph.mul %a, %a : !n
    %3 = graph.div %2, %1 : !n
    rule.yield %3 : [n]
  }

// 56. What is the same along the axis does not matter to a softmax.
// CHECK: proved softmax_of_shifted
rule.rule @softmax_of_shifted(%x: [m, k], %c: [m, 1]) -> [m, k]
  source {
    %0 = graph.broadcast %c shape = [m, k] : (!m1) -> !mk
    %1 = graph.add %x, %0 : !mk
    %2 = graph.softmax %1 axis = 1 : !mk
    rule.yield %2 : [m, k]
  }
  target {
    %0 = graph.softmax %x axis = 1 : !mk
    rule.yield %0 : [m, k]
  }

// CHECK: proved softmax_without_maximum
rule.rule @softmax_without_maximum(%x: [m, k]) -> [m, k]
  source {
    %0 = graph.exp %x : !mk
    %1 = graph.reduce_sum %0 axes = [1] keepdims : (!mk) -> !m1
    %2 = graph.broadcast %1 shape = [m, k] : (!m1) -> !mk
    %3 = graph.div %0, %2 : !mk
    rule.yield %3 : [m, k]
  }
  target {
    %0 = graph.softmax %x axis = 1 : !mk
    rule.yield %0 : [m, k]
  }

// CHECK: proved log_of_softmax
rule.rule @log_of_softmax(%x: [m, k]) -> [m, k]
  source {
    %0 = graph.softmax %x axis = 1 : !mk
    %1 = graph.log %0 : !mk
    rule.yield %1 : [m, k]
  }
  target {
    %0 = graph.log_softmax %x axis = 1 : !mk
    rule.yield %0 : [m, k]
  }

// The log-sum-exp of a concatenation.
// CHECK: proved logsumexp_of_concat
rule.rule @logsumexp_of_concat(%a: [m, k], %b: [m, p]) -> [m, 1]
  source {
    %0 = graph.concat %a, %b axis = 1 : (!mk, !mp) -> !m_kp
    %1 = graph.reduce_log_sum_exp %0 axes = [1] keepdims : (!m_kp) -> !m1
    rule.yield %1 : [m, 1]
  }
  target {
    %0 = graph.reduce_log_sum_exp %a axes = [1] keepdims : (!mk) -> !m1
    %1 = graph.reduce_log_sum_exp %b axes = [1] keepdims : (!mp) -> !m1
    %2 = graph.exp %0 : !m1
    %3 = graph.exp %1 : !m1
    %4 = graph.add %2, %3 : !m1
    %5 = graph.log %4 : !m1
    rule.yield %5 : [m, 1]
  }
  where [k >= 1, p >= 1]

// 56. The division of a softmax after the product with the values.
// CHECK: proved divide_after_values
rule.rule @divide_after_values(%x: [m, k], %v: [k, n]) -> [m, n]
  source {
    %0 = graph.softmax %x axis = 1 : !mk
    %1 = graph.matmul %0, %v : (!mk, !kn) -> !mn
    rule.yield %1 : [m, n]
  }
  target {
    %0 = graph.reduce_max %x axes = [1] keepdims : (!mk) -> !m1
    %1 = graph.broadcast %0 shape = [m, k] : (!m1) -> !mk
    %2 = graph.sub %x, %1 : !mk
    %3 = graph.exp %2 : !mk
    %4 = graph.matmul %3, %v : (!mk, !kn) -> !mn
    %5 = graph.reduce_sum %3 axes = [1] keepdims : (!mk) -> !m1
    %6 = graph.broadcast %5 shape = [m, n] : (!m1) -> !mn
    %7 = graph.div %4, %6 : !mn
    rule.yield %7 : [m, n]
  }
  where [k >= 1]

// 55. A factor per row commutes with a matmul: rms_norm(x) w = (x w) / rms(x).
// CHECK: proved rms_norm_after_matmul (reassociates; elements: real;
rule.rule @rms_norm_after_matmul(%x: [m, k], %g: [k], %w: [k, n]) -> [m, n]
  source {
    %0 = graph.rms_norm %x, %g axis = 1 epsilon = 1.0e-5 : (!mk, !k) -> !mk
    %1 = graph.matmul %0, %w : (!mk, !kn) -> !mn
    rule.yield %1 : [m, n]
  }
  target {
    %g1 = graph.reshape %g shape = [k, 1] : (!k) -> tensor<?x1xf32, #graph.dims<k, 1>>
    %gw = graph.broadcast %g1 shape = [k, n] : (tensor<?x1xf32, #graph.dims<k, 1>>) -> !kn
    %w1 = graph.mul %gw, %w : !kn
    %y = graph.matmul %x, %w1 : (!mk, !kn) -> !mn
    %q = graph.mul %x, %x : !mk
    %s = graph.reduce_mean %q axes = [1] keepdims : (!mk) -> !m1
    %c = graph.constant dense<1.0e-5> : tensor<f32>
    %e = graph.broadcast %c shape = [m, 1] : (tensor<f32>) -> !m1
    %t = graph.add %s, %e : !m1
    %r = graph.sqrt %t : !m1
    %b = graph.broadcast %r shape = [m, n] : (!m1) -> !mn
    %z = graph.div %y, %b : !mn
    rule.yield %z : [m, n]
  }
  where [k >= 1]

// 54. The gain of a normalization moves into the matmul behind it.
// CHECK: proved gain_into_matmul (reassociates; elements: real;
rule.rule @gain_into_matmul(%x: [m, k], %g: [k], %b: [k], %w: [k, n]) -> [m, n]
  source {
    %0 = graph.layer_norm %x, %g, %b axis = 1 epsilon = 1.0e-5 : (!mk, !k, !k) -> !mk
    %1 = graph.matmul %0, %w : (!mk, !kn) -> !mn
    rule.yield %1 : [m, n]
  }
  target {
    %c = graph.constant dense<1.0> : tensor<f32>
    %ones = graph.broadcast %c shape = [k] : (tensor<f32>) -> !k
    %y = graph.layer_norm %x, %ones axis = 1 epsilon = 1.0e-5 : (!mk, !k) -> !mk
    %g1 = graph.reshape %g shape = [k, 1] : (!k) -> tensor<?x1xf32, #graph.dims<k, 1>>
    %gw = graph.broadcast %g1 shape = [k, n] : (tensor<?x1xf32, #graph.dims<k, 1>>) -> !kn
    %w1 = graph.mul %gw, %w : !kn
    %z = graph.matmul %y, %w1 : (!mk, !kn) -> !mn
    %b1 = graph.reshape %b shape = [1, k] : (!k) -> tensor<1x?xf32, #graph.dims<1, k>>
    %bw = graph.matmul %b1, %w : (tensor<1x?xf32, #graph.dims<1, k>>, !kn) -> tensor<1x?xf32, #graph.dims<1, n>>
    %bb = graph.broadcast %bw shape = [m, n] : (tensor<1x?xf32, #graph.dims<1, n>>) -> !mn
    %r = graph.add %z, %bb : !mn
    rule.yield %r : [m, n]
  }
  where [k >= 1]

// 51. A batch normalization in the weights of the convolution before it.
!x = tensor<?x?x?x?xf32, #graph.dims<b, c, h, w>>
!f = tensor<?x?x3x3xf32, #graph.dims<o, c, 3, 3>>
!y = tensor<?x?x?x?xf32, #graph.dims<b, o, h, w>>
!o = tensor<?xf32, #graph.dims<o>>
!o111 = tensor<?x1x1x1xf32, #graph.dims<o, 1, 1, 1>>
!o11 = tensor<?x1x1xf32, #graph.dims<o, 1, 1>>
// CHECK: proved batch_norm_into_conv (reassociates; elements: real;
rule.rule @batch_norm_into_conv(%x: [b, c, h, w], %f: !f, %g: [o], %d: [o], %u: [o], %v: [o]) -> [b, o, h, w]
  source {
    %0 = graph.conv %x, %f strides = [1, 1] pads = [1, 1, 1, 1] dilations = [1, 1] groups = 1 channels_first : (!x, !f) -> !y
    %1 = graph.batch_norm %0, %g, %d, %u, %v axis = 1 epsilon = 1.0e-5 : (!y, !o, !o, !o, !o) -> !y
    rule.yield %1 : [b, o, h, w]
  }
  target {
    %c = graph.constant dense<1.0e-5> : tensor<f32>
    %e = graph.broadcast %c shape = [o] : (tensor<f32>) -> !o
    %t = graph.add %v, %e : !o
    %r = graph.sqrt %t : !o
    %s = graph.div %g, %r : !o
    %s4 = graph.reshape %s shape = [o, 1, 1, 1] : (!o) -> !o111
    %sf = graph.broadcast %s4 shape = [o, c, 3, 3] : (!o111) -> !f
    %f1 = graph.mul %f, %sf : !f
    %us = graph.mul %u, %s : !o
    %d1 = graph.sub %d, %us : !o
    %d3 = graph.reshape %d1 shape = [o, 1, 1] : (!o) -> !o11
    %dd = graph.broadcast %d3 shape = [b, o, h, w] : (!o11) -> !y
    %0 = graph.conv %x, %f1 strides = [1, 1] pads = [1, 1, 1, 1] dilations = [1, 1] groups = 1 channels_first : (!x, !f) -> !y
    %1 = graph.add %0, %dd : !y
    rule.yield %1 : [b, o, h, w]
  }
