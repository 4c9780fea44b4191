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
// CHECK: proved root_leaves_sum (reassociates;
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
