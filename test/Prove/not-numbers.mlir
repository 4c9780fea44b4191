// What may be no number: quotients by 0, logarithms of 0, sums over nothing.
// RUN: tenon-rules prove --without-refuting %s 2>&1 | FileCheck %s
// REQUIRES: z3

!n = tensor<?xf32, #graph.dims<n>>
!k = tensor<?xf32, #graph.dims<k>>
!s = tensor<f32>
!kn = tensor<?x?xf32, #graph.dims<k, n>>

// For k = 0 and d = 0, the source is 0, the target 0 / 0.
// CHECK: proved quotient_of_sum (reassociates, needs-finite
rule.rule @quotient_of_sum(%x: [k], %d: []) -> []
  source {
    %0 = graph.broadcast %d shape = [k] : (!s) -> !k
    %1 = graph.div %x, %0 : !k
    %2 = graph.reduce_sum %1 axes = [0] : (!k) -> !s
    rule.yield %2 : []
  }
  target {
    %0 = graph.reduce_sum %x axes = [0] : (!k) -> !s
    %1 = graph.div %0, %d : !s
    rule.yield %1 : []
  }

// For x = -2, y = 1, d = 0: max(-inf, 0) is 0, but -inf + inf is no number.
// CHECK: proved sum_of_quotients (reassociates, needs-finite
rule.rule @sum_of_quotients(%x: [n], %y: [n], %d: [n]) -> [n]
  source {
    %0 = graph.add %x, %y : !n
    %1 = graph.div %0, %d : !n
    %2 = graph.relu %1 : !n
    rule.yield %2 : [n]
  }
  target {
    %0 = graph.div %x, %d : !n
    %1 = graph.div %y, %d : !n
    %2 = graph.add %0, %1 : !n
    %3 = graph.relu %2 : !n
    rule.yield %3 : [n]
  }

// CHECK: proved sum_of_positive_quotients (reassociates;
rule.rule @sum_of_positive_quotients(%x: [n], %y: [n], %d: [n]) -> [n]
  source {
    %0 = graph.add %x, %y : !n
    %1 = graph.div %0, %d : !n
    %2 = graph.relu %1 : !n
    rule.yield %2 : [n]
  }
  target {
    %0 = graph.div %x, %d : !n
    %1 = graph.div %y, %d : !n
    %2 = graph.add %0, %1 : !n
    %3 = graph.relu %2 : !n
    rule.yield %3 : [n]
  }
  where [is_positive(%d)]

// Quotients that stay what they are may be infinite: they are added in another
// order.
// CHECK: proved quotients_regroup (reassociates;
rule.rule @quotients_regroup(%x: [n], %y: [n], %d: [n]) -> [n]
  source {
    %0 = graph.div %x, %d : !n
    %1 = graph.add %0, %x : !n
    %2 = graph.add %1, %y : !n
    rule.yield %2 : [n]
  }
  target {
    %0 = graph.div %x, %d : !n
    %1 = graph.add %x, %y : !n
    %2 = graph.add %0, %1 : !n
    rule.yield %2 : [n]
  }

// But not as factors of a sum.
// CHECK: proved quotient_leaves_sum (reassociates, needs-finite
rule.rule @quotient_leaves_sum(%x: [k], %a: [], %d: []) -> []
  source {
    %0 = graph.div %a, %d : !s
    %1 = graph.broadcast %0 shape = [k] : (!s) -> !k
    %2 = graph.mul %x, %1 : !k
    %3 = graph.reduce_sum %2 axes = [0] : (!k) -> !s
    rule.yield %3 : []
  }
  target {
    %0 = graph.div %a, %d : !s
    %1 = graph.reduce_sum %x axes = [0] : (!k) -> !s
    %2 = graph.mul %0, %1 : !s
    rule.yield %2 : []
  }

// CHECK: proved logarithm_leaves_sum (reassociates, needs-finite
rule.rule @logarithm_leaves_sum(%x: [k], %a: []) -> []
  source {
    %0 = graph.log %a : !s
    %1 = graph.broadcast %0 shape = [k] : (!s) -> !k
    %2 = graph.mul %x, %1 : !k
    %3 = graph.reduce_sum %2 axes = [0] : (!k) -> !s
    rule.yield %3 : []
  }
  target {
    %0 = graph.log %a : !s
    %1 = graph.reduce_sum %x axes = [0] : (!k) -> !s
    %2 = graph.mul %0, %1 : !s
    rule.yield %2 : []
  }

// A root of a square and a number above 0 is a number.
// CHECK: proved root_leaves_sum (reassociates, changes-range;
rule.rule @root_leaves_sum(%x: [k], %a: [], %b: []) -> []
  source {
    %c = graph.constant dense<1.0> : !s
    %d = graph.sub %a, %b : !s
    %q = graph.mul %d, %d : !s
    %r = graph.add %q, %c : !s
    %0 = graph.sqrt %r : !s
    %1 = graph.broadcast %0 shape = [k] : (!s) -> !k
    %2 = graph.div %x, %1 : !k
    %3 = graph.reduce_sum %2 axes = [0] : (!k) -> !s
    rule.yield %3 : []
  }
  target {
    %c = graph.constant dense<1.0> : !s
    %d = graph.sub %a, %b : !s
    %q = graph.mul %d, %d : !s
    %r = graph.add %q, %c : !s
    %0 = graph.sqrt %r : !s
    %1 = graph.reduce_sum %x axes = [0] : (!k) -> !s
    %2 = graph.div %1, %0 : !s
    rule.yield %2 : []
  }

// Of a difference of squares it may be none.
// CHECK: proved root_of_difference (reassociates, needs-finite
rule.rule @root_of_difference(%x: [k], %a: [], %b: []) -> []
  source {
    %p = graph.mul %a, %a : !s
    %q = graph.mul %b, %b : !s
    %r = graph.sub %p, %q : !s
    %0 = graph.sqrt %r : !s
    %1 = graph.broadcast %0 shape = [k] : (!s) -> !k
    %2 = graph.mul %x, %1 : !k
    %3 = graph.reduce_sum %2 axes = [0] : (!k) -> !s
    rule.yield %3 : []
  }
  target {
    %p = graph.mul %a, %a : !s
    %q = graph.mul %b, %b : !s
    %r = graph.sub %p, %q : !s
    %0 = graph.sqrt %r : !s
    %1 = graph.reduce_sum %x axes = [0] : (!k) -> !s
    %2 = graph.mul %1, %0 : !s
    rule.yield %2 : []
  }

// A mean of nothing is 0 / 0.
// CHECK: proved mean_of_sum (reassociates, needs-finite
rule.rule @mean_of_sum(%x: [k], %y: [k]) -> []
  source {
    %0 = graph.add %x, %y : !k
    %1 = graph.reduce_mean %0 axes = [0] : (!k) -> !s
    rule.yield %1 : []
  }
  target {
    %0 = graph.reduce_mean %x axes = [0] : (!k) -> !s
    %1 = graph.reduce_mean %y axes = [0] : (!k) -> !s
    %2 = graph.add %0, %1 : !s
    rule.yield %2 : []
  }

// CHECK: proved mean_of_sum_of_some (reassociates;
rule.rule @mean_of_sum_of_some(%x: [k], %y: [k]) -> []
  source {
    %0 = graph.add %x, %y : !k
    %1 = graph.reduce_mean %0 axes = [0] : (!k) -> !s
    rule.yield %1 : []
  }
  target {
    %0 = graph.reduce_mean %x axes = [0] : (!k) -> !s
    %1 = graph.reduce_mean %y axes = [0] : (!k) -> !s
    %2 = graph.add %0, %1 : !s
    rule.yield %2 : []
  }
  where [k >= 1]

// 1 / 0 is not 1 / -0, which x - y and -(y - x) are for x = y.
// CHECK: proved sign_of_zero (reassociates, needs-finite
rule.rule @sign_of_zero(%x: [n], %y: [n], %a: [n], %b: [n]) -> [n]
  source {
    %o = graph.constant dense<1.0> : !s
    %1 = graph.broadcast %o shape = [n] : (!s) -> !n
    %z = graph.constant dense<0.0> : !s
    %0 = graph.broadcast %z shape = [n] : (!s) -> !n
    %d = graph.sub %x, %y : !n
    %q = graph.div %1, %d : !n
    %c = graph.less %q, %0 : !n
    %w = graph.where %c, %a, %b : tensor<?xi1, #graph.dims<n>>, !n, !n
    rule.yield %w : [n]
  }
  target {
    %o = graph.constant dense<1.0> : !s
    %1 = graph.broadcast %o shape = [n] : (!s) -> !n
    %z = graph.constant dense<0.0> : !s
    %0 = graph.broadcast %z shape = [n] : (!s) -> !n
    %d = graph.sub %y, %x : !n
    %e = graph.neg %d : !n
    %q = graph.div %1, %e : !n
    %c = graph.less %q, %0 : !n
    %w = graph.where %c, %a, %b : tensor<?xi1, #graph.dims<n>>, !n, !n
    rule.yield %w : [n]
  }

// exp is a number above 0 of every real number, but 0 or infinite of some in
// floating point: for k = 0, 0 and 0 * inf.
// CHECK: proved exp_leaves_sum ({{.*}}changes-range;
rule.rule @exp_leaves_sum(%x: [k], %a: []) -> []
  source {
    %0 = graph.exp %a : !s
    %1 = graph.broadcast %0 shape = [k] : (!s) -> !k
    %2 = graph.mul %x, %1 : !k
    %3 = graph.reduce_sum %2 axes = [0] : (!k) -> !s
    rule.yield %3 : []
  }
  target {
    %0 = graph.exp %a : !s
    %1 = graph.reduce_sum %x axes = [0] : (!k) -> !s
    %2 = graph.mul %1, %0 : !s
    rule.yield %2 : []
  }

// For x = 0 and y < 0, the source is 0, the target 0 times no number.
// CHECK: proved root_of_square_times (reassociates, needs-finite
rule.rule @root_of_square_times(%x: [n], %y: [n]) -> [n]
  source {
    %0 = graph.mul %x, %x
    %1 = graph.mul %0, %y
    %2 = graph.sqrt %1
    rule.yield %2
  }
  target {
    %0 = graph.abs %x
    %1 = graph.sqrt %y
    %2 = graph.mul %0, %1
    rule.yield %2
  }

// -inf to 1/2 is inf, its root no number.
// CHECK: proved half_power_of_infinity (reassociates, needs-finite, changes-range;
rule.rule @half_power_of_infinity(%x: [n]) -> [n]
  source {
    %k = graph.constant dense<1000.25> : tensor<f32>
    %kk = graph.broadcast %k shape = [n]
    %s = graph.sub %x, %kk
    %a = graph.abs %s
    %b = graph.log %a
    %c = graph.constant dense<0.5> : tensor<f32>
    %d = graph.broadcast %c shape = [n]
    %e = graph.pow %b, %d
    %f = graph.tanh %e
    rule.yield %f
  }
  target {
    %k = graph.constant dense<1000.25> : tensor<f32>
    %kk = graph.broadcast %k shape = [n]
    %s = graph.sub %x, %kk
    %a = graph.abs %s
    %b = graph.log %a
    %e = graph.sqrt %b
    %f = graph.tanh %e
    rule.yield %f
  }

// For x = z = 1000.25, the source has max(-inf, y) + inf, the target -inf + inf.
// CHECK: proved common_infinity_leaves_maximum (reassociates, needs-finite, changes-range;
rule.rule @common_infinity_leaves_maximum(%x: [n], %y: [n], %z: [n]) -> [n]
  source {
    %k = graph.constant dense<1000.25> : tensor<f32>
    %kk = graph.broadcast %k shape = [n]
    %r0 = graph.sub %z, %kk
    %r = graph.abs %r0
    %c = graph.log %r
    %s0 = graph.sub %x, %kk
    %s = graph.abs %s0
    %a = graph.log %s
    %0 = graph.maximum %a, %y
    %2 = graph.sub %0, %c
    %3 = graph.tanh %2
    rule.yield %3
  }
  target {
    %k = graph.constant dense<1000.25> : tensor<f32>
    %kk = graph.broadcast %k shape = [n]
    %r0 = graph.sub %z, %kk
    %r = graph.abs %r0
    %c = graph.log %r
    %s0 = graph.sub %x, %kk
    %s = graph.abs %s0
    %a = graph.log %s
    %0 = graph.sub %a, %c
    %1 = graph.sub %y, %c
    %2 = graph.maximum %0, %1
    %3 = graph.tanh %2
    rule.yield %3
  }

// For x = 1000.25 and z < 0 < y, the target has -inf + inf. Which laws are needed beside
// makes no difference.
// CHECK: proved infinity_distributes_in_exponent (reassociates, needs-finite, changes-range;
rule.rule @infinity_distributes_in_exponent(%x: [n], %y: [n], %z: [n]) -> [n]
  source {
    %k = graph.constant dense<1000.25> : tensor<f32>
    %kk = graph.broadcast %k shape = [n]
    %r0 = graph.sub %x, %kk
    %a = graph.abs %r0
    %l = graph.log %a
    %s = graph.add %y, %z
    %m = graph.mul %l, %s
    %e = graph.exp %m
    %i = graph.abs %y
    %j = graph.abs %i
    %g = graph.mul %e, %j
    rule.yield %g
  }
  target {
    %k = graph.constant dense<1000.25> : tensor<f32>
    %kk = graph.broadcast %k shape = [n]
    %r0 = graph.sub %x, %kk
    %a = graph.abs %r0
    %l = graph.log %a
    %s = graph.mul %l, %y
    %t = graph.mul %l, %z
    %m = graph.add %s, %t
    %e = graph.exp %m
    %i = graph.abs %y
    %g = graph.mul %e, %i
    rule.yield %g
  }

// The summand that leaves is a real number.
// CHECK: proved common_summand_leaves_maximum (reassociates, changes-range; elements: real;
rule.rule @common_summand_leaves_maximum(%x: [n], %y: [n], %z: [n]) -> [n]
  source {
    %0 = graph.log %x
    %1 = graph.maximum %0, %y
    %2 = graph.sub %1, %z
    rule.yield %2
  }
  target {
    %0 = graph.log %x
    %1 = graph.sub %0, %z
    %2 = graph.sub %y, %z
    %3 = graph.maximum %1, %2
    rule.yield %3
  }

// 1e-60 is 0 as an element of f32: for k = 0 and y = 1000.25, the target is 0 / 0.
// CHECK: proved quotient_by_clip_leaves_sum (reassociates, needs-finite, changes-range;
rule.rule @quotient_by_clip_leaves_sum(%x: [n, k], %y: [n]) -> [n]
  source {
    %k = graph.constant dense<1000.25> : tensor<f32>
    %kk = graph.broadcast %k shape = [n]
    %d = graph.sub %y, %kk
    %a = graph.abs %d
    %c = graph.clip %a low = 1.0e-60, high = 1.0e30
    %r = graph.reshape %c shape = [n, 1]
    %b = graph.broadcast %r shape = [n, k]
    %q = graph.div %x, %b
    %s = graph.reduce_sum %q axes = [1]
    rule.yield %s
  }
  target {
    %k = graph.constant dense<1000.25> : tensor<f32>
    %kk = graph.broadcast %k shape = [n]
    %d = graph.sub %y, %kk
    %a = graph.abs %d
    %c = graph.clip %a low = 1.0e-60, high = 1.0e30
    %s = graph.reduce_sum %x axes = [1]
    %q = graph.div %s, %c
    rule.yield %q
  }
